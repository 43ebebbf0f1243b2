//! Replaces classes that depend on the bound by classes that remain sufficient beyond it.
//!
//! A constraint that suffices for a violation up to the bound may be too weak for longer traces. Then the
//! counterexamples are classified again, by constraints that suffice up to a greater length. The new result
//! is preferred if fewer classes depend on the bound and there are no more classes than before.

use crate::beyond::horizon::{BeyondBound, MOST_SHOWN};
use crate::facts::problem::Problem;
use crate::facts::restates::Restates;
use crate::results::options::{Mode, Options};
use crate::results::result::{Class, Classification, Horizon, Verdict};
use crate::search::engine::classify;
use kit::budget::{Budget, Limited, Observer};
use lang::model::Vocabulary;

/// The greatest number of reclassifications, each with longer traces that must not be in a class.
const MOST_ROUNDS: usize = 3;

/// The costs that must not grow when classes are replaced.
struct LastingCost {
    classes: usize,
    restating: usize,
}

impl LastingCost {
    fn of(result: &Classification) -> Self {
        let kept = || result.firsts().filter(|class| !class.redundant);
        Self {
            classes: kept().count(),
            restating: kept().filter(|class| class.restates == Restates::Property).count(),
        }
    }

    fn is_at_most(&self, other: &Self) -> bool {
        self.classes <= other.classes && self.restating <= other.restating
    }
}

impl Classification {
    /// Searches for a classification with fewer classes that depend on the bound, if some are known to
    /// ([`Classification::look_beyond`]). The new one is complete up to the bound, and has no more classes,
    /// and no more that restate the property. Each of its facts is needed, but the trace that shows it may be
    /// longer than the bound: see [`Horizon::sufficient_up_to`]. Covers are unchanged.
    ///
    /// # Errors
    /// If the budget ends first. Then the result is the best one found so far.
    ///
    /// # Panics
    /// Only on a bug in this program, as [`crate::search::engine::classify`].
    pub fn prefer_lasting(
        &mut self,
        problem: Problem<'_>,
        vocabulary: &Vocabulary,
        options: &Options,
        farther: BeyondBound,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Limited<()> {
        let Some(mut found) = self.horizon.clone().filter(|_| options.mode == Mode::Sufficient) else {
            return Ok(());
        };
        let cost = LastingCost::of(self);
        let most = MOST_SHOWN * farther.steps;
        let mut sufficient_up_to = self.lengths.bound();
        for _ in 0..MOST_ROUNDS {
            let Some(longest) = longest(&found) else { break };
            let further = match found.steps {
                // Longer traces are unexplored.
                Some(horizon) => horizon,
                None => longest.max(farther.steps).max(sufficient_up_to * 3 / 2).min(most),
            };
            if further <= sufficient_up_to {
                break;
            }
            sufficient_up_to = further;
            let options =
                Options { lengths: self.lengths, horizon: Some(sufficient_up_to), ..options.clone() };
            let mut other = classify(problem, vocabulary, &options, budget, observer);
            budget.check()?;
            if other.verdict != Verdict::Complete || !LastingCost::of(&other).is_at_most(&cost) {
                break;
            }
            other.look_beyond(problem, &options, farther, budget)?;
            let Some(horizon) = &mut other.horizon else { break };
            horizon.sufficient_up_to = Some(sufficient_up_to);
            found = horizon.clone();
            if other.resting() < self.resting() {
                other.statistics.add(&self.statistics);
                *self = other;
            }
        }
        Ok(())
    }

    /// Returns the number of classes known to depend on the bound.
    fn resting(&self) -> usize {
        let rests =
            |(index, class): &(usize, &Class)| !class.redundant && self.rests_on_bound(*index).is_some();
        self.classes.iter().enumerate().filter(rests).count()
    }
}

/// Returns the length of the longest trace by which a class depends on the bound.
fn longest(horizon: &Horizon) -> Option<usize> {
    horizon.resting.iter().flatten().map(|longer| longer.steps).max()
}
