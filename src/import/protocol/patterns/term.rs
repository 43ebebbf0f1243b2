//! Terms of patterns, with variables of a kind, and their unification.

use crate::protocol::ir::{SymbolId, TypeId, VariableId};
use std::rc::Rc;

/// A term. Functions are keys: `f(x)` is `{x}f`. Tuples are pairs of pairs, to the right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PatternTerm {
    /// By its number in a [`Bindings`].
    Variable(usize),
    Atom(PatternAtom),
    Pair(Rc<PatternTerm>, Rc<PatternTerm>),
    /// The plaintext and the key.
    Crypt(Rc<PatternTerm>, Rc<PatternTerm>),
}

/// A term without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PatternAtom {
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
pub(super) enum VariableSort {
    HonestAgent,
    Agent,
    Value(TypeId),
    Atomic,
    Any,
}

impl VariableSort {
    pub fn takes(self, term: &PatternTerm) -> bool {
        match (self, term) {
            (VariableSort::Any, _) | (VariableSort::Atomic, PatternTerm::Atom(_)) => true,
            (_, PatternTerm::Atom(PatternAtom { sort, .. })) => match self {
                VariableSort::Agent => matches!(sort, AtomSort::HonestAgent | AtomSort::AttackersAgent),
                VariableSort::HonestAgent => *sort == AtomSort::HonestAgent,
                VariableSort::Value(ty) => *sort == AtomSort::Value(ty),
                VariableSort::Atomic | VariableSort::Any => true,
            },
            _ => false,
        }
    }

    /// The terms of both kinds.
    pub fn and(self, other: VariableSort) -> Option<VariableSort> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (VariableSort::Any, kind)
            | (kind, VariableSort::Any)
            | (VariableSort::Atomic, kind)
            | (kind, VariableSort::Atomic) => Some(kind),
            (VariableSort::Agent, VariableSort::HonestAgent)
            | (VariableSort::HonestAgent, VariableSort::Agent) => Some(VariableSort::HonestAgent),
            _ => None,
        }
    }
}

impl PatternTerm {
    pub fn pair(first: PatternTerm, second: PatternTerm) -> PatternTerm {
        PatternTerm::Pair(Rc::new(first), Rc::new(second))
    }

    pub fn crypt(body: PatternTerm, key: PatternTerm) -> PatternTerm {
        PatternTerm::Crypt(Rc::new(body), Rc::new(key))
    }

    /// The tuple of these terms, of which there is at least one.
    pub fn tuple(terms: impl DoubleEndedIterator<Item = PatternTerm>) -> PatternTerm {
        terms
            .rev()
            .reduce(|rest, first| PatternTerm::pair(first, rest))
            .unwrap_or_else(|| unreachable!("a tuple"))
    }

    pub fn symbol(symbol: SymbolId, sort: AtomSort) -> PatternTerm {
        PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), sort })
    }

    pub fn attackers(number: usize, sort: AtomSort) -> PatternTerm {
        PatternTerm::Atom(PatternAtom { name: AtomName::Attackers(number), sort })
    }

    /// Visits the term and all parts, keys included.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t PatternTerm)) {
        visit(self);
        if let PatternTerm::Pair(a, b) | PatternTerm::Crypt(a, b) = self {
            a.walk(visit);
            b.walk(visit);
        }
    }

    /// True if a part, or all of it, is such a term.
    pub fn has(&self, is: impl Fn(&PatternTerm) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= is(part));
        found
    }

    /// The parts of the tuple.
    pub fn components(&self) -> Vec<&PatternTerm> {
        match self {
            PatternTerm::Pair(a, b) => [a.components(), b.components()].concat(),
            _ => vec![self],
        }
    }

    /// The term with other leaves.
    pub fn map(&self, leaf: &impl Fn(&PatternTerm) -> PatternTerm) -> PatternTerm {
        match self {
            PatternTerm::Variable(_) | PatternTerm::Atom(_) => leaf(self),
            PatternTerm::Pair(a, b) => PatternTerm::pair(a.map(leaf), b.map(leaf)),
            PatternTerm::Crypt(a, b) => PatternTerm::crypt(a.map(leaf), b.map(leaf)),
        }
    }
}

/// The kinds of variables, and the terms that they stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct Bindings {
    kinds: Vec<VariableSort>,
    terms: Vec<Option<PatternTerm>>,
}

impl Bindings {
    /// A new variable of each of these kinds; the number of the first one.
    pub fn declare(&mut self, kinds: impl IntoIterator<Item = VariableSort>) -> usize {
        let first = self.kinds.len();
        self.kinds.extend(kinds);
        self.terms.resize(self.kinds.len(), None);
        first
    }

    pub fn kind(&self, variable: usize) -> VariableSort {
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

    pub fn bind(&mut self, variable: usize, term: PatternTerm) {
        self.terms[variable] = Some(term);
    }

    /// The term that it is, its parts left as they are.
    pub fn head<'t>(&'t self, mut term: &'t PatternTerm) -> &'t PatternTerm {
        while let PatternTerm::Variable(variable) = term {
            let Some(bound) = &self.terms[*variable] else { break };
            term = bound;
        }
        term
    }

    /// The term with what its variables stand for.
    pub fn resolve(&self, term: &PatternTerm) -> PatternTerm {
        term.map(&|leaf| match leaf {
            PatternTerm::Variable(variable) => {
                self.terms[*variable].as_ref().map_or_else(|| leaf.clone(), |bound| self.resolve(bound))
            }
            _ => leaf.clone(),
        })
    }

    pub fn equal(&self, left: &PatternTerm, right: &PatternTerm) -> bool {
        match (self.head(left), self.head(right)) {
            (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
            | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => self.equal(a, c) && self.equal(b, d),
            (a, b) => a == b,
        }
    }

    /// Makes two terms equal; false if they never are. Then the bindings are of no use any more.
    pub fn unify(&mut self, left: &PatternTerm, right: &PatternTerm) -> bool {
        match (self.head(left).clone(), self.head(right).clone()) {
            (PatternTerm::Variable(a), PatternTerm::Variable(b)) if a == b => true,
            (PatternTerm::Variable(a), PatternTerm::Variable(b)) => {
                let Some(kind) = self.kinds[a].and(self.kinds[b]) else { return false };
                let (older, newer) = (a.min(b), a.max(b));
                self.kinds[older] = kind;
                self.terms[newer] = Some(PatternTerm::Variable(older));
                true
            }
            (PatternTerm::Variable(a), term) | (term, PatternTerm::Variable(a)) => {
                if !self.kinds[a].takes(&term) || self.occurs(a, &term) {
                    return false;
                }
                self.terms[a] = Some(term);
                true
            }
            (PatternTerm::Atom(a), PatternTerm::Atom(b)) => a == b,
            (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
            | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => {
                self.unify(&a, &c) && self.unify(&b, &d)
            }
            _ => false,
        }
    }

    fn occurs(&self, variable: usize, term: &PatternTerm) -> bool {
        match self.head(term) {
            PatternTerm::Variable(other) => *other == variable,
            PatternTerm::Atom(_) => false,
            PatternTerm::Pair(a, b) | PatternTerm::Crypt(a, b) => {
                self.occurs(variable, a) || self.occurs(variable, b)
            }
        }
    }
}
