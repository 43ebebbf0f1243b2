//! Why a command about a system came to no result.

use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::refusal::Refusal;
use cladist::budget::{Budget, Exhausted, Stage};
use cladist::diagnostics::Diagnostic;
use cladist::report::lts::undecided_document;
use cladist::report::to_json;

/// Why.
#[derive(Debug)]
pub enum Ended {
    /// The input cannot be used.
    Refused(Refusal),
    /// Something was used up: what was going on, the reason, and what to do.
    Gave {
        /// What is said.
        diagnostic: Box<Diagnostic>,
        /// Whether the user asked for it.
        interrupted: bool,
        /// How far it had come.
        stage: Option<Stage>,
    },
}

impl<T: Into<Refusal>> From<T> for Ended {
    fn from(refusal: T) -> Self {
        Ended::Refused(refusal.into())
    }
}

impl Ended {
    /// The budget ended while something was going on: `reading system.aut`.
    pub fn exhausted(while_doing: &str, why: Exhausted, budget: &Budget) -> Self {
        let (reason, help) = match why {
            Exhausted::Time => ("time limit reached", "allow more time with --timeout"),
            Exhausted::Memory => ("memory limit reached", "allow more memory with --memory"),
            Exhausted::Interrupt => ("interrupted", "no result is available"),
        };
        let stage = budget.stage();
        let far = stage.map(|stage| format!(": {stage}")).unwrap_or_default();
        let message = format!("{reason} while {while_doing}{far}");
        let diagnostic = Diagnostic::error_without_place(message).with_help(help);
        Ended::Gave { diagnostic: Box::new(diagnostic), interrupted: why == Exhausted::Interrupt, stage }
    }

    /// A limit was reached, after so much.
    pub fn gave_up(message: String, help: &str, stage: Option<Stage>) -> Self {
        let diagnostic = Diagnostic::error_without_place(message).with_help(help);
        Ended::Gave { diagnostic: Box::new(diagnostic), interrupted: false, stage }
    }

    /// Says so, with `json` as a document, too.
    pub fn report(self, console: &Console, json: bool) -> Result<Exit, Refusal> {
        match self {
            Ended::Refused(refusal) => Err(refusal),
            Ended::Gave { diagnostic, interrupted, stage } => {
                console.diagnose(std::slice::from_ref(&*diagnostic), &Default::default());
                if json {
                    console.print(&to_json(&undecided_document(&diagnostic.message, stage)))?;
                }
                Ok(if interrupted { Exit::Interrupted } else { Exit::Undecided })
            }
        }
    }
}
