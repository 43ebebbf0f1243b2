//! The syntax tree of a property.

use super::pattern::LabelPattern;
use crate::lts::labels::{LabelId, Labels};
use kit::diagnostics::Span;

/// A conjunction of formulas `[R] false`.
#[derive(Debug, Clone)]
pub struct ForbiddenTraces {
    /// The regular formulas R whose traces are forbidden.
    pub forbidden: Vec<Regular>,
}

/// The bad traces of a formula: closed under extension, or as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Closure {
    /// A trace is bad when a prefix of it is in L(R): this is what `[R] false` says.
    #[default]
    Prefix,
    /// A trace is bad when it is itself in L(R), so that one that goes on may be good again.
    Literal,
}

/// A set of sequences of actions.
#[derive(Debug, Clone)]
pub enum Regular<A = LabelSet> {
    /// One action.
    Action(A),
    /// No action at all: `nil`, with its place.
    Empty(Span),
    /// Concatenation.
    Sequence(Vec<Self>),
    /// Alternatives.
    Choice(Vec<Self>),
    /// Any number of repetitions, including none.
    Star(Box<Self>),
    /// At least one repetition.
    Plus(Box<Self>),
    /// Once or not at all.
    Optional(Box<Self>),
    /// So many times.
    Times(Box<Self>, u32),
}

/// A set of labels.
#[derive(Debug, Clone)]
pub enum LabelSet {
    /// All, or none.
    Bool(bool),
    /// Labels that are described one by one.
    Atom(LabelAtom, Span),
    /// All others.
    Not(Box<LabelSet>),
    /// Those in all of them.
    And(Vec<LabelSet>),
    /// Those in one of them.
    Or(Vec<LabelSet>),
}

/// An atom that labels are compared with.
#[derive(Debug, Clone)]
pub enum LabelAtom {
    /// The label itself: `"SEND !1"`, or an identifier.
    Label(String),
    /// A pattern for the whole label: `'SEND.*'`.
    Pattern(LabelPattern),
    /// The invisible action, `i` or `tau`.
    Invisible,
}

impl LabelAtom {
    /// True if a label is meant.
    pub fn matches(&self, labels: &Labels, label: LabelId) -> bool {
        match self {
            // A file in Latin-1 is compared by what it shows.
            LabelAtom::Label(text) => labels.get(label) == text.as_bytes() || labels.text(label) == *text,
            LabelAtom::Pattern(pattern) => pattern.matches(&labels.text(label)),
            LabelAtom::Invisible => labels.is_invisible(label),
        }
    }
}

impl LabelSet {
    /// True if a label is in the set.
    pub fn matches(&self, labels: &Labels, label: LabelId) -> bool {
        match self {
            LabelSet::Bool(value) => *value,
            LabelSet::Atom(atom, _) => atom.matches(labels, label),
            LabelSet::Not(action) => !action.matches(labels, label),
            LabelSet::And(parts) => parts.iter().all(|part| part.matches(labels, label)),
            LabelSet::Or(parts) => parts.iter().any(|part| part.matches(labels, label)),
        }
    }

    fn atoms<'a>(&'a self, found: &mut Vec<(&'a LabelAtom, Span)>) {
        match self {
            LabelSet::Bool(_) => {}
            LabelSet::Atom(atom, span) => found.push((atom, *span)),
            LabelSet::Not(action) => action.atoms(found),
            LabelSet::And(parts) | LabelSet::Or(parts) => parts.iter().for_each(|part| part.atoms(found)),
        }
    }
}

impl<A> Regular<A> {
    /// Calls `see` with every action, in the order of the text.
    pub fn for_each<'a>(&'a self, see: &mut impl FnMut(&'a A)) {
        match self {
            Regular::Action(action) => see(action),
            Regular::Empty(_) => {}
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| part.for_each(see))
            }
            Regular::Star(part) | Regular::Plus(part) | Regular::Optional(part) | Regular::Times(part, _) => {
                part.for_each(see);
            }
        }
    }

    /// The places of `nil`.
    fn empty(&self, found: &mut Vec<Span>) {
        match self {
            Regular::Empty(span) => found.push(*span),
            Regular::Action(_) => {}
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| part.empty(found));
            }
            Regular::Star(part) | Regular::Plus(part) | Regular::Optional(part) | Regular::Times(part, _) => {
                part.empty(found);
            }
        }
    }

    /// The sequences with other actions in the place of these.
    pub fn map<B>(&self, of: &mut impl FnMut(&A) -> B) -> Regular<B> {
        let mut all = |parts: &[Self]| parts.iter().map(|part| part.map(of)).collect();
        match self {
            Regular::Sequence(parts) => Regular::Sequence(all(parts)),
            Regular::Choice(parts) => Regular::Choice(all(parts)),
            Regular::Action(action) => Regular::Action(of(action)),
            Regular::Empty(span) => Regular::Empty(*span),
            Regular::Star(part) => Regular::Star(Box::new(part.map(of))),
            Regular::Plus(part) => Regular::Plus(Box::new(part.map(of))),
            Regular::Optional(part) => Regular::Optional(Box::new(part.map(of))),
            Regular::Times(part, times) => Regular::Times(Box::new(part.map(of)), *times),
        }
    }
}

impl ForbiddenTraces {
    /// The places where it speaks of labels of which the system has none: probably a mistake.
    pub fn without_labels(&self, labels: &Labels) -> Vec<(&LabelAtom, Span)> {
        let mut atoms = Vec::new();
        self.forbidden.iter().for_each(|regular| regular.for_each(&mut |action| action.atoms(&mut atoms)));
        atoms.retain(|(atom, _)| {
            !matches!(atom, LabelAtom::Invisible) && !labels.ids().any(|label| atom.matches(labels, label))
        });
        atoms
    }

    /// The places where it speaks of no action at all although the system has a label that is written the same: `nil`.
    pub fn nil_for_label(&self, labels: &Labels) -> Vec<Span> {
        let mut found = Vec::new();
        if labels.ids().any(|label| labels.get(label) == b"nil") {
            self.forbidden.iter().for_each(|regular| regular.empty(&mut found));
        }
        found
    }
}
