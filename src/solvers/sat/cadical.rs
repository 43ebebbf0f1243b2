//! CaDiCaL.

use std::sync::OnceLock;

use super::budgeted::Interruptible;
use super::{Lit, Var};
use cladist_cadical::{Configuration, Outcome, Solver, SolverOption};

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

    fn convert(&mut self, lits: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend(lits.iter().map(|lit| lit.to_ipasir()));
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

impl Interruptible for Cadical {
    fn name(&self) -> &'static str {
        signature()
    }

    fn set_terminator(&mut self, ends: impl FnMut() -> bool + 'static) {
        self.solver.set_terminator(ends);
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.convert(clause);
        self.solver.add_clause(&self.buffer);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Option<bool> {
        self.convert(assumptions);
        match self.solver.solve(&self.buffer) {
            Outcome::Satisfiable => Some(true),
            Outcome::Unsatisfiable => Some(false),
            Outcome::Unknown => None,
        }
    }

    fn is_true(&self, variable: Var) -> bool {
        self.solver.value(variable.to_ipasir()) == Some(true)
    }

    fn core(&self) -> Vec<Lit> {
        let failed = self.solver.core().unwrap_or_default();
        failed.into_iter().map(|literal| Lit::from_ipasir(literal).expect("an assumption")).collect()
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.limit_conflicts(most);
    }
}
