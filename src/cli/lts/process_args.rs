//! What can be typed after `cladist lts generate` and `cladist lts bugs`.

use super::args::{PropertyTextArgs, ResultArgs, StrategyArg};
use super::input_args::TextArgs;
use crate::cli::values::{parse_count, parse_number};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Examples of `lts generate`.
pub const GENERATE_EXAMPLES: &str = "\
Examples:
  cladist lts generate specs/processes/consumer_producer.lnt -o system.aut
  cladist lts generate system.lnt --reduce -o small.aut
  cladist lts generate players.lnt --main 'PLAYER(1,true)' -o -";

/// Examples of `lts bugs`.
pub const BUGS_EXAMPLES: &str = "\
Examples:
  cladist lts bugs system.lnt --property-file property.mcl
  cladist lts bugs system.lnt --property-file property.mcl --paper
  cladist lts bugs system.lnt --property-file property.mcl \\
      --strategy shortest --strategy most-faulty
  cladist lts bugs system.lnt --property-file property.mcl \\
      --json --dot final.dot
  cladist lts bugs system.lnt --actions REQUEST,REPLY";

/// What is said of `--max-states` where there is nothing but texts.
pub const MAX_STATES: &str = "Generate at most so many states; 1000000 if not given";

/// What process texts are.
pub const TEXTS: &str = "\
Process texts are written in the part of LNT that is in use most; docs/processes.md says what that is. Systems in AUT and \
models have other commands: `cladist lts convert`, `cladist export aut` and `cladist lts tag`.";

/// `lts generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The text.
    #[command(flatten)]
    pub input: TextArgs,
    /// The file to write, its ending tells the format: .aut, .aut.gz, .dot; `-` is AUT on standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Reduce the system modulo strong bisimulation
    #[arg(long, help_heading = "Output")]
    pub reduce: bool,
    /// Print one JSON document and nothing else on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// `lts bugs`.
#[derive(Debug, Args)]
pub struct BugsArgs {
    /// The text.
    #[command(flatten)]
    pub input: TextArgs,
    /// The property.
    #[command(flatten)]
    pub property: PropertyTextArgs,
    /// Instead of a property: actions that every run should have in this order, with commas between them
    #[arg(long, value_name = "A,B,...", conflicts_with_all = ["property", "property_file", "paper", "up_to", "strategy", "seed", "final_lts", "dot"], help_heading = "Property")]
    pub actions: Option<String>,
    /// Show beside it what Algorithm 1 of the paper counts, and why it differs
    #[arg(long, help_heading = "Output")]
    pub paper: bool,
    /// Count the violating traces of each bug up to this length
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = parse_count, allow_negative_numbers = true, help_heading = "Output")]
    pub up_to: usize,
    /// Show a counterexample of the final counterexample LTS (several times for several)
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Output")]
    pub strategy: Vec<StrategyArg>,
    /// What chance begins with: the same seed shows the same counterexample
    ///
    /// For the strategy random only; 0 if not given.
    #[arg(long, value_name = "N", value_parser = parse_number::<u64>, allow_negative_numbers = true, help_heading = "Output")]
    pub seed: Option<u64>,
    /// Write the system in which inevitable bugs can be left out (DUMMY1, ...) as AUT
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub final_lts: Option<PathBuf>,
    /// Draw the final counterexample LTS for Graphviz
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub dot: Option<PathBuf>,
    /// What is printed.
    #[command(flatten)]
    pub output: ResultArgs,
}
