//! An adapter from rustsat's traits to [`SatSolver`]: adds budgets and unifies corner cases in which solvers differ.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustsat::solvers::{ControlSignal, LimitConflicts, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Cl, TernaryVal};

use super::{Answer, Lit, SatSolver};
use kit::budget::{Budget, Exhausted};

/// The interval between checks of the budget during a call. Solvers call back every few microseconds, and
/// checking a memory limit costs a system call.
const POLL: Duration = Duration::from_millis(2);

/// A rustsat solver that stops when its budget is exhausted.
pub struct Budgeted<S> {
    solver: S,
    budget: Budget,
    /// The reason why the solver was last told to stop.
    stopped: Rc<Cell<Option<Exhausted>>>,
    /// The answer to the last call; `None` if clauses were added since.
    answer: Option<Answer>,
    /// The core of the last call.
    core: Vec<Lit>,
    /// True if each variable was ever mentioned, by index.
    seen: Vec<bool>,
    /// True if each literal is among the current assumptions, by index; all false between calls.
    marked: Vec<bool>,
    /// Scratch space: the assumptions without duplicates.
    assumptions: Vec<Lit>,
}

impl<S: SolveIncremental + Terminate<'static>> Budgeted<S> {
    /// Limits `solver`, which must be empty, by `budget`.
    pub fn new(mut solver: S, budget: &Budget) -> Self {
        let stopped = Rc::new(Cell::new(None));
        let reason = Rc::clone(&stopped);
        let mut pace = BudgetPoll::new(budget);
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

impl<S: SolveIncremental + LimitConflicts> SatSolver for Budgeted<S> {
    fn name(&self) -> &'static str {
        self.solver.signature()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.mark_seen(clause);
        self.answer = None;
        self.solver.add_clause_ref(Cl::new(clause)).expect("the adapters accept every clause");
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.core.clear();
        self.mark_seen(assumptions);
        let answer = match self.budget.exhausted() {
            Some(why) => Answer::Unknown(why),
            None => self.call(assumptions),
        };
        self.answer = Some(answer);
        answer
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.limit_conflicts(most).expect("the adapters accept every limit");
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
        self.set_assumptions(assumptions);
        match self.solver.solve_assumps(&self.assumptions).expect("the adapters accept every call") {
            SolverResult::Sat => Answer::Sat,
            SolverResult::Unsat => {
                self.store_core();
                Answer::Unsat
            }
            SolverResult::Interrupted => {
                // A solver that has given up permanently does not call back: the first reason remains.
                Answer::Unknown(self.stopped.get().unwrap_or(Exhausted::Interrupt))
            }
        }
    }

    /// Stores the assumptions whose negations are in the solver's core, in the order given.
    fn store_core(&mut self) {
        let blamed = self.solver.core().expect("the solver has a core");
        blamed.iter().for_each(|&lit| self.marked[(!lit).lidx()] = true);
        self.core.extend(self.assumptions.iter().filter(|lit| self.marked[lit.lidx()]));
        blamed.iter().for_each(|&lit| self.marked[(!lit).lidx()] = false);
    }
}

impl<S> Budgeted<S> {
    fn mark_seen(&mut self, lits: &[Lit]) {
        for lit in lits {
            if self.seen.len() <= lit.vidx() {
                self.seen.resize(lit.vidx() + 1, false);
                self.marked.resize(2 * self.seen.len(), false);
            }
            self.seen[lit.vidx()] = true;
        }
    }

    /// Stores `lits` as assumptions, each once, in the order given.
    fn set_assumptions(&mut self, lits: &[Lit]) {
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

/// Checks a budget at intervals of `POLL`.
pub struct BudgetPoll {
    budget: Budget,
    next: Instant,
}

impl BudgetPoll {
    /// Checks at once.
    pub fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), next: Instant::now() }
    }

    /// Why the budget is exhausted, if it was found to be now.
    pub fn exhausted(&mut self) -> Option<Exhausted> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + POLL;
        self.budget.exhausted()
    }
}
