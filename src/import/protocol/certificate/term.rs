//! Terms of the checker, and the substitution that equations between them ask for.

use crate::protocol::ir::{SymbolId, TypeId, VariableId};
use std::rc::Rc;

/// A term; `f(x)` is `{x}f`, and a tuple is a pair of its first component and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    Unknown(usize),
    Name(Name),
    Pair(Rc<[Term; 2]>),
    /// The plaintext and the key.
    Sealed(Rc<[Term; 2]>),
}

/// A term without parts, and its sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Symbol(SymbolId, Sort),
    /// A value that a run makes.
    Fresh {
        run: usize,
        variable: VariableId,
        ty: TypeId,
    },
    /// An agent of the attacker.
    Attackers(usize),
}

/// The sort of a name, or of the terms that an unknown may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Anything,
    /// No tuple and no encryption.
    AnyName,
    Agent,
    HonestAgent,
    AttackersAgent,
    Value(TypeId),
    Function,
}

impl Sort {
    /// True if every term of another sort is of this one.
    fn includes(self, other: Sort) -> bool {
        match self {
            Sort::Anything => true,
            Sort::AnyName => other != Sort::Anything,
            Sort::Agent => matches!(other, Sort::Agent | Sort::HonestAgent | Sort::AttackersAgent),
            _ => self == other,
        }
    }
}

impl Name {
    pub fn sort(self) -> Sort {
        match self {
            Name::Symbol(_, sort) => sort,
            Name::Fresh { ty, .. } => Sort::Value(ty),
            Name::Attackers(_) => Sort::AttackersAgent,
        }
    }
}

impl Term {
    pub fn pair(first: Term, rest: Term) -> Self {
        Term::Pair(Rc::new([first, rest]))
    }

    pub fn sealed(body: Term, key: Term) -> Self {
        Term::Sealed(Rc::new([body, key]))
    }

    pub fn tuple(mut terms: Vec<Term>) -> Option<Self> {
        let last = terms.pop()?;
        Some(terms.into_iter().rev().fold(last, |rest, first| Term::pair(first, rest)))
    }

    fn halves(&self) -> &[Term] {
        match self {
            Term::Pair(parts) | Term::Sealed(parts) => &**parts,
            Term::Unknown(_) | Term::Name(_) => &[],
        }
    }

    /// The term and all its parts, keys among them, the whole before its parts.
    pub fn parts(&self) -> Vec<&Term> {
        let mut found = vec![self];
        found.extend(self.halves().iter().flat_map(Term::parts));
        found
    }

    /// The parts that can be read without a key.
    pub fn readable(&self) -> Vec<&Term> {
        match self {
            Term::Pair(parts) => parts.iter().flat_map(Term::readable).collect(),
            _ => vec![self],
        }
    }

    /// The term with something else for its unknowns and names.
    pub fn with(&self, leaf: &dyn Fn(&Term) -> Term) -> Term {
        match self {
            Term::Unknown(_) | Term::Name(_) => leaf(self),
            Term::Pair(parts) => Term::pair(parts[0].with(leaf), parts[1].with(leaf)),
            Term::Sealed(parts) => Term::sealed(parts[0].with(leaf), parts[1].with(leaf)),
        }
    }
}

/// The sorts of unknowns, and what is known of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Solution {
    unknowns: Vec<(Sort, Option<Term>)>,
}

impl Solution {
    /// A new unknown.
    pub fn unknown(&mut self, sort: Sort) -> Term {
        self.unknowns.push((sort, None));
        Term::Unknown(self.unknowns.len() - 1)
    }

    pub fn sort(&self, unknown: usize) -> Sort {
        self.unknowns[unknown].0
    }

    /// The term, with what its unknowns are.
    pub fn of(&self, term: &Term) -> Term {
        term.with(&|leaf| match leaf {
            Term::Unknown(unknown) => {
                self.unknowns[*unknown].1.as_ref().map_or_else(|| leaf.clone(), |known| self.of(known))
            }
            _ => leaf.clone(),
        })
    }

    pub fn same(&self, left: &Term, right: &Term) -> bool {
        self.of(left) == self.of(right)
    }

    /// Makes two terms equal; false if no terms for the unknowns do.
    pub fn solve(&mut self, left: &Term, right: &Term) -> bool {
        let mut equations = vec![(left.clone(), right.clone())];
        while let Some((left, right)) = equations.pop() {
            match (self.of(&left), self.of(&right)) {
                (left, right) if left == right => {}
                (Term::Unknown(a), Term::Unknown(b)) => {
                    let [one, other] = [a, b].map(|unknown| self.sort(unknown));
                    let (kept, gone) = if one.includes(other) { (b, a) } else { (a, b) };
                    if !self.sort(gone).includes(self.sort(kept)) {
                        return false;
                    }
                    self.unknowns[gone].1 = Some(Term::Unknown(kept));
                }
                (Term::Unknown(unknown), term) | (term, Term::Unknown(unknown)) => {
                    let sort = match &term {
                        Term::Name(name) => name.sort(),
                        _ => Sort::Anything,
                    };
                    let is_inside = term.parts().contains(&&Term::Unknown(unknown));
                    if is_inside || !self.sort(unknown).includes(sort) {
                        return false;
                    }
                    self.unknowns[unknown].1 = Some(term);
                }
                (Term::Pair(a), Term::Pair(b)) | (Term::Sealed(a), Term::Sealed(b)) => {
                    equations.extend(a.iter().cloned().zip(b.iter().cloned()));
                }
                _ => return false,
            }
        }
        true
    }
}
