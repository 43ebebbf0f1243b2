//! The end of a run: classes with their lassos, redundancy, the self-check, and the result.

use super::{LassoOrigin, LassoSample, LassoSearch};
use crate::facts::index::CandidateId;
use crate::lassos::check::check;
use crate::lassos::condition::LassoCondition;
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::oracle::LassoQuery;
use crate::lassos::result::Infinite;
use crate::results::result::{Class, Classification, Verdict, Why};
use crate::results::statistics::{Phase, Timed};
use crate::search::choice::{AssignedTrace, Choice};
use crate::search::class_search::{ClassSearch, SearchEnd};
use kit::budget::Limited;
use lang::trace::Lasso;

/// The chosen classes of which a lasso is known.
pub(super) fn bare_classes(
    asked: &LassoQuery<'_>,
    choice: &Choice<Infinite, LassoOrigin>,
    samples: &[LassoSample],
) -> Vec<Class<Infinite>> {
    let class = |&class: &CandidateId| {
        let candidate = choice.candidate(class);
        // An image that was made need not cover any sample.
        let example = candidate.shortest.clone().or_else(|| {
            samples.iter().find_map(|sample| {
                let assigned = candidate.constraint.matches(asked.model, asked.atoms, &sample.lasso)?;
                Some(AssignedTrace { trace: sample.lasso.clone(), assigned })
            })
        })?;
        Some(choice.class(class, || example))
    };
    let mut classes: Vec<Class<Infinite>> = choice.chosen.iter().filter_map(class).collect();
    classes.sort_by_key(|class| class.representative.len());
    classes
}

impl LassoSearch<'_, '_> {
    pub(super) fn conclude(mut self, outcome: Limited<SearchEnd<Infinite>>) -> Classification<Infinite> {
        let verdict = self.verdict(outcome);
        let checked = self.complete(&verdict);
        let mut result = self.options.result(verdict);
        result.classes = bare_classes(&self.violating.asked(), &self.choice, &self.samples);
        match checked.and_then(|()| self.restate_and_check(&mut result)) {
            Ok(checked_by) => result.checked_by = checked_by,
            Err(why) if matches!(result.verdict, Verdict::Complete | Verdict::Partial(Why::Exhausted(_))) => {
                // What is known of the classes without further questions.
                result.verdict = Verdict::Partial(Why::Exhausted(why));
            }
            Err(_) => {}
        }
        result.images = self.timed(Phase::Redundancy, |run| run.images(&result.classes));
        result.minimum = self.choice.minimum;
        result.unclassified =
            self.unclassified.take().filter(|_| !matches!(result.verdict, Verdict::TooWeak(_)));
        self.violating.add_to(&mut self.statistics);
        self.sufficiency.accepting.add_to(&mut self.statistics);
        result.statistics = self.statistics;
        result
    }

    /// Drops redundant classes, if all were found, and completes the others with their lassos.
    fn complete(&mut self, verdict: &Verdict<Infinite>) -> Limited<()> {
        let is_complete = *verdict == Verdict::Complete;
        if is_complete {
            self.timed(Phase::Redundancy, |run| {
                let known = run.prefer_images()?;
                run.settle(known)
            })?;
        }
        self.choice.chosen.clone().into_iter().try_for_each(|class| self.complete_class(class))
    }

    /// Finds a shortest lasso of a class, and for each part of its constraint one that satisfies the property and all other parts.
    fn complete_class(&mut self, class: CandidateId) -> Limited<()> {
        let constraint = self.choice.candidate(class).constraint.clone();
        let within = [LassoCondition::In(constraint.clone())];
        let least = self.least_steps();
        let shortest = self.timed(Phase::Redundancy, |run| run.violating.shortest(least, &within))?;
        let shortest = shortest.unwrap_or_else(|| unreachable!("a class has a violating lasso"));
        // What is as short and in no other class shows more.
        let canonical = self.choice.candidate(class).canonical.clone();
        let trace = canonical.filter(|alone| alone.len() == shortest.len()).unwrap_or(shortest);
        let assigned = self.matches(class, &trace);
        self.choice.candidate_mut(class).shortest =
            assigned.map(|assigned| AssignedTrace { trace, assigned });
        let needed = self.timed(Phase::Minimise, |run| run.needed(&constraint))?;
        self.choice.candidate_mut(class).needed = needed;
        Ok(())
    }

    /// For each part of a constraint a shortest lasso that satisfies the property and all other parts.
    fn needed(&mut self, constraint: &LassoConstraint) -> Limited<Vec<Lasso>> {
        let mut needed = Vec::new();
        for weaker in constraint.weaker() {
            let found = self.sufficiency.accepting.shortest(1, &[LassoCondition::In(weaker)])?;
            needed.push(found.unwrap_or_else(|| unreachable!("every part is needed")));
        }
        Ok(needed)
    }

    /// Finds how much of the classes restates the property, and has them checked. Returns the solver that did.
    fn restate_and_check(&mut self, result: &mut Classification<Infinite>) -> Limited<Option<String>> {
        for class in &mut result.classes {
            class.restates =
                self.timed(Phase::Redundancy, |run| run.sufficiency.accepting.restated(&class.constraint))?;
        }
        // That there is no violation is not asked of the same solver again.
        let others_hold =
            result.verdict == Verdict::Holds && self.options.check_backend != self.options.backend;
        let leaves_nothing = result.verdict == Verdict::Complete || others_hold;
        if result.classes.is_empty() && !leaves_nothing {
            return Ok(None);
        }
        let setup = self.options.setup(self.options.check_backend);
        let asked = (self.violating.asked(), self.sufficiency.accepting.asked());
        let checked = self.timed(Phase::Verify, |run| {
            check(asked, &result.classes, leaves_nothing, setup, run.budget, &mut run.statistics)
        })?;
        Ok(Some(checked))
    }
}
