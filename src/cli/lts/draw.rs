//! Tagged systems as graphs: `--dot`, `--around`.

use super::convert::write_file;
use super::ended::Ended;
use super::shared_args::DrawArgs;
use crate::cli::console::Console;
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::lts::Labels;
use cladist::lts::drawing::{Drawing, READABLE};

/// Writes the graph if one is asked for.
pub fn draw(
    args: &DrawArgs,
    labels: &Labels,
    budget: &Budget,
    console: &Console,
    drawing: impl FnOnce(&Budget) -> Result<Drawing, Exhausted>,
) -> Result<(), Ended> {
    let Some(path) = &args.dot else { return Ok(()) };
    let drawing = drawing(budget)
        .map_err(|why| Ended::exhausted(&format!("drawing {}", path.display()), why, budget))?;
    let shown = match args.around {
        None => (0..drawing.nodes.len()).collect(),
        Some(around) => drawing.around(around).ok_or_else(|| {
            Diagnostic::error_without_place(format!("there is no state {} in the graph", around.state))
                .with_help(
                    "it has the states from which the violation is possible, but not yet certain for ever; \
                 without --around all of them are drawn",
                )
        })?,
    };
    if shown.len() > READABLE {
        let message = format!("the graph in {} has {} nodes", path.display(), shown.len());
        let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) }
            .with_help("--around STATE[:RADIUS] draws a part of it");
        console.diagnose(std::slice::from_ref(&warning), &Default::default());
    }
    write_file(path, budget, console, |out| drawing.write(&shown, labels, out))
}
