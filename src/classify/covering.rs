//! Covers: which of the things that a vocabulary names happen in the violating traces, and what is left over.
//!
//! A class of a cover need not suffice for a violation; every violating trace has one of them, as far as it has anything that
//! the vocabulary names, and none of them can be left out. So a complete cover says as well that nothing is violated
//! where none of them happens. The search is for an implicit hitting set: as few things as possible that occur in all
//! violating traces found so far, and then a violating trace without these.

mod check;
mod combinations;
mod things;

use super::atom::Atoms;
use super::block;
use super::collect::Collector;
use super::constraint::Constraint;
use super::cover::{self, Cover as Choice};
use super::index::{CandidateId, PositionVar};
use super::lifting::Lifter;
use super::options::Options;
use super::problem::Problem;
use super::result::{Class, Classification, Cover, Verdict, Why};
use super::score::Score;
use super::space::{Space, Sufficiency};
use super::statistics::{Phase, Statistics, Stopwatch};
use crate::budget::{Budget, Exhausted, Limited, Observer, Progress};
use crate::model::Vocabulary;
use crate::sat::Lit;
use crate::trace::Trace;
use combinations::Combinations;
use std::time::Instant;
use things::Things;

/// What may be chosen as a class.
struct Thing {
    constraint: Constraint,
    /// Whether it is a predicate, and not just something observed.
    named: bool,
    score: Score,
    /// Whether every violating trace has it, so that it tells nothing apart.
    necessary: bool,
    /// A literal that is true wherever it happens, once it was needed.
    matched: Option<Lit>,
}

/// A violating trace, and what happens in it.
struct Sample {
    trace: Trace,
    things: Vec<CandidateId>,
}

/// The search for a cover.
pub(super) struct Covering<'a, 'm> {
    stopwatch: Stopwatch,
    space: Space<'m>,
    things: Vec<Thing>,
    skipped: Vec<String>,
    options: &'a Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    samples: Vec<Sample>,
    chosen: Vec<CandidateId>,
    minimum: bool,
    /// The first of the shortest violating traces in which none of the things happens.
    remainder: Option<Trace>,
    statistics: Statistics,
    depth: usize,
    /// The least number of steps before a first violation; `None` before that was found.
    first_depth: Option<usize>,
}

/// What is shown of a cover.
struct Shown {
    classes: Vec<Class>,
    combinations: Combinations,
}

/// Covers all traces of the lengths asked for that violate the invariant.
pub(super) fn cover(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let stopwatch = Stopwatch::start();
    let atoms = Atoms::default();
    let lifter = Lifter::new(problem.model, vocabulary, &atoms, &options.grounding);
    let mut collector = Collector::new(problem.model, vocabulary, &atoms);
    let Things { constraints, skipped } = things::of(&mut collector, &lifter, vocabulary);
    let thing = |constraint: Constraint| Thing {
        named: constraint.has_predicate(&atoms),
        score: Score::of(&atoms, &constraint, &options.preference),
        constraint,
        necessary: false,
        matched: None,
    };
    let run = Covering {
        stopwatch,
        space: Space::new(problem, &atoms, options.lengths, options.setup(options.backend), budget),
        things: constraints.into_iter().map(thing).collect(),
        skipped,
        options,
        budget,
        observer,
        samples: Vec::new(),
        chosen: Vec::new(),
        minimum: true,
        remainder: None,
        statistics: Statistics::default(),
        depth: 0,
        first_depth: None,
    };
    let result = run.run();
    Classification { atoms, ..result }
}

impl Covering<'_, '_> {
    fn run(mut self) -> Classification {
        let searched = self.search();
        let shown = self.timed(Phase::Redundancy, Self::shown);
        let mut verdict = self.verdict(searched, shown.combinations.ended);
        let mut checked_by = None;
        if matches!(verdict, Verdict::Complete | Verdict::Remainder) {
            match self.timed(Phase::Verify, |run| run.check(&shown.classes)) {
                Ok(solver) => checked_by = Some(solver),
                Err(why) => verdict = Verdict::Partial(Why::Exhausted(why)),
            }
        }
        let circuit = &self.space.unrolling.circuit;
        self.statistics.counterexamples = self.samples.len() + usize::from(self.remainder.is_some());
        self.statistics.solver_calls += circuit.solver_calls();
        self.statistics.peak_variables = self.statistics.peak_variables.max(circuit.variables());
        self.statistics.peak_clauses = self.statistics.peak_clauses.max(circuit.clauses());
        self.stopwatch.stop(&mut self.statistics);
        let Shown { classes, combinations } = shown;
        Classification {
            lengths: self.options.lengths,
            classes,
            atoms: Atoms::default(),
            minimum: self.minimum,
            unclassified: None,
            silent: None,
            checked_by,
            check_ended: None,
            start_unmatched: false,
            solver: circuit.solver_name().to_owned(),
            unbounded: None,
            counts: None,
            cover: Some(Cover {
                combinations: combinations.found,
                all: combinations.all,
                remainder: self.remainder,
                skipped: self.skipped,
            }),
            statistics: self.statistics,
            verdict,
        }
    }

    fn verdict(&self, searched: Limited<()>, ended: Option<Exhausted>) -> Verdict {
        match (searched, self.first_depth) {
            (Err(why), None) => Verdict::Undecided { why, depth: self.depth },
            (Ok(()), None) => Verdict::Holds,
            (Err(why), _) => Verdict::Partial(Why::Exhausted(why)),
            (Ok(()), _) => match (ended, &self.remainder) {
                (Some(why), _) => Verdict::Partial(Why::Exhausted(why)),
                (None, Some(_)) => Verdict::Remainder,
                (None, None) => Verdict::Complete,
            },
        }
    }

    /// Does a part of the work and notes how long it took.
    fn timed<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        let clock = Instant::now();
        let result = work(self);
        self.statistics.seconds.add(phase, clock.elapsed().as_secs_f64());
        result
    }

    fn search(&mut self) -> Limited<()> {
        let bound = self.options.lengths.bound();
        let mut first = None;
        for depth in 0..=bound {
            self.depth = depth;
            self.limit()?;
            self.timed(Phase::Unroll, |run| run.space.grow_to(depth))?;
            self.report("search");
            first = self.timed(Phase::Search, |run| run.space.counterexample(depth, &[]))?;
            if first.is_some() {
                break;
            }
        }
        let Some(first) = first else { return Ok(()) };
        let first_depth = self.space.steps_to_violation(&first);
        self.first_depth = Some(first_depth);
        self.timed(Phase::Unroll, |run| run.space.grow_to(bound))?;
        self.add(first);
        let mut least = first_depth;
        loop {
            self.limit()?;
            self.report("search");
            let outside = self.timed(Phase::Block, Self::outside);
            let found = self.timed(Phase::Search, |run| run.space.first_from(least, &outside))?;
            let before = self.chosen.clone();
            match found {
                Some(trace) => {
                    least = self.space.steps_to_violation(&trace);
                    self.add(trace);
                }
                None if self.drop_necessary() => {}
                None => return Ok(()),
            }
            if !before.iter().all(|c| self.chosen.contains(c)) {
                // Shorter traces may have lost what covered them.
                least = first_depth;
            }
        }
    }

    /// Literals that are true where none of what was chosen happens; once there is a remainder, something has to happen.
    fn outside(&mut self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self.chosen.clone().into_iter().map(|c| !self.matched(c)).collect();
        if self.remainder.is_some() {
            let Self { space, things, .. } = self;
            let useful = things.iter().filter(|thing| !thing.necessary);
            let happen =
                (0..).zip(useful).map(|(n, thing)| combinations::happens(space, &thing.constraint, n));
            let happen: Vec<Lit> = happen.collect();
            lits.push(self.space.circuit().any(&happen));
        }
        lits
    }

    fn useful(&self) -> impl Iterator<Item = (CandidateId, &Thing)> {
        let all = (0..).map(CandidateId::new).zip(&self.things);
        all.filter(|(_, thing)| !thing.necessary)
    }

    /// A literal that is true in every trace in which a thing happens.
    fn matched(&mut self, id: CandidateId) -> Lit {
        let thing = &mut self.things[id.index()];
        *thing.matched.get_or_insert_with(|| block::matched(&mut self.space, &thing.constraint))
    }

    /// Notes a violating trace outside of what was chosen, and chooses again.
    fn add(&mut self, trace: Trace) {
        let happens = |thing: &Thing| self.space.matches(&thing.constraint, &trace).is_some();
        let things: Vec<CandidateId> =
            self.useful().filter(|(_, thing)| happens(thing)).map(|(id, _)| id).collect();
        if things.is_empty() {
            self.remainder = Some(trace);
            return;
        }
        self.samples.push(Sample { trace, things });
        self.choose();
    }

    fn choose(&mut self) {
        let covering: Vec<Vec<CandidateId>> = self.samples.iter().map(|s| s.things.clone()).collect();
        let scores: Vec<Score> = self.things.iter().map(|thing| thing.score).collect();
        let Choice { chosen, minimum } = cover::best(&covering, &scores);
        (self.chosen, self.minimum) = (chosen, minimum);
    }

    /// Where one thing that was only observed happens in all violating traces, it tells nothing: it takes no part, and
    /// the traces found so far are looked at again. Returns whether that was so.
    fn drop_necessary(&mut self) -> bool {
        let &[only] = self.chosen.as_slice() else { return false };
        let thing = &mut self.things[only.index()];
        if thing.named || self.remainder.is_some() {
            return false;
        }
        thing.necessary = true;
        self.samples.iter_mut().for_each(|sample| sample.things.retain(|id| *id != only));
        let (left, over): (Vec<Sample>, Vec<Sample>) =
            std::mem::take(&mut self.samples).into_iter().partition(|sample| !sample.things.is_empty());
        self.samples = left;
        let least = |sample: &Sample| self.space.steps_to_violation(&sample.trace);
        self.remainder = over.into_iter().min_by_key(least).map(|sample| sample.trace);
        self.choose();
        true
    }

    /// The classes with their traces, and the combinations that occur; what the budget left of them.
    fn shown(&mut self) -> Shown {
        let mut classes = Vec::new();
        let mut ended = None;
        for id in self.chosen.clone() {
            match self.class(id) {
                Ok(Some(class)) => classes.push(class),
                Ok(None) => self.chosen.retain(|c| *c != id),
                Err(why) => ended = Some(why),
            }
        }
        classes.sort_by_key(|class| class.representative.len());
        let mut combinations = match self.first_depth {
            Some(least) => combinations::occurring(&mut self.space, &classes, least),
            None => Combinations::default(),
        };
        combinations.ended = ended.or(combinations.ended);
        Shown { classes, combinations }
    }

    /// A class of the result; `None` if it is redundant.
    fn class(&mut self, id: CandidateId) -> Limited<Option<Class>> {
        let least = self.first_depth.unwrap_or_default();
        let constraint = self.things[id.index()].constraint.clone();
        let holding = self.space.holding(&constraint.facts);
        let others: Vec<CandidateId> = self.chosen.iter().copied().filter(|&c| c != id).collect();
        let mut alone: Vec<Lit> = others.into_iter().map(|c| !self.matched(c)).collect();
        alone.extend(&holding);
        let Some(canonical) = self.space.first_from(least, &alone)? else { return Ok(None) };
        let shortest = self.space.first_from(least, &holding)?;
        let as_short =
            |trace: &Trace| self.space.steps_to_violation(trace) == self.space.steps_to_violation(&canonical);
        let representative = shortest.filter(|trace| !as_short(trace)).unwrap_or_else(|| canonical.clone());
        let used: Vec<PositionVar> = constraint.variables().collect();
        let last = self.space.last();
        let answer = self.space.sufficiency_within(last, &constraint.facts, &used)?;
        let assigned = self.space.matches(&constraint, &representative);
        Ok(Some(Class {
            assigned: assigned.expect("it happens in the trace"),
            constraint,
            representative,
            needed: Vec::new(),
            canonical: Some(canonical),
            redundant: false,
            restates: false,
            sufficient: matches!(answer, Sufficiency::Sufficient),
            initial_facts: 1,
        }))
    }

    /// Checks the result in a fresh solver; returns its name.
    fn check(&mut self, classes: &[Class]) -> Limited<String> {
        self.report("verify");
        let setup = self.options.setup(self.options.check_backend);
        let mut space =
            Space::new(self.space.problem, self.space.atoms, self.options.lengths, setup, self.budget);
        space.grow_to(self.options.lengths.bound())?;
        let useful: Vec<&Constraint> = self.useful().map(|(_, thing)| &thing.constraint).collect();
        check::check(&mut space, classes, &useful, self.remainder.as_ref())?;
        let circuit = &space.unrolling.circuit;
        self.statistics.solver_calls += circuit.solver_calls();
        self.statistics.peak_variables = circuit.variables();
        self.statistics.peak_clauses = circuit.clauses();
        Ok(circuit.solver_name().to_owned())
    }

    fn limit(&self) -> Limited<()> {
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    fn report(&mut self, phase: &'static str) {
        let circuit = &self.space.unrolling.circuit;
        self.observer.progress(&Progress {
            phase,
            depth: self.depth,
            counterexamples: self.samples.len(),
            classes: self.chosen.len(),
            solver_calls: circuit.solver_calls(),
            solver_seconds: circuit.solver_seconds(),
            ..Progress::default()
        });
    }
}
