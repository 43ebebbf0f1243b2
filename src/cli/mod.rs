//! The command line: what was typed, what it means, and what is printed where.
//!
//! Results go to standard output, everything else to standard error. Exit codes are decided in
//! `exit.rs` and nowhere else.

mod args;
mod batch;
mod check;
mod classify;
mod command_line;
mod completions;
mod console;
mod crash;
mod ctl;
mod exit;
mod export;
mod input;
mod interrupt;
mod lts;
mod man;
mod out_dir;
mod progress;
mod refusal;
mod rerun;
mod settings;
mod stream;
mod suggest;
mod trace;
mod unbounded;

use args::{Args, Command, ExportCommand, TraceCommand};
use clap::error::ErrorKind;
use console::Console;
use exit::Exit;
use refusal::Refusal;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program on its arguments, the first being its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    crash::guard(|| dispatch(&arguments)).into()
}

fn dispatch(arguments: &[OsString]) -> Exit {
    match Args::read(arguments) {
        Ok(args) => {
            let console = Console::new(args.color);
            let json = args.command.wants_json();
            match execute(args.command, &console) {
                Ok(exit) => exit,
                Err(refusal) => refusal.report(&console, json),
            }
        }
        Err(error) => {
            // Nothing can be done about a standard error that cannot be written to.
            let _ = error.print();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Fine,
                _ if arguments.iter().any(|a| a == "--json") => {
                    let message = error.render().to_string();
                    let first = message.lines().next().unwrap_or_default();
                    let message = first.strip_prefix("error: ").unwrap_or(first);
                    Refusal::message(message).report_on_stdout(&Console::new(args::Color::Never))
                }
                _ => Exit::BadInput,
            }
        }
    }
}

fn execute(command: Command, console: &Console) -> Result<Exit, Refusal> {
    match command {
        Command::Check(args) => check::run(&args, console),
        Command::Classify(args) => classify::run(&args, console),
        Command::Ctl(args) => ctl::run(&args, console),
        Command::Batch(args) => batch::run(&args, console),
        Command::Trace { command: TraceCommand::Show(args) } => trace::show(&args, console),
        Command::Trace { command: TraceCommand::Check(args) } => trace::check(&args, console),
        Command::Lts { command } => lts::run(&command, console),
        Command::Export { command: ExportCommand::Aut(args) } => lts::export(&args, console),
        Command::Completions { shell } => completions::run(shell, console),
        Command::Man { out } => man::run(out.as_deref(), console),
    }
}
