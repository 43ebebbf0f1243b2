//! Refining: inside a class, by which earlier facts do its traces differ? Repeated, that gives a tree: violation, last steps, how
//! they became possible.
//!
//! Candidates are the predicates of the vocabulary, and labels of steps for what these leave over. What every trace of the class
//! has takes no part. Labels do not make any predicate redundant. Where a trace of the class has none of all these, it needs
//! none of them: then whatever else happens is not how it came about.

use super::check::check_classes;
use super::context::Context;
use super::labels::{self, LabelThing};
use super::level::{Level, Necessary, Shown};
use super::things::{self, Thing, Things};
use crate::budget::{Budget, Exhausted, Limited, Observer};
use crate::classify::atom::Atoms;
use crate::classify::collect::Collector;
use crate::classify::constraint::Constraint;
use crate::classify::index::CandidateId;
use crate::classify::lifting::Lifter;
use crate::classify::options::Options;
use crate::classify::oracle::Oracle;
use crate::classify::problem::Problem;
use crate::classify::result::{Cause, Refinement};
use crate::classify::space::Space;
use crate::classify::work::Work;
use crate::model::Vocabulary;
use crate::trace::Trace;

/// What is known of a context.
#[derive(Default)]
pub struct Node {
    /// Its causes and the combinations of them that occur.
    pub shown: Shown,
    /// What every trace of the context has.
    pub necessary: Vec<Constraint>,
    /// A trace without any of the causes.
    pub remainder: Option<Trace>,
    pub minimum: bool,
    /// What ended the search.
    pub ended: Option<Exhausted>,
    /// How many traces of the context were looked at.
    pub traces: usize,
}

/// What covers a part of the traces of a context.
struct Part {
    chosen: Vec<CandidateId>,
    /// For each of them a trace without the others.
    own: Vec<Trace>,
}

/// The search inside of classes, with a solver for it and another one that checks its results.
pub struct Refiner<'a, 'm> {
    pub work: Work<'a, Space<'m>>,
    options: &'a Options,
    fresh: Option<Space<'m>>,
    things: Vec<Thing>,
    fresh_things: Vec<Thing>,
    predicates: Vec<CandidateId>,
    labels: Vec<(CandidateId, LabelThing)>,
}

impl<'a, 'm> Refiner<'a, 'm> {
    /// For violating traces of the lengths of the options. The space of the work is to be unrolled up to the bound.
    pub fn new(
        problem: Problem<'m>,
        vocabulary: &Vocabulary,
        atoms: &'m Atoms,
        options: &'a Options,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let work = Work::new(problem, atoms, options, budget, observer);
        let lifter = Lifter::new(problem.model, vocabulary, atoms, &options.grounding);
        let mut collector = Collector::new(problem.model, vocabulary, atoms);
        let Things { mut things, mut general, .. } =
            things::of(&mut collector, &lifter, vocabulary, &options.preference);
        if !things.iter().all(|thing| thing.named) {
            // There are no predicates.
            (things, general) = (Vec::new(), 0);
        }
        let predicates: Vec<CandidateId> = (0..general).map(CandidateId::new).collect();
        let mut labels = Vec::new();
        for label in labels::of(problem.model, vocabulary, atoms, &options.grounding) {
            let id = CandidateId::new(things.len());
            things.push(label.thing.afresh());
            labels.push((id, label));
        }
        let fresh_things = things.iter().map(Thing::afresh).collect();
        Self { work, options, fresh: None, things, fresh_things, predicates, labels }
    }

    /// The solver that checked what was found.
    pub fn checked_by(&mut self) -> Option<String> {
        self.fresh.as_mut().map(|space| space.circuit().solver_name().to_owned())
    }

    /// What tells the traces of a context apart, repeated so many times; `None` for none. There is no violation before `least`
    /// steps.
    pub fn refined(&mut self, context: &Context, least: usize, depth: usize) -> Option<Refinement> {
        let deeper = depth.checked_sub(1)?;
        let Node { shown, necessary, remainder, minimum, ended, .. } = self.node(context, least, true);
        let mut causes = Vec::new();
        for class in shown.classes {
            let inner = context.and(class.constraint.clone());
            let refinement = self.refined(&inner, least, deeper);
            causes.push(Cause { class, refinement });
        }
        Some(Refinement { causes, necessary, remainder, minimum, ended })
    }

    /// What tells the traces of a context apart; nothing if it has to be the `whole` of them and something is left over. There is
    /// no violation before `least` steps.
    pub fn node(&mut self, context: &Context, least: usize, whole: bool) -> Node {
        let mut node = Node { minimum: true, ..Node::default() };
        if let Err(why) = self.fill(context, least, whole, &mut node) {
            // What was not checked is not shown.
            node = Node { ended: Some(why), traces: node.traces, ..Node::default() };
        }
        node
    }

    fn fill(&mut self, context: &Context, least: usize, whole: bool, node: &mut Node) -> Limited<()> {
        let predicates = self.by_predicates(context, least, node)?;
        let mut chosen = predicates.chosen.clone();
        if let Some(first) = node.remainder.clone() {
            chosen.extend(self.by_labels(context, least, predicates, first, node)?);
        }
        if whole && node.remainder.is_some() {
            return Ok(());
        }
        let mut all = Level::new(&mut self.work, &mut self.things, context, chosen.clone(), Some(least));
        all.chosen = chosen;
        node.shown = all.shown();
        node.shown.combinations.ended.map_or(Ok(()), Err)?;
        let fresh = fresh(&mut self.fresh, self.options, &mut self.work)?;
        check_classes(fresh, &node.shown.classes)?;
        for class in &node.shown.classes {
            let mut traces = class.canonical.iter().chain([&class.representative]);
            let inside = traces.all(|trace| context.contains(fresh, &self.fresh_things, trace));
            assert!(inside, "self-check: a trace of {:?} is not of its context", class.constraint);
        }
        Ok(())
    }

    /// Covers a context by predicates as far as they happen in it.
    fn by_predicates(&mut self, context: &Context, least: usize, node: &mut Node) -> Limited<Part> {
        let eligible = self.unsaid(&self.predicates, context);
        let mut level = Level::new(&mut self.work, &mut self.things, context, eligible, Some(least))
            .leaving_out(Necessary::Any);
        level.search(None)?;
        node.traces = level.traces().count();
        let own = level.drop_redundant()?;
        let fresh = fresh(&mut self.fresh, self.options, level.work)?;
        level.check(fresh, &mut self.fresh_things)?;
        let Level { chosen, necessary, minimum, remainder, .. } = level;
        node.minimum = minimum;
        node.remainder = remainder;
        node.necessary = necessary.iter().map(|id| self.things[id.index()].constraint.clone()).collect();
        Ok(Part { chosen, own })
    }

    /// Covers what predicates leave over by labels, which must not make predicates redundant; none if these leave something
    /// over as well: then it comes about without anything that has a name. The first of the traces is known.
    fn by_labels(
        &mut self,
        context: &Context,
        least: usize,
        predicates: Part,
        first: Trace,
        node: &mut Node,
    ) -> Limited<Vec<CandidateId>> {
        let space = &self.work.space;
        let makes_redundant = |id: &CandidateId| {
            let constraint = &self.things[id.index()].constraint;
            predicates.own.iter().any(|trace| space.matches(constraint, trace).is_some())
        };
        let ranked = labels::ranked(space, context, &first, &self.labels);
        let mut eligible = self.unsaid(&ranked, context);
        eligible.retain(|id| !makes_redundant(id));
        let alone = predicates.chosen.is_empty();
        let rest = Context { has: context.has.clone(), lacks: predicates.chosen };
        let leaves_out = if alone { Necessary::Any } else { Necessary::Stays };
        let mut level = Level::new(&mut self.work, &mut self.things, &rest, eligible, Some(least))
            .leaving_out(leaves_out)
            .whole();
        level.search(Some(first))?;
        if level.remainder.is_some() {
            return Ok(Vec::new());
        }
        level.drop_redundant()?;
        let fresh = fresh(&mut self.fresh, self.options, level.work)?;
        level.check(fresh, &mut self.fresh_things)?;
        let Level { chosen, necessary, minimum, .. } = level;
        node.minimum &= minimum;
        node.remainder = None;
        node.necessary.extend(necessary.iter().map(|id| self.things[id.index()].constraint.clone()));
        Ok(chosen)
    }

    /// Those that are not said by the context itself.
    fn unsaid(&self, candidates: &[CandidateId], context: &Context) -> Vec<CandidateId> {
        let Space { problem, atoms, .. } = self.work.space;
        let facts = |constraint: &Constraint| -> Vec<String> {
            constraint.atoms(atoms).map(|(atom, _)| atom.says()).collect()
        };
        let said: Vec<String> = context.has.iter().flat_map(facts).collect();
        let whole: Vec<String> = context.has.iter().map(|c| c.show(problem.model, atoms)).collect();
        let is_said = |id: CandidateId| {
            let constraint = &self.things[id.index()].constraint;
            match facts(constraint).as_slice() {
                [one] => said.contains(one),
                _ => whole.contains(&constraint.show(problem.model, atoms)),
            }
        };
        let implied =
            |id: CandidateId| is_said(id) || self.things[id.index()].narrower.iter().any(|&id| is_said(id));
        candidates.iter().copied().filter(|&id| !implied(id)).collect()
    }
}

/// The space of the solver that checks, which is made when it is needed first.
fn fresh<'s, 'm>(
    slot: &'s mut Option<Space<'m>>,
    options: &Options,
    work: &mut Work<'_, Space<'m>>,
) -> Limited<&'s mut Space<'m>> {
    if slot.is_none() {
        *slot = Some(work.afresh(options)?);
    }
    Ok(slot.as_mut().expect("it was just made"))
}
