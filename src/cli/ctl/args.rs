//! The arguments of `cladist ctl`.

use crate::cli::args::SolverArgs;
use crate::cli::fairness::FairnessArgs;
use crate::cli::lts::{PageArgs, ResultArgs, StrictArgs, SystemArgs};
use crate::cli::values::parse_count;
use cladist::ctl::EvidenceForm;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct CtlArgs {
    #[command(flatten)]
    pub input: SystemArgs,
    #[command(flatten)]
    pub strict: StrictArgs,
    /// The formula [default: the first ctl property of the model]
    #[arg(value_name = "FORMULA", conflicts_with_all = ["properties", "formula"])]
    pub typed: Option<String>,
    /// The formula
    #[arg(short, long, value_name = "TEXT", conflicts_with = "properties")]
    pub formula: Option<String>,
    /// The property, by its name
    ///
    /// Of ctl, or an invariant, which ignores fairness; the default is the first one of ctl. Repeatable.
    #[arg(short, long = "property", value_name = "PROP")]
    pub properties: Vec<String>,
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Examine only connected parts of up to N states; the result names the consequences
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub scope: Option<usize>,
    /// Show only paths, of any length, never a subgraph
    #[arg(long, conflicts_with = "subgraph")]
    pub path: bool,
    /// Show a smallest subgraph even where a path exists
    #[arg(long)]
    pub subgraph: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Write a graph for Graphviz (DOT)
    ///
    /// Of the evidence.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub output: ResultArgs,
}

impl CtlArgs {
    pub fn formula(&self) -> Option<&str> {
        self.formula.as_deref().or(self.typed.as_deref())
    }

    /// Returns the formula as typed, on one line.
    pub fn given(&self) -> Option<String> {
        self.formula().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the requested form of evidence.
    pub fn wanted(&self) -> EvidenceForm {
        match (self.path, self.subgraph) {
            (true, _) => EvidenceForm::Path,
            (_, true) => EvidenceForm::Subgraph,
            _ => EvidenceForm::PathOrSubgraph,
        }
    }
}
