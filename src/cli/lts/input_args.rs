//! Arguments that say where a system comes from, and limits on computing it.

use crate::cli::limits::{Limits, ThreadsArgs};
use crate::cli::values::{parse_bytes, parse_count, parse_duration, parse_override};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

/// The default of `--max-states`.
const USUAL_STATES: usize = 1_000_000;

/// Limits on the time and memory of a command.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Stop after this time: seconds, or 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true, env = "CLADIST_TIMEOUT", help_heading = "Run")]
    pub timeout: Option<Duration>,
    /// Stop when this much memory is used: 500M, 2G [default: four fifths of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true, env = "CLADIST_MEMORY", help_heading = "Run")]
    pub memory: Option<u64>,
}

impl LimitArgs {
    /// The limits of a command that lists no states of models.
    pub fn limits(&self) -> Limits {
        Limits { timeout: self.timeout, memory: self.memory, threads: None }
    }

    /// The limits of one that does.
    pub fn with(&self, threads: ThreadsArgs) -> Limits {
        Limits { threads: threads.threads, ..self.limits() }
    }
}

/// The limit on the states of a system that is generated or explored.
#[derive(Debug, Clone, Args)]
pub struct StatesArgs {
    /// Maximum number of states of a model or process text [default: 1000000]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = "Input")]
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
    #[arg(long, help_heading = "Input")]
    pub no_arguments: bool,
    /// Keep only these actions of a model visible; all others become the invisible action i
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Input")]
    pub visible: Vec<String>,
}

/// How a model is loaded.
#[derive(Debug, Clone, Args)]
pub struct LoadingArgs {
    /// Override a constant of the model (may be repeated)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override, help_heading = "Input")]
    pub overrides: Vec<(String, String)>,
    /// Restrict imports to this folder and its subfolders [default: the nearest folder at or above the model
    /// that contains a folder `predicates` or is the root of a repository, else the folder of the model]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Input")]
    pub root: Option<PathBuf>,
}

/// A system of any kind.
#[derive(Debug, Clone, Args)]
pub struct SystemArgs {
    /// The system: AUT, a process text (.lnt), a model (.sts) or protocol (.spdl)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Accept AUT whose header has wrong or missing counts
    #[arg(long, help_heading = "Input")]
    pub lenient: bool,
    /// How a model is loaded.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// The main process of a process text, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL", help_heading = "Input")]
    pub main: Option<String>,
    /// The limit on states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// The limits on time and memory.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The limit on threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl SystemArgs {
    /// All of its limits.
    pub fn limits(&self) -> Limits {
        self.limits.with(self.threads)
    }
}

/// A system of any kind with its labels.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// The system.
    #[command(flatten)]
    pub system: SystemArgs,
    /// How its steps are labelled.
    #[command(flatten)]
    pub labels: LabelArgs,
}

/// What becomes of labels in a question that the system does not have.
#[derive(Debug, Clone, Copy, Args)]
pub struct StrictArgs {
    /// Refuse a label that the system does not have; by default only one that no action of a model and no gate of a process text has
    #[arg(long, help_heading = "Property")]
    pub strict_labels: bool,
}

/// A system that is analysed.
#[derive(Debug, Args)]
pub struct AnalysedArgs {
    /// The system.
    #[command(flatten)]
    pub input: InputArgs,
    /// What becomes of unknown labels.
    #[command(flatten)]
    pub strict: StrictArgs,
    /// Analyse the generated system of a process text without reducing it first
    #[arg(long, help_heading = "Input")]
    pub no_reduce: bool,
}

/// A process text.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// The process text (.lnt)
    #[arg(value_name = "TEXT.lnt", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The main process, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL", help_heading = "Input")]
    pub main: Option<String>,
    /// The limit on states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// The limits on time and memory.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// A process text or a model.
#[derive(Debug, Args)]
pub struct TextOrModelArgs {
    /// The process text (.lnt) or model (.sts)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// How a model is loaded.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// The main process of a process text, with its values: "P (1, true)" [default: MAIN]
    #[arg(long, value_name = "CALL", help_heading = "Input")]
    pub main: Option<String>,
    /// The limit on states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// The limits on time and memory.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The limit on threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl TextOrModelArgs {
    /// All of its limits.
    pub fn limits(&self) -> Limits {
        self.limits.with(self.threads)
    }
}

/// A model.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The model (.sts) or protocol (.spdl)
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// How a model is loaded.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// The limit on states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// How its steps are labelled.
    #[command(flatten)]
    pub labels: LabelArgs,
    /// The limits on time and memory.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The limit on threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl ModelArgs {
    /// All of its limits.
    pub fn limits(&self) -> Limits {
        self.limits.with(self.threads)
    }
}
