//! Arguments that say where a system comes from, and limits on computing it.

use crate::cli::limits::{CommandLimits, LimitArgs, ThreadsArgs};
use crate::cli::loading::LoadingArgs;
use crate::cli::values::parse_count;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const USUAL_STATES: usize = 1_000_000;

/// The limit on the states of a system that is generated or explored.
#[derive(Debug, Clone, Args)]
pub struct StatesArgs {
    /// List at most N states [default: 1000000]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: Option<usize>,
}

impl StatesArgs {
    /// The limit, at most 2³² − 1: states are numbered with 32 bits.
    pub fn most(&self) -> usize {
        self.max_states.unwrap_or(USUAL_STATES).min(u32::MAX as usize - 2)
    }
}

/// How the steps of a model are labelled.
#[derive(Debug, Clone, Default, Args)]
pub struct LabelArgs {
    /// Label the steps of a model with action names only: enter instead of enter(p=P)
    #[arg(long)]
    pub no_arguments: bool,
    /// Keep only these actions of a model visible; all others become the invisible action i
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub visible: Vec<String>,
}

/// A system of any kind.
#[derive(Debug, Clone, Args)]
pub struct SystemArgs {
    /// The system: AUT, a process text (.lnt), a model (.sts) or protocol (.spdl, .anb, .scm)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Accept AUT whose header has wrong or missing counts
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// The main process of a process text, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL")]
    pub main: Option<String>,
    #[command(flatten)]
    pub states: StatesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl SystemArgs {
    pub fn limits(&self) -> CommandLimits {
        self.limits.with(self.threads)
    }
}

/// A system of any kind with its labels.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    #[command(flatten)]
    pub system: SystemArgs,
    #[command(flatten)]
    pub labels: LabelArgs,
}

/// Treatment of labels in a question that the system does not have.
#[derive(Debug, Clone, Copy, Args)]
pub struct StrictArgs {
    /// Refuse a label that the system does not have; by default only one that no action of a model and no gate of a process text has
    #[arg(long)]
    pub strict_labels: bool,
}

/// A system that is analysed.
#[derive(Debug, Args)]
pub struct AnalysedArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub strict: StrictArgs,
    /// Analyse the generated system of a process text without reducing it first
    #[arg(long)]
    pub no_reduce: bool,
}

/// A process text.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// The process text (.lnt)
    #[arg(value_name = "TEXT.lnt", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The main process of a process text, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL")]
    pub main: Option<String>,
    #[command(flatten)]
    pub states: StatesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// A process text or a model.
#[derive(Debug, Args)]
pub struct TextOrModelArgs {
    /// The process text (.lnt) or model (.sts)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// The main process of a process text, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL")]
    pub main: Option<String>,
    #[command(flatten)]
    pub states: StatesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl TextOrModelArgs {
    pub fn limits(&self) -> CommandLimits {
        self.limits.with(self.threads)
    }
}

/// A model.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The model (.sts) or protocol (.spdl, .anb, .scm)
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub loading: LoadingArgs,
    #[command(flatten)]
    pub states: StatesArgs,
    #[command(flatten)]
    pub labels: LabelArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl ModelArgs {
    pub fn limits(&self) -> CommandLimits {
        self.limits.with(self.threads)
    }
}
