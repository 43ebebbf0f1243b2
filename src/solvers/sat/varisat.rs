//! varisat.
//!
//! Three things in varisat 0.2.2 need care:
//!
//! * Its interface offers no interruption. But it can write a proof, and gives up if the proof cannot be
//!   written. So the proof goes to a writer that discards it, calls the termination callback whenever
//!   varisat's buffer of 8 KiB is full, and fails once told to terminate. Such an error is final: the solver
//!   gives no answer from then on. Writing the proof costs 5 to 20 % of the time.
//! * After a call under assumptions, its `solve` repeats the old answer even if clauses were added
//!   since. Setting the assumptions again before every call avoids this.
//! * When an assumption is false by the clauses alone, its core analysis leaves the variable
//!   marked. varisat later reuses its internal variables for others of ours, and core analysis stops too
//!   early at a marked one: the core lacks assumptions. (Clause x1; assume not x1; clause x5; solve;
//!   clause x7 or x3; assume x3, not x3: the core is one literal.) A variable is never reused if it was once
//!   dropped from the assumptions because it was true already. So a literal refuted in this way is never
//!   passed on again but answered here, and its negation is assumed once in the next call.

use super::budgeted::Interruptible;
use super::{Lit, Var};
use kit::number::to_u32;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use ::varisat::{ExtendFormula, ProofFormat};
use rustc_hash::FxHashSet;

/// Name and version, for reports.
pub const SIGNATURE: &str = "varisat 0.2.2";

/// The varisat solver.
pub struct Varisat {
    solver: ::varisat::Solver<'static>,
    terminator: Rc<RefCell<Option<Terminator>>>,
    /// True if varisat gave up permanently; it must not be called any more.
    spent: bool,
    /// The assignment after a satisfiable call, by variable.
    model: Vec<bool>,
    /// The core of the last unsatisfiable call.
    core: Vec<Lit>,
    /// Literals implied by the clauses alone, known from cores of one literal.
    known: FxHashSet<Lit>,
    /// The latest of them, if it has not been assumed yet.
    unsettled: Option<Lit>,
    /// Scratch space for converted literals.
    buffer: Vec<::varisat::Lit>,
}

type Terminator = Box<dyn FnMut() -> bool>;

/// Discards a proof; fails once the callback requests termination.
struct ProofSink(Rc<RefCell<Option<Terminator>>>);

impl io::Write for ProofSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.borrow_mut().as_mut().is_some_and(|ends| ends()) {
            true => Err(io::Error::other("terminated")),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Varisat {
    /// An empty solver.
    pub fn new() -> Self {
        let terminator = Rc::default();
        let mut solver = ::varisat::Solver::new();
        solver.write_proof(ProofSink(Rc::clone(&terminator)), ProofFormat::Varisat);
        Self {
            solver,
            terminator,
            spent: false,
            model: Vec::new(),
            core: Vec::new(),
            known: FxHashSet::default(),
            unsettled: None,
            buffer: Vec::new(),
        }
    }

    /// An empty solver whose proofs are checked by varisat's checker, which panics if one is wrong.
    pub fn checking_proofs() -> Self {
        let mut new = Self::new();
        new.solver.enable_self_checking();
        new
    }

    fn remember_core(&mut self) {
        let failed = self.solver.failed_core().unwrap_or_default();
        self.core.extend(failed.iter().map(from_varisat));
        if let [only] = self.core[..] {
            self.known.insert(!only);
            self.unsettled = Some(!only);
        }
    }

    fn remember_model(&mut self) {
        self.model.clear();
        for lit in self.solver.model().unwrap_or_default() {
            if self.model.len() <= lit.index() {
                self.model.resize(lit.index() + 1, false);
            }
            self.model[lit.index()] = lit.is_positive();
        }
    }
}

impl Interruptible for Varisat {
    fn name(&self) -> &'static str {
        SIGNATURE
    }

    fn set_terminator(&mut self, ends: impl FnMut() -> bool + 'static) {
        *self.terminator.borrow_mut() = Some(Box::new(ends));
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(to_varisat));
        self.solver.add_clause(&self.buffer);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Option<bool> {
        if self.spent {
            return None;
        }
        self.core.clear();
        if let Some(&refuted) = assumptions.iter().find(|&&lit| self.known.contains(&!lit)) {
            self.core.push(refuted);
            return Some(false);
        }
        self.buffer.clear();
        self.buffer.extend(self.unsettled.take().iter().map(to_varisat));
        self.buffer.extend(assumptions.iter().filter(|lit| !self.known.contains(lit)).map(to_varisat));
        self.solver.assume(&self.buffer);
        let answer = self.solver.solve().ok();
        match answer {
            Some(true) => self.remember_model(),
            Some(false) => self.remember_core(),
            None => self.spent = true,
        }
        answer
    }

    fn is_true(&self, variable: Var) -> bool {
        self.model.get(variable.idx()) == Some(&true)
    }

    fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }
}

fn to_varisat(lit: &Lit) -> ::varisat::Lit {
    ::varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn from_varisat(lit: &::varisat::Lit) -> Lit {
    // Indices come from our literals, so they fit.
    Lit::new(to_u32(lit.index()), lit.is_negative())
}
