//! Candidates about individuals, made of ground ones.

use super::{CandidateId, DraftOrigin, Pool, SampleId};
use crate::facts::constraint::Constraint;
use crate::facts::fact::Assignment;
use crate::facts::index::DomainId;
use crate::facts::lifting::LiftedValue;
use crate::facts::memoised_trace::MemoisedTrace;
use crate::oracles::oracle::Oracle;
use crate::search::generalise::{Freedom, most_general};
use itertools::Itertools;
use kit::budget::Limited;
use lang::model::types::Type;
use lang::trace::Trace;
use std::rc::Rc;

/// Says whether a constraint covers what it has to.
type Covers<'c, 'a, 'm> = dyn Fn(&Pool<'a, 'm>, &dyn Oracle<'_>, &Constraint) -> bool + 'c;

impl<'a, 'm> Pool<'a, 'm> {
    /// Puts a more general class, about individuals, in the place of a chosen one if that covers this counterexample,
    /// which no chosen class does. Returns whether there was one.
    pub fn generalise(&mut self, oracle: &mut dyn Oracle<'_>, trace: &Trace) -> Limited<bool> {
        let example = Rc::new(MemoisedTrace::new(trace.clone()));
        for class in self.choice.chosen.clone() {
            let own = self.choice.covered_by(class);
            // What made it more general before must not be lost, or two forms of it could take turns for ever.
            let mut further = self.outliers_in(oracle, &[class]);
            further.push(Rc::clone(&example));
            if let Some(general) = self.general(oracle, class, &own, &further)? {
                self.choice.replace(class, general);
                self.outliers.push(example);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The further counterexamples that made classes more general and that are in some of these candidates.
    fn outliers_in(&self, oracle: &dyn Oracle<'_>, candidates: &[CandidateId]) -> Vec<Rc<MemoisedTrace>> {
        let is_in =
            |example: &&Rc<MemoisedTrace>| candidates.iter().any(|&c| self.covers(oracle, c, example));
        self.outliers.iter().filter(is_in).cloned().collect()
    }

    /// A candidate with individuals, made of the same ground one, that covers all of these counterexamples; `None` if there is none. They
    /// take the place of as many values as possible of the types that the model names least, and of others only if that does not cover them.
    pub(super) fn general(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        candidate: CandidateId,
        samples: &[SampleId],
        further: &[Rc<MemoisedTrace>],
    ) -> Limited<Option<CandidateId>> {
        let from = self.choice.ground_of(candidate);
        let ground = self.choice.candidate(from).constraint.clone();
        let covers = |pool: &Self, oracle: &dyn Oracle<'_>, constraint: &Constraint| {
            pool.covers_all(oracle, constraint, samples, further)
        };
        if self.choice.candidate(from).origin.freedom.as_ref().is_none_or(Freedom::is_partial) {
            // Cheaper than proofs: whether any form could cover them.
            let Some(most) = most_general(&self.lifter, &ground) else { return Ok(None) };
            if !covers(self, oracle, &most) {
                return Ok(None);
            }
        }
        if self.choice.candidate(from).origin.freedom.is_none() {
            let freedom = Freedom::of_least_named(oracle, &self.lifter, &ground)?;
            self.choice.candidate_mut(from).origin.freedom = Some(freedom);
        }
        let general = self.freed_to_cover(oracle, from, &covers)?;
        if general.is_some() || !self.freedom(from).is_partial() {
            return Ok(general);
        }
        self.complete_freedom(oracle, from, &ground)?;
        self.freed_to_cover(oracle, from, &covers)
    }

    /// A candidate with individuals in the place of values that a ground one names, as many as it is known of that they can all be freed,
    /// if it covers what it has to.
    fn freed_to_cover(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        from: CandidateId,
        covers: &Covers<'_, 'a, 'm>,
    ) -> Limited<Option<CandidateId>> {
        for values in self.freedom(from).choices() {
            let general = self.with_freed(oracle, from, &values, covers)?;
            if general.is_some() {
                return Ok(general);
            }
        }
        Ok(None)
    }

    /// True if a constraint covers these counterexamples.
    fn covers_all(
        &self,
        oracle: &dyn Oracle<'_>,
        constraint: &Constraint,
        samples: &[SampleId],
        further: &[Rc<MemoisedTrace>],
    ) -> bool {
        let further = further.iter().map(Rc::as_ref);
        let examples = samples.iter().map(|&s| &self.sample(s).example).chain(further);
        examples.into_iter().all(|example| oracle.has(constraint, example))
    }

    /// All counterexamples that are known.
    fn examples(&self) -> impl Iterator<Item = &MemoisedTrace> {
        self.samples.iter().map(|sample| &sample.example).chain(self.outliers.iter().map(Rc::as_ref))
    }

    /// Counterexamples that follow from the known ones by symmetry.
    pub fn images(&self, oracle: &dyn Oracle<'_>) -> Vec<MemoisedTrace> {
        let Some(exchange) = oracle.symmetries() else { return Vec::new() };
        let images =
            self.examples().flat_map(|example| exchange.images(oracle.problem().model, &example.trace));
        images.map(MemoisedTrace::new).collect()
    }

    /// A candidate that names the values of a domain as they are, and has individuals of its other domains still. It covers
    /// less than the chosen class that it is made of; `None` where that leaves out a counterexample that is known, of the pool or further.
    pub fn without_individuals(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        class: CandidateId,
        domain: DomainId,
        further: &[MemoisedTrace],
    ) -> Limited<Option<CandidateId>> {
        let from = self.choice.ground_of(class);
        let freed = &self.choice.candidate(class).origin.freed;
        let values = self.freedom(from).without(&self.lifter, freed, domain);
        let others = self.choice.others(class);
        let covers = |pool: &Self, oracle: &dyn Oracle<'_>, constraint: &Constraint| {
            let elsewhere =
                |example: &MemoisedTrace| others.iter().any(|&other| pool.covers(oracle, other, example));
            pool.examples().chain(further).all(|e| oracle.has(constraint, e) || elsewhere(e))
        };
        if values.is_empty() {
            let covers_all = covers(self, oracle, &self.choice.candidate(from).constraint);
            return Ok(covers_all.then_some(from));
        }
        self.with_freed(oracle, from, &values, &covers)
    }

    /// A candidate that has individuals in the place of all values of these types that the class can do without, beside the
    /// individuals that it has already; `None` if there are no more. It may need to say more of them, and so cover less.
    pub fn with_individuals(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        class: CandidateId,
        types: &[Type],
    ) -> Limited<Option<CandidateId>> {
        let from = self.choice.ground_of(class);
        let ground = self.choice.candidate(from).constraint.clone();
        self.complete_freedom(oracle, from, &ground)?;
        let freed = self.choice.candidate(class).origin.freed.clone();
        let can_be = self.freedom(from).most();
        let is_wanted = |value: &&LiftedValue| types.contains(oracle.atoms().type_of(value.domain));
        let values: Vec<LiftedValue> =
            can_be.iter().filter(|value| freed.contains(value) || is_wanted(value)).cloned().collect();
        if values.len() == freed.len() || !freed.iter().all(|value| values.contains(value)) {
            return Ok(None);
        }
        self.with_freed(oracle, from, &values, &|_, _, _| true)
    }

    /// Finds all that can be freed in a ground candidate, unless that is known.
    fn complete_freedom(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        from: CandidateId,
        ground: &Constraint,
    ) -> Limited<()> {
        if self.choice.candidate(from).origin.freedom.as_ref().is_none_or(Freedom::is_partial) {
            let whole = Freedom::of(oracle, &self.lifter, ground)?;
            let known = self.choice.candidate_mut(from).origin.freedom.take().unwrap_or_default();
            self.choice.candidate_mut(from).origin.freedom = Some(known.extended(whole));
        }
        Ok(())
    }

    /// The freedom of a ground candidate of which that was asked.
    fn freedom(&self, ground: CandidateId) -> &Freedom {
        self.choice.candidate(ground).origin.freedom.as_ref().expect("it was asked for")
    }

    /// A candidate in which these values of a ground one are freed, if it covers what it has to.
    fn with_freed(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        from: CandidateId,
        values: &[LiftedValue],
        covers: &Covers<'_, 'a, 'm>,
    ) -> Limited<Option<CandidateId>> {
        let ground = self.choice.candidate(from).constraint.clone();
        let mut freedom = self.choice.candidate_mut(from).origin.freedom.take().expect("it was asked for");
        let covers = |oracle: &dyn Oracle<'_>, constraint: &Constraint| covers(self, oracle, constraint);
        let general = freedom.used(oracle, &self.lifter, &ground, values, &covers);
        self.choice.candidate_mut(from).origin.freedom = Some(freedom);
        Ok(general?.map(|general| {
            let ground = self.choice.candidate(from);
            let DraftOrigin { draft, sample, assigned, .. } = &ground.origin;
            let assigned = Assignment { individuals: general.values(), ..assigned.clone() };
            let (draft, sample) = (draft.clone(), *sample);
            let candidate = self.admit_constraint(oracle, sample, draft, general.constraint, assigned);
            let admitted = self.choice.candidate_mut(candidate);
            if admitted.ground.is_none() {
                (admitted.ground, admitted.origin.freed) = (Some(from), general.freed);
            }
            candidate
        }))
    }

    /// Puts one class about individuals in the place of two chosen ones, wherever it covers what these alone cover: they may
    /// be the same but for the values that they name.
    pub(super) fn unite(&mut self, oracle: &mut dyn Oracle<'_>) -> Limited<()> {
        if self.lifter.is_idle() {
            return Ok(());
        }
        'again: loop {
            for [class, other] in self.choice.chosen.clone().into_iter().array_combinations() {
                let alone = |s: &SampleId| {
                    let rest = self.choice.chosen.iter().filter(|c| **c != class && **c != other);
                    !rest.into_iter().any(|&c| self.choice.is_covered(*s, c))
                };
                let samples: Vec<SampleId> = self.choice.samples().filter(alone).collect();
                let further = self.outliers_in(oracle, &[class, other]);
                if let Some(general) = self.general(oracle, class, &samples, &further)? {
                    self.choice.drop_class(other);
                    self.choice.replace(class, general);
                    continue 'again;
                }
            }
            return Ok(());
        }
    }

    /// Puts individuals in the place of the values that chosen classes can do without, those of the least named types first: otherwise
    /// counterexamples that differ from known ones in their values only would be found, one by one.
    pub(super) fn free(&mut self, oracle: &mut dyn Oracle<'_>) -> Limited<()> {
        if self.lifter.is_idle() {
            return Ok(());
        }
        for class in self.choice.chosen.clone() {
            let (own, further) = (self.choice.covered_by(class), self.outliers_in(oracle, &[class]));
            if let Some(general) = self.general(oracle, class, &own, &further)?
                && general != class
            {
                self.choice.replace(class, general);
            }
        }
        Ok(())
    }

    /// A candidate with individuals, as `Pool::general` chooses them, that covers what another one does.
    pub fn general_like(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        candidate: CandidateId,
        like: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let (samples, further) = (self.choice.covered_by(like), self.outliers_in(oracle, &[like]));
        self.general(oracle, candidate, &samples, &further)
    }
}
