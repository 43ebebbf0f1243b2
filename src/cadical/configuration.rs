//! Settings that are made before the first clause.

use crate::callbacks::{ProofStep, TRACER};
use crate::{Solver, ffi};
use std::ffi::CStr;

/// An option of CaDiCaL. None makes variables of its own, which would take the numbers of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolverOption {
    /// `congruence`: congruence closure of gates, 0 or 1.
    Congruence,
    /// `elimint`: conflicts between eliminations of variables, from 1.
    EliminationInterval,
    /// `ilb`: what of the trail the next call keeps; 0: nothing, 1: assumptions, 2: all of it.
    KeptTrail,
    /// `lucky`: simple assignments are tried first, 0 or 1.
    Lucky,
    /// `reduceinit`: conflicts before learnt clauses are deleted for the first time, from 0.
    FirstReduction,
    /// `sweep`: equivalent literals found by small SAT problems, 0 or 1.
    Sweeping,
}

impl SolverOption {
    fn name(self) -> &'static CStr {
        match self {
            SolverOption::Congruence => c"congruence",
            SolverOption::EliminationInterval => c"elimint",
            SolverOption::KeptTrail => c"ilb",
            SolverOption::Lucky => c"lucky",
            SolverOption::FirstReduction => c"reduceinit",
            SolverOption::Sweeping => c"sweep",
        }
    }
}

/// A solver to which no clause was added, so that it can be configured.
#[derive(Default)]
pub struct Configuration(Solver);

impl Configuration {
    /// The options that CaDiCaL has by itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// With this value of an option, or the nearest one in its range.
    #[must_use]
    pub fn set(self, option: SolverOption, value: i32) -> Self {
        // SAFETY: the name ends with a zero, and there are no clauses.
        let known = unsafe { ffi::cladist_cadical_set(self.0.handle, option.name().as_ptr(), value) };
        assert!(known, "CaDiCaL has the option {option:?}");
        self
    }

    /// Without simplification of clauses before and between searches (`plain`).
    #[must_use]
    pub fn plain(self) -> Self {
        // SAFETY: the name ends with a zero, and there are no clauses.
        let known = unsafe { ffi::cladist_cadical_configure(self.0.handle, c"plain".as_ptr()) };
        assert!(known, "CaDiCaL has this configuration");
        self
    }

    /// With a proof, whose steps have all that LRAT needs.
    #[must_use]
    pub fn trace_proof(mut self, tracer: impl FnMut(ProofStep<'_>) + 'static) -> Self {
        let first = self.0.callbacks().tracer.replace(Box::new(tracer)).is_none();
        if first {
            let data = self.0.callbacks.cast();
            // SAFETY: there are no clauses, no other tracer, and the callbacks live as long as the solver.
            unsafe { ffi::cladist_cadical_connect_tracer(self.0.handle, TRACER, data) };
        }
        self
    }

    /// The solver.
    pub fn start(self) -> Solver {
        self.0
    }
}
