//! Predicates that do not distinguish traces.

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::index::AtomId;
use crate::facts::problem::Problem;
use crate::oracles::occurrence;
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::SatOracle;
use crate::predicates::example::{only, predicate};
use itertools::Itertools;
use kit::budget::{Budget, Exhausted, Limited};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::{Model, Position, PredicateArgument, PredicateId, VocabularyItem};
use solvers::sat::{Backend, Lit};
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// The most places at which one query asks for a predicate.
const MOST_PLACES: usize = 5_000;

/// The way in which a predicate fails to distinguish traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Triviality {
    /// Holds in no trace, at no positions.
    Never,
    /// Holds at all ascending positions of every trace.
    Always,
    /// It holds in every initial state.
    AtFirst,
}

/// The predicates found not to distinguish traces.
#[derive(Debug, Clone)]
pub struct Trivial {
    /// The predicates, in the order of declaration.
    pub found: Vec<(PredicateId, Triviality)>,
    /// The greatest number of steps of the traces considered.
    pub bound: usize,
    /// The limit that ended the search; `None` if it came to its end.
    pub ended: Option<Exhausted>,
}

/// A search for predicates that tell no trace of up to so many steps from another.
#[derive(Debug, Clone, Copy)]
pub struct TrivialSearch<'a> {
    /// The model.
    pub model: &'a Model,
    /// The items with the predicates.
    pub items: &'a [VocabularyItem],
    /// The greatest number of steps.
    pub bound: usize,
    /// The solver.
    pub backend: Backend,
    /// The limits.
    pub budget: &'a Budget,
}

impl TrivialSearch<'_> {
    /// All of them.
    pub fn run(self) -> Trivial {
        let mut found = Vec::new();
        let ended = self.ask(|oracle, collector| self.search(oracle, collector, &mut found)).err();
        found.sort_by_key(|(id, _)| *id);
        Trivial { found, bound: self.bound, ended }
    }

    /// Those that hold at all positions of every trace, of which most are known not to after the first few steps.
    pub fn everywhere(self) -> Trivial {
        const FEW: usize = 3;
        let mut left = self.predicates();
        for bound in [self.bound.min(FEW), self.bound] {
            let search = Self { bound, ..self };
            match search.ask(|oracle, collector| search.throughout(oracle, collector, left)) {
                Ok(still) => left = still,
                Err(why) => return Trivial { found: Vec::new(), bound: self.bound, ended: Some(why) },
            }
            if left.is_empty() {
                break;
            }
        }
        let found = left.into_iter().map(|id| (id, Triviality::Always)).collect();
        Trivial { found, bound: self.bound, ended: None }
    }

    fn predicates(self) -> BTreeSet<PredicateId> {
        self.items.iter().filter_map(predicate).collect()
    }

    /// Asks about the traces; nothing is found if there are none, of which everything is true.
    fn ask<T: Default>(
        self,
        question: impl FnOnce(&mut SatOracle<'_>, &mut Collector<'_>) -> Limited<T>,
    ) -> Limited<T> {
        if self.predicates().is_empty() {
            return Ok(T::default());
        }
        let always = Expr::bool(true, Span::default());
        let (atoms, vocabulary) = (Atoms::default(), only(self.items));
        let mut collector = Collector::new(self.model, &vocabulary, &atoms);
        let (problem, lengths) = (Problem::new(self.model, &always), Lengths::UpTo(self.bound));
        let mut oracle = SatOracle::unrolled(problem, &atoms, lengths, self.backend, self.budget)?;
        match oracle.circuit().solve(&[]).is_sat()? {
            true => question(&mut oracle, &mut collector),
            false => Ok(T::default()),
        }
    }

    /// Those of the candidates that hold at all positions of every trace.
    fn throughout(
        self,
        oracle: &mut SatOracle<'_>,
        collector: &mut Collector<'_>,
        candidates: BTreeSet<PredicateId>,
    ) -> Limited<BTreeSet<PredicateId>> {
        let mut left = BTreeSet::new();
        for id in candidates {
            if holds_throughout(oracle, &readings(collector, self.items, id))? {
                left.insert(id);
            }
        }
        Ok(left)
    }

    fn search(
        self,
        oracle: &mut SatOracle<'_>,
        collector: &mut Collector<'_>,
        found: &mut Vec<(PredicateId, Triviality)>,
    ) -> Limited<()> {
        let mut open = BTreeSet::new();
        for id in self.predicates() {
            let readings = readings(collector, self.items, id);
            if holds_throughout(oracle, &readings)? {
                found.push((id, Triviality::Always));
            } else if holds_at_first(oracle, &readings)? {
                found.push((id, Triviality::AtFirst));
            } else {
                open.insert(id);
            }
        }
        let mut find = |holds: &[SampleCondition]| Oracle::any_trace(oracle, holds);
        let never = occurrence::left(collector, open, self.budget, &mut find)?;
        found.extend(never.into_iter().map(|id| (id, Triviality::Never)));
        Ok(())
    }
}

/// Returns the atoms of a predicate, grouped by their arguments; atoms that differ in an open value are in one group.
fn readings(collector: &mut Collector<'_>, items: &[VocabularyItem], id: PredicateId) -> Vec<Vec<AtomId>> {
    let said = items.iter().filter_map(|item| match item {
        VocabularyItem::Predicate(of, args) if *of == id => Some(args),
        _ => None,
    });
    let open = |args: &Vec<PredicateArgument>| {
        let arg = |arg: &PredicateArgument| match arg {
            PredicateArgument::Position | PredicateArgument::Value { any: true, .. } => String::new(),
            PredicateArgument::Observed(of) => of.text.clone(),
            PredicateArgument::Value { value, .. } => format!("{:?}", value.kind),
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

/// True if all readings of a predicate hold at all ascending positions of every trace; false also where this takes too much to ask.
fn holds_throughout(oracle: &mut SatOracle<'_>, readings: &[Vec<AtomId>]) -> Limited<bool> {
    for reading in readings {
        let count = oracle.atoms.get(reading[0]).params.len();
        let positions: Vec<Position> = oracle.positions().collect();
        if count == 0 || count > positions.len() {
            return Ok(false);
        }
        // Most fail at the first positions.
        if fails_at(oracle, reading, &[positions[..count].to_vec()])? {
            return Ok(false);
        }
        let places: Vec<Vec<Position>> =
            positions.into_iter().combinations(count).take(MOST_PLACES + 1).collect();
        if places.len() * reading.len() > MOST_PLACES || fails_at(oracle, reading, &places)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if all readings of a predicate hold in every initial state.
fn holds_at_first(oracle: &mut SatOracle<'_>, readings: &[Vec<AtomId>]) -> Limited<bool> {
    for reading in readings {
        let count = oracle.atoms.get(reading[0]).params.len();
        if fails_at(oracle, reading, &[vec![Position::FIRST; count]])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if some trace reaches one of these places where none of the atoms holds.
fn fails_at(oracle: &mut SatOracle<'_>, reading: &[AtomId], places: &[Vec<Position>]) -> Limited<bool> {
    let mut ways = Vec::new();
    for place in places {
        let any: Vec<Lit> = reading.iter().map(|&atom| holds_at(oracle, atom, place)).collect();
        let holds = oracle.circuit().any(&any);
        let alive = place.last().map_or_else(|| oracle.alive(Position::FIRST), |&last| oracle.alive(last));
        ways.push(oracle.circuit().and(alive, !holds));
    }
    let any = oracle.circuit().any(&ways);
    oracle.circuit().solve(&[any]).is_sat()
}

/// The literal of an atom at a place.
fn holds_at(oracle: &mut SatOracle<'_>, atom: AtomId, place: &[Position]) -> Lit {
    let atoms = oracle.atoms;
    let conjuncts = &atoms.get(atom).conjuncts;
    let parts = conjuncts.iter().enumerate().map(|(number, part)| {
        let at: Vec<Position> = part.params.iter().map(|&param| place[param]).collect();
        oracle.conjunct_at(atom, number, &at)
    });
    let parts: Vec<Lit> = parts.collect();
    oracle.circuit().all(&parts)
}
