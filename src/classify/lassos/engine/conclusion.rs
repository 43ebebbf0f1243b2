//! The end of a run: classes with their lassos, redundancy, the self-check, and the result.

use super::{LassoCandidate, LassoSample, LassoSearch, LassoSearchEnd};
use crate::facts::index::CandidateId;
use crate::lassos::check::check;
use crate::lassos::condition::LassoCondition;
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::oracle::LassoQuery;
use crate::lassos::result::Infinite;
use crate::results::result::{Class, Classification, Verdict, Why};
use crate::results::statistics::{Phase, Timed};
use crate::search::orbits::OrbitSearch;
use kit::budget::Limited;
use lang::trace::Lasso;

/// The chosen classes with lassos that were looked at.
pub(super) fn bare_classes(
    asked: &LassoQuery<'_>,
    chosen: &[CandidateId],
    candidates: &[LassoCandidate],
    samples: &[LassoSample],
) -> Vec<Class<Infinite>> {
    let class = |class: &CandidateId| {
        let constraint = candidates[class.index()].constraint.clone();
        samples.iter().find_map(|sample| {
            let assigned = constraint.matches(asked.model, asked.atoms, &sample.lasso)?;
            Some(Class::of(constraint.clone(), sample.lasso.clone(), assigned))
        })
    };
    chosen.iter().filter_map(class).collect()
}

impl LassoSearch<'_, '_> {
    pub(super) fn conclude(mut self, outcome: Limited<LassoSearchEnd>) -> Classification<Infinite> {
        let verdict = match outcome {
            Ok(LassoSearchEnd::Holds) => Verdict::Holds,
            Ok(LassoSearchEnd::Exhaustive) => Verdict::Complete,
            Ok(LassoSearchEnd::MaxClasses) => Verdict::Partial(Why::MaxClasses),
            Ok(LassoSearchEnd::TooWeak(weak)) => Verdict::TooWeak(weak),
            Err(why) if self.samples.is_empty() && self.unclassified.is_none() => {
                Verdict::Undecided { why, depth: 1 }
            }
            Err(why) => Verdict::Partial(Why::Exhausted(why)),
        };
        let settled = self.settle(&verdict);
        let mut result = self.options.result(verdict);
        match settled {
            Ok((classes, checked_by)) => {
                result.classes = classes;
                result.checked_by = checked_by;
            }
            Err(why) if matches!(result.verdict, Verdict::Complete | Verdict::Partial(Why::Exhausted(_))) => {
                // What is known of the classes without further questions.
                result.verdict = Verdict::Partial(Why::Exhausted(why));
                result.classes = self.bare_classes();
            }
            Err(_) => result.classes = self.bare_classes(),
        }
        result.images = self.timed(Phase::Redundancy, |run| run.images(&result.classes));
        result.minimum = self.minimum;
        result.unclassified =
            self.unclassified.take().filter(|_| !matches!(result.verdict, Verdict::TooWeak(_)));
        self.violating.add_to(&mut self.statistics);
        self.sufficiency.accepting.add_to(&mut self.statistics);
        result.statistics = self.statistics;
        result
    }

    /// Drops redundant classes, if all were found, completes the others with their lassos, and has them checked.
    fn settle(&mut self, verdict: &Verdict<Infinite>) -> Limited<(Vec<Class<Infinite>>, Option<String>)> {
        let is_complete = *verdict == Verdict::Complete;
        if is_complete && !self.minimum {
            self.drop_redundant(self.chosen.clone())?;
        }
        if is_complete {
            self.timed(Phase::Redundancy, Self::prefer_images)?;
        }
        let mut classes = Vec::new();
        for class in self.chosen.clone() {
            let constraint = self.constraint(class).clone();
            let within = [LassoCondition::In(constraint.clone())];
            let representative = self.timed(Phase::Redundancy, |run| run.violating.shortest(1, &within))?;
            let representative = representative.unwrap_or_else(|| unreachable!("it has a sample"));
            let canonical = if is_complete { self.alone(class)? } else { None };
            // What is as short and in no other class shows more.
            let representative = match &canonical {
                Some(alone) if alone.len() == representative.len() => alone.clone(),
                _ => representative,
            };
            let needed = self.timed(Phase::Minimise, |run| run.needed(&constraint))?;
            let restates =
                self.timed(Phase::Redundancy, |run| run.sufficiency.accepting.restated(&constraint))?;
            let LassoQuery { model, atoms, .. } = self.violating.asked();
            let class = Class::of_lasso((model, atoms), constraint, representative);
            classes.push(Class { needed, restates, canonical, ..class });
        }
        classes.sort_by_key(|class| class.representative.len());
        // That there is no violation is not asked of the same solver again.
        let others_hold = *verdict == Verdict::Holds && self.options.check_backend != self.options.backend;
        let leaves_nothing = is_complete || others_hold;
        if classes.is_empty() && !leaves_nothing {
            return Ok((classes, None));
        }
        let checked = self.timed(Phase::Verify, |run| run.check(&classes, leaves_nothing))?;
        Ok((classes, Some(checked)))
    }

    /// Drops classes that the others cover, looked at in this order. A smallest choice has none.
    pub(super) fn drop_redundant(&mut self, order: Vec<CandidateId>) -> Limited<()> {
        for class in order {
            if self.alone(class)?.is_none() {
                self.chosen.retain(|other| *other != class);
                self.statistics.redundant += 1;
            }
        }
        Ok(())
    }

    /// A shortest violating lasso that is in no other chosen class.
    fn alone(&mut self, class: CandidateId) -> Limited<Option<Lasso>> {
        let others: Vec<CandidateId> = self.chosen.iter().copied().filter(|other| *other != class).collect();
        let outside = self.lacking(&others);
        self.timed(Phase::Redundancy, |run| run.violating.shortest(1, &outside))
    }

    fn bare_classes(&self) -> Vec<Class<Infinite>> {
        bare_classes(&self.violating.asked(), &self.chosen, &self.candidates, &self.samples)
    }

    /// For each part of a constraint a shortest lasso that satisfies the property and all other parts.
    fn needed(&mut self, constraint: &LassoConstraint) -> Limited<Vec<Lasso>> {
        let mut needed = Vec::new();
        for weaker in constraint.weaker() {
            let found = self.sufficiency.accepting.shortest(1, &[LassoCondition::In(weaker)])?;
            let lasso = found.unwrap_or_else(|| unreachable!("every part is needed"));
            needed.push(lasso);
        }
        Ok(needed)
    }

    fn check(&mut self, classes: &[Class<Infinite>], is_complete: bool) -> Limited<String> {
        let setup = self.options.setup(self.options.check_backend);
        let (violating, accepting) = (self.violating.asked(), self.sufficiency.accepting.asked());
        check((violating, accepting), classes, is_complete, setup, self.budget, &mut self.statistics)
    }
}
