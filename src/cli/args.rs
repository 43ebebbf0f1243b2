//! The arguments of `check`, `classify` and `trace`, and those that several commands share. `settings.rs` interprets
//! them.

use super::fairness::FairnessArgs;
use super::limits::{Limits, ThreadsArgs};
use super::protocol_args::ProtocolArgs;
use super::theory::TheoryArg;
use super::values::{parse_bound, parse_bytes, parse_count, parse_duration, parse_number, parse_override};
use cladist::classify::Reach;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::prove::Way;
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
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
    /// The model (.sts), protocol (.spdl) or predicate library (.pred)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Check only this property
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Find counterexamples of up to N steps; infinite ones that repeat after so many
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider traces of exactly N steps (N+1 states) only; shorter traces that cannot be extended are ignored
    #[arg(long, requires = "bound", conflicts_with = "unbounded")]
    pub exact: bool,
    /// Decide for traces of every length; with -k, fall back to traces of up to N steps
    ///
    /// A violation is shown by a shortest counterexample, of whatever length. Proofs are checked by the other
    /// solver. With --out, inductive invariants found by IC3 are written as properties that can be added to
    /// the model.
    #[arg(long, visible_alias = "every-length")]
    pub unbounded: bool,
    /// The proof method
    #[arg(long, value_enum, default_value_t = ProofMethod::Auto, value_name = "HOW", requires = "unbounded")]
    pub proof: ProofMethod,
    /// Look for a shortest trace to a state without successor, instead of deciding properties
    #[arg(long, conflicts_with_all = ["property", "exact"])]
    pub deadlock: bool,
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Do not search for symmetries of the model, of which --unbounded makes use where it visits states
    #[arg(long, requires = "unbounded")]
    pub no_symmetry: bool,
    /// The options for protocols.
    #[command(flatten)]
    pub protocol: ProtocolArgs,
    /// Constants and limits.
    #[command(flatten)]
    pub run: RunArgs,
    /// The solver.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The display of traces.
    #[command(flatten)]
    pub view: ViewArgs,
    /// The form of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `classify`.
#[derive(Debug, Arguments)]
#[command(group = ArgGroup::new("explored").multiple(true).args(["unbounded", "count", "cover", "environment"]))]
pub struct ClassifyArgs {
    /// The model (.sts) or protocol (.spdl)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, an invariant or one of ltl; the first one if not given, invariants first
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Classes that suffice for a violation, of facts of this vocabulary; `auto` finds one
    ///
    /// Without it, and without any other option about classes, the kinds of violation are told by their causes, for which no vocabulary is needed. With such an option, and in JSON documents, it is the first one of the model, or `auto` where there is none.
    #[arg(short = 'V', long, value_name = "VOCAB")]
    pub vocabulary: Option<String>,
    /// Tell the kinds of violation by their causes, as without -V; with --json as a document, with --full with the reason of each step
    #[arg(long)]
    pub causes: bool,
    /// Consider traces of up to N steps; 10 if not given
    ///
    /// With --unbounded, the search for classes starts at this bound, or by default at the length of the
    /// shortest counterexample.
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider traces of exactly N steps (N+1 states) only; shorter traces that cannot be extended are ignored
    #[arg(long)]
    pub exact: bool,
    /// Prove the result for traces of every length, raising the bound as far as necessary
    ///
    /// All states of the model are visited together with what the classes remember of a trace; beyond
    /// --max-states, induction takes over. Without a proof, the result holds up to the bound, and says so.
    #[arg(long, conflicts_with = "exact")]
    pub unbounded: bool,
    /// Look for longer traces, of up to N steps, that contradict a complete result; 0 looks for none
    ///
    /// A class may suffice only because the bound leaves no room for a trace without violation: it rests on the bound.
    /// Where there are few states, every length is looked at. Without this option the horizon is half as long again as the
    /// bound, and the search takes at most a tenth of the time that the result took, or half a second.
    #[arg(long, value_name = "N", conflicts_with_all = ["exact", "unbounded"])]
    pub horizon: Option<usize>,
    /// Count the violating traces of each length: all, those of each class, and those of each class alone
    ///
    /// Numbers are exact. They are computed over a list of states if these are few, and over decision diagrams
    /// otherwise. If neither is possible, the reason is reported instead.
    #[arg(long)]
    pub count: bool,
    /// Visit at most N states; beyond, --unbounded uses induction, --count uses decision diagrams, and `decisive` is an error
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = DEFAULT_SEARCH_LIMIT, requires = "explored", allow_negative_numbers = true)]
    pub max_states: usize,
    /// Say which of the vocabulary's predicates happen in the violating traces, and what is left over
    ///
    /// Classes need not suffice for a violation: every violating trace has one of them, none can be left out, and a
    /// table tells which of them occur together. Without predicates in the vocabulary, the values of its observables are looked at.
    #[arg(long, conflicts_with_all = ["start_with", "max_classes", "keep_redundant", "proofs"])]
    pub cover: bool,
    /// For `lost`, `safe`, `open` and `decisive`: actions that belong to the environment, 'xss,visit(u=Mallory)' [default: what
    /// the model declares]
    #[arg(long, value_name = "ACTION,...")]
    pub environment: Option<String>,
    /// Cover the violating traces of one class only: which predicates and labels tell them apart
    ///
    /// CLASS is the number of a class of this run, `2`; a class of a stored result, `classes.json:2`; or a predicate whose parameters
    /// are positions.
    #[arg(long, value_name = "CLASS", conflicts_with_all = ["tree", "unbounded", "count", "necessary", "proofs"])]
    pub within: Option<String>,
    /// Say which classes are new beside a stored result, and exit with 0 if none is: no new kind of violation
    ///
    /// A class is known if one of the stored result says the same, or if all of its violating traces of the lengths asked for are in
    /// classes of the stored result.
    #[arg(long, value_name = "RESULT", value_hint = ValueHint::FilePath, conflicts_with = "within")]
    pub baseline: Option<PathBuf>,
    /// Show for each class what tells its traces apart, and again for what is found, down to this depth: how the
    /// violations came about
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "2", value_parser = parse_count, allow_negative_numbers = true)]
    pub tree: Option<usize>,
    /// Say of everything that the vocabulary names, and of all labels of steps, whether every violating trace has it, or none
    ///
    /// Without it, reports show a few such labels and predicates that are found quickly, tell violating traces from others, and
    /// are not said by every class already. With --unbounded, it is decided for traces of every length.
    #[arg(long)]
    pub necessary: bool,
    /// First classify the counterexamples that satisfy this predicate at some positions
    #[arg(long, value_name = "PRED")]
    pub start_with: Option<String>,
    /// Prefer facts about these observables and predicates of the vocabulary: `action`, `state[A]`, all of `state`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub prefer: Vec<String>,
    /// Use no facts about these observables and predicates of the vocabulary
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub hide: Vec<String>,
    /// Let classes name the values of these types as they are, rather than any individuals: type names, `all`, or `none`,
    /// whatever the vocabulary says
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub ground: Vec<String>,
    /// Stop after this many classes
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_classes: Option<usize>,
    /// Keep classes that the others cover, marked as redundant, and find one for each predicate
    #[arg(long)]
    pub keep_redundant: bool,
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Re-check the result with the other solver, including `holds`
    #[arg(long)]
    pub verify: bool,
    /// Random seed of the solvers' search order; it affects the time but not the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// The options for protocols.
    #[command(flatten)]
    pub protocol: ProtocolArgs,
    /// Constants and limits.
    #[command(flatten)]
    pub run: RunArgs,
    /// The solver.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The display of traces.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Print the verdict and the constraint of each class, without details
    #[arg(long, conflicts_with_all = ["json", "tree", "necessary"], help_heading = "Output")]
    pub brief: bool,
    /// The form of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The question for a trace within a bound that violates an invariant.
#[derive(Debug, Arguments)]
pub struct BoundedArgs {
    /// The model (.sts) or protocol (.spdl)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, an invariant; the first one if not given
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Consider traces of up to N steps; 10 if not given
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider traces of exactly N steps (N+1 states) only; shorter traces that cannot be extended are ignored
    #[arg(long)]
    pub exact: bool,
    /// The options for protocols.
    #[command(flatten)]
    pub protocol: ProtocolArgs,
}

/// `vocabulary`.
#[derive(Debug, Arguments)]
pub struct VocabularyArgs {
    /// The question.
    #[command(flatten)]
    pub question: BoundedArgs,
    /// Let classes name the values of these types as they are, rather than any individuals: type names, `all`, or `none`,
    /// whatever the vocabularies say
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub ground: Vec<String>,
    /// Constants and limits.
    #[command(flatten)]
    pub run: RunArgs,
    /// The solver.
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
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
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override, requires = "model")]
    pub overrides: Vec<(String, String)>,
    /// The folder that imports may come from; by default the nearest folder at or above the model that has a
    /// `predicates` folder or is the root of a repository, else the folder of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "model")]
    pub root: Option<PathBuf>,
    /// The display of the trace.
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
    /// Check only this invariant, or property of ltl where the trace is infinite
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// The folder that imports may come from; by default the nearest folder at or above the model that has a
    /// `predicates` folder or is the root of a repository, else the folder of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Exit with 0 instead of 10
    #[arg(long)]
    pub exit_zero: bool,
}

/// Options of a run: constants, solver, limits.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Run")]
pub struct RunArgs {
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Stop after this time and report what was found: seconds, or 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true, env = "CLADIST_TIMEOUT")]
    pub timeout: Option<Duration>,
    /// Stop when this much memory is used and report what was found: 500M, 2G
    ///
    /// The default is four fifths of the memory of the machine or container, but at most half of a limit on the
    /// address space (ulimit -v). A hard limit that a solver reaches nevertheless ends the program at once,
    /// without a result: then give a lower value here.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true, env = "CLADIST_MEMORY")]
    pub memory: Option<u64>,
    /// The limit on threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl RunArgs {
    /// Returns the limits of the run.
    pub fn limits(&self) -> Limits {
        Limits { timeout: self.timeout, memory: self.memory, threads: self.threads.threads }
    }
}

/// The methods that prove a property for traces of every length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProofMethod {
    /// Visit the states if there are few, then try k-induction for small k, then IC3;
    /// for ltl, list a million states if that is enough
    Auto,
    /// Visit all states
    Explicit,
    /// k-induction
    KInduction,
    /// IC3, also called property-directed reachability
    Ic3,
}

/// The choice of a SAT solver.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Run")]
pub struct SolverArgs {
    /// The SAT solver
    #[arg(long, value_enum, default_value_t = Solver::Cadical, env = "CLADIST_SOLVER")]
    pub solver: Solver,
}

/// The choice of the solver for questions about traces.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Run")]
pub struct EngineArgs {
    /// `cadical`, `varisat`, or the command of an SMT solver that reads standard input, such as 'z3 -in'
    ///
    /// An SMT solver answers scripts as `export smt2` writes them, over --theory, about traces of up to N steps. Its traces are
    /// evaluated anew. Hints, and the check of a classification, come from CaDiCaL.
    #[arg(long, value_name = "SOLVER", value_parser = Engine::parse, default_value = "cadical", env = "CLADIST_SOLVER")]
    pub solver: Engine,
    /// What numbers are for an SMT solver
    #[arg(long, value_enum, default_value_t = TheoryArg::Int, value_name = "THEORY")]
    pub theory: TheoryArg,
    /// Say at the end what the integers of the model are for the solver: bits, or one literal for each value
    #[arg(long, conflicts_with = "json")]
    pub verbose: bool,
}

impl EngineArgs {
    /// Returns the theory of numbers, if the solver is an SMT solver.
    pub fn asked(&self) -> Option<Theory> {
        matches!(self.solver, Engine::Smt(_)).then(|| self.theory.into())
    }
}

/// The solver of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// A SAT solver.
    Sat(Solver),
    /// An SMT solver.
    Smt(SmtSolver),
}

impl Engine {
    /// Parses the name of a SAT solver, or a command.
    fn parse(text: &str) -> Result<Self, String> {
        match Solver::from_str(text, true) {
            Ok(solver) => Ok(Self::Sat(solver)),
            Err(_) => SmtSolver::parse(text).map(Self::Smt),
        }
    }

    /// Returns the SAT solver that checks results of this one.
    pub fn other(&self) -> Backend {
        match self {
            Self::Sat(solver) => solver.other().backend(),
            Self::Smt(_) => Backend::Cadical,
        }
    }

    /// Returns the SAT solver for tasks that need one.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Sat(solver) => solver.backend(),
            Self::Smt(_) => Backend::Cadical,
        }
    }

    /// Returns the name on the command line.
    pub fn name(&self) -> String {
        match self {
            Self::Sat(solver) => solver.name().to_owned(),
            Self::Smt(solver) => solver.name(),
        }
    }
}

/// The SAT solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// CaDiCaL: strong on hard problems
    Cadical,
    /// varisat: written in Rust
    Varisat,
}

/// Options for showing traces.
#[derive(Debug, Default, Arguments)]
#[command(next_help_heading = "Traces")]
pub struct ViewArgs {
    /// Show the value of this expression in every state (repeatable)
    #[arg(long, value_name = "EXPR")]
    pub show: Vec<String>,
    /// Do not show this variable (repeatable)
    #[arg(long, value_name = "VAR")]
    pub omit: Vec<String>,
    /// Show whole states instead of changes
    #[arg(long)]
    pub full: bool,
}

/// Options for output.
#[derive(Debug, Arguments)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Also write the result and its traces as files into this folder, in place of an earlier result
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Also prove every unsatisfiable answer that the result rests on: clauses and checked LRAT proofs, into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub proofs: Option<PathBuf>,
    /// Also write a JUnit report into this file: a test case for each property
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,
    /// Also write a SARIF log into this file: a result for each class, or each counterexample, with its steps
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
    /// Exit with 0 instead of 10, 11 or 12
    #[arg(long)]
    pub exit_zero: bool,
}

/// Returns the lengths of at most, or exactly, `bound` steps.
fn lengths(bound: usize, exact: bool) -> Lengths {
    if exact { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) }
}

impl CheckArgs {
    /// Returns the lengths of traces to search, if any.
    pub fn lengths(&self) -> Option<Lengths> {
        self.bound.map(|bound| lengths(bound, self.exact))
    }
}

impl BoundedArgs {
    /// Returns the lengths of traces to consider.
    pub fn lengths(&self) -> Lengths {
        lengths(self.bound.unwrap_or(DEFAULT_BOUND), self.exact)
    }
}

impl ClassifyArgs {
    /// Returns the lengths of traces to consider, unless every length is requested.
    pub fn lengths(&self) -> Lengths {
        lengths(self.bound.unwrap_or(DEFAULT_BOUND), self.exact)
    }

    /// Returns the range of bounds for traces of every length, if requested.
    pub fn reach(&self) -> Option<Reach> {
        let reach = Reach { start: self.bound, otherwise: DEFAULT_BOUND, limit: self.max_states };
        self.unbounded.then_some(reach)
    }
}

impl ProofMethod {
    /// Returns the engine's name for the method.
    pub fn way(self) -> Way {
        match self {
            Self::Auto => Way::Auto,
            Self::Explicit => Way::Explicit,
            Self::KInduction => Way::Induction,
            Self::Ic3 => Way::Ic3,
        }
    }

    /// Returns the name on the command line.
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
    /// Returns the back end of the solver.
    pub fn backend(self) -> Backend {
        match self {
            Solver::Cadical => Backend::Cadical,
            Solver::Varisat => Backend::Varisat,
        }
    }

    /// Returns the solver that checks the results of this one.
    pub fn other(self) -> Solver {
        match self {
            Solver::Cadical => Solver::Varisat,
            Solver::Varisat => Solver::Cadical,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Cadical => "cadical",
            Solver::Varisat => "varisat",
        }
    }
}
