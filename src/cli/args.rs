//! What can be typed. What it means is in `settings.rs`.

use super::batch::BatchArgs;
use super::ctl::CtlArgs;
use super::lts::{ExportAutArgs, LtsCommand};
use super::settings::{parse_bound, parse_bytes, parse_count, parse_duration, parse_number, parse_override};
use cladist::classify::Reach;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::prove::Way;
use cladist::sat::Backend;
use cladist::unroll::Lengths;
use clap::{ArgGroup, Args as Arguments, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;

/// Steps, where nothing is said.
const DEFAULT_BOUND: usize = 10;

const EXIT_CODES: &str = "\
Exit codes:
    0  holds as far as was asked, or nothing was asked that can fail
   10  violated, and the result is complete
   11  violated, and the result is partial: budget, limit, interrupt, undecided
   12  violated, and the vocabulary is too weak to say how
    5  undecided: budget, or a temporal property
    2  bad command line or input
   70  internal error
  130  interrupted before any result
--exit-zero turns 10, 11 and 12 into 0.";

const EXAMPLES: &str = "\
Examples:
  cladist check specs/ns_public_key.sts                types and warnings
  cladist check specs/ns_public_key.sts -k 8           shortest counterexamples
  cladist classify specs/ns_public_key.sts -V attacks  the kinds of violation
  cladist classify specs/ns_public_key.sts --json      the same for programs";

const CHECK_EXAMPLES: &str = "\
Examples:
  cladist check specs/mutex.sts           types, and what never happens
  cladist check predicates/messages.pred  a predicate library alone
  cladist check specs/mutex.sts -k 8      shortest counterexamples
  cladist check specs/mutex.sts -p exclusion -k 8 --set FIXED=true
  cladist check specs/token_ring.sts --unbounded --set NODES=20";

const CLASSIFY_EXAMPLES: &str = "\
Examples:
  cladist classify specs/mutex.sts                   first invariant, vocabulary
  cladist classify specs/ns_public_key.sts -p secrecy -V attacks -k 12
  cladist classify specs/mutex.sts -k 20 --timeout 5m --memory 2G
  cladist classify specs/mutex.sts -k 9 --exact      traces of exactly 10 states
  cladist classify specs/mutex.sts --unbounded       traces of every length
  cladist classify specs/tcp_handshake.sts -V ways -k 19 --count
  cladist classify specs/mutex.sts --out r --verify  files, checked again
  cladist classify specs/ns_public_key.sts --start-with msgs.replay
  cladist classify specs/ns_symmetric.sts -V labels --prefer action
  cladist classify specs/ns_symmetric.sts -V knowledge --hide keys.uses_known";

const CTL_EXAMPLES: &str = "\
Examples:
  cladist ctl specs/reliable_data_transfer.sts  the first ctl property
  cladist ctl specs/reliable_data_transfer.sts -p liveness --json
  cladist ctl specs/three_states.sts 'AF (not p or AG p)' --dot evidence.dot
  cladist ctl specs/musical_chairs.sts \\
      'AG (phase = Sitting => AF phase = End)' --fair 'phase = Start'
  cladist ctl system.aut 'AG (enabled(\"SEND\") => EF deadlock)'";

const CTL_NOTES: &str = "\
Operators are AX EX AF EF AG EG A[f U g] E[f U g], with and, or, not, =>, <=>. Atoms are expressions of the model; of an \
explicit system, enabled(\"LABEL\"), matches(\"PATTERN\") and deadlock. AF and EG are about infinite paths only.

What a counterexample shows by its own steps are existential operators, once negations are pushed inwards; what is \
below a universal one is a fact of the whole system. With --scope, a violation of a universal formula and a witness of an \
existential one are real; everything else is undecided: exit code 5.";

const TRACE_SHOW_EXAMPLES: &str = "\
Examples:
  cladist trace show r/class-1.itf.json
  cladist trace show r/class-1.itf.json specs/mutex.sts --show flag
With the model, values are shown as it writes them, and expressions can be added.";

const TRACE_CHECK_EXAMPLES: &str = "\
Examples:
  cladist trace check r/class-1.itf.json specs/mutex.sts
  cladist trace check r/class-1.itf.json specs/mutex.sts -p exclusion

Exit codes:
   0  a trace of the model that violates no invariant (or not the one of -p)
  10  a trace of the model that violates one
   2  not a trace of the model, or the input cannot be read
--exit-zero turns 10 into 0.";

const EXPORT_AUT_EXAMPLES: &str = "\
Examples:
  cladist export aut specs/mutex.sts
  cladist export aut specs/mutex.sts mutex.aut.gz";

/// Classifies the counterexamples of a bounded model check
///
/// Cladist looks for all violations of a property in a finite model up to a number of steps, and
/// divides them into few classes: each with a constraint over named facts, a shortest counterexample,
/// and the reason why no fact can be left out.
#[derive(Debug, Parser)]
#[command(name = "cladist", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Args {
    /// When to use colours; NO_COLOR in the environment means never, unless this says otherwise
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a model or library; with -k, look for a shortest counterexample of each invariant
    #[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{EXIT_CODES}"))]
    Check(CheckArgs),
    /// Find the kinds of violation of a property: the main job
    #[command(after_help = CLASSIFY_EXAMPLES, after_long_help = format!("{CLASSIFY_EXAMPLES}\n\n{EXIT_CODES}"))]
    Classify(ClassifyArgs),
    /// Decide a property of branching time (CTL with fairness), and show why by a path or a smallest subgraph
    #[command(after_help = CTL_EXAMPLES, after_long_help = format!("{CTL_EXAMPLES}\n\n{CTL_NOTES}\n\n{EXIT_CODES}"))]
    Ctl(CtlArgs),
    /// Run a plan of many classifications, here or on a cluster, and compare their results
    Batch(BatchArgs),
    /// Look at stored traces
    #[command(arg_required_else_help = true)]
    Trace {
        /// What to do with it.
        #[command(subcommand)]
        command: TraceCommand,
    },
    /// Look at explicit transition systems: what leads into a violation, what avoids it
    #[command(arg_required_else_help = true)]
    Lts {
        /// What to do.
        #[command(subcommand)]
        command: LtsCommand,
    },
    /// Write a model in the format of another tool
    #[command(arg_required_else_help = true)]
    Export {
        /// The format.
        #[command(subcommand)]
        command: ExportCommand,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  cladist completions bash > ~/.local/share/bash-completion/completions/cladist"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(
        after_help = "Examples:\n  cladist man | man -l -\n  cladist man --out ~/.local/share/man/man1"
    )]
    Man {
        /// Write one page for each command into this folder instead
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        out: Option<PathBuf>,
    },
}

/// The commands about traces.
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Show a stored trace: labels and what changed
    #[command(after_help = TRACE_SHOW_EXAMPLES)]
    Show(TraceShowArgs),
    /// Say whether a stored trace is one of a model, and which invariants it violates
    #[command(after_help = TRACE_CHECK_EXAMPLES)]
    Check(TraceCheckArgs),
}

/// The formats of `export`.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// The reachable state space as an explicit system (AUT); labels are actions with their arguments
    #[command(after_help = EXPORT_AUT_EXAMPLES)]
    Aut(ExportAutArgs),
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
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "model")]
    pub root: Option<PathBuf>,
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
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
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
    /// Imports have to come from this folder or below; if not given, from the nearest folder at or above the
    /// model that has a folder `predicates` or is the root of a repository, or else that of the model
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
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

impl Command {
    /// Whether standard output is for one JSON document only.
    pub fn wants_json(&self) -> bool {
        match self {
            Command::Check(args) => args.output.json,
            Command::Classify(args) => args.output.json,
            Command::Ctl(args) => args.output.json,
            Command::Batch(args) => args.json,
            Command::Lts { command } => command.wants_json(),
            _ => false,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_tree_is_consistent() {
        Args::command().debug_assert();
    }

    /// The words of a command. What follows two spaces is a remark, what follows | or > is the shell's, and words in quotes
    /// are one.
    fn words(example: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for (at, c) in example.char_indices() {
            match (quote, c) {
                (Some(open), c) if open == c => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '|' | '>') => break,
                (None, ' ') if example[at..].starts_with("  ") => break,
                (None, ' ') => words.push(String::new()),
                (_, c) => words.last_mut().expect("there is one").push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn examples_can_be_typed() {
        fn check(command: &clap::Command) -> usize {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let help = help.replace(" \\\n      ", " ");
            let examples = help.lines().filter_map(|line| line.strip_prefix("  cladist "));
            let own = examples
                .map(|example| {
                    let words = std::iter::once("cladist".to_owned()).chain(words(example));
                    assert!(Args::try_parse_from(words).is_ok(), "{example}");
                })
                .count();
            own + command.get_subcommands().map(check).sum::<usize>()
        }
        assert!(check(&Args::command()) >= 21);
    }

    /// Help texts are broken at the width of the terminal, and what is copied has to be in one piece: examples and
    /// tables, whose lines are indented, are no wider than any terminal.
    #[test]
    fn examples_are_in_one_piece() {
        const NARROW: usize = 80;
        fn wide(command: &clap::Command) -> Vec<String> {
            let texts = [command.get_after_help(), command.get_after_long_help()];
            let texts: Vec<String> = texts.into_iter().flatten().map(ToString::to_string).collect();
            let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with(' '));
            let own = lines.filter(|line| line.chars().count() > NARROW).map(str::to_owned);
            own.chain(command.get_subcommands().flat_map(wide)).collect()
        }
        assert_eq!(wide(&Args::command()), Vec::<String>::new());
    }
}
