//! CaDiCaL behind rustsat's traits.
//!
//! The crate `rustsat-cadical` needs libclang at build time; the crate `cadical-sys` needs a C++ compiler
//! only. It panics if values or cores are requested in the wrong state, so the state is tracked and checked here.

use std::cell::RefCell;
use std::sync::OnceLock;

use cadical_sys::{CaDiCal, Status, Terminator};
use rustsat::solvers::{
    ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, SolverState, StateError, Terminate,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

/// The CaDiCaL solver.
pub struct Cadical {
    /// To read a value takes a mutable reference.
    solver: RefCell<CaDiCal>,
    state: SolverState,
    /// The assumptions of the last call, from which its core is read.
    assumptions: Vec<Lit>,
    /// The most conflicts of a call, if they are limited.
    most_conflicts: Option<i32>,
    /// Scratch space for converted literals.
    buffer: Vec<i32>,
}

/// The termination callback, in the form that the crate expects.
pub(super) struct Ask<F>(pub F);

impl<F: FnMut() -> ControlSignal> Terminator for Ask<F> {
    fn terminated(&mut self) -> bool {
        (self.0)() == ControlSignal::Terminate
    }
}

impl Cadical {
    /// An empty solver.
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        // What is asked are many short questions, each much like the last one: to go on where that ended takes less time than to
        // guess assignments first, and gates are shared before they become clauses, so that there is little to find by congruence
        // closure and sweeping. The first 1,000 conflicts are within the reach of most questions, and what they taught is kept. New clauses
        // come with most questions, so that it pays to eliminate variables twice as often as usual.
        let options = [
            ("lucky", 0),
            ("ilb", 1),
            ("congruence", 0),
            ("sweep", 0),
            ("reduceinit", 1000),
            ("elimint", 1000),
        ];
        let known = options.into_iter().all(|(name, value)| solver.set(name, value));
        assert!(known, "CaDiCaL has these options");
        Self {
            solver: RefCell::new(solver),
            state: SolverState::Configuring,
            assumptions: Vec::new(),
            most_conflicts: None,
            buffer: Vec::new(),
        }
    }

    /// An empty solver that does not simplify clauses between calls, and assumes what it is asked about in the order given, so that
    /// its cores have what comes first rather than what comes later. To keep the trail between calls (`ilb`), it would sort it.
    pub fn plain() -> Self {
        let mut new = Self::new();
        let solver = new.solver.get_mut();
        assert!(solver.configure("plain") && solver.set("ilb", 0), "CaDiCaL has this configuration");
        new
    }

    fn require(&self, required_state: SolverState) -> Result<(), StateError> {
        if self.state == required_state {
            Ok(())
        } else {
            Err(StateError { required_state, actual_state: self.state })
        }
    }

    fn add(&mut self, clause: &Cl) {
        self.state = SolverState::Input;
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|lit| lit.to_ipasir()));
        self.solver.get_mut().clause6(&self.buffer);
    }
}

/// Name and version of CaDiCaL, for reports.
pub(super) fn signature() -> &'static str {
    static SIGNATURE: OnceLock<String> = OnceLock::new();
    SIGNATURE.get_or_init(|| CaDiCal::signature().replace('-', " "))
}

impl Solve for Cadical {
    fn signature(&self) -> &'static str {
        signature()
    }

    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.state = SolverState::Input;
        self.solver.get_mut().resize(max_var.to_ipasir());
        Ok(())
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        self.require(SolverState::Sat)?;
        Ok(TernaryVal::from(self.solver.borrow_mut().val(lit.to_ipasir()) > 0))
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.add(clause.as_ref());
        Ok(())
    }
}

impl SolveIncremental for Cadical {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumps);
        let solver = self.solver.get_mut();
        if let Some(most) = self.most_conflicts {
            // It is good for one call.
            assert!(solver.limit("conflicts", most), "CaDiCaL has this limit");
        }
        assumps.iter().for_each(|lit| solver.assume(lit.to_ipasir()));
        let (state, result) = match solver.solve() {
            Status::SATISFIABLE => (SolverState::Sat, SolverResult::Sat),
            Status::UNSATISFIABLE => (SolverState::Unsat, SolverResult::Unsat),
            Status::UNKNOWN => (SolverState::Unknown, SolverResult::Interrupted),
        };
        self.state = state;
        Ok(result)
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        self.require(SolverState::Unsat)?;
        let solver = self.solver.get_mut();
        let failed = self.assumptions.iter().filter(|lit| solver.failed(lit.to_ipasir()));
        Ok(failed.map(|&lit| !lit).collect())
    }
}

impl Terminate<'static> for Cadical {
    fn attach_terminator<CB: FnMut() -> ControlSignal + 'static>(&mut self, cb: CB) {
        self.solver.get_mut().connect_terminator(Ask(cb));
    }

    fn detach_terminator(&mut self) {
        self.solver.get_mut().disconnect_terminator();
    }
}

impl LimitConflicts for Cadical {
    fn limit_conflicts(&mut self, limit: Option<u32>) -> anyhow::Result<()> {
        self.most_conflicts = limit.map(|most| i32::try_from(most).unwrap_or(i32::MAX));
        Ok(())
    }
}

impl Extend<Clause> for Cadical {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add(clause.as_ref()));
    }
}

impl<'a> Extend<&'a Clause> for Cadical {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add(clause.as_ref()));
    }
}
