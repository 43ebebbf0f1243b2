//! Candidates of few facts, made of what all counterexamples of some classes have in common.

use super::{CandidateId, Pool, Score};
use crate::budget::Limited;
use crate::classify::oracle::Oracle;
use crate::classify::restates::restated;
use crate::unroll::Lengths;

/// How many sets of facts are asked about. What is known from minimising leaves one or two to ask about, so that this is hardly ever reached:
/// beyond it, what is found would depend on the traces that the solver finds.
const MOST_QUESTIONS: usize = 64;

impl Pool<'_, '_> {
    /// A candidate with less to read than chosen classes have together, made of the counterexample of the first of them, that covers the
    /// counterexamples which are in no other class; `None` if none is found.
    pub fn with_fewer_facts(
        &mut self,
        space: &mut dyn Oracle<'_>,
        classes: &[CandidateId],
    ) -> Limited<Option<CandidateId>> {
        let owner = self.candidate(classes[0]).sample;
        let facts = classes.iter().map(|&class| self.candidate(class).draft.atoms.len()).sum();
        // Of traces of exact length, what comes after the violation is arbitrary; absences are hard to prove sufficient.
        if facts < 2
            || matches!(space.lengths(), Lengths::Exactly(_))
            || !self.sample(owner).facts.occurrences.is_empty()
        {
            return Ok(None);
        }
        let others: Vec<CandidateId> = self.chosen.iter().copied().filter(|c| !classes.contains(c)).collect();
        let mut alone: Vec<_> = classes.iter().flat_map(|&class| self.covered_by(class)).collect();
        alone.sort_unstable();
        alone.dedup();
        alone.retain(|&sample| !others.iter().any(|&other| self.is_covered(sample, other)));
        let further = self.outliers_in(space, classes);
        let common = self.in_common(owner, &alone);
        let sample = &mut self.samples[owner.index()];
        let Some(draft) = sample.facts.fewest(space, &common, facts, MOST_QUESTIONS, self.preference)? else {
            return Ok(None);
        };
        let ground = self.admit_minimised(space, owner, draft)?;
        let has_all = |pool: &Self, candidate: CandidateId| {
            alone.iter().all(|&sample| pool.is_covered(sample, candidate))
                && further.iter().all(|example| pool.covers(space, candidate, example))
        };
        let candidate = match has_all(self, ground) {
            true => Some(ground),
            false => self.general(space, ground, &alone, &further)?,
        };
        let (problem, atoms, budget) = (space.problem(), space.atoms(), self.budget);
        let says =
            |candidate: CandidateId| restated(problem, atoms, &self.candidate(candidate).constraint, budget);
        let score =
            classes.iter().fold(Score::default(), |sum, &class| sum.plus(&self.candidate(class).score));
        Ok(candidate.filter(|&candidate| {
            self.candidate(candidate).score.is_less_to_read(&score)
                && classes.iter().all(|&class| says(candidate) >= says(class))
        }))
    }
}
