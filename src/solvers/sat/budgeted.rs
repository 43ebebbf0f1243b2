//! A [`SatSolver`] of any solver that can be interrupted: adds budgets and unifies corner cases in which solvers differ.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{Answer, Lit, SatSolver, Var};
use kit::budget::{Budget, Exhausted};

/// The interval between checks of the budget during a call. Solvers call back every few microseconds, and
/// checking a memory limit costs a system call.
const POLL: Duration = Duration::from_millis(2);

/// An incremental solver whose calls can be interrupted.
pub trait Interruptible {
    /// Name and version, for reports.
    fn name(&self) -> &'static str;
    /// Sets the function that is called again and again during calls, and returns true to end them.
    fn set_terminator(&mut self, ends: impl FnMut() -> bool + 'static);
    /// Adds a clause permanently.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Decides the clauses under assumptions, each of which is given once; `None` if the call was ended.
    fn solve(&mut self, assumptions: &[Lit]) -> Option<bool>;
    /// After a satisfiable call: true if a variable that was mentioned is true.
    fn is_true(&self, variable: Var) -> bool;
    /// After an unsatisfiable call: assumptions that cannot hold together.
    fn core(&self) -> Vec<Lit>;
    /// Limits each later call to this many conflicts, if the solver counts them.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}
}

/// A solver that stops when its budget is exhausted.
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

impl<S: Interruptible> Budgeted<S> {
    /// Limits `solver`, which must be empty, by `budget`.
    pub fn new(mut solver: S, budget: &Budget) -> Self {
        let stopped = Rc::new(Cell::new(None));
        let reason = Rc::clone(&stopped);
        let mut pace = BudgetPoll::new(budget);
        solver.set_terminator(move || {
            let why = pace.exhausted();
            if why.is_some() {
                reason.set(why);
            }
            why.is_some()
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

impl<S: Interruptible> SatSolver for Budgeted<S> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.mark_seen(clause);
        self.answer = None;
        self.solver.add_clause(clause);
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
        self.solver.limit_conflicts(most);
    }

    fn value(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "a value was read, but there is no assignment");
        let is_seen = self.seen.get(lit.vidx()) == Some(&true);
        (is_seen && self.solver.is_true(lit.var())) == lit.is_pos()
    }

    fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }
}

impl<S: Interruptible> Budgeted<S> {
    fn call(&mut self, assumptions: &[Lit]) -> Answer {
        self.set_assumptions(assumptions);
        match self.solver.solve(&self.assumptions) {
            Some(true) => Answer::Sat,
            Some(false) => {
                self.store_core();
                Answer::Unsat
            }
            // A solver that has given up permanently does not call back: the first reason remains.
            None => Answer::Unknown(self.stopped.get().unwrap_or(Exhausted::Interrupt)),
        }
    }

    /// Stores the assumptions in the solver's core, in the order given.
    fn store_core(&mut self) {
        let blamed = self.solver.core();
        blamed.iter().for_each(|lit| self.marked[lit.lidx()] = true);
        self.core.extend(self.assumptions.iter().filter(|lit| self.marked[lit.lidx()]));
        blamed.iter().for_each(|lit| self.marked[lit.lidx()] = false);
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
