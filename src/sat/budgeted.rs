//! From rustsat's traits to [`Solver`]: budgets, and one behaviour in the corners where solvers differ.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustsat::solvers::{ControlSignal, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Cl, TernaryVal};

use super::{Answer, Lit, Solver};
use crate::budget::{Budget, Exhausted};

/// How often the budget is looked at during a call. Solvers ask every few microseconds, and a memory limit
/// costs a system call.
const POLL: Duration = Duration::from_millis(2);

/// A rustsat solver that stops when its budget ends.
pub struct Budgeted<S> {
    solver: S,
    budget: Budget,
    /// Why the solver was told to stop last, if it ever was.
    stopped: Rc<Cell<Option<Exhausted>>>,
    /// The answer to the last call; none if clauses were added since.
    answer: Option<Answer>,
    /// The core of the last call.
    core: Vec<Lit>,
    /// Which variables were ever mentioned, by index.
    seen: Vec<bool>,
    /// Which literals occur among the assumptions looked at, by index; all false in between.
    marked: Vec<bool>,
    /// Scratch space: the assumptions without repetition.
    assumptions: Vec<Lit>,
}

impl<S: SolveIncremental + Terminate<'static>> Budgeted<S> {
    /// Ties `solver`, which must be empty, to `budget`.
    pub fn new(mut solver: S, budget: &Budget) -> Self {
        let stopped = Rc::new(Cell::new(None));
        let reason = Rc::clone(&stopped);
        let mut pace = Pace { budget: budget.clone(), next: Instant::now() };
        solver.attach_terminator(move || match pace.exhausted() {
            None => ControlSignal::Continue,
            why => {
                reason.set(why);
                ControlSignal::Terminate
            }
        });
        Self {
            solver,
            budget: budget.clone(),
            stopped,
            answer: None,
            core: Vec::new(),
            seen: Vec::new(),
            marked: Vec::new(),
            assumptions: Vec::new(),
        }
    }
}

impl<S: SolveIncremental> Solver for Budgeted<S> {
    fn name(&self) -> &'static str {
        self.solver.signature()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.see(clause);
        self.answer = None;
        self.solver.add_clause_ref(Cl::new(clause)).expect("the adapters accept every clause");
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.core.clear();
        self.see(assumptions);
        let answer = match self.budget.exhausted() {
            Some(why) => Answer::Unknown(why),
            None => self.call(assumptions),
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "a value was read, but there is no assignment");
        let value = match self.seen.get(lit.vidx()) {
            Some(true) => self.solver.var_val(lit.var()).expect("the solver has an assignment"),
            _ => TernaryVal::DontCare,
        };
        (value == TernaryVal::True) == lit.is_pos()
    }

    fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }
}

impl<S: SolveIncremental> Budgeted<S> {
    fn call(&mut self, assumptions: &[Lit]) -> Answer {
        self.distinct(assumptions);
        match self.solver.solve_assumps(&self.assumptions).expect("the adapters accept every call") {
            SolverResult::Sat => Answer::Sat,
            SolverResult::Unsat => {
                self.remember_core();
                Answer::Unsat
            }
            SolverResult::Interrupted => {
                // A solver that gave up for good does not ask again: then the first reason stands.
                Answer::Unknown(self.stopped.get().unwrap_or(Exhausted::Interrupt))
            }
        }
    }

    /// Keeps those assumptions whose negations are in the solver's core, in the order given.
    fn remember_core(&mut self) {
        let blamed = self.solver.core().expect("the solver has a core");
        blamed.iter().for_each(|&lit| self.marked[(!lit).lidx()] = true);
        self.core.extend(self.assumptions.iter().filter(|lit| self.marked[lit.lidx()]));
        blamed.iter().for_each(|&lit| self.marked[(!lit).lidx()] = false);
    }
}

impl<S> Budgeted<S> {
    /// Notes that these variables exist.
    fn see(&mut self, lits: &[Lit]) {
        for lit in lits {
            if self.seen.len() <= lit.vidx() {
                self.seen.resize(lit.vidx() + 1, false);
                self.marked.resize(2 * self.seen.len(), false);
            }
            self.seen[lit.vidx()] = true;
        }
    }

    /// Puts `lits` into the assumptions, each once, in the order given.
    fn distinct(&mut self, lits: &[Lit]) {
        self.assumptions.clear();
        for &lit in lits {
            if !std::mem::replace(&mut self.marked[lit.lidx()], true) {
                self.assumptions.push(lit);
            }
        }
        for lit in &self.assumptions {
            self.marked[lit.lidx()] = false;
        }
    }
}

/// Looks at a budget now and then.
struct Pace {
    budget: Budget,
    next: Instant,
}

impl Pace {
    fn exhausted(&mut self) -> Option<Exhausted> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + POLL;
        self.budget.exhausted()
    }
}
