//! Fewer positions without losing a counterexample: two position variables that nothing keeps apart become one.
//!
//! Minimising settles on the positions of one counterexample, late ones first. What it found at two of them
//! may hold at one of its places together. To say that is stronger, so it still suffices for a violation; a class is
//! replaced by it if no counterexample is lost.

use crate::facts::index::{CandidateId, DomainId, PlacedId};
use crate::facts::memoised_trace::MemoisedTrace;
use crate::oracles::oracle::Oracle;
use crate::search::draft::{CounterexampleFacts, Draft, Ordered, reaches};
use crate::search::pool::Pool;
use itertools::Itertools;
use kit::budget::Limited;
use lang::model::Position;
use lang::model::types::Type;
use std::collections::BTreeSet;

/// Merges positions of the chosen classes, which must be complete, two at a time wherever they stay complete.
pub fn merge_positions(oracle: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>) -> Limited<()> {
    for class in pool.choice.chosen.clone() {
        let mut class = class;
        while let Some(merged) = with_a_pair_merged(oracle, pool, class)? {
            pool.choice.replace(class, merged);
            class = merged;
        }
    }
    Ok(())
}

/// Lets the chosen classes, which must be complete, name values as they are wherever they stay complete, all of one type at a
/// time: that a class has individuals says that it needs them.
pub fn drop_individuals(
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    nameless: &[Type],
) -> Limited<()> {
    let atoms = oracle.atoms();
    // Counterexamples that speak against naming values: what follows from known ones by symmetry, and what was lost by it before.
    let mut further = pool.images(oracle);
    for mut class in pool.choice.chosen.clone() {
        let domains: Vec<DomainId> =
            pool.choice.candidate(class).constraint.individuals.iter().copied().unique().collect();
        for domain in domains.into_iter().filter(|&domain| !nameless.contains(atoms.type_of(domain))) {
            let Some(narrow) = pool.without_individuals(oracle, class, domain, &further)? else { continue };
            match oracle.any(&pool.lost(class, narrow))? {
                Some(lost) => further.push(MemoisedTrace::new(lost)),
                None => {
                    pool.choice.replace(class, narrow);
                    class = narrow;
                }
            }
        }
    }
    Ok(())
}

/// Lets the chosen classes have individuals in the place of values of these types, wherever they suffice and no
/// counterexample is lost.
pub fn free_nameless(oracle: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>, nameless: &[Type]) -> Limited<()> {
    if nameless.is_empty() {
        return Ok(());
    }
    for class in pool.choice.chosen.clone() {
        let Some(general) = pool.with_individuals(oracle, class, nameless)? else { continue };
        if oracle.any(&pool.lost(class, general))?.is_none() {
            pool.choice.replace(class, general);
        }
    }
    Ok(())
}

/// A candidate with two positions of a chosen class merged, with which the choice is complete as well.
fn with_a_pair_merged(
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    class: CandidateId,
) -> Limited<Option<CandidateId>> {
    let candidate = pool.choice.candidate(class);
    let (sample, is_lifted) = (candidate.origin.sample, candidate.constraint.is_lifted());
    for draft in merged(&pool.sample(sample).facts, &candidate.origin.draft) {
        let facts = draft.size();
        let mut candidate = pool.admit_minimised(oracle, sample, draft)?;
        if is_lifted {
            candidate = pool.general_like(oracle, candidate, class)?.unwrap_or(candidate);
        }
        if oracle.any(&pool.lost(class, candidate))?.is_none() {
            // With a fact less it may have counterexamples of other classes, so that these could go.
            pool.choice.minimum &= pool.choice.candidate(candidate).origin.draft.size() == facts;
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// The drafts with two positions merged for which the counterexample has a place. Whatever satisfies one of them
/// satisfies the given one. Where something is absent between positions, these stay.
fn merged(facts: &CounterexampleFacts, draft: &Draft) -> Vec<Draft> {
    if !draft.absent.is_empty() {
        return Vec::new();
    }
    let apart = |p: Position, q: Position| reaches(&draft.order, p, q) || reaches(&draft.order, q, p);
    let pairs = draft.positions.iter().flat_map(|&p| draft.positions.range(p.next()..).map(move |&q| (p, q)));
    let pairs = pairs.filter(|&(p, q)| !apart(p, q));
    let places =
        |pair| Position::up_to(facts.last).rev().find_map(|place| moved_to(facts, draft, pair, place));
    pairs.filter_map(places).collect()
}

/// The draft with two positions moved to one place, if everything that is said of them holds there.
fn moved_to(
    facts: &CounterexampleFacts,
    draft: &Draft,
    (p, q): (Position, Position),
    place: Position,
) -> Option<Draft> {
    let mut positions = draft.positions.clone();
    positions.remove(&p);
    positions.remove(&q);
    if !positions.insert(place) {
        return None;
    }
    let moved = |at: Position| if at == p || at == q { place } else { at };
    let mut atoms = BTreeSet::new();
    for &atom in &draft.atoms {
        let fact = facts.placed(atom);
        let at: Vec<Position> = fact.positions.iter().map(|&at| moved(at)).collect();
        let same = facts.placed.iter().position(|f| f.atom == fact.atom && f.positions == at);
        atoms.insert(PlacedId::new(same?));
    }
    let mut order = Vec::new();
    for ordered in &draft.order {
        let (first, second) = (moved(ordered.first), moved(ordered.second));
        if !ordered.order.holds(first, second) {
            return None;
        }
        let fact = Ordered { first, second, ..*ordered };
        if !order.contains(&fact) {
            order.push(fact);
        }
    }
    Some(Draft { atoms: atoms.into_iter().collect(), positions, absent: Vec::new(), order })
}
