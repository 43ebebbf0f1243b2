//! The command-line program: reads the arguments, runs a command, prints its result.
//!
//! Results go to standard output, everything else to standard error. Exit codes are decided only in `exit.rs`; the
//! watchdog of `watchdog.rs` is the last resort for limits.

mod args;
mod baseline;
mod batch;
mod bounds;
mod causes;
mod certificates;
mod check;
mod ci;
mod claims;
mod classify;
mod command;
mod command_line;
mod completions;
mod console;
mod crash;
mod ctl;
mod dialect;
mod diff;
mod doc;
mod exit;
mod export;
mod fairness;
mod fates;
mod fmt;
mod foreign;
mod import;
mod init;
mod input;
mod interrupt;
mod lassos;
mod limits;
mod linear;
mod loading;
mod lsp;
mod lts;
mod man;
mod out_dir;
mod patterns;
mod progress;
mod proof;
mod proof_folder;
mod proofs;
mod protocol;
mod protocol_args;
mod question;
mod refusal;
mod rerun;
mod result_folder;
mod settings;
mod sort;
mod status_line;
mod stored;
mod stream;
mod symmetric;
mod test;
mod trace;
mod values;
mod verify;
mod vocabulary;
mod watchdog;
mod within;

use args::Color;
use cladist::smt_solver::launch_solvers;
use clap::error::ErrorKind;
use command::{Args, Command, ExportCommand, ProofCommand, TraceCommand};
use console::Console;
use exit::Exit;
use limits::CommandLimits;
use refusal::UsageError;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use watchdog::Watchdog;

/// Runs the program on its arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(code) = launch_solvers(&arguments) {
        return code.into();
    }
    crash::guard(|| dispatch(&arguments)).into()
}

fn dispatch(arguments: &[OsString]) -> Exit {
    if let Some(exit) = completions::answer(arguments) {
        return exit;
    }
    let (arguments, former) = dialect::modern(arguments);
    let args = match Args::read(&arguments) {
        Ok(args) => args,
        Err(error) => return without_command(&arguments, &error),
    };
    let json = args.command.wants_json();
    let watchdog = match args.command.limits() {
        Some(limits) => Watchdog::start(limits.or_usual(), json, args.command.is_about_systems()),
        None => Watchdog::idle(CommandLimits::default(), json),
    };
    interrupt::handle(&watchdog);
    if args.until_stdin_ends {
        interrupt::end_with_standard_input(&watchdog);
    }
    let console = Console::new(args.color, watchdog, rerun::typed(&arguments));
    former
        .iter()
        .for_each(|spelling| dialect::hint(&console, spelling.today, &format!("`{}`", spelling.former)));
    let exit = match execute(args.command, &console) {
        Ok(exit) => exit,
        Err(refusal) => console.refuse(&refusal, json),
    };
    console.ended_with(exit)
}

/// Prints help, or the error in the command line.
fn without_command(arguments: &[OsString], error: &clap::Error) -> Exit {
    let console =
        Console::new(Color::Auto, Watchdog::idle(CommandLimits::default(), false), rerun::typed(arguments));
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        if let Err(error) = error.print().and_then(|()| std::io::stdout().flush()) {
            console.cannot_write(&error);
        }
        return console.ended_with(Exit::Fine);
    }
    console.say_styled(&error.render());
    if arguments.iter().any(|argument| argument == "--json") {
        let message = error.render().to_string();
        let first = message.lines().next().unwrap_or_default();
        let refusal = UsageError::message(first.strip_prefix("error: ").unwrap_or(first));
        return console.refuse_on_stdout(&refusal);
    }
    Exit::BadInput
}

fn execute(mut command: Command, console: &Console) -> Result<Exit, UsageError> {
    protocol::settle(&mut command)?;
    match command {
        Command::Check(args) => check::run(&args, console),
        Command::Classify(args) => classify::run_each(*args, console),
        Command::Vocabulary(args) => vocabulary::run(&args, console),
        Command::Ctl(args) => ctl::run(&args, console),
        Command::Batch(args) => batch::run(&args, console),
        Command::Trace { command: TraceCommand::Show(args) } => trace::show(&args, console),
        Command::Trace { command: TraceCommand::Check(args) } => trace::check(&args, console),
        Command::Trace { command: TraceCommand::Sort(args) } => sort::run(&args, console),
        Command::Lts { command } => lts::run(&command, console),
        Command::Proof { command: ProofCommand::Check(args) } => proof::run_check(&args, console),
        Command::Export { command: ExportCommand::Aut(args) } => lts::export(&args, console),
        Command::Export { command: ExportCommand::Sts(args) } => protocol::export(&args, console),
        Command::Export { command: ExportCommand::Certificates(args) } => {
            certificates::export(&args, console)
        }
        Command::Export { command: ExportCommand::Smt2(args) } => question::export_smt2(&args, console),
        Command::Export { command: ExportCommand::Dimacs(args) } => question::export_dimacs(&args, console),
        Command::Import { command } => import::run(&command, console),
        Command::Verify(args) => verify::run(&args, console),
        Command::Diff(args) => diff::run(&args, console),
        Command::Doc(args) => doc::run(&args, console),
        Command::Test(args) => test::run(&args, console),
        Command::Fmt(args) => fmt::run(&args, console),
        Command::Init(args) => init::run(&args, console),
        Command::Lsp { .. } => lsp::run(),
        Command::Completions { shell } => completions::run(shell, console),
        Command::Man { out } => man::run(out.as_deref(), console),
    }
}
