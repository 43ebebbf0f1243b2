//! What each search of this room has: the unrolled model, its limits, and notes of what it took.

use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::oracles::oracle::Oracle;
use crate::oracles::space::Space;
use crate::results::options::Options;
use crate::results::result::Classification;
use crate::results::statistics::{Phase, Statistics, Stopwatch, Timed};
use kit::budget::{Budget, Limited, Observer, Progress};
use lang::trace::Trace;

/// The state of a search that does not depend on what is looked for.
pub struct Work<'a, O> {
    /// The oracle that is asked.
    pub space: O,
    /// Time and memory.
    pub budget: &'a Budget,
    /// Time and memory taken so far.
    pub statistics: Statistics,
    /// The number of steps that the search is at.
    pub depth: usize,
    stopwatch: Stopwatch,
    observer: &'a mut dyn Observer,
}

impl<O> Timed for Work<'_, O> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl<'a, 'm> Work<'a, Space<'m>> {
    /// The beginning of a search: the first position is unrolled.
    pub fn new(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        options: &Options,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let setup = options.setup(options.backend);
        let mut space = Space::new(problem, atoms, options.unrolled(), setup, budget);
        space.limit_violations(options.lengths.bound());
        Self::over(space, budget, observer)
    }

    /// A space of its own for the solver that checks results.
    ///
    /// # Errors
    /// If the budget is exhausted before it is unrolled.
    pub fn afresh(&self, options: &Options) -> Limited<Space<'m>> {
        let setup = options.setup(options.check_backend);
        Space::unrolled(self.space.problem, self.space.atoms, options.lengths, setup, self.budget)
    }
}

impl<'a, 'm, O: Oracle<'m>> Work<'a, O> {
    /// The beginning of a search in which questions are answered like this.
    pub fn over(space: O, budget: &'a Budget, observer: &'a mut dyn Observer) -> Self {
        let stopwatch = Stopwatch::start();
        Self { space, budget, statistics: Statistics::default(), depth: 0, stopwatch, observer }
    }

    /// The first of the shortest counterexamples, if there is one of up to `bound` steps. The unrolling grows with the search,
    /// so that a violation after few steps costs few steps.
    pub fn first_counterexample(&mut self, bound: usize) -> Limited<Option<Trace>> {
        for depth in 0..=bound {
            self.depth = depth;
            self.limit()?;
            self.timed(Phase::Unroll, |work| work.space.grow_to(depth))?;
            self.report("search", 0, None);
            let found = self.timed(Phase::Search, |work| work.space.shortest(depth..=depth, &[]))?;
            if let Some(trace) = found {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.stopwatch.seconds()
    }

    /// Whether the budget goes on.
    pub fn limit(&self) -> Limited<()> {
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    /// Tells the observer how far the search is.
    pub fn report(&mut self, phase: &'static str, classes: usize, facts: Option<(usize, usize)>) {
        let (solver_calls, solver_seconds) = self.space.calls();
        self.observer.progress(&Progress {
            phase,
            depth: self.depth,
            counterexamples: self.statistics.counterexamples,
            classes,
            facts,
            solver_calls,
            solver_seconds,
        });
    }

    /// Tells the observer of classes that were found; `result` makes the result that has them.
    pub fn found(&mut self, result: &dyn Fn(&O) -> Classification) {
        let Self { space, statistics, observer, .. } = self;
        observer.found(&|| Box::new(Classification { statistics: statistics.clone(), ..result(space) }));
    }

    /// What it took, in all; and the name of the solver.
    pub fn finish(mut self) -> (Statistics, String) {
        self.space.add_to(&mut self.statistics);
        self.stopwatch.stop(&mut self.statistics);
        (self.statistics, self.space.solver())
    }
}
