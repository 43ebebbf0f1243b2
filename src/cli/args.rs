//! The arguments of `check`, `classify` and `trace`, and those that several commands share. `settings.rs` interprets
//! them.

use super::fairness::FairnessArgs;
use super::limits::{CommandLimits, LimitArgs, ThreadsArgs};
use super::loading::LoadingArgs;
use super::protocol_args::ProtocolArgs;
use super::values::{parse_bound, parse_count, parse_number};
use cladist::classify::Reach;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::prove::InvariantMethod;
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::unroll::Lengths;
use clap::{ArgGroup, Args as Arguments, ValueEnum, ValueHint};
use std::path::PathBuf;

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

#[derive(Debug, Arguments)]
pub struct CheckArgs {
    /// The model (.sts), protocol (.spdl, .anb, .scm) or predicate library (.pred)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, by its name
    ///
    /// The default is all properties.
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Consider traces of up to N steps [default: 10; `check` searches only with -k]
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider only traces of exactly N steps (N+1 states)
    #[arg(long, requires = "bound", conflicts_with = "unbounded")]
    pub exact: bool,
    /// Answer for traces of every length
    ///
    /// With -k, the fallback is traces of up to N steps.
    /// Counterexamples are shortest ones. The other solver checks proofs. With --out, inductive invariants that IC3
    /// finds are written as properties that can be added to the model.
    #[arg(long, visible_alias = "every-length")]
    pub unbounded: bool,
    /// The proof method
    #[arg(long, value_enum, default_value_t = ProofMethodArg::Auto, value_name = "HOW", requires = "unbounded")]
    pub proof: ProofMethodArg,
    /// Search for a shortest trace to a deadlock instead of deciding properties
    #[arg(long, conflicts_with_all = ["property", "exact"])]
    pub deadlock: bool,
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Do not use symmetries of the model when --unbounded lists states
    #[arg(long, requires = "unbounded")]
    pub no_symmetry: bool,
    #[command(flatten)]
    pub protocol: ProtocolArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `classify`.
#[derive(Debug, Arguments)]
#[command(group = ArgGroup::new("explored").multiple(true).args(["unbounded", "count", "cover", "environment"]))]
pub struct ClassifyArgs {
    /// The model (.sts) or protocol (.spdl, .anb, .scm)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, by its name
    ///
    /// An invariant or a property of ltl. The default is the first invariant, in models with few states the first violated one; without invariants, the first property of ltl.
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Find sufficient classes by this vocabulary; `auto` searches for one
    ///
    /// Without this option and others about classes, the kinds of violation are distinguished by their causes, without a vocabulary. With such an option, and in JSON documents, the default is the first vocabulary of the model, or `auto` where there is none.
    #[arg(short = 'V', long, value_name = "VOCAB")]
    pub vocabulary: Option<String>,
    /// Tell the kinds of violation by their causes, as without -V
    ///
    /// With -V, tell the kinds that occur in each class. --full adds the reason of each step.
    #[arg(long, conflicts_with = "exact")]
    pub tree: bool,
    /// Decide which constants stop which kinds, however long it takes
    ///
    /// By default, this takes at most five seconds of processor time. Kinds are those by causes, as with --tree.
    #[arg(long, conflicts_with_all = ["exact", "brief", "within"])]
    pub defences: bool,
    /// Consider traces of up to N steps [default: 10; `check` searches only with -k]
    ///
    /// With --unbounded, the search for classes starts at this bound [default: the length of a shortest
    /// counterexample].
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider only traces of exactly N steps (N+1 states)
    #[arg(long)]
    pub exact: bool,
    /// Answer for traces of every length
    ///
    /// Raises the bound as needed, and proves the result. Explores all states together with the history that the classes need; above --max-states, uses induction. Without
    /// a proof, the result holds up to the bound, and says so.
    #[arg(long, conflicts_with = "exact")]
    pub unbounded: bool,
    /// Search for longer traces, of up to N steps, that contradict the result; 0 turns this off
    ///
    /// A class may be sufficient only because longer traces, which violate nothing, are cut off: it depends on the bound.
    /// In models with few states, every length is examined. By default, traces of up to one and a half times the bound
    /// are searched, for at most a tenth of the time that the result took, or half a second.
    #[arg(long, value_name = "N", conflicts_with_all = ["exact", "unbounded"])]
    pub horizon: Option<usize>,
    /// Count the violating traces of each length: all, those of each class, and those of each class alone
    ///
    /// Numbers are exact: counted over listed states if there are few, else over decision diagrams. If neither is
    /// possible, the reason is reported.
    #[arg(long)]
    pub count: bool,
    /// List at most N states [default: 1000000]
    ///
    /// Above, --unbounded uses induction, --count decision diagrams, and `decisive` is an error.
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = DEFAULT_SEARCH_LIMIT, hide_default_value = true, requires = "explored", allow_negative_numbers = true)]
    pub max_states: usize,
    /// Report the predicates that occur in violations, and violations without
    ///
    /// Classes of a cover need not suffice for a violation: every violating trace is in one of them, none is superfluous,
    /// and a table shows which occur together. Without predicates, the values of the vocabulary's observables count.
    #[arg(long, conflicts_with_all = ["start_with", "max_classes", "keep_redundant", "proofs"])]
    pub cover: bool,
    /// Actions of the environment: 'xss,visit(u=Mallory)' [default: as the model declares]
    ///
    /// For decisive steps and the words `lost`, `safe`, `open`, `decisive`.
    #[arg(long, value_name = "ACTION,...")]
    pub environment: Option<String>,
    /// Cover one class: report the predicates and labels that tell its traces apart
    ///
    /// CLASS is the number of a class of this run, `2`; a class of a stored result, `classes.json:2`; or a predicate whose parameters
    /// are positions.
    #[arg(long, value_name = "CLASS", conflicts_with_all = ["tree", "unbounded", "count", "necessary", "proofs"])]
    pub within: Option<String>,
    /// Compare with a stored result; exit with 0 if no class is new
    ///
    /// A class is known if the stored result has the same one, or if all its violating traces up to the bound are in
    /// classes of the stored result.
    #[arg(long, value_name = "RESULT", value_hint = ValueHint::FilePath, conflicts_with = "within")]
    pub baseline: Option<PathBuf>,
    /// For every fact and step label, report if all violating traces have it, or none
    ///
    /// By default, reports show a few such labels and predicates that are found quickly, distinguish violating traces, and
    /// are not part of every class. With --unbounded, for traces of every length.
    #[arg(long)]
    pub necessary: bool,
    /// Classify first the counterexamples in which this predicate holds
    #[arg(long, value_name = "PRED")]
    pub start_with: Option<String>,
    /// Prefer facts about these observables and predicates of the vocabulary: `action`, `state[A]`, all of `state`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub prefer: Vec<String>,
    /// Leave out these observables and predicates of the vocabulary
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub hide: Vec<String>,
    /// Use concrete values of these types instead of ∃-variables: names, `all` or `none`
    ///
    /// Overrides the vocabulary.
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub ground: Vec<String>,
    /// Stop after this many classes
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_classes: Option<usize>,
    /// Keep redundant classes, marked, and search for a class with each predicate
    #[arg(long)]
    pub keep_redundant: bool,
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Check the result, `holds` included, with the other solver
    #[arg(long)]
    pub verify: bool,
    /// Random seed
    ///
    /// Of the solvers: it changes times, not results.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    pub protocol: ProtocolArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    /// Print the verdict and a line for each kind or class, without details
    #[arg(long, conflicts_with_all = ["json", "necessary"])]
    pub brief: bool,
    /// Print the verdict and one kind or class, with all details
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with_all = ["json", "brief", "necessary"], allow_negative_numbers = true)]
    pub class: Option<usize>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The question for a trace within a bound that violates an invariant.
#[derive(Debug, Arguments)]
pub struct BoundedArgs {
    /// The model (.sts) or protocol (.spdl, .anb, .scm)
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, by its name
    ///
    /// An invariant; the default is the first one.
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Consider traces of up to N steps [default: 10; `check` searches only with -k]
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, allow_negative_numbers = true)]
    pub bound: Option<usize>,
    /// Consider only traces of exactly N steps (N+1 states)
    #[arg(long)]
    pub exact: bool,
    #[command(flatten)]
    pub protocol: ProtocolArgs,
}

#[derive(Debug, Arguments)]
pub struct VocabularyArgs {
    #[command(flatten)]
    pub question: BoundedArgs,
    /// Use concrete values of these types instead of ∃-variables: names, `all` or `none`
    ///
    /// Overrides the vocabularies.
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub ground: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Arguments)]
pub struct TraceShowArgs {
    /// The trace (ITF, or as TLC or `spin -t -p` print it)
    #[arg(value_name = "FILE.itf.json", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The model of the trace
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,
    #[command(flatten)]
    pub loading: LoadingArgs,
    #[command(flatten)]
    pub view: ViewArgs,
}

#[derive(Debug, Arguments)]
pub struct TraceCheckArgs {
    /// The trace (ITF, or as TLC or `spin -t -p` print it), or a folder of them
    #[arg(value_name = "FILE.itf.json", value_hint = ValueHint::AnyPath)]
    pub file: PathBuf,
    /// The model
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The property, by its name
    ///
    /// The default is all invariants, or all properties of ltl where the trace is infinite.
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// Exit with 0 instead of 10, 11 or 12
    #[arg(long)]
    pub exit_zero: bool,
}

/// Options of a run: constants and limits.
#[derive(Debug, Arguments)]
pub struct RunArgs {
    #[command(flatten)]
    pub loading: LoadingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl RunArgs {
    /// Returns the limits of the run.
    pub fn limits(&self) -> CommandLimits {
        self.limits.with(self.threads)
    }
}

/// The methods that prove a property for traces of every length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProofMethodArg {
    /// Try affine relations and a list of few states, then k-induction, IC3, bounded search, decision diagrams and a longer list side by side; for ltl, list up to a million states
    Auto,
    /// List all states
    Explicit,
    /// Represent the reachable states as decision diagrams
    Diagrams,
    /// k-induction
    KInduction,
    /// IC3, also called property-directed reachability
    Ic3,
}

/// The choice of a SAT solver.
#[derive(Debug, Arguments)]
pub struct SolverArgs {
    /// The solver: `cadical` or `varisat`; in `check` and `classify` also 'z3 -in' and the like
    #[arg(long, value_enum, default_value_t = SolverName::Cadical, env = "CLADIST_SOLVER")]
    pub solver: SolverName,
}

/// The choice of the solver for questions about traces.
#[derive(Debug, Arguments)]
pub struct EngineArgs {
    /// The solver: `cadical` or `varisat`; in `check` and `classify` also 'z3 -in' and the like
    ///
    /// The command of an SMT solver that reads standard input. An SMT solver gets the scripts of `export smt2`, over --theory, about traces of up to N steps. Its traces are
    /// evaluated anew. Hints, and the check of a classification, come from CaDiCaL.
    #[arg(long, value_name = "SOLVER", value_parser = Engine::parse, default_value = "cadical", env = "CLADIST_SOLVER")]
    pub solver: Engine,
    /// Integer encoding for SMT solvers
    #[arg(long, value_enum, default_value_t = TheoryArg::Int, value_name = "THEORY")]
    pub theory: TheoryArg,
    /// Report the encoding of each integer: bits, or one literal for each value
    #[arg(long, conflicts_with = "json")]
    pub verbose: bool,
}

impl EngineArgs {
    /// Returns the theory of numbers, if the solver is an SMT solver.
    pub fn asked(&self) -> Option<Theory> {
        matches!(self.solver, Engine::Smt(_)).then(|| self.theory.into())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    Sat(SolverName),
    Smt(SmtSolver),
}

impl Engine {
    /// Parses the name of a SAT solver, or a command.
    fn parse(text: &str) -> Result<Self, String> {
        match SolverName::from_str(text, true) {
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
pub enum SolverName {
    /// CaDiCaL: strong on hard problems
    Cadical,
    /// varisat: written in Rust
    Varisat,
}

/// Options for showing traces.
#[derive(Debug, Default, Arguments)]
pub struct ViewArgs {
    /// Show the value of this expression in each state (repeatable)
    #[arg(long, value_name = "EXPR")]
    pub show: Vec<String>,
    /// Hide this variable (repeatable)
    #[arg(long, value_name = "VAR")]
    pub omit: Vec<String>,
    /// Show whole states instead of changes
    #[arg(long)]
    pub full: bool,
}

/// Options for output.
#[derive(Debug, Arguments)]
pub struct OutputArgs {
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Also write a report, the result and its traces into this folder
    ///
    /// Replaces an earlier result.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Also write clauses and a checked LRAT proof for each unsatisfiable answer behind the result into this folder
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

    /// Returns the last step of the search, unless every length is requested.
    pub fn last_step(&self) -> Option<usize> {
        (!self.unbounded).then(|| self.lengths().bound())
    }

    /// Returns the range of bounds for traces of every length, if requested.
    pub fn reach(&self) -> Option<Reach> {
        let reach = Reach { start: self.bound, otherwise: DEFAULT_BOUND, limit: self.max_states };
        self.unbounded.then_some(reach)
    }
}

impl ProofMethodArg {
    /// Returns the engine's name for the method.
    pub fn way(self) -> InvariantMethod {
        match self {
            Self::Auto => InvariantMethod::Auto,
            Self::Explicit => InvariantMethod::Explicit,
            Self::Diagrams => InvariantMethod::Diagrams,
            Self::KInduction => InvariantMethod::Induction,
            Self::Ic3 => InvariantMethod::Ic3,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Explicit => "explicit",
            Self::Diagrams => "diagrams",
            Self::KInduction => "k-induction",
            Self::Ic3 => "ic3",
        }
    }
}

impl SolverName {
    /// Returns the back end of the solver.
    pub fn backend(self) -> Backend {
        match self {
            SolverName::Cadical => Backend::Cadical,
            SolverName::Varisat => Backend::Varisat,
        }
    }

    /// Returns the solver that checks the results of this one.
    pub fn other(self) -> SolverName {
        match self {
            SolverName::Cadical => SolverName::Varisat,
            SolverName::Varisat => SolverName::Cadical,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverName::Cadical => "cadical",
            SolverName::Varisat => "varisat",
        }
    }
}

/// The encoding of numbers in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TheoryArg {
    /// Integers: QF_LIA
    Int,
    /// Bit vectors: QF_BV
    Bv,
}

impl From<TheoryArg> for Theory {
    fn from(theory: TheoryArg) -> Self {
        match theory {
            TheoryArg::Int => Theory::Int,
            TheoryArg::Bv => Theory::Bv,
        }
    }
}
