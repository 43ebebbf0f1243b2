//! Decides if predicates of the vocabulary hold anywhere in a counterexample.

use crate::facts::atom::Atoms;
use crate::facts::collect::{Collector, PlacedAtom};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::index::{AtomId, IndividualVar, PositionVar};
use crate::oracles::sat::SatOracle;
use crate::results::result::SilentPredicates;
use itertools::Itertools;
use kit::budget::{Budget, Limited};
use lang::model::PredicateId;
use lang::trace::Trace;
use solvers::sat::Lit;
use std::collections::BTreeSet;

/// Returns a literal that, when assumed, makes one of the atoms hold at positions of the solver's choice.
pub fn somewhere(oracle: &mut SatOracle<'_>, atoms: &[AtomId]) -> Lit {
    // Position variables disjoint from those of counterexamples.
    let first = PositionVar::new(2 * (oracle.longest() + 1));
    let lits: Vec<Lit> = atoms.iter().map(|&atom| oracle.somewhere(atom, first)).collect();
    oracle.circuit().any(&lits)
}

/// Returns a literal that, when true, makes a constraint hold, with variables of its own, distinguished by
/// `number`.
pub fn anywhere(oracle: &mut SatOracle<'_>, constraint: &Constraint, number: usize) -> Lit {
    const APART: usize = 64;
    // Disjoint from the variables for positions of counterexamples.
    let own = APART * (number + 1);
    let first = 4 * (oracle.longest() + 1) + own;
    let fact = |fact: &Fact| Fact {
        kind: fact.kind,
        positions: fact.positions.iter().map(|p| PositionVar::new(first + p.index())).collect(),
        individuals: fact.individuals.iter().map(|v| IndividualVar::new(own + v.index())).collect(),
    };
    let facts: Vec<Fact> = constraint.facts.iter().map(fact).collect();
    let lits = oracle.holding(&facts);
    oracle.circuit().all(&lits)
}

/// True if the constraint is just the predicate, at any distinct positions, so that every trace in which the
/// predicate holds satisfies it. A solver would take long to prove this.
pub fn is_alone(constraint: &Constraint, collector: &mut Collector<'_>, predicate: PredicateId) -> bool {
    let [Fact { kind: FactKind::Atom(atom), positions, .. }] = constraint.facts.as_slice() else {
        return false;
    };
    let instances = collector.instances(predicate);
    positions.iter().all_unique() && instances.iter().all(|instance| instance == atom)
}

/// Iterates over the predicates among the facts of a trace.
pub fn predicates(atoms: &Atoms, placed: &[PlacedAtom]) -> impl Iterator<Item = PredicateId> {
    placed.iter().filter_map(|fact| atoms.get(fact.atom).predicate())
}

/// Returns the candidates that hold in no trace of the space, and the others that hold in no counterexample.
/// The first question comes first, because it is easier and its answer is stronger.
pub fn silent(
    oracle: &mut SatOracle<'_>,
    collector: &mut Collector<'_>,
    candidates: BTreeSet<PredicateId>,
    budget: &Budget,
) -> Limited<SilentPredicates> {
    let never = left(oracle, collector, candidates.clone(), SatOracle::any_trace, budget)?;
    let rest = candidates.difference(&never).copied().collect();
    let harmless = left(oracle, collector, rest, SatOracle::any_counterexample, budget)?;
    Ok(SilentPredicates {
        never: never.into_iter().collect(),
        harmless: harmless.into_iter().collect(),
        lengths: oracle.lengths(),
    })
}

/// Returns the candidates that hold in no trace that `find` can find. Searches for all of them at once, until
/// no more traces are found.
pub fn left<'m>(
    oracle: &mut SatOracle<'m>,
    collector: &mut Collector<'_>,
    mut candidates: BTreeSet<PredicateId>,
    find: impl Fn(&mut SatOracle<'m>, &[Lit]) -> Limited<Option<Trace>>,
    budget: &Budget,
) -> Limited<BTreeSet<PredicateId>> {
    while !candidates.is_empty() {
        let lits: Vec<Lit> =
            candidates.iter().map(|&id| somewhere(oracle, &collector.instances(id))).collect();
        let any = oracle.circuit().any(&lits);
        let Some(trace) = find(oracle, &[any])? else { break };
        let before = candidates.len();
        for id in predicates(oracle.atoms, &collector.collect(&trace.moments, budget)?) {
            candidates.remove(&id);
        }
        assert!(candidates.len() < before, "the encoding and the reference semantics disagree on {trace:?}");
    }
    Ok(candidates)
}
