//! Tagged systems as graphs: `--dot`, `--around`.

use super::command_error::CommandError;
use super::convert::write_file;
use super::shared_args::DrawArgs;
use crate::cli::console::Console;
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::lts::Labels;
use cladist::lts::drawing::{Drawing, READABLE};

/// Writes the graph if `--dot` was given.
pub fn draw(
    args: &DrawArgs,
    labels: &Labels,
    budget: &Budget,
    console: &Console,
    drawing: impl FnOnce(&Budget) -> Result<Drawing, Exhausted>,
) -> Result<(), CommandError> {
    let Some(path) = &args.dot else { return Ok(()) };
    let drawing = drawing(budget)
        .map_err(|why| CommandError::exhausted(&format!("drawing {}", path.display()), why, budget))?;
    let shown = match args.around {
        None => (0..drawing.nodes.len()).collect(),
        Some(around) => drawing.around(around).ok_or_else(|| {
            Diagnostic::error_without_place(format!("there is no state {} in the graph", around.state))
                .with_help(
                    "the graph contains the states from which a violation is possible but not yet unavoidable; \
                 leave --around out to draw them all",
                )
        })?,
    };
    if shown.len() > READABLE {
        let message = format!("the graph in {} has {} nodes", path.display(), shown.len());
        let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) }
            .with_help("draw a part of it with --around STATE[:RADIUS]");
        console.diagnose(std::slice::from_ref(&warning), &Default::default());
    }
    write_file(path, budget, console, |out| drawing.write(&shown, labels, out))
}
