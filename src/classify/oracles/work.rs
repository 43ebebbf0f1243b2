//! The state common to all searches: the oracle, its limits, and statistics.

use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::oracles::oracle::Oracle;
use crate::oracles::sat::SatOracle;
use crate::results::options::{Necessity, Options};
use crate::results::result::Classification;
use crate::results::statistics::{Phase, Statistics, Stopwatch, Timed};
use kit::budget::{Activity, Budget, Limited, Observer, Progress};
use lang::trace::Trace;
use std::time::Duration;

/// The least time for a check of the result of an SMT solver.
pub const LEAST_PATIENCE: Duration = Duration::from_secs(5);

/// The part of a search's state that does not depend on its goal.
pub struct Work<'a, O> {
    /// The oracle.
    pub oracle: O,
    /// The limits of time and memory.
    pub budget: &'a Budget,
    /// The time and memory used so far.
    pub statistics: Statistics,
    /// The current number of steps of the search.
    pub depth: usize,
    stopwatch: Stopwatch,
    observer: &'a mut dyn Observer,
}

impl<O> Timed for Work<'_, O> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl<'a, 'm> Work<'a, SatOracle<'m>> {
    /// Starts a search with the first position unrolled.
    pub fn new(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        options: &Options,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let setup = options.setup(options.backend);
        let mut oracle = SatOracle::new(problem, atoms, options.unrolled(), setup, budget);
        oracle.limit_violations(options.lengths.bound());
        Self::over(oracle, budget, observer)
    }
}

impl<'a, 'm, O: Oracle<'m>> Work<'a, O> {
    /// Starts a search with this oracle.
    pub fn over(oracle: O, budget: &'a Budget, observer: &'a mut dyn Observer) -> Self {
        let stopwatch = Stopwatch::start();
        Self { oracle, budget, statistics: Statistics::default(), depth: 0, stopwatch, observer }
    }

    /// Returns an oracle with the SAT solver that checks results, within the budget of checks.
    ///
    /// # Errors
    /// If the budget is exhausted before the model is unrolled.
    pub fn afresh(&self, options: &Options) -> Limited<SatOracle<'m>> {
        let setup = options.setup(options.check_backend);
        let (problem, atoms) = (self.oracle.problem(), self.oracle.atoms());
        SatOracle::unrolled(problem, atoms, options.lengths, setup, &self.budget_of_checks())
    }

    /// Returns the most time for a check of the result of an SMT solver: what is hard for clauses may have been easy in
    /// arithmetic.
    pub fn patience(&self) -> Option<Duration> {
        (!self.oracle.is_sat()).then(|| Duration::from_secs_f64(self.seconds()).max(LEAST_PATIENCE))
    }

    /// Returns the budget for checks, and for questions beside the search that were not asked for.
    pub fn budget_of_checks(&self) -> Budget {
        self.patience().map_or_else(|| self.budget.clone(), |patience| self.budget.at_most(patience))
    }

    /// Returns the budget for the necessary facts.
    pub fn budget_of_facts(&self, necessity: Necessity) -> Budget {
        match necessity {
            Necessity::Full => self.budget.clone(),
            Necessity::Brief | Necessity::Unasked => self.budget_of_checks(),
        }
    }

    /// Returns the first of the shortest counterexamples of up to `bound` steps, if any. The unrolling grows
    /// with the search, so that a violation after few steps needs few steps.
    pub fn first_counterexample(&mut self, bound: usize) -> Limited<Option<Trace>> {
        for depth in 0..=bound {
            self.depth = depth;
            self.limit()?;
            self.timed(Phase::Unroll, |work| work.oracle.grow_to(depth))?;
            self.report(Activity::Search, 0, None);
            let found = self.timed(Phase::Search, |work| work.oracle.shortest(depth..=depth, &[]))?;
            if let Some(trace) = found {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Returns the seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.stopwatch.seconds()
    }

    /// Fails if the budget is exhausted.
    pub fn limit(&self) -> Limited<()> {
        self.budget.check()
    }

    /// Reports the progress of the search to the observer.
    pub fn report(&mut self, activity: Activity, classes: usize, facts: Option<(usize, usize)>) {
        let counterexamples = self.statistics.counterexamples;
        let done = Progress::of(activity, self.depth, self.oracle.calls());
        self.observer.progress(&Progress { counterexamples, classes, facts, ..done });
    }

    /// Reports classes to the observer; `result` creates the result that contains them.
    pub fn found(&mut self, result: &dyn Fn(&O) -> Classification) {
        let Self { oracle, statistics, observer, .. } = self;
        observer.found(&|| Box::new(Classification { statistics: statistics.clone(), ..result(oracle) }));
    }

    /// Returns the statistics of the whole search, and the name of the solver.
    pub fn finish(mut self) -> (Statistics, String) {
        self.oracle.add_to(&mut self.statistics);
        self.stopwatch.stop(&mut self.statistics);
        (self.statistics, self.oracle.solver())
    }
}
