//! Safe bindings for the SAT solver CaDiCaL 3: clauses added and decided bit by bit, under assumptions, with a limit of
//! conflicts, a terminator and a proof.
//!
//! Variables are numbered from 1 and need not be declared. A literal is the number of a variable, or its negation.
//!
//! ```
//! # extern crate cladist_cadical_cpp as _;
//! use cladist_cadical::{Outcome, Solver};
//!
//! let mut solver = Solver::new();
//! solver.add_clause(&[1, 2]);
//! assert_eq!(solver.solve(&[-1]), Outcome::Satisfiable);
//! assert_eq!(solver.value(2), Some(true));
//! assert_eq!(solver.solve(&[3, -1, -2]), Outcome::Unsatisfiable);
//! assert_eq!(solver.core(), Some(vec![-1, -2]));
//! ```
//!
//! The solver itself, in C++, is in the crate `cladist-cadical-cpp`, which the program as a whole has to name.

mod callbacks;
mod configuration;
mod ffi;

pub use callbacks::ProofStep;
pub use configuration::{Configuration, SolverOption};

use callbacks::Callbacks;
use std::ffi::CStr;

/// The greatest number of a variable: CaDiCaL doubles it in 32 bits, and adds 2.
pub const MAX_VARIABLE: i32 = (1 << 30) - 2;

/// Name and version of the solver, `cadical-3.0.1`.
pub fn signature() -> &'static str {
    // SAFETY: the function takes nothing, and has no conditions.
    let signature = unsafe { ffi::cladist_cadical_signature() };
    // SAFETY: it is a constant that ends with a zero.
    let signature = unsafe { CStr::from_ptr(signature) };
    signature.to_str().expect("CaDiCaL has a name in ASCII")
}

/// The answer of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An assignment: [`Solver::value`] gives its values.
    Satisfiable,
    /// None under the assumptions: [`Solver::core`] gives those to blame.
    Unsatisfiable,
    /// Nothing, because of the limit or the terminator.
    Unknown,
}

/// An incremental SAT solver.
pub struct Solver {
    /// Of this solver alone, and live.
    handle: *mut ffi::Handle,
    /// Of this solver alone. The solver refers to them while it runs; nothing else does then.
    callbacks: *mut Callbacks,
    /// The answer of the last call, if nothing was added since.
    outcome: Option<Outcome>,
    /// The assumptions of the last call.
    assumptions: Vec<i32>,
    /// The most conflicts of a call.
    most_conflicts: Option<i32>,
}

impl Solver {
    /// A solver without clauses.
    pub fn new() -> Self {
        let callbacks = Box::into_raw(Box::default());
        // SAFETY: the function takes nothing, and has no conditions.
        let handle = unsafe { ffi::cladist_cadical_new() };
        Self { handle, callbacks, outcome: None, assumptions: Vec::new(), most_conflicts: None }
    }

    /// Adds a clause for good.
    ///
    /// # Panics
    /// If a number is no literal: 0, or that of a variable beyond [`MAX_VARIABLE`].
    pub fn add_clause(&mut self, literals: &[i32]) {
        literals.iter().for_each(|&literal| require_literal(literal));
        self.outcome = None;
        // SAFETY: these are so many literals.
        unsafe { ffi::cladist_cadical_add_clause(self.handle, literals.as_ptr(), literals.len()) };
        self.callbacks().resume_panic();
    }

    /// Decides the clauses added so far under assumptions.
    ///
    /// # Panics
    /// As [`add_clause`](Self::add_clause), and if a closure panicked that was called back.
    pub fn solve(&mut self, assumptions: &[i32]) -> Outcome {
        assumptions.iter().for_each(|&literal| require_literal(literal));
        self.outcome = None;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        if let Some(most) = self.most_conflicts {
            // It is good for one call.
            // SAFETY: the name ends with a zero.
            let known = unsafe { ffi::cladist_cadical_limit(self.handle, c"conflicts".as_ptr(), most) };
            assert!(known, "CaDiCaL has this limit");
        }
        for &literal in assumptions {
            // SAFETY: it is a literal.
            unsafe { ffi::cladist_cadical_assume(self.handle, literal) };
        }
        // SAFETY: all clauses are complete. What is called back are the callbacks, which nobody refers to now.
        let outcome = match unsafe { ffi::cladist_cadical_solve(self.handle) } {
            10 => Outcome::Satisfiable,
            20 => Outcome::Unsatisfiable,
            _ => Outcome::Unknown,
        };
        self.callbacks().resume_panic();
        self.outcome = Some(outcome);
        outcome
    }

    /// The answer of the last call of [`solve`](Self::solve); `None` before the first one, and if clauses were added since.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The truth of a literal; `None` unless the last outcome is [`Outcome::Satisfiable`]. Any value will do for variables that no
    /// clause has.
    ///
    /// # Panics
    /// If the number is no literal.
    pub fn value(&self, literal: i32) -> Option<bool> {
        require_literal(literal);
        (self.outcome == Some(Outcome::Satisfiable)).then(|| {
            // SAFETY: it is a literal, and there is an assignment. Whatever changes inside the solver is not visible elsewhere.
            let holding = unsafe { ffi::cladist_cadical_value(self.handle, literal) };
            holding == literal
        })
    }

    /// Those assumptions of the last call, in their order, that contradict the clauses; `None` unless its outcome is
    /// [`Outcome::Unsatisfiable`].
    pub fn core(&self) -> Option<Vec<i32>> {
        (self.outcome == Some(Outcome::Unsatisfiable)).then(|| {
            let failed = |&&literal: &&i32| {
                // SAFETY: it is an assumption of the last call, which has refuted them.
                unsafe { ffi::cladist_cadical_failed(self.handle, literal) }
            };
            self.assumptions.iter().filter(failed).copied().collect()
        })
    }

    /// Ends each later call after so many conflicts; `None` removes the limit.
    pub fn limit_conflicts(&mut self, most: Option<u32>) {
        self.most_conflicts = most.map(|most| i32::try_from(most).unwrap_or(i32::MAX));
    }

    /// Ends later calls when a closure says so, which is called every few decisions. It replaces the one before it.
    pub fn set_terminator(&mut self, terminator: impl FnMut() -> bool + 'static) {
        self.callbacks().terminator = Some(Box::new(terminator));
        let data = self.callbacks.cast();
        // SAFETY: the callbacks live as long as the solver.
        unsafe { ffi::cladist_cadical_connect_terminator(self.handle, callbacks::terminate, data) };
    }

    /// Drops the terminator.
    pub fn remove_terminator(&mut self) {
        // SAFETY: the handle is live.
        unsafe { ffi::cladist_cadical_disconnect_terminator(self.handle) };
        self.callbacks().terminator = None;
    }

    /// The closures, while the solver does not run.
    fn callbacks(&mut self) -> &mut Callbacks {
        // SAFETY: they are of this solver alone, which nobody else has while it is borrowed.
        unsafe { &mut *self.callbacks }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: nothing uses the solver after that.
        unsafe { ffi::cladist_cadical_delete(self.handle) };
        // SAFETY: the address is that of a box, and the solver does not refer to it any more.
        drop(unsafe { Box::from_raw(self.callbacks) });
    }
}

fn require_literal(number: i32) {
    let variable = number.unsigned_abs();
    assert!((1..=MAX_VARIABLE.unsigned_abs()).contains(&variable), "{number} is no literal");
}
