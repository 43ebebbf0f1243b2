//! Decides if predicates of the vocabulary hold anywhere in a counterexample.

use crate::facts::atom::Atoms;
use crate::facts::collect::{Collector, PlacedAtom};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::index::{AtomId, IndividualVar, PositionVar};
use crate::oracles::oracle::{Oracle, SampleCondition, Somewhere};
use crate::oracles::sat::SatOracle;
use crate::results::result::SilentPredicates;
use itertools::Itertools;
use kit::budget::{Budget, Limited};
use lang::model::PredicateId;
use lang::trace::Trace;
use solvers::sat::Lit;
use std::collections::BTreeSet;

/// The greatest number of instances of a constraint with a literal of its own.
const MOST_INSTANCES: usize = 64;

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

/// Returns a literal that is true exactly in the traces that satisfy a constraint of one position; `None` if there are
/// too many choices of individuals, or absences.
pub fn occurring(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Option<Lit> {
    let instances = constraint.instances(oracle.problem.model, oracle.atoms, MOST_INSTANCES)?;
    let mut places = Vec::new();
    for instance in &instances {
        for t in oracle.positions() {
            let mut parts = vec![oracle.alive(t)];
            for fact in &instance.facts {
                let Fact { kind: FactKind::Atom(atom), .. } = fact else { return None };
                parts.push(oracle.atom_at(*atom, t));
            }
            places.push(oracle.circuit().all(&parts));
        }
    }
    Some(oracle.circuit().any(&places))
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
    oracle: &mut dyn Oracle<'_>,
    collector: &mut Collector<'_>,
    candidates: BTreeSet<PredicateId>,
    budget: &Budget,
) -> Limited<SilentPredicates> {
    let never = left(collector, candidates.clone(), budget, &mut |holds| oracle.any_trace(holds))?;
    let rest = candidates.difference(&never).copied().collect();
    let harmless = left(collector, rest, budget, &mut |holds| oracle.any(holds))?;
    Ok(SilentPredicates {
        never: never.into_iter().collect(),
        harmless: harmless.into_iter().collect(),
        lengths: oracle.lengths(),
    })
}

/// Returns the candidates that hold in no trace that `find` can find. Searches for all of them at once, until
/// no more traces are found.
pub fn left(
    collector: &mut Collector<'_>,
    mut candidates: BTreeSet<PredicateId>,
    budget: &Budget,
    find: &mut dyn FnMut(&[SampleCondition]) -> Limited<Option<Trace>>,
) -> Limited<BTreeSet<PredicateId>> {
    while !candidates.is_empty() {
        budget.check()?;
        let atoms = candidates.iter().flat_map(|&id| collector.instances(id)).collect();
        let Some(trace) = find(&[SampleCondition::Formed(Somewhere(atoms))])? else { break };
        let before = candidates.len();
        let placed = collector.collect(&trace.moments, budget)?;
        for id in predicates(collector.atoms(), &placed) {
            candidates.remove(&id);
        }
        assert!(candidates.len() < before, "the encoding and the reference semantics disagree on {trace:?}");
    }
    Ok(candidates)
}
