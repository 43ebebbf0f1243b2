//! Terms.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

pub type Name = Rc<str>;

/// What names stand for.
pub type Bindings = BTreeMap<Name, Term>;

/// The type of agents.
pub const AGENT: &str = "Agent";

/// The type of functions.
pub const FUNCTION: &str = "Function";

/// The type of variables that take any term, and of what only they take. A name without a type has the type "".
pub const TICKET: &str = "Ticket";

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// An agent, a constant, or what a run has made afresh.
    Atom {
        name: Name,
        kind: Name,
        run: Option<usize>,
    },
    /// A name that stands for something else in each run: a role, a fresh value or a variable.
    Local(Name),
    Pair(Rc<Term>, Rc<Term>),
    /// A text closed with a key. What a function is applied to is closed with that function.
    Crypt {
        text: Rc<Term>,
        key: Rc<Term>,
    },
}

impl Term {
    pub fn constant(name: &str, kind: &str) -> Self {
        Self::Atom { name: name.into(), kind: kind.into(), run: None }
    }

    pub fn local(name: impl AsRef<str>) -> Self {
        Self::Local(name.as_ref().into())
    }

    pub fn pair(first: Self, second: Self) -> Self {
        Self::Pair(first.into(), second.into())
    }

    /// The pair of the first term and of the tuple of the others.
    ///
    /// # Panics
    /// Without terms.
    pub fn tuple(terms: impl DoubleEndedIterator<Item = Self>) -> Self {
        terms.rev().reduce(|rest, first| Self::pair(first, rest)).expect("a tuple has terms")
    }

    pub fn crypt(text: Self, key: Self) -> Self {
        Self::Crypt { text: text.into(), key: key.into() }
    }

    pub fn apply(function: &str, argument: Self) -> Self {
        Self::crypt(argument, Self::constant(function, FUNCTION))
    }

    /// The parts that it is directly made of.
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::Atom { .. } | Self::Local(_) => vec![],
            Self::Pair(first, second) => vec![first, second],
            Self::Crypt { text, key } => vec![key, text],
        }
    }

    /// It and all that it is made of.
    pub fn subterms(&self) -> Vec<&Self> {
        let below = self.children().into_iter().flat_map(Self::subterms);
        std::iter::once(self).chain(below).collect()
    }

    /// What the tuple is a tuple of.
    pub fn components(&self) -> Vec<&Self> {
        match self {
            Self::Pair(first, second) => [first.components(), second.components()].concat(),
            _ => vec![self],
        }
    }

    /// The names in it that stand for something else.
    pub fn locals(&self) -> Vec<&Name> {
        match self {
            Self::Local(name) => vec![name],
            _ => self.children().into_iter().flat_map(Self::locals).collect(),
        }
    }

    /// The term with what its names stand for.
    pub fn under(&self, bindings: &Bindings) -> Self {
        let of = |term: &Rc<Self>| Rc::new(term.under(bindings));
        match self {
            Self::Atom { .. } => self.clone(),
            Self::Local(name) => bindings.get(name).unwrap_or(self).clone(),
            Self::Pair(first, second) => Self::Pair(of(first), of(second)),
            Self::Crypt { text, key } => Self::Crypt { text: of(text), key: of(key) },
        }
    }

    /// True if a variable of a type takes it.
    pub fn has_kind(&self, kind: &str) -> bool {
        takes_any(kind) || matches!(self, Self::Atom { kind: own, .. } if &**own == kind)
    }

    /// The bindings with which the pattern is the term, if there are any.
    pub fn matches(
        &self,
        term: &Self,
        kinds: &BTreeMap<Name, Name>,
        bindings: &Bindings,
    ) -> Option<Bindings> {
        match (self, term) {
            (Self::Local(name), _) => match bindings.get(name) {
                Some(value) => (value == term).then(|| bindings.clone()),
                None => term.has_kind(&kinds[name]).then(|| bound(bindings, name, term)),
            },
            (Self::Pair(..), Self::Pair(..)) | (Self::Crypt { .. }, Self::Crypt { .. }) => {
                let mut both = self.children().into_iter().zip(term.children());
                both.try_fold(bindings.clone(), |bindings, (part, of)| part.matches(of, kinds, &bindings))
            }
            _ => (self == term).then(|| bindings.clone()),
        }
    }
}

/// The bindings and one more.
pub fn bound(bindings: &Bindings, name: &Name, term: &Term) -> Bindings {
    let mut bindings = bindings.clone();
    bindings.insert(name.clone(), term.clone());
    bindings
}

/// True if variables of a type take any term.
pub fn takes_any(kind: &str) -> bool {
    kind.is_empty() || kind == TICKET
}

/// As in protocol files; what a run has made has its number.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom { name, run: Some(run), .. } => write!(f, "{name}#{}", run + 1),
            Self::Atom { name, .. } | Self::Local(name) => write!(f, "{name}"),
            Self::Pair(first, second) if matches!(**first, Self::Pair(..)) => {
                write!(f, "({first}), {second}")
            }
            Self::Pair(first, second) => write!(f, "{first}, {second}"),
            Self::Crypt { text, key } => match &**key {
                Self::Atom { kind, .. } if &**kind == FUNCTION => write!(f, "{key}({text})"),
                Self::Pair(..) => write!(f, "{{{text}}}({key})"),
                _ => write!(f, "{{{text}}}{key}"),
            },
        }
    }
}
