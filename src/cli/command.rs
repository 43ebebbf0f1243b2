//! The tree of commands with its help texts.

use super::args::{CheckArgs, ClassifyArgs, Color, TraceCheckArgs, TraceShowArgs, VocabularyArgs};
use super::batch::BatchArgs;
use super::certificates::ExportCertificatesArgs;
use super::ctl::CtlArgs;
use super::diff::DiffArgs;
use super::doc::DocArgs;
use super::fmt::FmtArgs;
use super::import::{ImportArgs, ImportQuintArgs, ImportTlaArgs};
use super::init::InitArgs;
use super::limits::CommandLimits;
use super::lts::{ExportAutArgs, LtsCommand};
use super::proof::ProofCheckArgs;
use super::protocol_args::ExportStsArgs;
use super::question::{ExportDimacsArgs, ExportSmt2Args};
use super::sort::TraceSortArgs;
use super::test::TestArgs;
use super::verify::VerifyArgs;
use clap::{Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
    0  holds within the given bound, or nothing to decide
   10  violated, with a complete result
   11  violated, partial result: time, memory, limit, interrupt, ctl properties
   12  violated, and the vocabulary is too weak, or a cover leaves a remainder
   13  a stored result makes a wrong claim (verify)
    5  undecided: time, memory, too many states, a model that expands to too
       much, or a property of ctl
    2  bad command line or input, or a result that could not be written,
       whatever the verdict
   70  internal error
  130  interrupted before any result
--exit-zero turns 10, 11 and 12 into 0.";

const EXAMPLES: &str = "\
Examples:
  cladist check specs/ns_public_key.sts                types and warnings
  cladist check specs/ns_public_key.sts -k 8           shortest counterexamples
  cladist classify specs/ns_public_key.sts -V attacks  classes of violations
  cladist classify specs/ns_public_key.sts --json      as one JSON document";

const INIT_EXAMPLES: &str = "\
Examples:
  cladist init
  cladist init shop.sts";

const CHECK_EXAMPLES: &str = "\
Examples:
  cladist check specs/mutex.sts           types, and actions that never happen
  cladist check predicates/messages.pred  a predicate library
  cladist check specs/mutex.sts -k 8      shortest counterexamples
  cladist check specs/mutex.sts -p exclusion -k 8 --set FIXED=true
  cladist check specs/token_ring.sts --unbounded --set NODES=20";

const CLASSIFY_EXAMPLES: &str = "\
Examples:
  cladist classify specs/mutex.sts                   first invariant, vocabulary
  cladist classify specs/ns_public_key.sts -p secrecy -V attacks -k 12
  cladist classify specs/liveness/starvation.sts -p p_enters --unbounded
  cladist classify specs/mutex.sts -k 20 --timeout 5m --memory 2G
  cladist classify specs/mutex.sts -k 9 --exact      traces of exactly 10 states
  cladist classify specs/mutex.sts -V auto           a vocabulary is found
  cladist classify specs/mutex.sts --unbounded       traces of every length
  cladist classify specs/tcp_handshake.sts -V ways -k 19 --count
  cladist classify specs/ns_symmetric.sts --brief    just the constraints
  cladist classify specs/mutex.sts --out r --verify  a report, with a self-check
  cladist classify specs/mutex.sts --baseline old.json   only new kinds fail
  cladist classify specs/ns_public_key.sts --start-with msgs.replay
  cladist classify specs/ns_symmetric.sts -V labels --prefer action
  cladist classify specs/ns_symmetric.sts -V knowledge --hide keys.uses_known";

const VOCABULARY_EXAMPLES: &str = "\
Examples:
  cladist vocabulary specs/mutex.sts
  cladist vocabulary specs/ns_sessions.sts -k 8 --timeout 2m
  cladist vocabulary specs/ns_public_key.sts -p secrecy --json";

const VOCABULARY_NOTES: &str = "\
Classifies with every vocabulary of the model, and with others made of its labels of steps and their arguments, \
variables, predicates, ties between values, and absences. The best one, `auto`, gives complete classes, as few and as \
short as possible, none of which only restates the property. `cladist classify -V auto` uses it.

Exit codes:
    0  all were tried, whether the property holds or not
   11  some were: the time or memory ended, or it was interrupted
    5  the time or memory ended before a violation was found
    2  bad command line or input, or a result that cannot be written
  130  interrupted before a violation was found";

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
explicit system, enabled(\"LABEL\"), matches(\"PATTERN\") and deadlock. AF and EG range over infinite paths only.

The steps of a counterexample show existential operators, once negations are pushed inwards; an operator below a \
universal one is a fact about the whole system. With --scope, a violation of a universal formula and a witness of an \
existential one are real; everything else is undecided (exit code 5).";

const TRACE_SHOW_EXAMPLES: &str = "\
Examples:
  cladist trace show r/class-1.itf.json
  cladist trace show r/class-1.itf.json specs/mutex.sts --show flag
With the model, values are shown in its notation, and expressions can be added.";

const TRACE_CHECK_EXAMPLES: &str = "\
Examples:
  cladist trace check r/class-1.itf.json specs/mutex.sts
  cladist trace check r/class-1.itf.json specs/mutex.sts -p exclusion

Exit codes:
   0  a trace of the model that violates no invariant (or not that of -p)
  10  a trace of the model that violates an invariant
   2  not a trace of the model, or unreadable input
--exit-zero turns 10 into 0.";

const TRACE_SORT_EXAMPLES: &str = "\
Examples:
  cladist classify specs/mutex.sts --json > result.json
  cladist trace sort result.json specs/mutex.sts traces/*.itf.json

Exit codes:
   0  every file is a trace of the model, and violates nothing or is in a class
  10  some file violates the property and is in no class
   2  some file is not a trace of the model; bad command line or input";

const EXPORT_AUT_EXAMPLES: &str = "\
Examples:
  cladist export aut specs/mutex.sts
  cladist export aut specs/mutex.sts -o mutex.aut.gz";

const DOC_EXAMPLES: &str = "\
Examples:
  cladist doc predicates/messages.pred
  cladist doc std/channels.pred -o channels.md
  cladist doc specs/web_shop.sts -o web_shop.html";

const TEST_EXAMPLES: &str = "\
Examples:
  cladist test predicates/*.pred specs/web_shop.sts
  cladist test specs/web_shop.sts --set XSS=false
  cladist test specs/mutex.sts --json";

const TEST_EXIT_CODES: &str = "\
Exit codes:
    0  all examples pass
   10  an example fails
   11  an example fails, and one is undecided
    5  an example is undecided: time or memory ended
    2  bad command line or input, or a result that cannot be written
  130  interrupted before any result
--exit-zero turns 10 and 11 into 0.";

const FMT_EXAMPLES: &str = "\
Examples:
  cladist fmt model.sts library.pred
  cladist fmt --stdout protocol.spdl
  cladist fmt --check specs/*.sts specs/protocols/*.spdl";

const FMT_EXIT_CODES: &str = "\
Exit codes:
   0  formatted, or nothing to change
  10  --check: a file is not formatted
   2  a file that cannot be read or written";

const EXPORT_STS_EXAMPLES: &str = "\
Examples:
  cladist export sts specs/protocols/needham-schroeder-public-key.spdl
  cladist export sts specs/protocols/tmn.spdl -o tmn.sts --runs 2";

const EXPORT_CERTIFICATES_EXAMPLES: &str = "\
Examples:
  cladist export certificates specs/protocols/woo-lam-pi-f.spdl -o proofs.json
  cladist verify proofs.json";

const IMPORT_AIGER_EXAMPLES: &str = "\
Examples:
  cladist import aiger arbiter.aag -o arbiter.sts
  cladist classify arbiter.aig -V auto -k 8";

const IMPORT_QUINT_EXAMPLES: &str = "\
Examples:
  quint compile --invariant inv clock.qnt > clock.qnt.json
  cladist import quint clock.qnt.json -o clock.sts
  cladist import quint bank.qnt.json --int 0..9 --const 'LIMIT=3'";

const IMPORT_PROMELA_EXAMPLES: &str = "\
Examples:
  cladist import promela peterson.pml -o peterson.sts
  cladist classify peterson.pml -k 12";

const IMPORT_TLA_EXAMPLES: &str = "\
Examples:
  cladist import tla DieHard.tla -o diehard.sts
  cladist import tla Queue.tla --int 0..9 --list 3
  cladist check DieHard.tla --unbounded";

const IMPORT_BTOR2_EXAMPLES: &str = "\
Examples:
  cladist import btor2 counter.btor2 -o counter.sts
  cladist classify counter.btor2 -V auto -k 8";
const IMPORT_SMV_EXAMPLES: &str = "\
Examples:
  cladist import smv mutex.smv -o mutex.sts
  cladist classify mutex.smv -p exclusion -V auto -k 8";

const EXPORT_SMT2_EXAMPLES: &str = "\
Examples:
  cladist export smt2 specs/mutex.sts -p exclusion -k 8 | z3 -in
  cladist export smt2 specs/mutex.sts -k 8 --theory bv -o mutex.smt2";

const VERIFY_EXAMPLES: &str = "\
Examples:
  cladist classify specs/mutex.sts --json > result.json
  cladist verify result.json
  cladist verify result.json --solver 'cvc5 --lang smt2 --bitblast=eager'
  cladist verify result.json --exchange bundle
  cladist verify bundle";

const LSP_EXAMPLES: &str = "\
Example:
  cladist lsp

Editors start it by themselves; see docs/editors.md. It reports the diagnostics of `check` and mistakes in protocol files, \
lists, finds and renames declarations, completes names, and formats texts.";

const DIFF_EXAMPLES: &str = "\
Examples:
  cladist diff old.json new.json
  cladist diff old/classes.json new/classes.json --json

Exit codes:
   0  the same classes and the same verdict
  10  they differ
   2  a file that is not a stored result";

const EXPORT_DIMACS_EXAMPLES: &str = "\
Examples:
  cladist export dimacs specs/mutex.sts -p exclusion -k 8 -o mutex.cnf";

const PROOF_CHECK_EXAMPLES: &str = "\
Examples:
  cladist classify specs/mutex.sts --proofs proofs
  cladist proof check proofs/01-class-1-suffices.cnf \\
      proofs/01-class-1-suffices.lrat

Exit codes:
   0  verified: the clauses are unsatisfiable
   2  refused, or unreadable input
   5  undecided: time or memory";

/// Classifies the counterexamples of a bounded model check
///
/// Cladist finds all violations of a property in a finite model up to a number of steps and divides them
/// into few classes: each with a constraint over named facts, a shortest counterexample, and for each fact
/// the reason why it is needed.
#[derive(Debug, Parser)]
#[command(name = "cladist", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Args {
    /// When to use colours; a non-empty NO_COLOR in the environment turns `auto` into `never`
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,

    /// End as soon as standard input ends; `batch` and `lsp` start their jobs with it, so that none outlives them.
    #[arg(long, global = true, hide = true)]
    pub until_stdin_ends: bool,

    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented model to begin with
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitArgs),
    /// Check a model or library; with -k, search for a shortest counterexample of each property
    #[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{EXIT_CODES}"))]
    Check(Box<CheckArgs>),
    /// Group the counterexamples of a property into kinds or classes: the main command
    #[command(after_help = CLASSIFY_EXAMPLES, after_long_help = format!("{CLASSIFY_EXAMPLES}\n\n{EXIT_CODES}"))]
    Classify(Box<ClassifyArgs>),
    /// Compare the vocabularies of a model, and search for better ones
    #[command(after_help = VOCABULARY_EXAMPLES, after_long_help = format!("{VOCABULARY_EXAMPLES}\n\n{VOCABULARY_NOTES}"))]
    Vocabulary(VocabularyArgs),
    /// Decide a branching-time property (CTL with fairness), with a path or smallest subgraph as evidence
    #[command(after_help = CTL_EXAMPLES, after_long_help = format!("{CTL_EXAMPLES}\n\n{CTL_NOTES}\n\n{EXIT_CODES}"))]
    Ctl(CtlArgs),
    /// Run a plan of many classifications, locally or on a cluster, and compare the results
    Batch(BatchArgs),
    /// Show or check stored traces
    #[command(arg_required_else_help = true)]
    Trace {
        /// The command on the trace.
        #[command(subcommand)]
        command: TraceCommand,
    },
    /// Analyse explicit transition systems: steps that lead to a violation, and those that avoid it
    #[command(arg_required_else_help = true)]
    Lts {
        /// The command on the system.
        #[command(subcommand)]
        command: LtsCommand,
    },
    /// Check proofs of unsatisfiability
    #[command(arg_required_else_help = true)]
    Proof {
        /// The command on the proof.
        #[command(subcommand)]
        command: ProofCommand,
    },
    /// Write a model in the format of another tool
    #[command(arg_required_else_help = true)]
    Export {
        /// The format to write.
        #[command(subcommand)]
        command: ExportCommand,
    },
    /// Translate a model of another tool into the specification language
    #[command(arg_required_else_help = true)]
    Import {
        /// The format to read.
        #[command(subcommand)]
        command: ImportCommand,
    },
    /// Verify a stored result: traces by evaluation, the rest by SMT solvers
    #[command(after_help = VERIFY_EXAMPLES, after_long_help = format!("{VERIFY_EXAMPLES}\n\n{EXIT_CODES}"))]
    Verify(VerifyArgs),
    /// Compare two stored results: list the classes that only one of them has
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Run the examples of models and predicate libraries: traces in which a predicate must, or must not, hold
    #[command(after_help = TEST_EXAMPLES, after_long_help = format!("{TEST_EXAMPLES}\n\n{TEST_EXIT_CODES}"))]
    Test(TestArgs),
    /// Write a reference page of a library, component or model from its doc comments and examples
    #[command(after_help = DOC_EXAMPLES)]
    Doc(DocArgs),
    /// Format models, libraries and protocols; comments are kept
    #[command(after_help = FMT_EXAMPLES, after_long_help = format!("{FMT_EXAMPLES}\n\n{FMT_EXIT_CODES}"))]
    Fmt(FmtArgs),
    /// Start the language server on standard input and output
    #[command(after_help = LSP_EXAMPLES)]
    Lsp {
        /// The only way of communication; accepted because editors pass it.
        #[arg(long, hide = true)]
        stdio: bool,
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
    /// Show a stored trace: labels and changes
    #[command(mut_arg("overrides", |arg| arg.requires("model")), mut_arg("integers", |arg| arg.requires("model")), mut_arg("lists", |arg| arg.requires("model")), mut_arg("root", |arg| arg.requires("model")), after_help = TRACE_SHOW_EXAMPLES)]
    Show(TraceShowArgs),
    /// Check that a stored trace is a trace of a model, and list the invariants that it violates
    #[command(after_help = TRACE_CHECK_EXAMPLES)]
    Check(TraceCheckArgs),
    /// Sort external traces into the classes of a stored result
    #[command(after_help = TRACE_SORT_EXAMPLES)]
    Sort(TraceSortArgs),
}

/// The commands about proofs.
#[derive(Debug, Subcommand)]
pub enum ProofCommand {
    /// Check an LRAT proof that clauses are unsatisfiable, as `--proofs` and other solvers write it
    #[command(after_help = PROOF_CHECK_EXAMPLES)]
    Check(ProofCheckArgs),
}

/// The formats of `export`.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write the reachable state space as an explicit system (AUT), labelled by actions with their arguments
    #[command(after_help = EXPORT_AUT_EXAMPLES)]
    Aut(ExportAutArgs),
    /// Write a protocol (.spdl, .anb, .scm) as a model in the specification language
    #[command(after_help = EXPORT_STS_EXAMPLES)]
    Sts(ExportStsArgs),
    /// Write certificates of the claims of a protocol (.spdl, .anb, .scm) that hold for any number of runs, which `verify` checks
    #[command(after_help = EXPORT_CERTIFICATES_EXAMPLES)]
    Certificates(ExportCertificatesArgs),
    /// Write the bounded model checking problem of an invariant as an SMT-LIB 2 script, for z3, cvc5 and others
    #[command(after_help = EXPORT_SMT2_EXAMPLES)]
    Smt2(ExportSmt2Args),
    /// Write the same problem as clauses for SAT solvers (DIMACS CNF), with comments on the variables
    #[command(after_help = EXPORT_DIMACS_EXAMPLES)]
    Dimacs(ExportDimacsArgs),
}

/// The formats of `import`.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Read a circuit in AIGER: bad states, constraints, justice and fairness
    #[command(mut_arg("file", |arg| arg.help("A circuit in AIGER, in ASCII or binary")), after_help = IMPORT_AIGER_EXAMPLES)]
    Aiger(ImportArgs),
    /// Read a program of Spin: processes, channels, assertions, end states, ltl, never
    #[command(mut_arg("file", |arg| arg.help("A program of Spin; files that it includes lie beside it")), after_help = IMPORT_PROMELA_EXAMPLES)]
    Promela(ImportArgs),
    /// Read a specification in Quint, from the JSON of its compiler
    #[command(mut_arg("file", |arg| arg.help("Output of `quint compile --target json`")), after_help = IMPORT_QUINT_EXAMPLES)]
    Quint(ImportQuintArgs),
    /// Read a circuit of words in BTOR2, without arrays
    #[command(mut_arg("file", |arg| arg.help("A circuit in BTOR2, without arrays")), after_help = IMPORT_BTOR2_EXAMPLES)]
    Btor2(ImportArgs),
    /// Read a model of NuSMV or nuXmv: finite types, modules, INVARSPEC, LTLSPEC, CTLSPEC
    #[command(mut_arg("file", |arg| arg.help("A model of NuSMV or nuXmv")), after_help = IMPORT_SMV_EXAMPLES)]
    Smv(ImportArgs),
    /// Read a specification in TLA+, with the configuration of TLC beside it
    #[command(mut_arg("file", |arg| arg.help("A module of TLA+; its .cfg and other modules lie beside it")), after_help = IMPORT_TLA_EXAMPLES)]
    Tla(ImportTlaArgs),
}

impl Command {
    /// True if standard output is reserved for one JSON document.
    pub fn wants_json(&self) -> bool {
        match self {
            Command::Check(args) => args.output.json,
            Command::Classify(args) => args.output.json,
            Command::Vocabulary(args) => args.json,
            Command::Test(args) => args.json,
            Command::Ctl(args) => args.output.json,
            Command::Batch(args) => args.json,
            Command::Trace { command: TraceCommand::Sort(args) } => args.json,
            Command::Verify(args) => args.json,
            Command::Diff(args) => args.json,
            Command::Lts { command } => command.analysis().limits_and_json().1,
            _ => false,
        }
    }

    /// True for commands about explicit systems, whose documents have their own form for undecided results.
    pub fn is_about_systems(&self) -> bool {
        matches!(
            self,
            Command::Ctl(_) | Command::Lts { .. } | Command::Export { command: ExportCommand::Aut(_) }
        )
    }

    /// Returns the given limits; `None` for a command without such options.
    pub fn limits(&self) -> Option<CommandLimits> {
        Some(match self {
            Command::Check(args) => args.run.limits(),
            Command::Classify(args) => args.run.limits(),
            Command::Vocabulary(args) => args.run.limits(),
            Command::Test(args) => args.run.limits(),
            Command::Ctl(args) => args.input.limits(),
            Command::Batch(args) => args.limits(),
            Command::Verify(args) => args.limits.limits(),
            Command::Lts { command } => command.analysis().limits_and_json().0,
            Command::Proof { command: ProofCommand::Check(args) } => args.limits.limits(),
            Command::Export { command: ExportCommand::Aut(args) } => args.model.limits(),
            Command::Export { command: ExportCommand::Certificates(args) } => args.limits.limits(),
            Command::Export {
                command:
                    ExportCommand::Smt2(ExportSmt2Args { question, .. })
                    | ExportCommand::Dimacs(ExportDimacsArgs { question, .. }),
            } => question.limits.limits(),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_consistent() {
        Args::tree().debug_assert();
    }

    /// Returns the words of a command. Two spaces begin a remark, and | and > a part for the shell; quoted words are
    /// one.
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
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
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
        assert!(check(&Args::tree()) >= 21);
    }

    /// Help texts are wrapped at the width of the terminal, but examples and tables, whose lines are indented, must
    /// stay in one piece to be copied: none is wider than a narrow terminal.
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
        assert_eq!(wide(&Args::tree()), Vec::<String>::new());
    }
}
