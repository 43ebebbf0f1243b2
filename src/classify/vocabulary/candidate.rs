//! Candidates: vocabularies to be tried.

use super::inventory::Inventory;
use super::word::{Part, Word, items_of, vocabulary, words_text};
use lang::model::{Model, Vocabulary};

/// A vocabulary that can be classified with.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name: that of the model's vocabulary, or what it is made of.
    pub name: String,
    /// What it is made of; `None` for a vocabulary of the model.
    pub words: Option<Vec<Word>>,
    /// The vocabulary itself.
    pub vocabulary: Vocabulary,
}

impl Candidate {
    /// A vocabulary of these words. Orders of positions go with every one.
    pub fn of(name: &str, words: Vec<Word>) -> Self {
        Self { name: name.to_owned(), vocabulary: vocabulary(name, items_of(&words)), words: Some(words) }
    }

    /// A vocabulary that the model declares.
    pub fn declared(vocabulary: &Vocabulary) -> Self {
        Self { name: vocabulary.name.clone(), words: None, vocabulary: vocabulary.clone() }
    }

    /// The same vocabulary under another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        name.clone_into(&mut self.vocabulary.name);
        self
    }

    /// A declaration that can be pasted into the model; `None` for a vocabulary that is there already.
    pub fn declaration(&self) -> Option<String> {
        let words = self.words.as_ref()?;
        Some(format!("vocabulary {} = {{ {} }};", self.name, words_text(words)))
    }

    /// Without what these names mean; `None` if nothing but orders is left.
    pub fn without(&self, model: &Model, names: &[String]) -> Option<Self> {
        if names.is_empty() {
            return Some(self.clone());
        }
        let words = self.words.as_ref()?;
        let left: Vec<Word> = words.iter().filter_map(|word| word.without(model, names)).collect();
        let named = left.iter().any(|word| !matches!(word, Word::Before | Word::Next));
        named.then(|| Self::of(&self.name, left))
    }
}

/// Equality of each of these.
fn equal(parts: &[Part]) -> impl Iterator<Item = Word> + '_ {
    parts.iter().cloned().map(Word::Equal)
}

/// The vocabularies that are tried first: what was done, the predicates, and what the property does not read of states.
pub(super) fn usual(offered: &Inventory) -> Vec<Candidate> {
    let action = std::slice::from_ref(&offered.action);
    let (labels, unread, predicates) = (offered.labels(), &offered.unread, &offered.predicates);
    let mut found = Vec::new();
    let mut add = |name: &str, predicates: &[Word], parts: [&[Part]; 2]| {
        let words = predicates.iter().cloned().chain(parts.into_iter().flat_map(equal));
        found.push(Candidate::of(name, words.chain([Word::Before]).collect()));
    };
    add("actions", &[], [action, &[]]);
    add("labels", &[], [&labels, &[]]);
    if !predicates.is_empty() {
        add("predicates", predicates, [&[], &[]]);
        add("predicates_labels", predicates, [&labels, &[]]);
    }
    if !unread.is_empty() {
        add("labels_states", &[], [&labels, unread]);
        add("actions_states", &[], [action, unread]);
        if !predicates.is_empty() {
            add("predicates_labels_states", predicates, [&labels, unread]);
            add("predicates_states", predicates, [&[], unread]);
        }
    }
    found
}

/// What else there is to say without naming all that the property reads: each variable that it reads by itself, what did
/// not happen, and which values are the same.
pub(super) fn wider(offered: &Inventory) -> Vec<Candidate> {
    /// More variables that the property reads are not tried one by one.
    const MOST: usize = 6;
    let labels = offered.labels();
    let base: Vec<Word> = offered.predicates.iter().cloned().chain(equal(&labels)).collect();
    let with = |name: String, more: Vec<Word>| {
        let words = base.iter().cloned().chain(more).chain([Word::Before]);
        Candidate::of(&name, words.collect())
    };
    let read = offered.variables.iter().filter(|part| !offered.unread.contains(part)).take(MOST);
    let read: Vec<&Part> = read.collect();
    let each = |name: &'static str, word: fn(Part) -> Word| {
        let with = &with;
        read.iter().map(move |part| {
            with(format!("labels_{name}{}", plain(part.name())), vec![word((*part).clone())])
        })
    };
    let mut found: Vec<Candidate> = each("", Word::Equal).chain(each("no_", Word::Absent)).collect();
    found.push(with("labels_absences".to_owned(), labels.iter().cloned().map(Word::Absent).collect()));
    let ties: Vec<Word> = offered.ties().into_iter().map(Word::Ties).collect();
    if !ties.is_empty() {
        found.push(with("labels_ties".to_owned(), ties));
    }
    found
}

/// Everything that states say. The last one tells every violating state from every other one, so there is always a complete
/// classification with it.
pub(super) fn widest(offered: &Inventory) -> Vec<Candidate> {
    let labels = offered.labels();
    let states = || equal(&offered.variables);
    let everything = offered.predicates.iter().cloned().chain(equal(&labels)).chain(states());
    let everything = Candidate::of("everything", everything.chain([Word::Before]).collect());
    let lacks = offered.variables.iter().filter_map(Part::sets).map(Word::Lacks);
    let states = Candidate::of("states", states().chain(lacks).chain([Word::Before, Word::Next]).collect());
    vec![everything, states]
}

/// A name for identifiers from a text such as `phase[1].x`.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
