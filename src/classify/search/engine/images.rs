//! Classes that are images of few, of invariants.

use super::FiniteSearch;
use crate::facts::absences::Absence;
use crate::facts::constraint::Constraint;
use crate::facts::grounding::Grounding;
use crate::facts::index::{CandidateId, OccurrenceId, PlacedId};
use crate::facts::memoised_trace::MemoisedTrace;
use crate::facts::statements::Statements;
use crate::oracles::oracle::Oracle;
use crate::results::result::Finite;
use crate::search::draft::{CounterexampleFacts, Draft, Orders};
use crate::search::images::{Images, are_alike};
use crate::search::orbits::OrbitSearch;
use crate::search::redundancy;
use crate::search::score::Score;
use engines::symmetry::Symmetries;
use kit::budget::Limited;
use lang::model::permutation::Permutation;
use lang::trace::Trace;
use solvers::unroll::Lengths;

impl<'m, O: Oracle<'m>> FiniteSearch<'_, 'm, O> {
    /// True if no values become individuals, as in the classification paper.
    pub(super) fn is_ground(&self) -> bool {
        self.options.grounding == Grounding::Everything
    }

    /// The symmetries of the model that move no values of types that stay ground.
    pub(super) fn symmetries_of_classes(&mut self) -> Vec<Permutation> {
        let (grounding, vocabulary) = (&self.options.grounding, self.vocabulary);
        self.symmetries().all().filter(|by| !grounding.forbids(vocabulary, by)).cloned().collect()
    }

    /// Chooses other classes where these are images of fewer, or of what is shorter. The chosen ones must be complete, and so are the others.
    pub(super) fn prefer_images(&mut self) -> Limited<()> {
        let chosen = self.pool.chosen.clone();
        let atoms = self.work.oracle.atoms();
        let ground = chosen.iter().map(|&c| self.pool.ground_of(c));
        let ground = ground.map(|c| Statements::from(&self.pool.candidate(c).constraint));
        // What follows the violation in a trace of exact length is arbitrary.
        let exactly = matches!(self.options.lengths, Lengths::Exactly(_));
        // What a predicate explains is not to be explained otherwise.
        let starts = self.options.start_with.is_some();
        if exactly || starts || self.is_ground() || !are_alike(atoms, ground) {
            return Ok(());
        }
        let Symmetries { turns, .. } = self.symmetries();
        if turns.is_empty() {
            return Ok(());
        }
        let proved = self.symmetries_of_classes();
        let mut images = Images::new(&self.work.oracle.problem().model.types, atoms, &proved);
        match self.preferred_images(&mut images)? {
            Some(members) => {
                // What was known before stays rather than images that were made.
                let order = members.iter().rev().copied().collect();
                self.pool.chosen = members;
                redundancy::remove(&mut self.work.oracle, &mut self.pool, order, Some(self.first_depth))?;
            }
            None => self.pool.chosen = chosen,
        }
        Ok(())
    }
}

impl<'m, O: Oracle<'m>> OrbitSearch<Finite> for FiniteSearch<'_, 'm, O> {
    type Known = MemoisedTrace;

    fn chosen(&self) -> &[CandidateId] {
        &self.pool.chosen
    }

    fn ground_candidates(&self) -> Vec<CandidateId> {
        self.pool.ground_candidates().collect()
    }

    fn constraint(&self, candidate: CandidateId) -> &Constraint {
        &self.pool.candidate(candidate).constraint
    }

    fn score(&self, candidate: CandidateId) -> Score {
        self.pool.score(candidate)
    }

    fn counterexamples(&self) -> Vec<&Trace> {
        self.pool.known_traces().collect()
    }

    fn moved(&self, trace: &Trace, by: Option<&Permutation>) -> MemoisedTrace {
        let model = self.work.oracle.problem().model;
        MemoisedTrace::new(by.map_or_else(|| trace.clone(), |by| trace.permuted(model, by)))
    }

    fn contains(&self, candidate: CandidateId, trace: &MemoisedTrace) -> bool {
        self.work.oracle.has(self.constraint(candidate), trace)
    }

    fn outside(&mut self, members: &[CandidateId]) -> Limited<Option<Trace>> {
        self.work.oracle.shortest_from(self.first_depth, &self.pool.outside(members))
    }

    /// The image suffices, as the group takes accepted traces to such, and every fact of it is needed.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let from = self.pool.candidate(candidate);
        let (sample, draft) = (self.pool.sample(from.sample), from.draft.clone());
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
