//! A solver for many short questions, each with a clause of its own.

use kit::budget::Exhausted;
use rustc_hash::FxHashSet;
use solvers::sat::{Lit, SatSolver};
use std::time::{Duration, Instant};

/// The number of questions with clauses of their own after which a solver is replaced: each leaves a clause, a variable
/// and clauses learnt about them behind.
const MOST_RETIRED: usize = 1500;

/// A solver with clauses that hold for one question only. Each is activated by a literal, which is retired with the
/// next question.
pub(super) struct QuerySolver {
    solver: Box<dyn SatSolver>,
    variables: u32,
    /// The activation literal of the last question.
    active: Option<Lit>,
    retired: usize,
    /// The number of solver calls.
    calls: u64,
    time: Duration,
}

impl QuerySolver {
    /// Takes a solver whose clauses have this many variables.
    pub fn new(solver: Box<dyn SatSolver>, variables: u32) -> Self {
        Self { solver, variables, active: None, retired: 0, calls: 0, time: Duration::ZERO }
    }

    /// Continues with another solver, keeping the statistics.
    pub fn replace(&mut self, other: Self) {
        let (calls, time) = (self.calls, self.time);
        *self = Self { calls, time, ..other };
    }

    /// True if the solver should be replaced.
    pub fn worn_out(&self) -> bool {
        self.retired >= MOST_RETIRED
    }

    /// Returns a new literal.
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.retire();
        self.solver.add_clause(clause);
    }

    /// True if there is an assignment under these assumptions.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        self.retire();
        self.call(assumptions)
    }

    /// Like [`QuerySolver::solve`], with a clause for this question alone.
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

    /// Retires the clause of the last question; its assignment is lost.
    fn retire(&mut self) {
        if let Some(active) = self.active.take() {
            self.solver.add_clause(&[!active]);
            self.retired += 1;
        }
    }

    /// Returns the value of a literal in the last assignment.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    /// Returns the assumptions in the core of the last unsatisfiable question.
    pub fn core(&self) -> FxHashSet<Lit> {
        self.solver.core().into_iter().collect()
    }

    /// Returns the number of solver calls so far and the seconds spent in them.
    pub fn effort(&self) -> (u64, f64) {
        (self.calls, self.time.as_secs_f64())
    }
}
