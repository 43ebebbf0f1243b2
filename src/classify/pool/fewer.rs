//! Candidates of few facts, made of what all counterexamples of some classes have in common.

use super::{CandidateId, Pool};
use crate::budget::Limited;
use crate::classify::oracle::Oracle;
use crate::classify::restates::restated;
use crate::classify::score::Score;
use crate::unroll::Lengths;

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
        if !sample.facts.suffices(space, &common, &sample.facts.all_positions())? {
            return Ok(None);
        }
        let Some(draft) = sample.facts.fewest(space, &common, facts, self.preference)? else {
            return Ok(None);
        };
        let ground = self.admit_minimised(space, owner, draft)?;
        let has_all = |pool: &Self| {
            alone.iter().all(|&sample| pool.is_covered(sample, ground))
                && further.iter().all(|example| pool.covers(space, ground, example))
        };
        // A class about individuals has counterexamples of other values as well, known or not.
        let is_lifted = classes.iter().any(|&class| self.candidate(class).constraint.is_lifted());
        let covers = has_all(self);
        let general = match covers && !is_lifted {
            true => None,
            false => self.general(space, ground, &alone, &further)?,
        };
        let Some(candidate) = general.or(covers.then_some(ground)) else { return Ok(None) };
        let (problem, atoms, budget) = (space.problem(), space.atoms(), self.budget);
        let says = |id: CandidateId| restated(problem, atoms, &self.candidate(id).constraint, budget);
        let scores: Vec<Score> = classes.iter().map(|&class| self.candidate(class).score).collect();
        if !self.candidate(candidate).score.is_less_to_read(&scores) {
            return Ok(None);
        }
        let said = says(candidate);
        Ok(classes.iter().all(|&class| said >= says(class)).then_some(candidate))
    }
}
