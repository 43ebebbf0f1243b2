//! Terms of patterns, with variables of a kind, and their unification.

use crate::protocol::ir::{SymbolId, TypeId, VariableId};
use std::rc::Rc;

/// A term. Functions are keys: `f(x)` is `{x}f`. Tuples are pairs of pairs, to the right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// By its number in a [`Bindings`].
    Variable(usize),
    Atom(Atom),
    Pair(Rc<Term>, Rc<Term>),
    /// The plaintext and the key.
    Crypt(Rc<Term>, Rc<Term>),
}

/// A term without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Atom {
    pub name: AtomName,
    pub sort: AtomSort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AtomName {
    Symbol(SymbolId),
    /// A value that a run made.
    Fresh {
        run: usize,
        variable: VariableId,
    },
    /// One of the attacker's agents or values.
    Attackers(usize),
    /// An honest agent that has no name in the file.
    Honest(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AtomSort {
    HonestAgent,
    AttackersAgent,
    Value(TypeId),
    Function,
}

/// The terms that a variable can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    HonestAgent,
    Agent,
    Value(TypeId),
    Atomic,
    Any,
}

impl Kind {
    pub fn takes(self, term: &Term) -> bool {
        match (self, term) {
            (Kind::Any, _) | (Kind::Atomic, Term::Atom(_)) => true,
            (_, Term::Atom(Atom { sort, .. })) => match self {
                Kind::Agent => matches!(sort, AtomSort::HonestAgent | AtomSort::AttackersAgent),
                Kind::HonestAgent => *sort == AtomSort::HonestAgent,
                Kind::Value(ty) => *sort == AtomSort::Value(ty),
                Kind::Atomic | Kind::Any => true,
            },
            _ => false,
        }
    }

    /// The terms of both kinds.
    pub fn and(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Kind::Any, kind) | (kind, Kind::Any) | (Kind::Atomic, kind) | (kind, Kind::Atomic) => Some(kind),
            (Kind::Agent, Kind::HonestAgent) | (Kind::HonestAgent, Kind::Agent) => Some(Kind::HonestAgent),
            _ => None,
        }
    }
}

impl Term {
    pub fn pair(first: Term, second: Term) -> Term {
        Term::Pair(Rc::new(first), Rc::new(second))
    }

    pub fn crypt(body: Term, key: Term) -> Term {
        Term::Crypt(Rc::new(body), Rc::new(key))
    }

    /// The tuple of these terms, of which there is at least one.
    pub fn tuple(terms: impl DoubleEndedIterator<Item = Term>) -> Term {
        terms.rev().reduce(|rest, first| Term::pair(first, rest)).unwrap_or_else(|| unreachable!("a tuple"))
    }

    pub fn symbol(symbol: SymbolId, sort: AtomSort) -> Term {
        Term::Atom(Atom { name: AtomName::Symbol(symbol), sort })
    }

    pub fn attackers(number: usize, sort: AtomSort) -> Term {
        Term::Atom(Atom { name: AtomName::Attackers(number), sort })
    }

    /// Visits the term and all parts, keys included.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t Term)) {
        visit(self);
        if let Term::Pair(a, b) | Term::Crypt(a, b) = self {
            a.walk(visit);
            b.walk(visit);
        }
    }

    /// True if a part, or all of it, is such a term.
    pub fn has(&self, is: impl Fn(&Term) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= is(part));
        found
    }

    /// The parts of the tuple.
    pub fn components(&self) -> Vec<&Term> {
        match self {
            Term::Pair(a, b) => [a.components(), b.components()].concat(),
            _ => vec![self],
        }
    }

    /// The term with other leaves.
    pub fn map(&self, leaf: &impl Fn(&Term) -> Term) -> Term {
        match self {
            Term::Variable(_) | Term::Atom(_) => leaf(self),
            Term::Pair(a, b) => Term::pair(a.map(leaf), b.map(leaf)),
            Term::Crypt(a, b) => Term::crypt(a.map(leaf), b.map(leaf)),
        }
    }
}

/// The kinds of variables, and the terms that they stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct Bindings {
    kinds: Vec<Kind>,
    terms: Vec<Option<Term>>,
}

impl Bindings {
    /// A new variable of each of these kinds; the number of the first one.
    pub fn declare(&mut self, kinds: impl IntoIterator<Item = Kind>) -> usize {
        let first = self.kinds.len();
        self.kinds.extend(kinds);
        self.terms.resize(self.kinds.len(), None);
        first
    }

    pub fn kind(&self, variable: usize) -> Kind {
        self.kinds[variable]
    }

    /// The number of variables.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// The variables that stand for themselves.
    pub fn open(&self) -> Vec<usize> {
        (0..self.terms.len()).filter(|variable| self.terms[*variable].is_none()).collect()
    }

    pub fn bind(&mut self, variable: usize, term: Term) {
        self.terms[variable] = Some(term);
    }

    /// The term that it is, its parts left as they are.
    pub fn head<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Variable(variable) = term {
            let Some(bound) = &self.terms[*variable] else { break };
            term = bound;
        }
        term
    }

    /// The term with what its variables stand for.
    pub fn resolve(&self, term: &Term) -> Term {
        term.map(&|leaf| match leaf {
            Term::Variable(variable) => {
                self.terms[*variable].as_ref().map_or_else(|| leaf.clone(), |bound| self.resolve(bound))
            }
            _ => leaf.clone(),
        })
    }

    pub fn equal(&self, left: &Term, right: &Term) -> bool {
        match (self.head(left), self.head(right)) {
            (Term::Pair(a, b), Term::Pair(c, d)) | (Term::Crypt(a, b), Term::Crypt(c, d)) => {
                self.equal(a, c) && self.equal(b, d)
            }
            (a, b) => a == b,
        }
    }

    /// Makes two terms equal; false if they never are. Then the bindings are of no use any more.
    pub fn unify(&mut self, left: &Term, right: &Term) -> bool {
        match (self.head(left).clone(), self.head(right).clone()) {
            (Term::Variable(a), Term::Variable(b)) if a == b => true,
            (Term::Variable(a), Term::Variable(b)) => {
                let Some(kind) = self.kinds[a].and(self.kinds[b]) else { return false };
                let (older, newer) = (a.min(b), a.max(b));
                self.kinds[older] = kind;
                self.terms[newer] = Some(Term::Variable(older));
                true
            }
            (Term::Variable(a), term) | (term, Term::Variable(a)) => {
                if !self.kinds[a].takes(&term) || self.occurs(a, &term) {
                    return false;
                }
                self.terms[a] = Some(term);
                true
            }
            (Term::Atom(a), Term::Atom(b)) => a == b,
            (Term::Pair(a, b), Term::Pair(c, d)) | (Term::Crypt(a, b), Term::Crypt(c, d)) => {
                self.unify(&a, &c) && self.unify(&b, &d)
            }
            _ => false,
        }
    }

    fn occurs(&self, variable: usize, term: &Term) -> bool {
        match self.head(term) {
            Term::Variable(other) => *other == variable,
            Term::Atom(_) => false,
            Term::Pair(a, b) | Term::Crypt(a, b) => self.occurs(variable, a) || self.occurs(variable, b),
        }
    }
}
