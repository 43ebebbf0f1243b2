//! Arguments of `cladist lts`.

use super::input_args::{AnalysedArgs, InputArgs, ModelArgs};
use super::process_args::{self, BugsArgs, GenerateArgs};
use super::shared_args::{
    DrawArgs, InvariantArgs, KeepArg, PageArgs, PropertyArgs, PropertyTextArgs, RelabelArgs, ResultArgs,
    StrategyArg,
};
use crate::cli::loading::FormerOutputArgs;
use crate::cli::values::{parse_count, parse_number};
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use std::path::PathBuf;

const INPUTS: &str = "\
The system is a file in AUT, as CADP and mCRL2 write it, possibly compressed with gzip, bzip2 or zstd, or in FSM or DOT; `-` is standard input. For a model \
(.sts), the state space is explored; its labels are actions with their arguments. For a process text (.lnt), the system \
is generated.";

const REDUCED: &str = "\
The system of a process text is reduced modulo strong bisimulation before it is analysed, so that its states are \
numbered as by `cladist lts minimize`; with --no-reduce they are numbered as by `cladist lts generate`.";

const PROPERTIES: &str = "\
Properties are written as for CADP's Evaluator (MCL): '[ true* . SEND . (not RECV)* . \"SEND !1\" ] false' forbids \
prefixes of this form. Single quotes enclose patterns that match whole labels: 'SEND.*'. For a model, -p names one \
of its invariants instead.";

const INFO_EXAMPLES: &str = "\
Examples:
  cladist lts info system.aut
  cladist lts info specs/mutex.sts --json
  cladist lts info specs/ns_public_key.sts -p secrecy \\
      --environment learn,resend,forge,forge_answer";

const TAG_EXAMPLES: &str = "\
Examples:
  cladist lts tag system.aut.gz --formula-file property.mcl
  cladist lts tag system.aut --formula-file property.mcl \\
      --counterexample-lts bad.aut --autx tagged.autx
  cladist lts tag system.aut --formula-file property.mcl \\
      --dot tagged.dot --around 12:2";

const NEIGHBOURS_EXAMPLES: &str = "\
Examples:
  cladist lts neighbours system.aut --formula-file property.mcl
  cladist lts neighbours system.aut --formula-file property.mcl --limit 3
  cladist lts neighbours specs/web_shop.sts -p consent";

const INEVITABLE_EXAMPLES: &str = "\
Examples:
  cladist lts inevitable system.aut --actions REQUEST,REPLY
  cladist lts inevitable system.aut --actions \"'SEND.*',RECEIVE\" --dot all.dot
  cladist lts inevitable system.aut --actions REQUEST,REPLY --json --full
  cladist lts inevitable specs/liveness/starvation.sts -p p_enters \\
      --ignore-fairness";

const ACTIONS: &str = "\
An action is a plain label, a label in double quotes, a pattern in single quotes that matches whole labels ('SEND.*'), \
or tau. Every maximal trace should contain the actions in this order, with anything between them.";

const ANSWERS: &str = "\
With -p, every maximal trace of a model should satisfy a property of ltl that is a response property: `eventually e`, `always eventually e` or \
`always (a => eventually e)`, with a and e about one state.";

const COUNTEREXAMPLE_EXAMPLES: &str = "\
Examples:
  cladist lts counterexample system.aut --formula-file property.mcl
  cladist lts counterexample system.aut --formula-file property.mcl \\
      --strategy most-probable
  cladist lts counterexample system.aut --formula-file property.mcl \\
      --through RETRY,RETRY
  cladist lts counterexample system.aut --actions REQUEST,REPLY \\
      --strategy random --seed 7";

const CONVERT_EXAMPLES: &str = "\
Examples:
  cladist lts convert system.aut.gz -o system.aut
  cladist lts convert system.aut -o system.dot
  cladist lts convert --lenient broken.aut";

const MINIMIZE_EXAMPLES: &str = "\
Examples:
  cladist lts minimize system.aut                 print the reduced size
  cladist lts minimize system.aut -o small.aut
  cladist lts minimize system.aut -o small.aut --branching --hide 'INTERNAL.*'
  cladist lts minimize system.aut -o small.aut --trace --rename 'SEND.*=SEND'";

const COMPARE_EXAMPLES: &str = "\
Examples:
  cladist lts compare before.aut after.aut
  cladist lts compare before.aut after.aut --trace --hide 'INTERNAL.*'
  cladist lts compare model.sts system.aut --rename 'enter(p=.*)=ENTER'";

const CHECK_EXAMPLES: &str = "\
Examples:
  cladist lts check system.aut --formula '[true*] <true> true'
  cladist lts check system.aut --formula \\
      'nu X . mu Y . (<a> X || <!a> Y)'
  cladist lts check system.aut --formula \\
      'forall n: Nat . [true* . send(n)] mu X . (<true>true && [!ack(n)] X)'
  cladist lts check system.aut --formula \\
      'library standard.mcl end_library RESPONSE (REQUEST, REPLY)'";

const FORMULAS: &str = "\
Formulas are written as in MCL or mCRL2: <R> f and [R] f with regular formulas R over actions, mu X . f and nu X . f, also \
with parameters, Boolean operators (and, or, not or &&, ||, !), forall and exists over data in labels, val(e), and macros. In files \
that end in .mcf, and in texts with signs only, a|b is the multi-action of mCRL2; elsewhere it is a or b.";

/// One of these options must be given.
fn one_of(options: &[&'static str]) -> ArgGroup {
    ArgGroup::new("decide").args(options.iter().copied()).required(true)
}

/// The commands about explicit systems.
#[derive(Debug, Subcommand)]
pub enum LtsCommand {
    /// Print facts about a system: states, deadlocks, components, labels, determinism
    #[command(after_help = INFO_EXAMPLES, after_long_help = format!("{INFO_EXAMPLES}\n\n{INPUTS}"))]
    Info(InfoArgs),
    /// Decide a formula of the µ-calculus, written as in MCL or mCRL2, and show why it holds or not
    #[command(group = one_of(&["formula", "formula_file"]), after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{INPUTS} {REDUCED}\n\n{FORMULAS}"))]
    Check(LtsCheckArgs),
    /// Decide a property [R] false, and count the transitions that lead to its violation or avoid it
    #[command(group = one_of(&["formula", "formula_file", "property"]), after_help = TAG_EXAMPLES, after_long_help = format!("{TAG_EXAMPLES}\n\n{INPUTS} {REDUCED}\n\n{PROPERTIES}"))]
    Tag(TagArgs),
    /// List where a violation could still be avoided: the wrong step, the right one, and how to get there
    #[command(group = one_of(&["formula", "formula_file", "property"]), after_help = NEIGHBOURS_EXAMPLES, after_long_help = format!("{NEIGHBOURS_EXAMPLES}\n\n{INPUTS} {REDUCED}\n\n{PROPERTIES}"))]
    Neighbours(NeighboursArgs),
    /// Decide whether every trace contains given actions, or satisfies an ltl property, and find the choices that rule it out
    #[command(group = one_of(&["actions", "property"]), after_help = INEVITABLE_EXAMPLES, after_long_help = format!("{INEVITABLE_EXAMPLES}\n\n{INPUTS} {REDUCED}\n\n{ACTIONS}\n\n{ANSWERS}"))]
    Inevitable(InevitableArgs),
    /// Show a counterexample: the most readable one, or that of another strategy
    #[command(
        group = one_of(&["formula", "formula_file", "actions", "property"]),
        after_help = COUNTEREXAMPLE_EXAMPLES,
        after_long_help = format!("{COUNTEREXAMPLE_EXAMPLES}\n\n{INPUTS} {REDUCED}\n\n{PROPERTIES}\n\n{ACTIONS}"),
    )]
    Counterexample(CounterexampleArgs),
    /// Write a system in another format: .aut, .aut.gz, .aut.bz2, .aut.zst or .dot
    #[command(after_help = CONVERT_EXAMPLES, after_long_help = format!("{CONVERT_EXAMPLES}\n\n{INPUTS}"))]
    Convert(ConvertArgs),
    /// Reduce a system modulo strong, branching or weak bisimulation, or by its traces
    #[command(after_help = MINIMIZE_EXAMPLES, after_long_help = format!("{MINIMIZE_EXAMPLES}\n\n{INPUTS}"))]
    Minimize(MinimizeArgs),
    /// Decide whether two systems are equivalent, and show what only one of them has
    #[command(mut_arg("file", |arg| arg.value_name("A").index(1).help("A system: AUT, a process text (.lnt), a model (.sts) or protocol (.spdl, .anb, .scm)")), after_help = COMPARE_EXAMPLES, after_long_help = format!("{COMPARE_EXAMPLES}\n\n{INPUTS}"))]
    Compare(CompareArgs),
    /// Generate the system of a process text (.lnt)
    #[command(mut_arg("max_states", |arg| arg.help(process_args::MAX_STATES)), after_help = process_args::GENERATE_EXAMPLES, after_long_help = format!("{}\n\n{}", process_args::GENERATE_EXAMPLES, process_args::TEXTS))]
    Generate(GenerateArgs),
    /// Count the bugs of a process text (.lnt) or model (.sts): the places where it violates a property, avoidable or not
    #[command(group = one_of(&["formula", "formula_file", "actions", "property"]), after_help = process_args::BUGS_EXAMPLES, after_long_help = format!("{}\n\n{} {}\n\n{PROPERTIES}\n\n{ACTIONS}", process_args::BUGS_EXAMPLES, process_args::BUGS, process_args::TEXTS))]
    Bugs(BugsArgs),
}

#[derive(Debug, Args)]
pub struct LtsCheckArgs {
    #[command(flatten)]
    pub input: AnalysedArgs,
    #[command(flatten)]
    pub property: PropertyTextArgs,
    /// The values of a sort that quantifiers range over: 'D={d1,d2}' (repeatable)
    #[arg(long, value_name = "SORT={VALUE,...}")]
    pub sort: Vec<String>,
    /// How a|b is understood [default: by the ending of the file, else by the signs that the formula uses]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub language: Option<LanguageArg>,
    /// Also show universal subformulas: all transitions, not only chosen ones
    #[arg(long)]
    pub unfold: bool,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub output: ResultArgs,
}

/// The spelling of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LanguageArg {
    /// MCL: a|b is a or b
    Mcl,
    /// Of mCRL2: a|b is a multi-action
    Mcrl2,
}

#[derive(Debug, Args)]
pub struct InevitableArgs {
    #[command(flatten)]
    pub input: AnalysedArgs,
    /// Actions that every trace should contain in this order, separated by commas
    #[arg(long, value_name = "A,B,...")]
    pub actions: Option<String>,
    /// The property, by its name
    ///
    /// An ltl property of a model that every trace should satisfy: a response property.
    #[arg(short, long, value_name = "PROP", conflicts_with_all = ["actions", "full"])]
    pub property: Option<String>,
    /// Ignore the fairness conditions of the model
    ///
    /// With -p: all traces count.
    #[arg(long, requires = "property")]
    pub ignore_fairness: bool,
    /// A neighbourhood needs only one neutral incoming transition; by default, all must be neutral
    #[arg(long)]
    pub some: bool,
    /// Maximum number of neighbourhoods to list, nearest to the initial state first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,
    #[command(flatten)]
    pub draw: DrawArgs,
    /// With --json: the prefixes and suffixes of every state, and the tag of every transition
    #[arg(long, requires = "json")]
    pub full: bool,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub output: ResultArgs,
}

#[derive(Debug, Args)]
pub struct CounterexampleArgs {
    #[command(flatten)]
    pub input: AnalysedArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// Actions that every trace should contain in this order, separated by commas
    #[arg(long, value_name = "A,B,...", conflicts_with_all = ["formula", "formula_file", "property", "strict", "literal"])]
    pub actions: Option<String>,
    /// A neighbourhood needs only one neutral incoming transition; by default, all must be neutral
    #[arg(long, requires = "actions", conflicts_with_all = ["formula", "formula_file"])]
    pub some: bool,
    /// Which counterexample to show
    #[arg(long, value_enum, default_value_t = StrategyArg::Readable, value_name = "WHICH")]
    pub strategy: StrategyArg,
    /// Only counterexamples that contain these actions in this order, with anything between them
    #[arg(long, value_name = "A,B,...")]
    pub through: Option<String>,
    /// Random seed
    ///
    /// For the strategy random: the same seed gives the same counterexample [default: 0].
    #[arg(long, value_name = "N", value_parser = parse_number::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Which actions to keep in the abstraction
    #[arg(long, value_enum, default_value_t = KeepArg::Neighbourhoods, value_name = "WHAT")]
    pub keep: KeepArg,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub output: ResultArgs,
}

#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub states: InvariantArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct TagArgs {
    #[command(flatten)]
    pub input: AnalysedArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// Which actions to keep in the abstraction
    #[arg(long, value_enum, default_value_t = KeepArg::Neighbourhoods, value_name = "WHAT")]
    pub keep: KeepArg,
    /// Write the counterexample LTS as AUT: all traces from which a violation is still possible
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub counterexample_lts: Option<PathBuf>,
    /// Write the tagged system for CLEAR's viewer
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub autx: Option<PathBuf>,
    #[command(flatten)]
    pub draw: DrawArgs,
    /// With --json: every transition with its tag
    #[arg(long, requires = "json")]
    pub full: bool,
    #[command(flatten)]
    pub output: ResultArgs,
}

#[derive(Debug, Args)]
pub struct NeighboursArgs {
    #[command(flatten)]
    pub input: AnalysedArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// Maximum number of neighbourhoods to list, nearest to the initial state first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,
    #[command(flatten)]
    pub output: ResultArgs,
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub file: FormerOutputArgs,
}

/// The equivalence modulo which systems are reduced or compared.
#[derive(Debug, Args)]
#[group(id = "modulo", multiple = false)]
pub struct EquivalenceArgs {
    /// Strong bisimulation, which sees all steps; the default
    #[arg(long)]
    pub strong: bool,
    /// Branching bisimulation: invisible steps (i, tau) that decide nothing do not count
    ///
    /// Nor does divergence.
    #[arg(long)]
    pub branching: bool,
    /// Weak bisimulation: only what is possible between invisible steps counts
    ///
    /// Divergence does not count.
    #[arg(long)]
    pub weak: bool,
    /// Traces: sequences of labels, without invisible steps
    ///
    /// `minimize` writes the smallest deterministic system.
    #[arg(long)]
    pub trace: bool,
}

#[derive(Debug, Args)]
pub struct MinimizeArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub file: FormerOutputArgs,
    #[command(flatten)]
    pub modulo: EquivalenceArgs,
    #[command(flatten)]
    pub relabel: RelabelArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub first: InputArgs,
    /// The system to compare with, of any kind
    #[arg(value_name = "B", index = 2, value_hint = ValueHint::FilePath)]
    pub second: PathBuf,
    #[command(flatten)]
    pub modulo: EquivalenceArgs,
    #[command(flatten)]
    pub relabel: RelabelArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExportAutArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub states: InvariantArgs,
    /// With -p: give each state a self-loop labelled state(lost), state(safe) or state(open)
    #[arg(long, requires = "property")]
    pub tags: bool,
    /// Show the value of this expression in each state (repeatable)
    ///
    /// As a self-loop labelled with it: state(leader={1}).
    #[arg(long, value_name = "EXPR")]
    pub show: Vec<String>,
    #[command(flatten)]
    pub file: FormerOutputArgs,
}
