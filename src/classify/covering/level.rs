//! The search for as few things as possible of which every violating trace of a context has one: an implicit hitting set.

use super::combinations::{self, Combinations};
use super::context::Context;
use super::things::Thing;
use crate::budget::Limited;
use crate::classify::block;
use crate::classify::constraint::Constraint;
use crate::classify::cover::{self, Cover as Choice};
use crate::classify::index::{CandidateId, PositionVar};
use crate::classify::oracle::Oracle;
use crate::classify::restates::Restates;
use crate::classify::result::Class;
use crate::classify::score::Score;
use crate::classify::space::{Space, Sufficiency};
use crate::classify::statistics::{Phase, Statistics, Timed};
use crate::classify::work::Work;
use crate::sat::Lit;
use crate::trace::Trace;
use rustc_hash::FxHashMap;

/// A violating trace, and what happens in it.
struct Sample {
    trace: Trace,
    things: Vec<CandidateId>,
}

/// What becomes of a thing that all traces have: it tells nothing apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Necessary {
    /// It takes no part, unless it is a predicate: that all of them have this is worth being a class.
    Observed,
    /// It takes no part.
    Any,
    /// It is a class: these traces are a part of those that are to be told apart.
    Stays,
}

/// The violating traces of a context, and the things that are to cover them.
pub struct Level<'l, 'a, 'm> {
    pub work: &'l mut Work<'a, Space<'m>>,
    pub things: &'l mut [Thing],
    context: &'l Context,
    /// The things that may be chosen, but for those found to be necessary.
    eligible: Vec<CandidateId>,
    /// All that were eligible, in the order in which they are preferred where their scores are the same.
    ranking: Vec<CandidateId>,
    /// In the same order.
    scores: Vec<Score>,
    leaves_out: Necessary,
    /// Whether the search ends where something is left over.
    whole: bool,
    samples: Vec<Sample>,
    /// The least number of steps before a first violation that is not excluded; `None` before that was found.
    pub first_depth: Option<usize>,
    /// The choice.
    pub chosen: Vec<CandidateId>,
    /// Whether there is no smaller choice.
    pub minimum: bool,
    /// What every trace has: it tells nothing apart and takes no part.
    pub necessary: Vec<CandidateId>,
    /// The first of the shortest violating traces in which none of the things happens.
    pub remainder: Option<Trace>,
}

/// What is shown of a level.
#[derive(Default)]
pub struct Shown {
    pub classes: Vec<Class>,
    pub combinations: Combinations,
}

impl Timed for Level<'_, '_, '_> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.work.statistics
    }
}

impl<'l, 'a, 'm> Level<'l, 'a, 'm> {
    /// The traces of a context, and some of the things. What is known of the least number of steps of a violation is used.
    pub fn new(
        work: &'l mut Work<'a, Space<'m>>,
        things: &'l mut [Thing],
        context: &'l Context,
        eligible: Vec<CandidateId>,
        first_depth: Option<usize>,
    ) -> Self {
        let scores = eligible.iter().map(|id| things[id.index()].score).collect();
        Self {
            work,
            things,
            context,
            ranking: eligible.clone(),
            eligible,
            scores,
            leaves_out: Necessary::Observed,
            whole: false,
            samples: Vec::new(),
            first_depth,
            chosen: Vec::new(),
            minimum: true,
            necessary: Vec::new(),
            remainder: None,
        }
    }

    /// The same with another way to deal with what all traces have.
    #[must_use]
    pub fn leaving_out(self, leaves_out: Necessary) -> Self {
        Self { leaves_out, ..self }
    }

    /// The same for a cover that is of use only if it leaves nothing over: the search ends with the first remainder.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// Covers the traces, of which the first of the shortest may be known.
    pub fn search(&mut self, known: Option<Trace>) -> Limited<()> {
        let Some(first_depth) = self.first_depth else { return Ok(()) };
        let mut least = first_depth;
        let mut known = known;
        loop {
            self.work.limit()?;
            if self.whole && self.remainder.is_some() {
                return Ok(());
            }
            self.work.report("search", self.chosen.len(), None);
            let found = match known.take() {
                Some(first) => Some(first),
                None => {
                    let outside = self.timed(Phase::Block, Self::outside);
                    self.timed(Phase::Search, |level| level.work.space.first_from(least, &outside))?
                }
            };
            let before = self.chosen.clone();
            match found {
                Some(trace) => {
                    least = self.work.space.steps_to_violation(&trace);
                    self.add(trace);
                }
                None if self.drop_necessary() => {}
                None => return self.name_values(),
            }
            if !before.iter().all(|c| self.chosen.contains(c)) {
                // Shorter traces may have lost what covered them.
                least = first_depth;
            }
        }
    }

    /// Literals that are true where none of what was chosen happens; once there is a remainder, something has to happen.
    fn outside(&mut self) -> Vec<Lit> {
        let mut lits = self.context.literals(&mut self.work.space, self.things);
        let chosen = self.chosen.clone();
        lits.extend(chosen.into_iter().map(|id| !self.matched(id)));
        if self.remainder.is_some() {
            let eligible = self.eligible.clone();
            let happen: Vec<Lit> = eligible.into_iter().map(|id| self.happens(id)).collect();
            lits.push(self.work.space.circuit().any(&happen));
        }
        lits
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
        let happens =
            |id: &CandidateId| self.work.space.matches(&self.things[id.index()].constraint, &trace).is_some();
        let things: Vec<CandidateId> = self.eligible.iter().copied().filter(happens).collect();
        if things.is_empty() {
            self.remainder = Some(trace);
            return;
        }
        self.samples.push(Sample { trace, things });
        self.choose();
    }

    fn choose(&mut self) {
        let ranks: FxHashMap<CandidateId, CandidateId> =
            self.ranking.iter().zip(0..).map(|(&id, rank)| (id, CandidateId::new(rank))).collect();
        let of_sample = |sample: &Sample| sample.things.iter().map(|id| ranks[id]).collect();
        let covering: Vec<Vec<CandidateId>> = self.samples.iter().map(of_sample).collect();
        let Choice { chosen, minimum } = cover::best(&covering, &self.scores);
        self.chosen = chosen.into_iter().map(|rank| self.ranking[rank.index()]).collect();
        self.minimum = minimum;
    }

    /// Where one thing happens in all violating traces, it tells nothing: it takes no part, and the traces found so far are
    /// looked at again. Returns whether that was so.
    fn drop_necessary(&mut self) -> bool {
        let &[only] = self.chosen.as_slice() else { return false };
        let stays = match self.leaves_out {
            Necessary::Observed => self.things[only.index()].named,
            Necessary::Any => false,
            Necessary::Stays => true,
        };
        if stays || self.remainder.is_some() {
            return false;
        }
        self.necessary.push(only);
        self.eligible.retain(|id| *id != only);
        self.samples.iter_mut().for_each(|sample| sample.things.retain(|id| *id != only));
        let (left, over): (Vec<Sample>, Vec<Sample>) =
            std::mem::take(&mut self.samples).into_iter().partition(|sample| !sample.things.is_empty());
        self.samples = left;
        let least = |sample: &Sample| self.work.space.steps_to_violation(&sample.trace);
        self.remainder = over.into_iter().min_by_key(least).map(|sample| sample.trace);
        self.choose();
        true
    }

    /// Names values instead of individuals where that leaves all traces to a thing.
    fn name_values(&mut self) -> Limited<()> {
        for index in 0..self.chosen.len() {
            self.chosen[index] = self.with_values(self.chosen[index])?;
        }
        for index in 0..self.necessary.len() {
            self.necessary[index] = self.with_values(self.necessary[index])?;
        }
        Ok(())
    }

    /// The narrower thing that happens in the same violating traces, if there is one and it has no equal, or the thing itself.
    fn with_values(&mut self, id: CandidateId) -> Limited<CandidateId> {
        let seen: Vec<&Sample> = self.samples.iter().filter(|sample| sample.things.contains(&id)).collect();
        let space = &self.work.space;
        let everywhere = |narrower: &CandidateId| {
            let constraint = &self.things[narrower.index()].constraint;
            seen.iter().all(|sample| space.matches(constraint, &sample.trace).is_some())
        };
        let candidates: Vec<CandidateId> =
            self.things[id.index()].narrower.iter().copied().filter(everywhere).collect();
        let individuals = |id: CandidateId| self.things[id.index()].constraint.individuals.len();
        let groups: Vec<&[CandidateId]> =
            candidates.chunk_by(|&a, &b| individuals(a) == individuals(b)).collect();
        for alike in groups {
            let mut found = Vec::new();
            for &narrower in alike {
                let mut lost = self.happening(id);
                lost.push(!self.matched(narrower));
                if self.work.space.any_counterexample(&lost)?.is_none() {
                    found.push(narrower);
                }
            }
            // Where it is so of several values, none of them stands for all.
            match found.as_slice() {
                [] => {}
                &[only] => return Ok(only),
                _ => return Ok(id),
            }
        }
        Ok(id)
    }

    /// What takes part and was not chosen.
    pub fn others(&self) -> Vec<Constraint> {
        let chosen = |id: &CandidateId| {
            let thing = &self.things[id.index()];
            self.chosen.contains(id) || thing.narrower.iter().any(|narrower| self.chosen.contains(narrower))
        };
        let others = self.eligible.iter().filter(|id| !chosen(id));
        others.map(|id| self.things[id.index()].constraint.clone()).collect()
    }

    /// The traces that were looked at.
    pub fn traces(&self) -> impl Iterator<Item = &Trace> {
        self.samples.iter().map(|sample| &sample.trace).chain(&self.remainder)
    }

    /// The classes with their traces, and the combinations that occur; what the budget left of them.
    pub fn shown(&mut self) -> Shown {
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
        self.chosen = classes.iter().map(|(id, _)| *id).collect();
        let mut combinations = match self.first_depth {
            Some(least) => self.combinations(least),
            None => Combinations::default(),
        };
        combinations.ended = ended.or(combinations.ended);
        Shown { classes: classes.into_iter().map(|(_, class)| class).collect(), combinations }
    }

    fn combinations(&mut self, least: usize) -> Combinations {
        let ids = self.chosen.clone();
        let mut assumed = self.context.literals(&mut self.work.space, self.things);
        let matched: Vec<Lit> = ids.iter().map(|&id| self.matched(id)).collect();
        let happens: Vec<Lit> = ids.iter().map(|&id| self.happens(id)).collect();
        // Something of the cover happens.
        assumed.push(self.work.space.circuit().any(&happens));
        let constraints: Vec<&Constraint> =
            ids.iter().map(|id| &self.things[id.index()].constraint).collect();
        combinations::occurring(&mut self.work.space, assumed, &constraints, &matched, &happens, least)
    }

    /// Drops what is redundant in the choice. Returns for each that stays the first of the shortest traces without the others.
    pub fn drop_redundant(&mut self) -> Limited<Vec<Trace>> {
        let mut own = Vec::new();
        for id in self.chosen.clone() {
            match self.alone(id)? {
                Some(trace) => own.push(trace),
                None => self.chosen.retain(|c| *c != id),
            }
        }
        Ok(own)
    }

    /// Literals that make a thing happen in a trace of the context.
    fn happening(&mut self, id: CandidateId) -> Vec<Lit> {
        let mut lits = self.context.literals(&mut self.work.space, self.things);
        lits.push(self.happens(id));
        lits
    }

    /// The first of the shortest traces with this thing and nothing else that was chosen.
    fn alone(&mut self, id: CandidateId) -> Limited<Option<Trace>> {
        let least = self.first_depth.unwrap_or_default();
        let others: Vec<CandidateId> = self.chosen.iter().copied().filter(|&c| c != id).collect();
        let mut assumed: Vec<Lit> = others.into_iter().map(|c| !self.matched(c)).collect();
        assumed.extend(self.happening(id));
        self.work.space.first_from(least, &assumed)
    }

    /// A class of the result; `None` if it is redundant.
    fn class(&mut self, id: CandidateId) -> Limited<Option<Class>> {
        let least = self.first_depth.unwrap_or_default();
        let Some(canonical) = self.alone(id)? else { return Ok(None) };
        let happening = self.happening(id);
        let constraint = self.things[id.index()].constraint.clone();
        let space = &mut self.work.space;
        let shortest = space.first_from(least, &happening)?;
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
            restates: Restates::Nothing,
            sufficient: matches!(answer, Sufficiency::Sufficient(_)),
            initial_facts: 1,
        }))
    }

    /// Checks the result with other solvers: `fresh` has the same space for one, with literals of its own for the things.
    ///
    /// Every violating trace of the context in which one of the things happens has a chosen one, every one if there is no
    /// remainder; nothing happens in the remainder, and what is necessary happens in every trace.
    ///
    /// # Panics
    /// If any of this is wrong: that is a bug in this program.
    pub fn check(&self, fresh: &mut Space<'_>, things: &mut [Thing]) -> Limited<()> {
        let context = self.context.literals(fresh, things);
        for id in &self.necessary {
            let mut without = context.clone();
            without.push(!things[id.index()].matched(fresh));
            let found = fresh.any_counterexample(&without)?;
            let constraint = &things[id.index()].constraint;
            assert!(found.is_none(), "self-check: {constraint:?} is not necessary: {found:?}");
        }
        let mut outside = context;
        for id in &self.chosen {
            outside.push(!block::matched(fresh, &things[id.index()].constraint));
        }
        if let Some(trace) = &self.remainder {
            let happening = self
                .eligible
                .iter()
                .find(|id| fresh.matches(&things[id.index()].constraint, trace).is_some());
            assert!(happening.is_none(), "self-check: {happening:?} happens in what is left over: {trace:?}");
            let in_context = self.context.contains(fresh, things, trace);
            assert!(in_context, "self-check: what is left over is not of the context: {trace:?}");
            let mut happen: Vec<Lit> = Vec::new();
            for id in &self.eligible {
                happen.push(things[id.index()].happens(fresh, id.index()));
            }
            outside.push(fresh.circuit().any(&happen));
        }
        let found = fresh.any_counterexample(&outside)?;
        assert!(found.is_none(), "self-check: no class of the cover contains {found:?}");
        Ok(())
    }
}
