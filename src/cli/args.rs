//! The arguments of `check`, `classify` and `trace`, and those that several commands share. Their meaning
//! is in `settings.rs`.

use super::values::{parse_bound, parse_bytes, parse_count, parse_duration, parse_number, parse_override};
use cladist::classify::Reach;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::prove::Way;
use cladist::sat::Backend;
use cladist::unroll::Lengths;
use clap::{ArgGroup, Args as Arguments, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

/// The default bound, in steps.
const DEFAULT_BOUND: usize = 10;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `check`.
#[derive(Debug, Arguments)]
pub struct CheckArgs {
    /// The model (.sts) or predicate library (.pred)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Only this property
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Look for counterexamples of up to N steps
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Look at traces of exactly N steps (N+1 states) instead; those that cannot go on so long do not count
    #[arg(long, requires = "bound", conflicts_with = "unbounded")]
    pub exact: bool,
    /// Prove invariants for traces of every length; with -k, traces of up to N steps where no proof is found
    ///
    /// A violation is shown by a shortest counterexample, however long. Proofs are checked by the other
    /// solver. With --out, the inductive invariants that IC3 finds are written as properties that can be
    /// added to the model.
    #[arg(long, visible_alias = "every-length")]
    pub unbounded: bool,
    /// How to prove
    #[arg(long, value_enum, default_value_t = ProofMethod::Auto, value_name = "HOW", requires = "unbounded")]
    pub proof: ProofMethod,
    /// How it is run.
    #[command(flatten)]
    pub run: RunArgs,
    /// How traces are shown.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `classify`.
#[derive(Debug, Arguments)]
#[command(group = ArgGroup::new("explored").multiple(true).args(["unbounded", "count"]))]
pub struct ClassifyArgs {
    /// The model (.sts)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, an invariant; the first one if not given
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// The vocabulary: which facts may be used; the first one if not given
    #[arg(short = 'V', long, value_name = "VOCAB")]
    pub vocabulary: Option<String>,
    /// Consider traces of up to N steps; 10 if not given
    ///
    /// With --unbounded the search for classes begins with this bound; if not given, with the length of the
    /// shortest counterexample.
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider traces of exactly N steps (N+1 states) instead; those that cannot go on so long do not count
    #[arg(long)]
    pub exact: bool,
    /// Prove the result for traces of every length, raising the bound as far as that takes
    ///
    /// All states of the model are visited, with what the classes remember of a trace; where that is too much
    /// (--max-states), induction takes over. Without a proof, the result is one up to the bound, and says so.
    #[arg(long, conflicts_with = "exact")]
    pub unbounded: bool,
    /// Count the violating traces of each length: all of them, those of each class, and of each class alone
    ///
    /// Numbers are exact. They come from a list of all states where these are few, and from decision diagrams beyond.
    /// Where neither is possible, the reason is given instead.
    #[arg(long)]
    pub count: bool,
    /// Visit no more states than this: beyond, --unbounded proves by induction and --count uses decision diagrams only
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = DEFAULT_SEARCH_LIMIT, requires = "explored", allow_negative_numbers = true)]
    pub max_states: usize,
    /// First classify the counterexamples that satisfy this predicate at some positions
    #[arg(long, value_name = "PRED")]
    pub start_with: Option<String>,
    /// Prefer facts about these observables and predicates of the vocabulary: `action`, `state[A]`, all of `state`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub prefer: Vec<String>,
    /// Use no facts about these observables and predicates of the vocabulary
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub hide: Vec<String>,
    /// Stop after this many classes
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_classes: Option<usize>,
    /// Keep classes that the others cover, marked as redundant, and find one for each predicate
    #[arg(long)]
    pub keep_redundant: bool,
    /// Let the other solver check the result, also that the property holds
    #[arg(long)]
    pub verify: bool,
    /// Let the solvers search in another order, which changes the time it takes but not the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// How it is run.
    #[command(flatten)]
    pub run: RunArgs,
    /// How traces are shown.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `trace show`.
#[derive(Debug, Arguments)]
pub struct TraceShowArgs {
    /// The trace (ITF)
    #[arg(value_name = "FILE.itf.json", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The model it is a trace of
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,
    /// Give a constant of the model another value
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override, requires = "model")]
    pub overrides: Vec<(String, String)>,
    /// How it is shown.
    #[command(flatten)]
    pub view: ViewArgs,
}

/// `trace check`.
#[derive(Debug, Arguments)]
pub struct TraceCheckArgs {
    /// The trace (ITF)
    #[arg(value_name = "FILE.itf.json", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The model
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Only this invariant
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Give a constant of the model another value
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// Exit with 0 where a violation gives 10
    #[arg(long)]
    pub exit_zero: bool,
}

/// How an engine is run.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Run")]
pub struct RunArgs {
    /// Give a constant of the model another value (several times for several)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// The SAT solver
    #[arg(long, value_enum, default_value_t = Solver::Cadical, env = "CLADIST_SOLVER")]
    pub solver: Solver,
    /// Stop after this time and keep what was found: seconds, or 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true, env = "CLADIST_TIMEOUT")]
    pub timeout: Option<Duration>,
    /// Stop when this much memory is used and keep what was found: 500M, 2G
    ///
    /// If not given, four fifths of the memory of the machine or container, and no more than half of a limit
    /// on the address space (ulimit -v), where the system tells. A hard limit that a solver meets all the
    /// same ends the program at once and without a result: then give less here.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true, env = "CLADIST_MEMORY")]
    pub memory: Option<u64>,
}

/// The ways to prove an invariant for traces of every length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProofMethod {
    /// Visit the states if they are few, then k-induction for small k, then IC3
    Auto,
    /// Visit all states
    Explicit,
    /// k-induction
    KInduction,
    /// IC3, also called property-directed reachability
    Ic3,
}

/// The SAT solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// CaDiCaL: strong on hard problems
    Cadical,
    /// varisat: written in Rust
    Varisat,
}

/// How traces are shown.
#[derive(Debug, Default, Arguments)]
#[command(next_help_heading = "Traces")]
pub struct ViewArgs {
    /// Show the value of this expression beside the states (several times for several)
    #[arg(long, value_name = "EXPR")]
    pub show: Vec<String>,
    /// Do not show this variable (several times for several)
    #[arg(long, value_name = "VAR")]
    pub omit: Vec<String>,
    /// Show whole states instead of what changed
    #[arg(long)]
    pub full: bool,
}

/// Where results go.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Also write the result and its traces as files into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Exit with 0 where a violation gives 10, 11 or 12
    #[arg(long)]
    pub exit_zero: bool,
}

/// Traces of up to, or of exactly, so many steps.
fn lengths(bound: usize, exact: bool) -> Lengths {
    if exact { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) }
}

impl CheckArgs {
    /// Which traces to look at, if any.
    pub fn lengths(&self) -> Option<Lengths> {
        self.bound.map(|bound| lengths(bound, self.exact))
    }
}

impl ClassifyArgs {
    /// Which traces to look at, if not those of every length.
    pub fn lengths(&self) -> Lengths {
        lengths(self.bound.unwrap_or(DEFAULT_BOUND), self.exact)
    }

    /// How to look at traces of every length, if that is asked for.
    pub fn reach(&self) -> Option<Reach> {
        let reach = Reach { start: self.bound, otherwise: DEFAULT_BOUND, limit: self.max_states };
        self.unbounded.then_some(reach)
    }
}

impl ProofMethod {
    /// The way.
    pub fn way(self) -> Way {
        match self {
            Self::Auto => Way::Auto,
            Self::Explicit => Way::Explicit,
            Self::KInduction => Way::Induction,
            Self::Ic3 => Way::Ic3,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Explicit => "explicit",
            Self::KInduction => "k-induction",
            Self::Ic3 => "ic3",
        }
    }
}

impl Solver {
    /// The back end.
    pub fn backend(self) -> Backend {
        match self {
            Solver::Cadical => Backend::Cadical,
            Solver::Varisat => Backend::Varisat,
        }
    }

    /// The one that checks the results of this one.
    pub fn other(self) -> Solver {
        match self {
            Solver::Cadical => Solver::Varisat,
            Solver::Varisat => Solver::Cadical,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Cadical => "cadical",
            Solver::Varisat => "varisat",
        }
    }
}
