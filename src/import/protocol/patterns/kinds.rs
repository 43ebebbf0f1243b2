//! Kinds of minimal patterns: the fewest words that describe all of them.

use super::Characterisation;
use super::words::WORDS;
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
        let words = self.patterns.iter().map(|pattern| &pattern.words[..]).collect_vec();
        let word_of = fewest_words(&words);
        let words = WORDS.into_iter().map(Some).chain([None]);
        let kinds = words.map(|word| {
            let patterns = word_of.iter().positions(|of| *of == word).collect();
            AttackKind { word, patterns }
        });
        kinds.filter(|kind| !kind.patterns.is_empty()).collect()
    }
}

/// Chooses the fewest words that describe all attacks, of which each has the words given; of several such choices, the one with the
/// first words. Returns for each attack the first of them that it has.
pub fn fewest_words(attacks: &[&[&'static str]]) -> Vec<Option<&'static str>> {
    let word_of = |chosen: &[&'static str], attack: &[&'static str]| {
        chosen.iter().copied().find(|word| attack.contains(word))
    };
    let described =
        |chosen: &[&'static str]| attacks.iter().filter(|attack| word_of(chosen, attack).is_some()).count();
    // Few words come before many, and of as many the first ones.
    let covers = |chosen: &Vec<&'static str>| described(chosen) == described(&WORDS);
    let fewest = WORDS.into_iter().powerset().find(covers).unwrap_or_default();
    attacks.iter().map(|attack| word_of(&fewest, attack)).collect()
}
