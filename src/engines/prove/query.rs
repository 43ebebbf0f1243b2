//! A solver for many short questions, each with a clause of its own.

use kit::budget::Exhausted;
use rustc_hash::FxHashSet;
use solvers::sat::{Lit, Solver};
use std::time::{Duration, Instant};

/// After this many questions with clauses of their own a solver is given up for a new one: each leaves a clause and a variable
/// behind, and what was learnt about them.
const MOST_RETIRED: usize = 1500;

/// A solver with clauses that hold for one question only. Each is switched on by an activation literal, which is retired
/// with the next question.
pub(super) struct QuerySolver {
    solver: Box<dyn Solver>,
    variables: u32,
    /// The activation literal of the last question.
    active: Option<Lit>,
    retired: usize,
    /// How often the solver was called.
    calls: u64,
    time: Duration,
}

impl QuerySolver {
    /// Takes a solver whose clauses have this many variables.
    pub fn new(solver: Box<dyn Solver>, variables: u32) -> Self {
        Self { solver, variables, active: None, retired: 0, calls: 0, time: Duration::ZERO }
    }

    /// Goes on with another one.
    pub fn replace(&mut self, other: Self) {
        let (calls, time) = (self.calls, self.time);
        *self = Self { calls, time, ..other };
    }

    /// Whether it is time for another solver.
    pub fn worn_out(&self) -> bool {
        self.retired >= MOST_RETIRED
    }

    /// A new literal.
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.retire();
        self.solver.add_clause(clause);
    }

    /// Whether there is an assignment under these assumptions.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        self.retire();
        self.call(assumptions)
    }

    /// Whether there is one that also satisfies a clause, which counts for this question alone.
    pub fn solve_with(&mut self, clause: Vec<Lit>, mut assumptions: Vec<Lit>) -> Result<bool, Exhausted> {
        self.retire();
        let active = self.fresh();
        let mut clause = clause;
        clause.push(!active);
        self.solver.add_clause(&clause);
        self.active = Some(active);
        assumptions.push(active);
        self.call(&assumptions)
    }

    fn call(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        let begin = Instant::now();
        let answer = self.solver.solve(assumptions);
        self.calls += 1;
        self.time += begin.elapsed();
        answer.is_sat()
    }

    /// The last assignment is gone after this.
    fn retire(&mut self) {
        if let Some(active) = self.active.take() {
            self.solver.add_clause(&[!active]);
            self.retired += 1;
        }
    }

    /// The value of a literal in the last assignment.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    /// The assumptions to blame for there being no assignment.
    pub fn core(&self) -> FxHashSet<Lit> {
        self.solver.core().into_iter().collect()
    }

    /// Calls of the solver so far, and seconds in it.
    pub fn effort(&self) -> (u64, f64) {
        (self.calls, self.time.as_secs_f64())
    }
}
