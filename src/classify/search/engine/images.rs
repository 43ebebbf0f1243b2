//! Classes that are images of few, of invariants.

use super::FiniteSearch;
use crate::facts::absences::Absence;
use crate::facts::example::Example;
use crate::facts::grounding::Grounding;
use crate::facts::index::{CandidateId, OccurrenceId, PlacedId};
use crate::facts::statements::Statements;
use crate::oracles::oracle::Oracle;
use crate::search::draft::{CounterexampleFacts, Draft, Orders};
use crate::search::images::{Images, are_alike};
use crate::search::kinds::{
    CandidateOrbit, MOST_ELEMENTS, MOST_QUESTIONS, MOST_ROUNDS, OrbitCandidates, grouped, members_of,
};
use crate::search::redundancy;
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
        let atoms = self.work.space.atoms();
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
        let mut images = Images::new(&self.work.space.problem().model.types, atoms, &proved);
        if !images.whole || images.elements.is_empty() || images.elements.len() > MOST_ELEMENTS {
            return Ok(());
        }
        let mut further: Vec<Trace> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let Some(choice) = self.fewer_kinds(&mut images, &further) else { break };
            let count = images.elements.len();
            let mut image_of = |element, candidate| self.image_of(&mut images, element, candidate);
            let Some(members) = members_of(choice, count, &mut image_of)? else { break };
            match self.work.space.shortest_from(self.first_depth, &self.pool.outside(&members))? {
                Some(left_out) => further.push(left_out),
                None => {
                    // What was known before stays rather than images that were made.
                    let order = members.iter().rev().copied().collect();
                    self.pool.chosen = members;
                    redundancy::remove(&mut self.work.space, &mut self.pool, order, Some(self.first_depth))?;
                    return Ok(());
                }
            }
        }
        self.pool.chosen = chosen;
        Ok(())
    }

    /// As few kinds as possible that have all counterexamples that are known, if these are fewer than those of the chosen classes, or there is
    /// less to read of them.
    fn fewer_kinds(&self, images: &mut Images<'_>, further: &[Trace]) -> Option<Vec<CandidateOrbit>> {
        let (pool, space) = (&self.pool, &self.work.space);
        let constraint = |c: CandidateId| &pool.candidate(c).constraint;
        let mut takes = |of: CandidateId, to: CandidateId| {
            images.takes(&Statements::from(constraint(of)), &Statements::from(constraint(to))).is_some()
        };
        let chosen = grouped(pool.chosen.iter().copied(), &mut takes);
        if chosen.iter().all(|kind| kind.len() == 1) && chosen.len() < 2 {
            return None;
        }
        let known = grouped(pool.ground_candidates(), &mut takes);
        let known: Vec<CandidateId> = known.into_iter().map(|kind| kind[0]).collect();
        let model = space.problem().model;
        let traces: Vec<&Trace> = pool.known_traces().chain(further).collect();
        if traces.len() * known.len() * (images.elements.len() + 1) > MOST_QUESTIONS {
            return None;
        }
        let moved = |trace: &&Trace| -> Vec<Example> {
            let images = images.elements.iter().map(|by| trace.permuted(model, by));
            [(*trace).clone()].into_iter().chain(images).map(Example::new).collect()
        };
        let examples: Vec<Vec<Example>> = traces.iter().map(moved).collect();
        let has = |c: CandidateId, counterexample: usize, moved: bool| {
            let count = if moved { images.elements.len() + 1 } else { 1 };
            examples[counterexample].iter().take(count).any(|example| space.has(constraint(c), example))
        };
        let score = |c: CandidateId| pool.score(c);
        OrbitCandidates { chosen, known, counterexamples: examples.len(), has: &has, score: &score }.fewer()
    }

    /// The image of a ground candidate under an element of the group, as a candidate: it suffices, as the group takes accepted traces
    /// to such, and no fact of it can be left out. `None` where it is not clear.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let from = self.pool.candidate(candidate);
        let (sample, draft) = (self.pool.sample(from.sample), from.draft.clone());
        let model = self.work.space.problem().model;
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
        Ok(Some(self.pool.admit_sample(&self.work.space, trace, facts, draft)))
    }
}
