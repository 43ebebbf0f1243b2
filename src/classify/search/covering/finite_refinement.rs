//! Distinguishes finite traces of a class.

use super::check::check_classes;
use super::combinations::Combinations;
use super::cover_search::CoverContext;
use super::labels::{self, LabelCoverItem};
use super::level::CoverOutcome;
use super::refinement::CoverRefinement;
use super::things::{self, CoverItem, Things};
use super::traces::{ContextTraces, FiniteCoverQuestions};
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::oracles::oracle::Oracle;
use crate::oracles::sat::SatOracle;
use crate::oracles::work::Work;
use crate::results::options::Options;
use crate::results::result::{Class, Finite};
use crate::search::score::Score;
use kit::budget::{Exhausted, Limited};
use lang::model::Vocabulary;
use lang::trace::Trace;

/// The search inside classes, with a solver for it and another one that checks its results.
pub struct FiniteRefinement<'a, 'm, O> {
    pub work: Work<'a, O>,
    options: &'a Options,
    fresh: Option<SatOracle<'m>>,
    /// The limit that ended a check of the result of an SMT solver.
    pub check_ended: Option<Exhausted>,
    things: Vec<CoverItem>,
    predicates: Vec<CandidateId>,
    labels: Vec<(CandidateId, LabelCoverItem)>,
}

impl<'a, 'm, O: Oracle<'m>> FiniteRefinement<'a, 'm, O> {
    /// For violating traces of the lengths of the options. The oracle of the work is to be unrolled up to the bound.
    pub fn new(work: Work<'a, O>, vocabulary: &Vocabulary, options: &'a Options) -> Self {
        let (problem, atoms) = (work.oracle.problem(), work.oracle.atoms());
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
            things.push(label.thing.clone());
            labels.push((id, label));
        }
        Self { work, options, fresh: None, check_ended: None, things, predicates, labels }
    }

    /// The solver that checked what was found.
    pub fn checked_by(&mut self) -> Option<String> {
        let fresh = self.fresh.as_mut().filter(|_| self.check_ended.is_none());
        fresh.map(|oracle| oracle.circuit().solver_name().to_owned())
    }

    /// Those that are not said by the context itself.
    fn unsaid(&self, candidates: &[CandidateId], context: &CoverContext<Constraint>) -> Vec<CandidateId> {
        let (problem, atoms) = (self.work.oracle.problem(), self.work.oracle.atoms());
        let facts = |constraint: &Constraint| -> Vec<String> {
            constraint.atoms(atoms).map(|(atom, _)| atom.identity()).collect()
        };
        let said: Vec<String> = context.inside.iter().flat_map(facts).collect();
        let whole: Vec<String> = context.inside.iter().map(|c| c.show(problem.model, atoms)).collect();
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

impl<'a, 'm, O: Oracle<'m>> CoverRefinement<Finite> for FiniteRefinement<'a, 'm, O> {
    type Search<'s>
        = FiniteCoverQuestions<'s, 'a, O>
    where
        Self: 's;
    type Fresh<'s>
        = ContextTraces<'s, 'm>
    where
        Self: 's;

    fn cover_search<'s>(
        &'s mut self,
        context: &'s CoverContext<Constraint>,
    ) -> FiniteCoverQuestions<'s, 'a, O> {
        FiniteCoverQuestions { work: &mut self.work, things: &self.things, context }
    }

    fn fresh<'s>(&'s mut self, context: &'s CoverContext<Constraint>) -> Limited<ContextTraces<'s, 'm>> {
        let oracle = fresh(&mut self.fresh, self.options, &self.work)?;
        Ok(ContextTraces { oracle, things: &self.things, context })
    }

    fn score(&self, id: CandidateId) -> Score {
        self.things[id.index()].score
    }

    fn constraint(&self, id: CandidateId) -> Constraint {
        self.things[id.index()].constraint.clone()
    }

    fn predicates(&self, context: &CoverContext<Constraint>) -> Vec<CandidateId> {
        self.unsaid(&self.predicates, context)
    }

    fn labels(&self, context: &CoverContext<Constraint>, first: &Trace) -> Vec<CandidateId> {
        let ranked = labels::ranked(&self.work.oracle, context, first, &self.labels);
        self.unsaid(&ranked, context)
    }

    fn happens(&self, id: CandidateId, trace: &Trace) -> bool {
        self.work.oracle.matches(&self.things[id.index()].constraint, trace).is_some()
    }

    fn classes(
        &mut self,
        context: &CoverContext<Constraint>,
        outcome: CoverOutcome<Trace>,
    ) -> (Vec<Class>, Combinations<Trace>) {
        self.cover_search(context).classes(outcome)
    }

    fn unchecked(&mut self, why: Exhausted) -> Limited<()> {
        if self.work.oracle.is_sat() {
            return Err(why);
        }
        self.check_ended = Some(why);
        Ok(())
    }

    fn check(&mut self, context: &CoverContext<Constraint>, classes: &[Class]) -> Limited<()> {
        let fresh = fresh(&mut self.fresh, self.options, &self.work)?;
        check_classes(fresh, classes)?;
        for class in classes {
            let mut traces = class.canonical.iter().chain([&class.representative]);
            let inside = traces.all(|trace| context.contains(fresh, &self.things, trace));
            assert!(inside, "self-check: a trace of {:?} is not of its context", class.constraint);
        }
        Ok(())
    }
}

/// The space of the solver that checks, which is made when it is needed first.
fn fresh<'s, 'm>(
    slot: &'s mut Option<SatOracle<'m>>,
    options: &Options,
    work: &Work<'_, impl Oracle<'m>>,
) -> Limited<&'s mut SatOracle<'m>> {
    if slot.is_none() {
        *slot = Some(work.afresh(options)?);
    }
    Ok(slot.as_mut().expect("it was just made"))
}
