//! Arguments of `cladist lts generate` and `cladist lts bugs`.

use super::input_args::{StrictArgs, TextArgs, TextOrModelArgs};
use super::shared_args::{InvariantArgs, PropertyTextArgs, ResultArgs, StrategyArg};
use crate::cli::loading::OutputFileArgs;
use crate::cli::values::{parse_count, parse_number};
use clap::{Args, ValueHint};
use std::path::PathBuf;

pub const GENERATE_EXAMPLES: &str = "\
Examples:
  cladist lts generate specs/processes/consumer_producer.lnt -o system.aut
  cladist lts generate system.lnt --reduce -o small.aut
  cladist lts generate players.lnt --main 'PLAYER(1,true)' -o -";

pub const BUGS_EXAMPLES: &str = "\
Examples:
  cladist lts bugs system.lnt --formula-file property.mcl
  cladist lts bugs system.lnt --formula-file property.mcl --paper
  cladist lts bugs system.lnt --formula-file property.mcl \\
      --strategy shortest --strategy most-faulty
  cladist lts bugs system.lnt --formula-file property.mcl \\
      --json --dot final.dot
  cladist lts bugs specs/web_shop.sts -p consent
  cladist lts bugs system.lnt --actions REQUEST,REPLY";

/// Help of `--max-states` where there is nothing but texts.
pub const MAX_STATES: &str = "List at most N states [default: 1000000]";

/// Help on the unit that `lts bugs` counts.
pub const BUGS: &str = "\
The bugs of a process text are counted as described in docs/processes.md, those of a model as described in docs/lts.md: \
an action of the text, or an action that the model declares, is a bug if it causes a violation; the runs without it decide \
if it can be avoided.";

/// Help on process texts.
pub const TEXTS: &str = "\
Process texts are written in a subset of LNT, described in docs/processes.md. For systems in AUT and models use other commands: `cladist lts convert`, `cladist export aut` and `cladist lts tag`.";

#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub input: TextArgs,
    #[command(flatten)]
    pub file: OutputFileArgs,
    /// Reduce the system modulo strong bisimulation
    #[arg(long)]
    pub reduce: bool,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BugsArgs {
    #[command(flatten)]
    pub input: TextOrModelArgs,
    #[command(flatten)]
    pub property: PropertyTextArgs,
    #[command(flatten)]
    pub states: InvariantArgs,
    #[command(flatten)]
    pub strict: StrictArgs,
    /// Actions that every trace should contain in this order, separated by commas
    #[arg(long, value_name = "A,B,...", conflicts_with_all = ["formula", "formula_file", "property", "paper", "up_to", "strategy", "seed", "final_lts", "dot"])]
    pub actions: Option<String>,
    /// Reduce parallel branches of a text before they are composed
    ///
    /// Steps that do not matter to the property are merged, so that many more parallel branches can be counted. The verdicts
    /// are the same; traces and their numbers are not known then.
    #[arg(long, conflicts_with_all = ["actions", "property", "paper", "up_to", "strategy", "seed", "final_lts", "dot"])]
    pub by_parts: bool,
    /// Also show what Algorithm 1 of the paper counts and why it differs
    #[arg(long)]
    pub paper: bool,
    /// Count the violating traces of each bug up to this length
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = parse_count, allow_negative_numbers = true)]
    pub up_to: usize,
    /// Which counterexample to show
    ///
    /// Of the final counterexample LTS. Repeatable.
    #[arg(long, value_enum, value_name = "WHICH")]
    pub strategy: Vec<StrategyArg>,
    /// Random seed
    ///
    /// For the strategy random: the same seed gives the same counterexample [default: 0].
    #[arg(long, value_name = "N", value_parser = parse_number::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write the final counterexample LTS (with actions DUMMY1, ...) as AUT
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub final_lts: Option<PathBuf>,
    /// Write a graph for Graphviz (DOT)
    ///
    /// Of the final counterexample LTS.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,
    #[command(flatten)]
    pub output: ResultArgs,
}
