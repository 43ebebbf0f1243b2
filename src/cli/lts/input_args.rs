//! What can be typed about the system of a command: where it comes from, and how much its computation may take.

use crate::cli::values::{parse_bytes, parse_count, parse_duration, parse_override};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

/// So many states are explored if nothing is said.
const USUAL_STATES: usize = 1_000_000;

/// How much time and memory a command may take.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Stop after this time: seconds, or 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true, env = "CLADIST_TIMEOUT", help_heading = "Run")]
    pub timeout: Option<Duration>,
    /// Stop when this much memory is used: 500M, 2G; if not given, four fifths of what there is
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true, env = "CLADIST_MEMORY", help_heading = "Run")]
    pub memory: Option<u64>,
}

/// How many states a system may have that is not there as a whole.
#[derive(Debug, Args)]
pub struct StatesArgs {
    /// Explore at most so many states of a model or process text; 1000000 if not given
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = "Input")]
    pub max_states: Option<usize>,
}

impl StatesArgs {
    /// So many. They have numbers below 2³² − 1.
    pub fn most(&self) -> usize {
        self.max_states.unwrap_or(USUAL_STATES).min(u32::MAX as usize - 2)
    }
}

/// What the steps of a model are called.
#[derive(Debug, Default, Args)]
pub struct LabelArgs {
    /// Label the steps of a model with the names of actions only: enter instead of enter(p=P)
    #[arg(long, help_heading = "Input")]
    pub no_arguments: bool,
    /// Show only these actions of a model; the steps of all others are the invisible i
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Input")]
    pub visible: Vec<String>,
}

/// A system of any kind.
#[derive(Debug, Args)]
pub struct SystemArgs {
    /// The system: AUT, a process text (.lnt), or a model (.sts)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Accept AUT whose header has wrong or missing counts
    #[arg(long, help_heading = "Input")]
    pub lenient: bool,
    /// Give a constant of the model another value (several times for several)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override, help_heading = "Input")]
    pub overrides: Vec<(String, String)>,
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Input")]
    pub root: Option<PathBuf>,
    /// The process of a text that is the system, with its values: "P (1, true)"; MAIN if not given
    #[arg(long, value_name = "CALL", help_heading = "Input")]
    pub main: Option<String>,
    /// How many states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// How long it may take.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// A system of any kind with its labels.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// The system.
    #[command(flatten)]
    pub system: SystemArgs,
    /// Its labels.
    #[command(flatten)]
    pub labels: LabelArgs,
}

/// A system that is analysed.
#[derive(Debug, Args)]
pub struct AnalysedArgs {
    /// The system.
    #[command(flatten)]
    pub input: InputArgs,
    /// Analyse the system of a process text as it is generated, without reducing it first
    #[arg(long, help_heading = "Input")]
    pub no_reduce: bool,
}

/// A process text.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// The process text (.lnt)
    #[arg(value_name = "TEXT.lnt", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The process that is the system, with its values: "P (1, true)"; MAIN if not given
    #[arg(long, value_name = "CALL", help_heading = "Input")]
    pub main: Option<String>,
    /// How many states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// How long it may take.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// A model.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The model (.sts)
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Give a constant of the model another value (several times for several)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override, help_heading = "Input")]
    pub overrides: Vec<(String, String)>,
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Input")]
    pub root: Option<PathBuf>,
    /// How many states.
    #[command(flatten)]
    pub states: StatesArgs,
    /// Its labels.
    #[command(flatten)]
    pub labels: LabelArgs,
    /// How long it may take.
    #[command(flatten)]
    pub limits: LimitArgs,
}
