//! `cladist lts`: explicit labelled transition systems.

mod args;
mod bugs;
mod check;
mod command_error;
mod compare;
mod convert;
mod counterexample;
mod generate;
mod inevitable;
mod info;
mod input;
mod input_args;
mod kind;
mod origin;
mod process;
mod process_args;
mod property;
mod response;
mod safety;
mod shared_args;
mod states;

pub use args::{ExportAutArgs, LtsCommand};
pub use command_error::{CommandError, print};
pub use convert::{refuse_stdout, write_file, write_page};
pub use input::{load_system, no_initial_state};
pub use input_args::{StrictArgs, SystemArgs};
pub use kind::InputKind;
pub use origin::LabelContext;
pub use shared_args::{PageArgs, ResultArgs};

use super::console::Console;
use super::exit::Exit;
use super::limits::CommandLimits;
use super::refusal::UsageError;

/// A command about explicit systems.
pub trait SystemCommand {
    /// The limits of time and memory, and true if standard output is reserved for one JSON document.
    fn limits_and_json(&self) -> (CommandLimits, bool);

    /// Loads the system, analyses it, and prints the result.
    ///
    /// # Errors
    /// If the input cannot be used, or a limit is reached.
    fn run(&self, console: &Console) -> Result<Exit, CommandError>;
}

impl LtsCommand {
    /// The analysis with its arguments.
    pub fn analysis(&self) -> &dyn SystemCommand {
        match self {
            LtsCommand::Info(args) => args,
            LtsCommand::Check(args) => args,
            LtsCommand::Tag(args) => args,
            LtsCommand::Neighbours(args) => args,
            LtsCommand::Inevitable(args) => args,
            LtsCommand::Counterexample(args) => args,
            LtsCommand::Convert(args) => args,
            LtsCommand::Minimize(args) => args,
            LtsCommand::Compare(args) => args,
            LtsCommand::Generate(args) => args,
            LtsCommand::Bugs(args) => args,
        }
    }
}

/// Runs a command about an explicit system.
pub fn run(command: &LtsCommand, console: &Console) -> Result<Exit, UsageError> {
    let analysis = command.analysis();
    analysis.run(console).or_else(|ended| ended.report(console, analysis.limits_and_json().1))
}

/// `export aut`.
pub fn export(args: &ExportAutArgs, console: &Console) -> Result<Exit, UsageError> {
    convert::export(args, console).or_else(|ended: CommandError| ended.report(console, false))
}
