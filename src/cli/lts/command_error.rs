//! Results of commands about systems, and why there is none.

use super::shared_args::ResultArgs;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::refusal::UsageError;
use cladist::budget::{Budget, Exhausted, Stage};
use cladist::diagnostics::Diagnostic;
use cladist::report::explicit::Report;
use cladist::report::explicit::lts::undecided_document;
use cladist::report::{to_json, to_json_within};

/// Prints a result as a text, or as a document, which may be long.
///
/// # Errors
/// If the budget ends before the document is made.
pub fn print(
    report: &impl Report,
    json: bool,
    budget: &Budget,
    console: &Console,
) -> Result<(), CommandError> {
    let text = match json {
        true => to_json_within(&report.document(), budget)
            .map_err(|why| CommandError::exhausted("writing the result", why, budget))?,
        false => report.text(console.paint(), console.width()),
    };
    Ok(console.print(&text)?)
}

/// Prints the result of an analysis; its exit code says whether the property holds.
///
/// # Errors
/// If the budget ends before the document is made.
pub fn conclude(
    report: &impl Report,
    holds: bool,
    output: &ResultArgs,
    budget: &Budget,
    console: &Console,
) -> Result<Exit, CommandError> {
    print(report, output.json, budget, console)?;
    let exit = if holds { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(output.exit_zero))
}

/// A command about a system has no result.
#[derive(Debug)]
pub enum CommandError {
    /// The input cannot be used.
    Refused(UsageError),
    /// A limit was reached.
    GaveUp {
        /// The operation, the limit, and what to do.
        diagnostic: Box<Diagnostic>,
        /// True if the user interrupted the command.
        interrupted: bool,
        /// The progress so far, if known.
        stage: Option<Stage>,
    },
}

impl<T: Into<UsageError>> From<T> for CommandError {
    fn from(refusal: T) -> Self {
        CommandError::Refused(refusal.into())
    }
}

impl CommandError {
    /// The budget was exhausted during an operation like `reading system.aut`.
    pub fn exhausted(while_doing: &str, why: Exhausted, budget: &Budget) -> Self {
        let stage = budget.stage();
        let far = stage.map(|stage| format!(": {stage}")).unwrap_or_default();
        let message = format!("{why} while {while_doing}{far}");
        let diagnostic =
            Diagnostic::error_without_place(message).with_help(why.help("no result is available"));
        CommandError::GaveUp {
            diagnostic: Box::new(diagnostic),
            interrupted: why == Exhausted::Interrupt,
            stage,
        }
    }

    /// A limit other than the budget was reached.
    pub fn gave_up(message: String, help: &str, stage: Option<Stage>) -> Self {
        let diagnostic = Diagnostic::error_without_place(message).with_help(help);
        CommandError::GaveUp { diagnostic: Box::new(diagnostic), interrupted: false, stage }
    }

    /// Prints the error, and with `json` the document for an undecided result.
    pub fn report(self, console: &Console, json: bool) -> Result<Exit, UsageError> {
        match self {
            CommandError::Refused(refusal) => Err(refusal),
            CommandError::GaveUp { diagnostic, interrupted, stage } => {
                console.diagnose(std::slice::from_ref(&*diagnostic), &Default::default());
                if json {
                    console.print(&to_json(&undecided_document(&diagnostic.message, stage)))?;
                }
                Ok(if interrupted { Exit::Interrupted } else { Exit::Undecided })
            }
        }
    }
}
