//! Terms of patterns, with variables of a kind, and their unification.

use crate::protocol::ir::{SymbolId, TypeId, VariableId};
use std::rc::Rc;

/// A term. Functions are keys: `f(x)` is `{x}f`. Tuples are pairs of pairs, to the right.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PatternTerm {
    /// By its number in a [`Bindings`].
    Variable(usize),
    Atom(PatternAtom),
    Pair(Rc<PatternTerm>, Rc<PatternTerm>),
    /// The plaintext and the key.
    Crypt(Rc<PatternTerm>, Rc<PatternTerm>),
    /// The base and the exponents. In a resolved term, the base is no power, and there is at least one exponent, in order.
    Power(Rc<PatternTerm>, Rc<[PatternTerm]>),
}

/// A term without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PatternAtom {
    pub name: AtomName,
    pub sort: AtomSort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The base of a product, which has exponents only.
    One,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Any number of exponents, as a power of [`AtomName::One`]. It is an exponent of powers only.
    Product,
}

impl VariableSort {
    pub fn takes(self, term: &PatternTerm) -> bool {
        match (self, term) {
            (VariableSort::Product, _) => false,
            (VariableSort::Any, _) | (VariableSort::Atomic, PatternTerm::Atom(_)) => true,
            (_, PatternTerm::Atom(PatternAtom { sort, .. })) => match self {
                VariableSort::Agent => matches!(sort, AtomSort::HonestAgent | AtomSort::AttackersAgent),
                VariableSort::HonestAgent => *sort == AtomSort::HonestAgent,
                VariableSort::Value(ty) => *sort == AtomSort::Value(ty),
                VariableSort::Atomic | VariableSort::Any => true,
                VariableSort::Product => false,
            },
            _ => false,
        }
    }

    /// The terms of both kinds.
    pub fn and(self, other: VariableSort) -> Option<VariableSort> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (VariableSort::Product, _) | (_, VariableSort::Product) => None,
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

    /// A base to the power of exponents. A base that is a power itself passes on its own; without exponents, it is the base.
    pub fn power(base: PatternTerm, exponents: impl IntoIterator<Item = PatternTerm>) -> PatternTerm {
        let mut exponents: Vec<PatternTerm> = exponents.into_iter().collect();
        let base = match base {
            PatternTerm::Power(base, own) => {
                exponents.extend(own.iter().cloned());
                base
            }
            base => Rc::new(base),
        };
        exponents.sort();
        match exponents.is_empty() {
            true => (*base).clone(),
            false => PatternTerm::Power(base, exponents.into()),
        }
    }

    /// The product of exponents.
    pub fn product(exponents: impl IntoIterator<Item = PatternTerm>) -> PatternTerm {
        let one = PatternAtom { name: AtomName::One, sort: AtomSort::Function };
        PatternTerm::power(PatternTerm::Atom(one), exponents)
    }

    /// The exponents of a product; nothing for other terms.
    pub fn factors(&self) -> Option<&[PatternTerm]> {
        let is_one =
            |term: &PatternTerm| matches!(term, PatternTerm::Atom(PatternAtom { name: AtomName::One, .. }));
        match self {
            PatternTerm::Power(base, exponents) if is_one(base) => Some(exponents),
            term => is_one(term).then_some(&[]),
        }
    }

    /// The base, which is no power, and the exponents of the resolved term: none if it is no power.
    pub fn as_power(&self) -> (&PatternTerm, &[PatternTerm]) {
        match self {
            PatternTerm::Power(base, exponents) => (base, exponents),
            term => (term, &[]),
        }
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
        match self {
            PatternTerm::Variable(_) | PatternTerm::Atom(_) => {}
            PatternTerm::Pair(a, b) | PatternTerm::Crypt(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            PatternTerm::Power(base, exponents) => {
                base.walk(visit);
                exponents.iter().for_each(|exponent| exponent.walk(visit));
            }
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
            PatternTerm::Power(base, exponents) => {
                PatternTerm::power(base.map(leaf), exponents.iter().map(|exponent| exponent.map(leaf)))
            }
        }
    }
}

/// The kinds of variables, and the terms that they stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct Bindings {
    kinds: Vec<VariableSort>,
    terms: Vec<Option<PatternTerm>>,
    /// Terms to be made equal that are so in several ways, see [`Bindings::solved`].
    pub(super) powers: Vec<[PatternTerm; 2]>,
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
        match term {
            PatternTerm::Variable(variable) => {
                self.terms[*variable].as_ref().map_or_else(|| term.clone(), |bound| self.resolve(bound))
            }
            PatternTerm::Atom(_) => term.clone(),
            PatternTerm::Pair(a, b) => PatternTerm::pair(self.resolve(a), self.resolve(b)),
            PatternTerm::Crypt(a, b) => PatternTerm::crypt(self.resolve(a), self.resolve(b)),
            PatternTerm::Power(base, exponents) => {
                let exponents = exponents.iter().flat_map(|exponent| {
                    let exponent = self.resolve(exponent);
                    exponent.factors().map_or_else(|| vec![exponent.clone()], <[PatternTerm]>::to_vec)
                });
                PatternTerm::power(self.resolve(base), exponents)
            }
        }
    }

    /// The term that it is, its parts left as they are except for those of powers.
    pub fn value(&self, term: &PatternTerm) -> PatternTerm {
        match self.head(term) {
            power @ PatternTerm::Power(..) => self.resolve(power),
            head => head.clone(),
        }
    }

    pub fn equal(&self, left: &PatternTerm, right: &PatternTerm) -> bool {
        match (self.head(left), self.head(right)) {
            (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
            | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => self.equal(a, c) && self.equal(b, d),
            (a @ PatternTerm::Power(..), b) | (a, b @ PatternTerm::Power(..)) => {
                self.resolve(a) == self.resolve(b)
            }
            (a, b) => a == b,
        }
    }

    /// Makes two terms equal, but for [powers](Self::solved); false if they never are. Then the bindings are of no use any more.
    pub fn unify(&mut self, left: &PatternTerm, right: &PatternTerm) -> bool {
        match (self.value(left), self.value(right)) {
            (PatternTerm::Variable(a), PatternTerm::Variable(b)) if a == b => true,
            (PatternTerm::Variable(a), PatternTerm::Variable(b)) => {
                let Some(kind) = self.kinds[a].and(self.kinds[b]) else { return false };
                let (older, newer) = (a.min(b), a.max(b));
                self.kinds[older] = kind;
                self.terms[newer] = Some(PatternTerm::Variable(older));
                true
            }
            (PatternTerm::Variable(a), term) | (term, PatternTerm::Variable(a))
                if self.kinds[a].takes(&term) && !self.occurs(a, &term) =>
            {
                self.terms[a] = Some(term);
                true
            }
            (a @ PatternTerm::Power(..), b) | (a, b @ PatternTerm::Power(..)) => {
                self.powers.push([a, b]);
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

    pub fn occurs(&self, variable: usize, term: &PatternTerm) -> bool {
        match self.head(term) {
            PatternTerm::Variable(other) => *other == variable,
            PatternTerm::Atom(_) => false,
            PatternTerm::Pair(a, b) | PatternTerm::Crypt(a, b) => {
                self.occurs(variable, a) || self.occurs(variable, b)
            }
            PatternTerm::Power(base, exponents) => {
                self.occurs(variable, base)
                    || exponents.iter().any(|exponent| self.occurs(variable, exponent))
            }
        }
    }
}
