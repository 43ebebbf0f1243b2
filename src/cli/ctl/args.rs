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
    /// The formula [default: the first ctl property of the model]
    #[arg(value_name = "FORMULA", conflicts_with = "properties")]
    pub formula: Option<String>,
    /// A property of the model, of ctl or an invariant (repeatable); invariants ignore fairness
    #[arg(short, long = "property", value_name = "PROP", help_heading = "Formula")]
    pub properties: Vec<String>,
    /// Assume that this holds infinitely often, or weak fairness of an action `a` or `a(p)` (repeatable)
    #[arg(long, value_name = "WHAT", help_heading = "Formula")]
    pub fair: Vec<String>,
    /// Assume strong fairness of an action: `a`, or `a(p)` for each value of p (repeatable)
    #[arg(long, value_name = "ACTION", help_heading = "Formula")]
    pub strongly_fair: Vec<String>,
    /// Ignore the fairness conditions of the model
    #[arg(long, help_heading = "Formula")]
    pub ignore_fairness: bool,
    /// Examine only connected parts of up to N states; the result names the consequences
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = "Search")]
    pub scope: Option<usize>,
    /// Show only paths, of any length, never a subgraph
    #[arg(long, conflicts_with = "subgraph", help_heading = "Search")]
    pub path: bool,
    /// Show a smallest subgraph even where a path exists
    #[arg(long, help_heading = "Search")]
    pub subgraph: bool,
    /// SAT solver
    #[arg(long, value_enum, default_value_t = Solver::Cadical, env = "CLADIST_SOLVER", help_heading = "Search")]
    pub solver: Solver,
    /// Write the evidence as a Graphviz graph
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
