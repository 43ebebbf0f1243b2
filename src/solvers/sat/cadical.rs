//! CaDiCaL behind rustsat's traits.

use std::sync::OnceLock;

use cladist_cadical::{Configuration, Outcome, Solver, SolverOption};
use rustsat::solvers::{
    ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, SolverState, StateError, Terminate,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal};

/// The CaDiCaL solver.
pub struct Cadical {
    solver: Solver,
    /// Scratch space for converted literals.
    buffer: Vec<i32>,
}

impl Cadical {
    /// An empty solver.
    pub fn incremental() -> Self {
        Self { solver: configuration().start(), buffer: Vec::new() }
    }

    /// An empty solver that does not simplify clauses between calls, and assumes what it is asked about in the order given, so that
    /// its cores have what comes first rather than what comes later. To keep the trail between calls, it would sort it.
    pub fn plain() -> Self {
        Self { solver: configuration().plain().set(SolverOption::KeptTrail, 0).start(), buffer: Vec::new() }
    }

    fn state(&self) -> SolverState {
        match self.solver.outcome() {
            None => SolverState::Input,
            Some(Outcome::Satisfiable) => SolverState::Sat,
            Some(Outcome::Unsatisfiable) => SolverState::Unsat,
            Some(Outcome::Unknown) => SolverState::Unknown,
        }
    }

    /// The error of what needs another state.
    fn requires(&self, required_state: SolverState) -> StateError {
        StateError { required_state, actual_state: self.state() }
    }

    fn convert<'a>(&mut self, lits: impl IntoIterator<Item = &'a Lit>) {
        self.buffer.clear();
        self.buffer.extend(lits.into_iter().map(|lit| lit.to_ipasir()));
    }

    fn add(&mut self, clause: &Cl) {
        self.convert(clause);
        self.solver.add_clause(&self.buffer);
    }
}

/// Options for many short questions, each much like the last one: to go on where that ended takes less time than to guess assignments
/// first, and gates are shared before they become clauses, so that there is little to find by congruence closure and sweeping. The
/// first 1,000 conflicts are within the reach of most questions, and what they taught is kept. New clauses come with most questions, so
/// that it pays to eliminate variables twice as often as usual.
fn configuration() -> Configuration {
    Configuration::new()
        .set(SolverOption::Lucky, 0)
        .set(SolverOption::KeptTrail, 1)
        .set(SolverOption::Congruence, 0)
        .set(SolverOption::Sweeping, 0)
        .set(SolverOption::FirstReduction, 1000)
        .set(SolverOption::EliminationInterval, 1000)
}

/// Name and version of CaDiCaL, for reports.
pub fn signature() -> &'static str {
    static SIGNATURE: OnceLock<String> = OnceLock::new();
    SIGNATURE.get_or_init(|| cladist_cadical::signature().replace('-', " "))
}

impl Solve for Cadical {
    fn signature(&self) -> &'static str {
        signature()
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        let value = self.solver.value(lit.to_ipasir()).ok_or_else(|| self.requires(SolverState::Sat))?;
        Ok(TernaryVal::from(value))
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.add(clause.as_ref());
        Ok(())
    }
}

impl SolveIncremental for Cadical {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.convert(assumps);
        Ok(match self.solver.solve(&self.buffer) {
            Outcome::Satisfiable => SolverResult::Sat,
            Outcome::Unsatisfiable => SolverResult::Unsat,
            Outcome::Unknown => SolverResult::Interrupted,
        })
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        let failed = self.solver.core().ok_or_else(|| self.requires(SolverState::Unsat))?;
        Ok(failed.into_iter().map(|literal| Lit::from_ipasir(-literal)).collect::<Result<_, _>>()?)
    }
}

impl Terminate<'static> for Cadical {
    fn attach_terminator<CB: FnMut() -> ControlSignal + 'static>(&mut self, mut cb: CB) {
        self.solver.set_terminator(move || cb() == ControlSignal::Terminate);
    }

    fn detach_terminator(&mut self) {
        self.solver.remove_terminator();
    }
}

impl LimitConflicts for Cadical {
    fn limit_conflicts(&mut self, limit: Option<u32>) -> anyhow::Result<()> {
        self.solver.limit_conflicts(limit);
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
