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
use super::collect::Collector;
use super::cover::{self, Cover as Choice};
use super::index::{CandidateId, PositionVar};
use super::lifting::Lifter;
use super::necessary::{Known, necessary};
use super::options::Options;
use super::problem::Problem;
use super::result::{Class, Classification, Cover, Necessary, Verdict, Why};
use super::score::Score;
use super::space::{Space, Sufficiency};
use super::statistics::{Phase, Statistics, Timed};
use super::work::Work;
use crate::budget::{Budget, Exhausted, Limited, Observer};
use crate::model::Vocabulary;
use crate::sat::Lit;
use crate::trace::Trace;
use combinations::Combinations;
use things::{Thing, Things};

/// A violating trace, and what happens in it.
struct Sample {
    trace: Trace,
    things: Vec<CandidateId>,
}

/// The search for a cover.
struct Covering<'a, 'm> {
    work: Work<'a, 'm>,
    things: Vec<Thing>,
    skipped: Vec<String>,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    samples: Vec<Sample>,
    chosen: Vec<CandidateId>,
    minimum: bool,
    /// The first of the shortest violating traces in which none of the things happens.
    remainder: Option<Trace>,
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
    let atoms = Atoms::default();
    let work = Work::new(problem, &atoms, options, budget, observer);
    let lifter = Lifter::new(problem.model, vocabulary, &atoms, &options.grounding);
    let mut collector = Collector::new(problem.model, vocabulary, &atoms);
    let Things { things, skipped } = things::of(&mut collector, &lifter, vocabulary, &options.preference);
    let run = Covering {
        work,
        things,
        skipped,
        vocabulary,
        options,
        samples: Vec::new(),
        chosen: Vec::new(),
        minimum: true,
        remainder: None,
        first_depth: None,
    };
    let result = run.run();
    Classification { atoms, ..result }
}

impl Timed for Covering<'_, '_> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.work.statistics
    }
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
        let Shown { classes, combinations } = shown;
        let necessary = self.things.iter().filter(|thing| thing.necessary);
        let necessary = necessary.map(|thing| thing.constraint.clone()).collect();
        let found = self.timed(Phase::Necessary, |run| run.necessary(&classes));
        let (statistics, solver) = self.work.finish();
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
            solver,
            unbounded: None,
            counts: None,
            cover: Some(Cover {
                combinations: combinations.found,
                all: combinations.all,
                remainder: self.remainder,
                necessary,
                skipped: self.skipped,
            }),
            necessary: found,
            statistics,
            verdict,
        }
    }

    /// What all violating traces have in common, or what is known of that.
    fn necessary(&mut self, classes: &[Class]) -> Option<Necessary> {
        let mut violating: Vec<Trace> = self.samples.iter().map(|sample| sample.trace.clone()).collect();
        violating.extend(self.remainder.clone());
        violating.sort_by_key(|trace| self.work.space.steps_to_violation(trace));
        let known = Known {
            violating,
            accepted: Vec::new(),
            least: self.first_depth.unwrap_or_default(),
            classes,
            taken: self.work.taken(),
        };
        let Work { space, budget, .. } = &mut self.work;
        necessary(space, self.vocabulary, self.options, known, budget)
    }

    fn verdict(&self, searched: Limited<()>, ended: Option<Exhausted>) -> Verdict {
        match (searched, self.first_depth) {
            (Err(why), None) => Verdict::Undecided { why, depth: self.work.depth },
            (Ok(()), None) => Verdict::Holds,
            (Err(why), _) => Verdict::Partial(Why::Exhausted(why)),
            (Ok(()), _) => match (ended, &self.remainder) {
                (Some(why), _) => Verdict::Partial(Why::Exhausted(why)),
                (None, Some(_)) => Verdict::Remainder,
                (None, None) => Verdict::Complete,
            },
        }
    }

    fn search(&mut self) -> Limited<()> {
        let bound = self.options.lengths.bound();
        let Some(first) = self.work.first_counterexample(bound)? else { return Ok(()) };
        let first_depth = self.work.space.steps_to_violation(&first);
        self.first_depth = Some(first_depth);
        self.timed(Phase::Unroll, |run| run.work.space.grow_to(bound))?;
        self.add(first);
        let mut least = first_depth;
        loop {
            self.work.limit()?;
            self.work.report("search", self.chosen.len(), None);
            let outside = self.timed(Phase::Block, Self::outside);
            let found = self.timed(Phase::Search, |run| run.work.space.first_from(least, &outside))?;
            let before = self.chosen.clone();
            match found {
                Some(trace) => {
                    least = self.work.space.steps_to_violation(&trace);
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
        let mut lits: Vec<Lit> = self.chosen.clone().into_iter().map(|id| !self.matched(id)).collect();
        if self.remainder.is_some() {
            let useful: Vec<CandidateId> = self.useful().map(|(id, _)| id).collect();
            let happen: Vec<Lit> = useful.into_iter().map(|id| self.happens(id)).collect();
            lits.push(self.work.space.circuit().any(&happen));
        }
        lits
    }

    fn useful(&self) -> impl Iterator<Item = (CandidateId, &Thing)> {
        let all = (0..).map(CandidateId::new).zip(&self.things);
        all.filter(|(_, thing)| !thing.necessary)
    }

    /// A literal that is true in every trace in which a thing happens.
    fn matched(&mut self, id: CandidateId) -> Lit {
        self.things[id.index()].matched(&mut self.work.space)
    }

    /// A literal that, when it is true, makes a thing happen.
    fn happens(&mut self, id: CandidateId) -> Lit {
        self.things[id.index()].happens(&mut self.work.space, id.index())
    }

    /// Notes a violating trace outside of what was chosen, and chooses again.
    fn add(&mut self, trace: Trace) {
        self.work.statistics.counterexamples += 1;
        let happens = |thing: &Thing| self.work.space.matches(&thing.constraint, &trace).is_some();
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
        let least = |sample: &Sample| self.work.space.steps_to_violation(&sample.trace);
        self.remainder = over.into_iter().min_by_key(least).map(|sample| sample.trace);
        self.choose();
        true
    }

    /// The classes with their traces, and the combinations that occur; what the budget left of them.
    fn shown(&mut self) -> Shown {
        let mut classes: Vec<(CandidateId, Class)> = Vec::new();
        let mut ended = None;
        for id in self.chosen.clone() {
            match self.class(id) {
                Ok(Some(class)) => classes.push((id, class)),
                Ok(None) => self.chosen.retain(|c| *c != id),
                Err(why) => ended = Some(why),
            }
        }
        classes.sort_by_key(|(_, class)| class.representative.len());
        let mut combinations = match self.first_depth {
            Some(least) => {
                let ids: Vec<CandidateId> = classes.iter().map(|(id, _)| *id).collect();
                let matched: Vec<Lit> = ids.iter().map(|&id| self.matched(id)).collect();
                let happens: Vec<Lit> = ids.iter().map(|&id| self.happens(id)).collect();
                let constraints: Vec<_> = ids.iter().map(|id| &self.things[id.index()].constraint).collect();
                combinations::occurring(&mut self.work.space, &constraints, &matched, &happens, least)
            }
            None => Combinations::default(),
        };
        combinations.ended = ended.or(combinations.ended);
        Shown { classes: classes.into_iter().map(|(_, class)| class).collect(), combinations }
    }

    /// A class of the result; `None` if it is redundant.
    fn class(&mut self, id: CandidateId) -> Limited<Option<Class>> {
        let least = self.first_depth.unwrap_or_default();
        let own = self.happens(id);
        let others: Vec<CandidateId> = self.chosen.iter().copied().filter(|&c| c != id).collect();
        let mut alone: Vec<Lit> = others.into_iter().map(|c| !self.matched(c)).collect();
        alone.push(own);
        let constraint = self.things[id.index()].constraint.clone();
        let space = &mut self.work.space;
        let Some(canonical) = space.first_from(least, &alone)? else { return Ok(None) };
        let shortest = space.first_from(least, &[own])?;
        let as_short =
            |trace: &Trace| space.steps_to_violation(trace) == space.steps_to_violation(&canonical);
        let representative = shortest.filter(|trace| !as_short(trace)).unwrap_or_else(|| canonical.clone());
        let used: Vec<PositionVar> = constraint.variables().collect();
        let answer = space.sufficiency_within(space.last(), &constraint.facts, &used)?;
        let assigned = space.matches(&constraint, &representative);
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
        self.work.report("verify", self.chosen.len(), None);
        let (setup, lengths) = (self.options.setup(self.options.check_backend), self.options.lengths);
        let Space { problem, atoms, .. } = self.work.space;
        let mut space = Space::new(problem, atoms, lengths, setup, self.work.budget);
        space.grow_to(lengths.bound())?;
        let things = self.things.iter().map(Thing::afresh).collect();
        check::check(&mut space, classes, things, self.remainder.as_ref())?;
        self.work.statistics.add_solver(space.circuit());
        Ok(space.circuit().solver_name().to_owned())
    }
}
