//! CaDiCaL behind rustsat's traits.
//!
//! The crate `rustsat-cadical` needs libclang at build time; the crate `cadical` needs a C++ compiler
//! only. CaDiCaL aborts the process if values or cores are requested in the wrong state, so the state
//! is tracked and checked here.

use std::sync::OnceLock;

use rustsat::solvers::{
    ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, SolverState, StateError, Terminate,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

/// The CaDiCaL solver.
pub struct Cadical<'term> {
    solver: ::cadical::Solver<Terminator<'term>>,
    state: SolverState,
    /// The assumptions of the last call, from which its core is read.
    assumptions: Vec<Lit>,
    /// The most conflicts of a call, if they are limited.
    most_conflicts: Option<i32>,
}

/// The termination callback, in the form that the crate expects.
struct Terminator<'term>(Box<dyn FnMut() -> ControlSignal + 'term>);

impl ::cadical::Callbacks for Terminator<'_> {
    fn terminate(&mut self) -> bool {
        (self.0)() == ControlSignal::Terminate
    }
}

impl Cadical<'_> {
    /// An empty solver.
    pub fn new() -> Self {
        Self {
            solver: ::cadical::Solver::new(),
            state: SolverState::Configuring,
            assumptions: Vec::new(),
            most_conflicts: None,
        }
    }

    /// An empty solver that does not simplify clauses between calls.
    pub fn plain() -> Self {
        let solver = ::cadical::Solver::with_config("plain").expect("CaDiCaL has this configuration");
        Self { solver, ..Self::new() }
    }

    fn require(&self, required_state: SolverState) -> Result<(), StateError> {
        if self.state == required_state {
            Ok(())
        } else {
            Err(StateError { required_state, actual_state: self.state })
        }
    }
}

impl Solve for Cadical<'_> {
    fn signature(&self) -> &'static str {
        static SIGNATURE: OnceLock<String> = OnceLock::new();
        SIGNATURE.get_or_init(|| self.solver.signature().replace('-', " "))
    }

    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.state = SolverState::Input;
        self.solver.reserve(max_var.to_ipasir());
        Ok(())
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        self.require(SolverState::Sat)?;
        Ok(match self.solver.value(lit.to_ipasir()) {
            Some(true) => TernaryVal::True,
            Some(false) => TernaryVal::False,
            None => TernaryVal::DontCare,
        })
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.state = SolverState::Input;
        self.solver.add_clause(clause.as_ref().iter().map(|lit| lit.to_ipasir()));
        Ok(())
    }
}

impl SolveIncremental for Cadical<'_> {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumps);
        if let Some(most) = self.most_conflicts {
            // It is good for one call.
            self.solver.set_limit("conflicts", most).expect("CaDiCaL has this limit");
        }
        let answer = self.solver.solve_with(assumps.iter().map(|lit| lit.to_ipasir()));
        let (state, result) = match answer {
            Some(true) => (SolverState::Sat, SolverResult::Sat),
            Some(false) => (SolverState::Unsat, SolverResult::Unsat),
            None => (SolverState::Unknown, SolverResult::Interrupted),
        };
        self.state = state;
        Ok(result)
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        self.require(SolverState::Unsat)?;
        let failed = self.assumptions.iter().filter(|lit| self.solver.failed(lit.to_ipasir()));
        Ok(failed.map(|&lit| !lit).collect())
    }
}

impl<'term> Terminate<'term> for Cadical<'term> {
    fn attach_terminator<CB: FnMut() -> ControlSignal + 'term>(&mut self, cb: CB) {
        self.solver.set_callbacks(Some(Terminator(Box::new(cb))));
    }

    fn detach_terminator(&mut self) {
        self.solver.set_callbacks(None);
    }
}

impl LimitConflicts for Cadical<'_> {
    fn limit_conflicts(&mut self, limit: Option<u32>) -> anyhow::Result<()> {
        self.most_conflicts = limit.map(|most| i32::try_from(most).unwrap_or(i32::MAX));
        Ok(())
    }
}

impl Extend<Clause> for Cadical<'_> {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.solver.add_clause(clause.iter().map(|lit| lit.to_ipasir()));
            self.state = SolverState::Input;
        }
    }
}

impl<'a> Extend<&'a Clause> for Cadical<'_> {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        self.extend(clauses.into_iter().cloned());
    }
}
