//! Predicates that tell no trace from another.

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::index::AtomId;
use crate::facts::problem::Problem;
use crate::oracles::occurrence;
use crate::oracles::space::Space;
use crate::predicates::example::{only, predicate};
use itertools::Itertools;
use kit::budget::{Budget, Exhausted, Limited};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::{Argument, Model, Position, PredicateId, VocabularyItem};
use solvers::sat::{Answer, Backend, Lit};
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// The most places that it is asked about whether a predicate holds at all of them.
const MOST_PLACES: usize = 5_000;

/// How a predicate tells no trace from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Triviality {
    /// It holds in no trace, at no positions.
    Never,
    /// It holds at all positions of every trace, as long as they come one after the other.
    Always,
    /// It holds in every first state, before any step.
    AtFirst,
}

/// The predicates that tell no trace from another, as far as that was found.
#[derive(Debug, Clone)]
pub struct Trivial {
    /// Them, in the order of declaration.
    pub found: Vec<(PredicateId, Triviality)>,
    /// The greatest number of steps of the traces that were asked about.
    pub bound: usize,
    /// What ended the search, if something did.
    pub ended: Option<Exhausted>,
}

/// The predicates among the items that tell no trace of up to `bound` steps from another.
pub fn trivial(
    model: &Model,
    items: &[VocabularyItem],
    bound: usize,
    backend: Backend,
    budget: &Budget,
) -> Trivial {
    let mut trivial = Trivial { found: Vec::new(), bound, ended: None };
    trivial.ended = search(model, items, backend, budget, &mut trivial).err();
    trivial.found.sort_by_key(|(id, _)| *id);
    trivial
}

/// The predicates among the items that hold at all positions of every trace of up to `bound` steps, of which most are known not to after the
/// first few steps.
pub fn everywhere(
    model: &Model,
    items: &[VocabularyItem],
    bound: usize,
    backend: Backend,
    budget: &Budget,
) -> Trivial {
    const FEW: usize = 3;
    let mut trivial = Trivial { found: Vec::new(), bound, ended: None };
    let mut candidates: BTreeSet<PredicateId> = items.iter().filter_map(predicate).collect();
    for bound in [bound.min(FEW), bound] {
        match throughout(model, items, &candidates, bound, (backend, budget)) {
            Ok(left) => candidates = left,
            Err(why) => {
                trivial.ended = Some(why);
                return trivial;
            }
        }
    }
    trivial.found = candidates.into_iter().map(|id| (id, Triviality::Always)).collect();
    trivial
}

/// Those of the candidates that hold at all positions of every trace.
fn throughout(
    model: &Model,
    items: &[VocabularyItem],
    candidates: &BTreeSet<PredicateId>,
    bound: usize,
    (backend, budget): (Backend, &Budget),
) -> Limited<BTreeSet<PredicateId>> {
    let mut left = BTreeSet::new();
    if candidates.is_empty() {
        return Ok(left);
    }
    let always = Expr::bool(true, Span::default());
    let (atoms, vocabulary) = (Atoms::default(), only(items));
    let mut collector = Collector::new(model, &vocabulary, &atoms);
    let problem = Problem::new(model, &always);
    let mut space = Space::unrolled(problem, &atoms, Lengths::UpTo(bound), backend, budget)?;
    for &id in candidates {
        let readings = readings(&mut collector, items, id);
        if is_possible(&mut space, &[])? && holds_throughout(&mut space, &readings)? {
            left.insert(id);
        }
    }
    Ok(left)
}

fn search(
    model: &Model,
    items: &[VocabularyItem],
    backend: Backend,
    budget: &Budget,
    trivial: &mut Trivial,
) -> Limited<()> {
    let candidates: BTreeSet<PredicateId> = items.iter().filter_map(predicate).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    let always = Expr::bool(true, Span::default());
    let (atoms, vocabulary) = (Atoms::default(), only(items));
    let mut collector = Collector::new(model, &vocabulary, &atoms);
    let problem = Problem::new(model, &always);
    let mut space = Space::unrolled(problem, &atoms, Lengths::UpTo(trivial.bound), backend, budget)?;
    // Without a first state, everything is true of all traces.
    if !is_possible(&mut space, &[])? {
        return Ok(());
    }
    for &id in &candidates {
        let readings = readings(&mut collector, items, id);
        if holds_throughout(&mut space, &readings)? {
            trivial.found.push((id, Triviality::Always));
        } else if holds_at_first(&mut space, &readings)? {
            trivial.found.push((id, Triviality::AtFirst));
        }
    }
    let open =
        candidates.into_iter().filter(|id| !trivial.found.iter().any(|(known, _)| known == id)).collect();
    let never = occurrence::left(&mut space, &mut collector, open, Space::any_trace, budget)?;
    trivial.found.extend(never.into_iter().map(|id| (id, Triviality::Never)));
    Ok(())
}

/// The atoms of a predicate, those together that leave a value open.
fn readings(collector: &mut Collector<'_>, items: &[VocabularyItem], id: PredicateId) -> Vec<Vec<AtomId>> {
    let said = items.iter().filter_map(|item| match item {
        VocabularyItem::Predicate(of, args) if *of == id => Some(args),
        _ => None,
    });
    let open = |args: &Vec<Argument>| {
        let arg = |arg: &Argument| match arg {
            Argument::Position | Argument::Value { any: true, .. } => String::new(),
            Argument::Observed(of) => of.text.clone(),
            Argument::Value { value, .. } => format!("{:?}", value.kind),
        };
        args.iter().map(arg).collect::<Vec<_>>()
    };
    let pairs = said.map(open).zip(collector.instances(id));
    let mut groups: Vec<(Vec<String>, Vec<AtomId>)> = Vec::new();
    for (key, atom) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, atoms)) => atoms.push(atom),
            None => groups.push((key, vec![atom])),
        }
    }
    groups.into_iter().map(|(_, atoms)| atoms).collect()
}

/// Whether all readings of a predicate hold at all ascending positions of every trace; false where that takes too much to ask.
fn holds_throughout(space: &mut Space<'_>, readings: &[Vec<AtomId>]) -> Limited<bool> {
    for reading in readings {
        let count = space.atoms.get(reading[0]).params.len();
        let positions: Vec<Position> = space.positions().collect();
        if count == 0 || count > positions.len() {
            return Ok(false);
        }
        // Most fail at the first positions already.
        if fails_at(space, reading, &[positions[..count].to_vec()])? {
            return Ok(false);
        }
        let places: Vec<Vec<Position>> =
            positions.into_iter().combinations(count).take(MOST_PLACES + 1).collect();
        if places.len() * reading.len() > MOST_PLACES || fails_at(space, reading, &places)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all readings of a predicate hold before any step, whatever the first state is.
fn holds_at_first(space: &mut Space<'_>, readings: &[Vec<AtomId>]) -> Limited<bool> {
    for reading in readings {
        let count = space.atoms.get(reading[0]).params.len();
        if fails_at(space, reading, &[vec![Position::FIRST; count]])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether some trace reaches one of these places where none of the atoms holds.
fn fails_at(space: &mut Space<'_>, reading: &[AtomId], places: &[Vec<Position>]) -> Limited<bool> {
    let mut ways = Vec::new();
    for place in places {
        let any: Vec<Lit> = reading.iter().map(|&atom| holds_at(space, atom, place)).collect();
        let holds = space.circuit().any(&any);
        let alive = place.last().map_or_else(|| space.alive(Position::FIRST), |&last| space.alive(last));
        ways.push(space.circuit().and(alive, !holds));
    }
    let any = space.circuit().any(&ways);
    is_possible(space, &[any])
}

/// Whether an atom holds at a place.
fn holds_at(space: &mut Space<'_>, atom: AtomId, place: &[Position]) -> Lit {
    let atoms = space.atoms;
    let conjuncts = &atoms.get(atom).conjuncts;
    let parts = conjuncts.iter().enumerate().map(|(number, part)| {
        let at: Vec<Position> = part.params.iter().map(|&param| place[param]).collect();
        space.conjunct_at(atom, number, &at)
    });
    let parts: Vec<Lit> = parts.collect();
    space.circuit().all(&parts)
}

fn is_possible(space: &mut Space<'_>, assumptions: &[Lit]) -> Limited<bool> {
    match space.circuit().solve(assumptions) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(why) => Err(why),
    }
}
