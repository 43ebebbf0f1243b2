//! The choice of a SAT solver.

use std::fmt;
use std::str::FromStr;

use super::SatSolver;
use super::budgeted::Budgeted;
use super::cadical::{self, Cadical};
use super::shuffled::Shuffled;
use super::varisat::{self, Varisat};
use kit::budget::Budget;

/// A SAT solver. Displayed as on the command line: `cadical`, `varisat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// CaDiCaL, in C++; the faster one on all of `benches/sat_backends.rs`.
    #[default]
    Cadical,
    /// varisat, in Rust: an independent second opinion. Once its budget was exhausted during a call, it gives no
    /// more answers, see [`Backend::start`].
    Varisat,
}

impl Backend {
    /// Every back end, the default first.
    pub fn all() -> &'static [Backend] {
        &[Backend::Cadical, Backend::Varisat]
    }

    /// A new, empty solver that stops when `budget` is exhausted, even in the middle of a call.
    ///
    /// CaDiCaL checks the budget every few decisions and can continue afterwards if the interrupt flag is
    /// cleared. varisat has no such hook; it is stopped by refusing its proof output, so the budget is checked
    /// after every few kilobytes of learnt clauses, and all later answers are
    /// [`Answer::Unknown`](super::Answer::Unknown).
    pub fn start(self, budget: &Budget) -> Box<dyn SatSolver> {
        match self {
            Backend::Cadical => Box::new(Budgeted::new(Cadical::incremental(), budget)),
            Backend::Varisat => Box::new(Budgeted::new(Varisat::new(), budget)),
        }
    }

    /// Starts a solver for a large number of short queries: CaDiCaL does not simplify clauses in between, which would take
    /// longer than such queries do.
    pub fn start_for_many_queries(self, budget: &Budget) -> Box<dyn SatSolver> {
        match self {
            Backend::Cadical => Box::new(Budgeted::new(Cadical::plain(), budget)),
            Backend::Varisat => self.start(budget),
        }
    }

    /// Starts a solver with a proof of each unsatisfiable answer that is checked at once, if the solver can do that: varisat can.
    pub fn start_checking_proofs(self, budget: &Budget) -> Box<dyn SatSolver> {
        match self {
            Backend::Cadical => self.start(budget),
            Backend::Varisat => Box::new(Budgeted::new(Varisat::checking_proofs(), budget)),
        }
    }

    /// Name and version, for reports.
    pub fn signature(self) -> &'static str {
        match self {
            Backend::Cadical => cadical::signature(),
            Backend::Varisat => varisat::SIGNATURE,
        }
    }

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Cadical => "cadical",
            Backend::Varisat => "varisat",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        let found = Backend::all().iter().find(|backend| backend.as_str() == name);
        found.copied().ok_or_else(|| UnknownBackend(name.to_owned()))
    }
}

/// A back end with its search order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The solver that is used.
    pub backend: Backend,
    /// The random seed of the order; 0 keeps the order in which variables and clauses are added.
    pub seed: u64,
}

impl Setup {
    /// A new, empty solver that stops when `budget` is exhausted, as with [`Backend::start`].
    pub fn start(self, budget: &Budget) -> Box<dyn SatSolver> {
        match self.seed {
            0 => self.backend.start(budget),
            seed => Box::new(Shuffled::new(self.backend.start(budget), seed)),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seed {
            0 => self.backend.fmt(f),
            seed => write!(f, "{}, seed {seed}", self.backend),
        }
    }
}

impl From<Backend> for Setup {
    fn from(backend: Backend) -> Self {
        Self { backend, seed: 0 }
    }
}

/// The error for an unknown solver, with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownBackend(pub String);

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown solver `{}`; choose one of", self.0)?;
        for (index, backend) in Backend::all().iter().enumerate() {
            write!(f, "{} `{backend}`", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownBackend {}
