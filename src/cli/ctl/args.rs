//! The arguments of `cladist ctl`.

use crate::cli::args::Solver;
use crate::cli::lts::{ResultArgs, StrictArgs, SystemArgs};
use crate::cli::values::parse_count;
use cladist::ctl::Wanted;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `ctl`.
#[derive(Debug, Args)]
pub struct CtlArgs {
    /// The system.
    #[command(flatten)]
    pub input: SystemArgs,
    /// The treatment of unknown labels.
    #[command(flatten)]
    pub strict: StrictArgs,
    /// The formula; if neither it nor -p is given, the first ctl property of the model
    #[arg(value_name = "FORMULA", conflicts_with = "property")]
    pub formula: Option<String>,
    /// A property of the model, ctl or invariant; of an invariant, the fairness of the model is left out
    #[arg(short, long, value_name = "PROP", help_heading = "Formula")]
    pub property: Option<String>,
    /// Consider only paths that meet this infinitely often, or are fair to an action `a` or `a(p)`, in addition to the fairness of
    /// the model (repeatable)
    #[arg(long, value_name = "WHAT", help_heading = "Formula")]
    pub fair: Vec<String>,
    /// And only those that take an action infinitely often if it is possible infinitely often: `a`, or `a(p)` for each value of p
    #[arg(long, value_name = "ACTION", help_heading = "Formula")]
    pub strongly_fair: Vec<String>,
    /// Ignore the fairness conditions of the model
    #[arg(long, help_heading = "Formula")]
    pub ignore_fairness: bool,
    /// Examine only connected parts of up to N states; the result says what follows from that
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = "Search")]
    pub scope: Option<usize>,
    /// Show a path or nothing, however long it is; if not given, a smallest subgraph where no short path does
    #[arg(long, conflicts_with = "subgraph", help_heading = "Search")]
    pub path: bool,
    /// Show a smallest subgraph, also where a path would do
    #[arg(long, help_heading = "Search")]
    pub subgraph: bool,
    /// SAT solver
    #[arg(long, value_enum, default_value_t = Solver::Cadical, env = "CLADIST_SOLVER", help_heading = "Search")]
    pub solver: Solver,
    /// Draw what is shown for Graphviz: states with what holds there, steps with what they are for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub dot: Option<PathBuf>,
    /// The form of the result.
    #[command(flatten)]
    pub output: ResultArgs,
}

impl CtlArgs {
    /// Returns the formula as typed, on one line.
    pub fn given(&self) -> Option<String> {
        self.formula.as_deref().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the requested form of evidence.
    pub fn wanted(&self) -> Wanted {
        match (self.path, self.subgraph) {
            (true, _) => Wanted::Path,
            (_, true) => Wanted::Subgraph,
            _ => Wanted::PathOrSubgraph,
        }
    }
}
