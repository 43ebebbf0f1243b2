//! Kinds of minimal patterns: the fewest words that describe all of them.

use super::words::WORDS;
use super::{AttackPattern, Characterisation};
use itertools::Itertools;

/// A kind of attacks: patterns with a word in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackKind {
    /// The word; `None` for patterns without any.
    pub word: Option<&'static str>,
    /// Indices of its patterns. A pattern is of the first kind of which it has the word.
    pub patterns: Vec<usize>,
}

impl Characterisation {
    /// The fewest kinds that cover the patterns. Of several such choices, the one with the first words is taken.
    pub fn kinds(&self) -> Vec<AttackKind> {
        let described = |chosen: &[&str]| {
            let has = |pattern: &&AttackPattern| chosen.iter().any(|word| pattern.words.contains(word));
            self.patterns.iter().filter(has).count()
        };
        // Few words come before many, and of as many the first ones.
        let covers = |chosen: &Vec<&str>| described(chosen) == described(&WORDS);
        let fewest = WORDS.into_iter().powerset().find(covers).unwrap_or_default();
        let word_of =
            |pattern: &AttackPattern| fewest.iter().copied().find(|word| pattern.words.contains(word));
        let mut kinds = Vec::new();
        for word in fewest.iter().copied().map(Some).chain([None]) {
            let has = |index: &usize| word_of(&self.patterns[*index]) == word;
            let patterns: Vec<usize> = (0..self.patterns.len()).filter(has).collect();
            if !patterns.is_empty() {
                kinds.push(AttackKind { word, patterns });
            }
        }
        kinds
    }
}
