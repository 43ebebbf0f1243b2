//! `cladist lts`: explicit labelled transition systems.

mod args;
mod around;
mod bugs;
mod check;
mod command_error;
mod compare;
mod convert;
mod counterexample;
mod draw;
mod escapes;
mod format;
mod generate;
mod inevitable;
mod info;
mod input;
mod input_args;
mod kind;
mod neighbours;
mod origin;
mod process;
mod process_args;
mod property;
mod relabel;
mod response;
mod sequence;
mod shared_args;
mod states;
mod tag;

pub use args::{ExportAutArgs, LtsCommand};
pub use command_error::CommandError;
pub use convert::{refuse_stdout, write_file};
pub use input::{load_system, no_initial_state};
pub use input_args::{LimitArgs, LoadingArgs, StrictArgs, SystemArgs};
pub use kind::Kind;
pub use origin::Known;
pub use shared_args::ResultArgs;

use super::console::Console;
use super::exit::Exit;
use super::refusal::Refusal;

/// Runs a command about an explicit system.
pub fn run(command: &LtsCommand, console: &Console) -> Result<Exit, Refusal> {
    let done = match command {
        LtsCommand::Info(args) => info::run(args, console),
        LtsCommand::Check(args) => check::run(args, console),
        LtsCommand::Tag(args) => tag::run(args, console),
        LtsCommand::Neighbours(args) => neighbours::run(args, console),
        LtsCommand::Inevitable(args) => inevitable::run(args, console),
        LtsCommand::Counterexample(args) => counterexample::run(args, console),
        LtsCommand::Convert(args) => convert::convert(args, console),
        LtsCommand::Minimize(args) => convert::minimize(args, console),
        LtsCommand::Compare(args) => compare::run(args, console),
        LtsCommand::Generate(args) => generate::run(args, console),
        LtsCommand::Bugs(args) => bugs::run(args, console),
    };
    done.or_else(|ended| ended.report(console, command.wants_json()))
}

/// `export aut`.
pub fn export(args: &ExportAutArgs, console: &Console) -> Result<Exit, Refusal> {
    convert::export(args, console).or_else(|ended: CommandError| ended.report(console, false))
}
