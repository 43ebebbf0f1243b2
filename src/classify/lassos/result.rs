//! Results of classifications of infinite traces.

use super::constraint::{LassoConstraint, LassoFactForm};
use super::fact::LassoFact;
use crate::facts::atom::Atoms;
use crate::facts::restates::Restates;
use crate::facts::statements::Statements;
use crate::results::result::{Class, Classification, TraceKind};
use kit::budget::Exhausted;
use lang::model::Model;
pub use lang::trace::Infinite;
use lang::trace::Lasso;

impl TraceKind for Infinite {
    type Trace = Lasso;
    type Constraint = LassoConstraint;
    type Form = LassoFactForm;
    type Proof = LassoProof;
    type Obstacle = OpenClaims;

    fn statements(constraint: &LassoConstraint) -> Statements<LassoFactForm> {
        constraint.into()
    }

    fn show(constraint: &LassoConstraint, model: &Model, atoms: &Atoms) -> String {
        constraint.show(model, atoms)
    }

    fn exhausted(open: &OpenClaims) -> Option<Exhausted> {
        Some(open.why)
    }

    fn gather(open: &mut OpenClaims, places: &[usize]) {
        let count = |classes: &[usize]| classes.iter().max().map_or(0, |last| last + 1);
        // Claims are decided in the order of the classes, and each image comes after its class, which suffices if the image does.
        open.sufficient = count(&places[..open.sufficient]);
        open.classes = count(places);
    }
}

/// A proof of a verdict about all infinite traces.
#[derive(Debug, Clone, PartialEq)]
pub struct LassoProof {
    /// The kind of the proof.
    pub basis: LassoBasis,
    /// The bounds of the classifications; the last one gave the result.
    pub bounds: Vec<usize>,
}

/// The kind of a proof about all infinite traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LassoBasis {
    /// All states were listed: this many.
    States(usize),
    /// Proofs by induction that no loop contradicts it, checked by this solver.
    Proofs(String),
}

/// The progress of a proof about all infinite traces, when the budget ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenClaims {
    /// The limit that ended it.
    pub why: Exhausted,
    /// The number of classes proved to suffice.
    pub sufficient: usize,
    /// The number of classes.
    pub classes: usize,
}

impl Class<Infinite> {
    /// Creates a sufficient class with one of its lassos, without any other information.
    pub(super) fn of_lasso(
        (model, atoms): (&Model, &Atoms),
        constraint: LassoConstraint,
        representative: Lasso,
    ) -> Self {
        let assigned = constraint.matches(model, atoms, &representative);
        let assigned = assigned.unwrap_or_else(|| unreachable!("a representative is in its class"));
        Self::of(constraint, representative, assigned)
    }
}

impl Classification<Infinite> {
    /// True if a class with observables says only that the property is violated. A class of predicates alone was named on purpose.
    pub fn says_only_the_property(&self, class: &Class<Infinite>) -> bool {
        let mut atoms = class.constraint.facts.iter().flat_map(LassoFact::atoms);
        matches!(class.restates, Restates::Property | Restates::Step)
            && atoms.any(|about| !self.atoms.get(about.atom).is_predicate())
    }
}
