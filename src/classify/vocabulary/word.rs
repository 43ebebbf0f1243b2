//! Words: the units of which candidate vocabularies are made.

use crate::facts::problem::Problem;
use crate::search::hiding::shares_places;
use lang::model::types::Type;
use lang::model::{Model, Observable, PredicateArgument, PredicateId, Vocabulary, VocabularyItem};
use rustc_hash::FxHashSet;

/// An observable as a vocabulary names it, restricted to some of its leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct RestrictedObservable {
    /// The text of the whole, if no leaf is left out.
    whole: Option<String>,
    /// The leaves.
    pub leaves: Vec<Observable>,
}

impl RestrictedObservable {
    /// Returns all leaves of an observable.
    pub fn of(model: &Model, whole: &Observable) -> Self {
        Self { whole: Some(whole.text.clone()), leaves: whole.leaves(&model.types) }
    }

    /// Returns a single leaf.
    pub fn leaf(leaf: &Observable) -> Self {
        Self { whole: None, leaves: vec![leaf.clone()] }
    }

    /// Returns a single leaf that a vocabulary names by another text.
    pub fn named(text: &str, leaf: Observable) -> Self {
        Self { whole: Some(text.to_owned()), leaves: vec![leaf] }
    }

    /// Keeps the leaves that satisfy a condition; `None` if there are none.
    pub fn only(&self, keep: impl Fn(&Observable) -> bool) -> Option<Self> {
        let leaves: Vec<Observable> = self.leaves.iter().filter(|leaf| keep(leaf)).cloned().collect();
        let whole = self.whole.clone().filter(|_| leaves.len() == self.leaves.len());
        (!leaves.is_empty()).then_some(Self { whole, leaves })
    }

    /// Keeps the leaves that share no place with the property, nor differ only in keys of maps from a leaf
    /// that does; `None` if there are none.
    pub fn apart_from_property(&self, problem: Problem<'_>) -> Option<Self> {
        let read = self.leaves.iter().filter(|leaf| shares_places(problem, &leaf.expr));
        let read: FxHashSet<String> = read.map(|leaf| without_keys(&leaf.text)).collect();
        self.only(|leaf| !read.contains(&without_keys(&leaf.text)))
    }

    /// Keeps the leaves that are sets; `None` if there are none.
    pub fn sets(&self) -> Option<Self> {
        self.only(|leaf| matches!(leaf.expr.ty, Type::Set(_)))
    }

    /// Returns the text of the whole, or of the first leaf.
    pub fn name(&self) -> &str {
        self.texts().first().copied().unwrap_or_default()
    }

    fn texts(&self) -> Vec<&str> {
        match &self.whole {
            Some(whole) => vec![whole],
            None => self.leaves.iter().map(|leaf| leaf.text.as_str()).collect(),
        }
    }
}

/// Removes the keys of maps from a text such as `phase[Bob].step`.
pub fn without_keys(text: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '[');
        let kept = depth == 0;
        depth -= i32::from(*c == ']');
        kept
    };
    text.chars().filter(outside).collect()
}

/// A unit of candidate vocabularies, contained as a whole or not at all.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// `eq(x)`.
    Equal(RestrictedObservable),
    /// `lacks(x)`.
    Lacks(RestrictedObservable),
    /// `absent(x)`.
    Absent(RestrictedObservable),
    /// `eq(x, y) across`.
    Ties(Vec<RestrictedObservable>),
    /// A predicate with its readings: the arguments for its parameters.
    Predicate {
        /// The predicate.
        id: PredicateId,
        /// Its name.
        name: String,
        /// The readings.
        readings: Vec<Vec<PredicateArgument>>,
        /// True if these are all readings, so that the name alone means them.
        all: bool,
        /// The text of its declaration, if the model does not declare it itself.
        added: Option<String>,
    },
    /// `before`.
    Before,
    /// `next`.
    Next,
}

impl Word {
    /// Returns the vocabulary items of the word, in the order of a model that contains its text.
    pub fn items(&self) -> Vec<VocabularyItem> {
        let each = |part: &RestrictedObservable,
                    item: fn(Observable) -> VocabularyItem|
         -> Vec<VocabularyItem> { part.leaves.iter().cloned().map(item).collect() };
        match self {
            Self::Equal(part) => each(part, VocabularyItem::Equal),
            Self::Lacks(part) => each(part, VocabularyItem::Lacks),
            Self::Absent(part) => each(part, VocabularyItem::Absent),
            Self::Ties(parts) => {
                let leaves: Vec<Observable> = parts.iter().flat_map(|part| part.leaves.clone()).collect();
                let equal = leaves.iter().cloned().map(VocabularyItem::Equal);
                equal.chain(VocabularyItem::pairs(&leaves)).collect()
            }
            Self::Predicate { id, readings, .. } => {
                readings.iter().map(|args| VocabularyItem::Predicate(*id, args.clone())).collect()
            }
            Self::Before => vec![VocabularyItem::Before],
            Self::Next => vec![VocabularyItem::Next],
        }
    }

    /// Removes the items meant by `names`, as `--hide` does; `None` if nothing is left.
    pub fn without(&self, model: &Model, names: &[String]) -> Option<Self> {
        let hidden = |item: VocabularyItem| {
            let alone = vocabulary("", vec![item]);
            names.iter().any(|name| !alone.meant_by(model, name).is_empty())
        };
        let shown = |leaf: &Observable| !hidden(VocabularyItem::Equal(leaf.clone()));
        Some(match self {
            Self::Equal(part) => Self::Equal(part.only(shown)?),
            Self::Lacks(part) => Self::Lacks(part.only(shown)?),
            Self::Absent(part) => Self::Absent(part.only(shown)?),
            Self::Ties(parts) => {
                let parts: Vec<RestrictedObservable> =
                    parts.iter().filter_map(|part| part.only(shown)).collect();
                if parts.is_empty() {
                    return None;
                }
                Self::Ties(parts)
            }
            Self::Predicate { id, name, readings, all, added } => {
                let shown =
                    |args: &&Vec<PredicateArgument>| !hidden(VocabularyItem::Predicate(*id, (*args).clone()));
                let left: Vec<_> = readings.iter().filter(shown).cloned().collect();
                if left.is_empty() {
                    return None;
                }
                let all = *all && left.len() == readings.len();
                let (name, added) = (name.clone(), added.clone());
                Self::Predicate { id: *id, name, readings: left, all, added }
            }
            order @ (Self::Before | Self::Next) => order.clone(),
        })
    }

    /// Returns the names of its observables or predicate, as a user writes them: `action`, `phase`,
    /// `msgs.replay`.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Equal(part) | Self::Lacks(part) | Self::Absent(part) => part.texts(),
            Self::Ties(parts) => parts.iter().flat_map(RestrictedObservable::texts).collect(),
            Self::Predicate { name, .. } => vec![name],
            Self::Before => vec!["before"],
            Self::Next => vec!["next"],
        }
    }

    /// Returns the brackets that adjacent words of one form share in a text: `eq(` and `)`.
    fn brackets(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Equal(_) => Some(("eq(", ")")),
            Self::Lacks(_) => Some(("lacks(", ")")),
            Self::Absent(_) => Some(("absent(", ")")),
            _ => None,
        }
    }

    /// True for a predicate that the model does not declare itself.
    pub fn is_added(&self) -> bool {
        self.added().is_some()
    }

    /// Returns the declaration of a predicate that the model does not declare itself.
    pub fn added(&self) -> Option<&str> {
        match self {
            Self::Predicate { added, .. } => added.as_deref(),
            _ => None,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Ties(_) => format!("eq({}) across", self.names().join(", ")),
            Self::Predicate { name, readings, all: false, .. } => {
                let passed = |args: &Vec<PredicateArgument>| {
                    let observed = args.iter().filter_map(PredicateArgument::observed);
                    let args: Vec<&str> = observed.map(|of| of.text.as_str()).collect();
                    format!("{name}({})", args.join(", "))
                };
                readings.iter().map(passed).collect::<Vec<_>>().join(", ")
            }
            _ => self.names().join(", "),
        }
    }
}

/// Returns the text of words, as written between the braces of a vocabulary: `msgs.replay, eq(action, phase), before`.
pub fn words_text(words: &[Word]) -> String {
    let groups = words.chunk_by(|a, b| a.brackets().is_some() && a.brackets() == b.brackets());
    let text = |group: &[Word]| {
        let inside: Vec<String> = group.iter().map(Word::text).collect();
        let (open, close) = group[0].brackets().unwrap_or_default();
        format!("{open}{}{close}", inside.join(", "))
    };
    groups.map(text).collect::<Vec<_>>().join(", ")
}

/// Returns the items of words, each once.
pub(super) fn items_of(words: &[Word]) -> Vec<VocabularyItem> {
    let mut known = FxHashSet::default();
    let items = words.iter().flat_map(Word::items);
    items.filter(|item| known.insert(item.identity())).collect()
}

/// Creates a vocabulary without a source text.
pub(super) fn vocabulary(name: &str, items: Vec<VocabularyItem>) -> Vocabulary {
    Vocabulary { name: name.to_owned(), doc: None, items, span: Default::default() }
}
