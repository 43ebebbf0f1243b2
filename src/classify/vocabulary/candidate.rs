//! Candidates: vocabularies to try.

use super::inventory::Inventory;
use super::word::{RestrictedObservable, Word, items_of, vocabulary, words_text};
use lang::model::{Model, Vocabulary};

/// A vocabulary to classify with.
#[derive(Debug, Clone)]
pub struct CandidateVocabulary {
    /// The name of the model's vocabulary, or one derived from the words.
    pub name: String,
    /// The words; `None` for a vocabulary of the model.
    pub words: Option<Vec<Word>>,
    /// The vocabulary itself.
    pub vocabulary: Vocabulary,
}

impl CandidateVocabulary {
    /// Creates a vocabulary of these words.
    pub fn of(name: &str, words: Vec<Word>) -> Self {
        Self { name: name.to_owned(), vocabulary: vocabulary(name, items_of(&words)), words: Some(words) }
    }

    /// Wraps a vocabulary that the model declares.
    pub fn declared(vocabulary: &Vocabulary) -> Self {
        Self { name: vocabulary.name.clone(), words: None, vocabulary: vocabulary.clone() }
    }

    /// Renames the candidate and its vocabulary.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        name.clone_into(&mut self.vocabulary.name);
        self
    }

    /// Returns a declaration for the model; `None` for a vocabulary that is declared already.
    pub fn declaration(&self) -> Option<String> {
        let words = self.words.as_ref()?;
        Some(format!("vocabulary {} = {{ {} }};", self.name, words_text(words)))
    }

    /// Returns the declarations of its predicates that the model lacks.
    pub fn predicates(&self) -> Vec<String> {
        self.words.iter().flatten().filter_map(Word::added).map(str::to_owned).collect()
    }

    /// Removes the items meant by `names`; `None` if only orders remain.
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

/// Returns `eq` of each part.
fn equal(parts: &[RestrictedObservable]) -> impl Iterator<Item = Word> + '_ {
    parts.iter().cloned().map(Word::Equal)
}

/// Returns the vocabularies to try first: labels, predicates, and the parts of states that the property does not read.
pub(super) fn usual(offered: &Inventory) -> Vec<CandidateVocabulary> {
    let action = std::slice::from_ref(&offered.action);
    let (labels, unread, predicates) = (offered.labels(), &offered.unread, &offered.predicates);
    let mut found = Vec::new();
    let mut add = |name: &str, predicates: &[Word], parts: [&[RestrictedObservable]; 2]| {
        let words = predicates.iter().cloned().chain(parts.into_iter().flat_map(equal));
        found.push(CandidateVocabulary::of(name, words.chain([Word::Before]).collect()));
    };
    add("actions", &[], [action, &[]]);
    if !offered.literals.is_empty() {
        add("conditions", &[], [&offered.literals, action]);
    }
    if !offered.establishing.is_empty() {
        add("establishing", &offered.establishing, [&[], &[]]);
    }
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

/// Returns further vocabularies that do not name everything that the property reads: each variable that it
/// reads by itself, absences of labels, and equalities between observables.
pub(super) fn wider(offered: &Inventory) -> Vec<CandidateVocabulary> {
    /// Of the variables that the property reads, at most this many are tried one by one.
    const MOST: usize = 6;
    let labels = offered.labels();
    let base: Vec<Word> = offered.predicates.iter().cloned().chain(equal(&labels)).collect();
    let with = |name: String, more: Vec<Word>| {
        let words = base.iter().cloned().chain(more).chain([Word::Before]);
        CandidateVocabulary::of(&name, words.collect())
    };
    let read = offered.variables.iter().filter(|part| !offered.unread.contains(part)).take(MOST);
    let read: Vec<&RestrictedObservable> = read.collect();
    let each = |name: &'static str, word: fn(RestrictedObservable) -> Word| {
        let with = &with;
        read.iter().map(move |part| {
            with(format!("labels_{name}{}", plain(part.name())), vec![word((*part).clone())])
        })
    };
    let mut found: Vec<CandidateVocabulary> =
        each("", Word::Equal).chain(each("no_", Word::Absent)).collect();
    found.push(with("labels_absences".to_owned(), labels.iter().cloned().map(Word::Absent).collect()));
    let ties: Vec<Word> = offered.ties().into_iter().map(Word::Ties).collect();
    if !ties.is_empty() {
        found.push(with("labels_ties".to_owned(), ties));
    }
    found
}

/// Returns vocabularies of all variables. The last one distinguishes every violating state from every other
/// one, so a complete classification with it exists.
pub(super) fn widest(offered: &Inventory) -> Vec<CandidateVocabulary> {
    let labels = offered.labels();
    let states = || equal(&offered.variables);
    let everything = offered.predicates.iter().cloned().chain(equal(&labels)).chain(states());
    let everything = CandidateVocabulary::of("everything", everything.chain([Word::Before]).collect());
    let lacks = offered.variables.iter().filter_map(RestrictedObservable::sets).map(Word::Lacks);
    let states =
        CandidateVocabulary::of("states", states().chain(lacks).chain([Word::Before, Word::Next]).collect());
    vec![everything, states]
}

/// Turns a text such as `phase[1].x` into an identifier.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
