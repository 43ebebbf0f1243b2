//! Whether predicates of the vocabulary hold anywhere in a counterexample.

use super::collect::{Atoms, Placed};
use super::fact::Origin;
use super::space::{Limited, Space};
use crate::budget::Budget;
use crate::model::PredicateId;
use crate::sat::Lit;
use std::collections::BTreeSet;

/// A literal that, when assumed, makes the predicate hold at positions of the trace of the solver's
/// choice.
pub fn somewhere(space: &mut Space<'_>, atoms: &mut Atoms<'_>, predicate: PredicateId) -> Lit {
    // Slots far from those that the positions of counterexamples use.
    let first_slot = 2 * (space.last() + 1);
    let instances = atoms.instances(predicate);
    let lits: Vec<Lit> = instances.iter().map(|atom| space.somewhere(atom, first_slot)).collect();
    space.circuit().any(&lits)
}

/// The predicates among the facts of a trace.
pub fn predicates(placed: &[Placed]) -> impl Iterator<Item = PredicateId> {
    placed.iter().filter_map(|fact| match fact.atom.origin {
        Origin::Predicate { predicate, .. } => Some(predicate),
        _ => None,
    })
}

/// Those of `candidates` that hold in no counterexample of the space. All of them are asked for at once, until
/// nothing more is found.
pub fn silent(
    space: &mut Space<'_>,
    atoms: &mut Atoms<'_>,
    mut candidates: BTreeSet<PredicateId>,
    budget: &Budget,
) -> Limited<Vec<PredicateId>> {
    while !candidates.is_empty() {
        let lits: Vec<Lit> = candidates.iter().map(|&id| somewhere(space, atoms, id)).collect();
        let any = space.circuit().any(&lits);
        let Some(trace) = space.any_counterexample(&[any])? else { break };
        let before = candidates.len();
        for id in predicates(&atoms.collect(&trace.moments, budget)?) {
            candidates.remove(&id);
        }
        assert!(candidates.len() < before, "the encoding and the reference semantics disagree on {trace:?}");
    }
    Ok(candidates.into_iter().collect())
}
