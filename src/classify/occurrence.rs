//! Whether predicates of the vocabulary hold anywhere in a counterexample.

use super::collect::{Atoms, Placed};
use super::constraint::Constraint;
use super::fact::{Fact, FactKind, Origin};
use super::result::Silent;
use super::space::{Limited, Space};
use crate::budget::Budget;
use crate::model::PredicateId;
use crate::sat::Lit;
use crate::trace::Trace;
use itertools::Itertools;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A literal that, when assumed, makes the predicate hold at positions of the trace of the solver's
/// choice.
pub fn somewhere(space: &mut Space<'_>, atoms: &mut Atoms<'_>, predicate: PredicateId) -> Lit {
    // Slots far from those that the positions of counterexamples use.
    let first_slot = 2 * (space.last() + 1);
    let instances = atoms.instances(predicate);
    let lits: Vec<Lit> = instances.iter().map(|atom| space.somewhere(atom, first_slot)).collect();
    space.circuit().any(&lits)
}

/// Whether every trace in which the predicate holds satisfies the constraint, as far as its text tells: the
/// predicate at any positions is all that it asks for. A solver would take long to prove it.
pub fn is_alone(constraint: &Constraint, atoms: &mut Atoms<'_>, predicate: PredicateId) -> bool {
    let [Fact { kind: FactKind::Atom(atom), positions }] = constraint.facts.as_slice() else { return false };
    let instances = atoms.instances(predicate);
    positions.iter().all_unique() && instances.iter().all(|instance| Arc::ptr_eq(instance, atom))
}

/// The predicates among the facts of a trace.
pub fn predicates(placed: &[Placed]) -> impl Iterator<Item = PredicateId> {
    placed.iter().filter_map(|fact| match fact.atom.origin {
        Origin::Predicate { predicate, .. } => Some(predicate),
        _ => None,
    })
}

/// Which of `candidates` hold in no trace of the space at all, and which of the others in no counterexample.
/// The first question comes first, because it is the easier one, and its answer says more.
pub fn silent(
    space: &mut Space<'_>,
    atoms: &mut Atoms<'_>,
    candidates: BTreeSet<PredicateId>,
    budget: &Budget,
) -> Limited<Silent> {
    let never = left(space, atoms, candidates.clone(), Space::any_trace, budget)?;
    let rest = candidates.difference(&never).copied().collect();
    let harmless = left(space, atoms, rest, Space::any_counterexample, budget)?;
    Ok(Silent {
        never: never.into_iter().collect(),
        harmless: harmless.into_iter().collect(),
        lengths: space.lengths(),
    })
}

/// Those of `candidates` that hold in no trace that `find` finds. All of them are asked for at once, until
/// nothing more is found.
fn left<'m>(
    space: &mut Space<'m>,
    atoms: &mut Atoms<'_>,
    mut candidates: BTreeSet<PredicateId>,
    find: impl Fn(&mut Space<'m>, &[Lit]) -> Limited<Option<Trace>>,
    budget: &Budget,
) -> Limited<BTreeSet<PredicateId>> {
    while !candidates.is_empty() {
        let lits: Vec<Lit> = candidates.iter().map(|&id| somewhere(space, atoms, id)).collect();
        let any = space.circuit().any(&lits);
        let Some(trace) = find(space, &[any])? else { break };
        let before = candidates.len();
        for id in predicates(&atoms.collect(&trace.moments, budget)?) {
            candidates.remove(&id);
        }
        assert!(candidates.len() < before, "the encoding and the reference semantics disagree on {trace:?}");
    }
    Ok(candidates)
}
