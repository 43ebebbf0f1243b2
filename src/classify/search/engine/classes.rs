//! The steps of the loop for finite traces.

use super::{ExaminationReason, FiniteSearch};
use crate::facts::absences::Absence;
use crate::facts::atom::Atoms;
use crate::facts::fact::Assignment;
use crate::facts::grounding::Grounding;
use crate::facts::index::{CandidateId, OccurrenceId, PlacedId, SampleId};
use crate::facts::memoised_trace::MemoisedTrace;
use crate::oracles::oracle::Oracle;
use crate::oracles::orbit::soon;
use crate::results::options::Options;
use crate::results::result::{Finite, TooWeak, Why};
use crate::results::statistics::{Phase, Timed};
use crate::search::choice::Choice;
use crate::search::class_search::ClassSearch;
use crate::search::draft::{CounterexampleFacts, Draft, Orders};
use crate::search::images::Images;
use crate::search::pool::DraftOrigin;
use engines::symmetry::{PermutationQuestion, Symmetries};
use kit::budget::{Exhausted, Limited};
use lang::model::permutation::Permutation;
use lang::model::{Model, Vocabulary};
use lang::trace::Trace;
use solvers::unroll::Lengths;

impl<'m, O: Oracle<'m>> ClassSearch<'m, Finite> for FiniteSearch<'_, 'm, O> {
    type Origin = DraftOrigin;
    type Known = MemoisedTrace;

    fn model(&self) -> &'m Model {
        self.work.oracle.problem().model
    }

    fn atoms(&self) -> &'m Atoms {
        self.work.oracle.atoms()
    }

    fn vocabulary(&self) -> &'m Vocabulary {
        self.vocabulary
    }

    fn options(&self) -> &Options {
        self.options
    }

    fn choice(&self) -> &Choice<Finite, DraftOrigin> {
        &self.pool.choice
    }

    fn choice_mut(&mut self) -> &mut Choice<Finite, DraftOrigin> {
        &mut self.pool.choice
    }

    fn sample(&self, sample: SampleId) -> &Trace {
        self.pool.sample(sample).trace()
    }

    fn unclassified(&mut self) -> &mut Option<Trace> {
        &mut self.unclassified
    }

    fn steps(&self, trace: &Trace) -> usize {
        self.work.oracle.steps_to_violation(trace)
    }

    fn least_steps(&self) -> usize {
        self.first_depth
    }

    fn depth(&self) -> usize {
        self.work.depth
    }

    fn examine(&mut self, trace: Trace) -> Limited<Option<Box<TooWeak>>> {
        let sought = if self.starting { ExaminationReason::Start } else { ExaminationReason::Outside };
        self.add_counterexample(trace, sought)
    }

    fn shortest_outside(&mut self, least: usize, classes: &[CandidateId]) -> Limited<Option<Trace>> {
        self.work.oracle.shortest_from(least, &self.pool.outside(classes))
    }

    fn matches(&self, candidate: CandidateId, trace: &Trace) -> Option<Assignment> {
        self.work.oracle.matches(&self.pool.choice.candidate(candidate).constraint, trace)
    }

    fn symmetries(&mut self) -> &Symmetries {
        if self.symmetries.is_none() {
            let (problem, shown) = (self.work.oracle.problem(), self.few_counterexamples());
            let exchanges = self.exchanges().clone();
            let with_turns = |question: &PermutationQuestion<'_>| exchanges.with_turns(question);
            self.symmetries = Some(soon(problem, &shown, self.work.budget, with_turns));
        }
        self.symmetries.get_or_insert_default()
    }

    fn counterexamples(&self) -> Vec<&Trace> {
        self.pool.known_traces().collect()
    }

    fn moved(&self, trace: &Trace, by: Option<&Permutation>) -> MemoisedTrace {
        MemoisedTrace::new(by.map_or_else(|| trace.clone(), |by| trace.permuted(self.model(), by)))
    }

    fn contains(&self, candidate: CandidateId, trace: &MemoisedTrace) -> bool {
        self.work.oracle.has(&self.pool.choice.candidate(candidate).constraint, trace)
    }

    fn widen(&mut self, trace: &Trace) -> Limited<bool> {
        self.timed(Phase::Minimise, |run| run.pool.generalise(&mut run.work.oracle, trace))
    }

    fn is_enough(&mut self) -> bool {
        self.starting && self.start_is_a_class()
    }

    fn may_prefer_images(&self) -> bool {
        // What follows the violation in a trace of exact length is arbitrary.
        let exactly = matches!(self.options.lengths, Lengths::Exactly(_));
        // What a predicate explains is not to be explained otherwise.
        let starts = self.options.start_with.is_some();
        !exactly && !starts && self.options.grounding != Grounding::Everything
    }

    fn interrupted(&self, why: Exhausted) -> Why {
        if self.starting { Why::StartWithOnly(why) } else { Why::Exhausted(why) }
    }

    /// The image suffices, as the group takes accepted traces to such, and every fact of it is needed.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let origin = &self.pool.choice.candidate(candidate).origin;
        let (sample, draft) = (self.pool.sample(origin.sample), origin.draft.clone());
        let model = self.work.oracle.problem().model;
        let trace = sample.trace().permuted(model, &images.elements[element]);
        let orders = Orders { before: self.collector.has_before(), next: self.collector.has_next() };
        let placed = self.collector.collect(&trace.moments, self.work.budget)?;
        let occurring = self.collector.occurrences(&trace.moments);
        let mut atoms: Vec<PlacedId> = Vec::new();
        for &fact in &draft.atoms {
            let fact = sample.facts.placed(fact);
            let Some(formula) = images.image_of(element, fact.atom) else { return Ok(None) };
            let same = placed
                .iter()
                .position(|other| other.positions == fact.positions && images.number(other.atom) == formula);
            let Some(same) = same else { return Ok(None) };
            atoms.push(PlacedId::new(same));
        }
        let mut absent = Vec::new();
        for absence in &draft.absent {
            let what = sample.facts.occurrences(absence.what);
            let Some(formula) = images.image_of(element, what.atom) else { return Ok(None) };
            let Some(same) = occurring.iter().position(|other| images.number(other.atom) == formula) else {
                return Ok(None);
            };
            absent.push(Absence { what: OccurrenceId::new(same), ..*absence });
        }
        atoms.sort_unstable();
        let draft = Draft { atoms, absent, ..draft };
        let facts = CounterexampleFacts::new(placed, orders, trace.last()).with_absences(occurring, false);
        Ok(Some(self.pool.admit_sample(&self.work.oracle, trace, facts, draft)))
    }
}
