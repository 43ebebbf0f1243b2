//! `lts inevitable`.

use super::args::InevitableArgs;
use super::command_error::CommandError;
use super::convert::refuse_stdout;
use super::draw::draw;
use super::{input, sequence};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::lts::drawing::Drawing;
use cladist::lts::inevitable::{Analysis, Counts, Entered, neighbourhoods};
use cladist::lts::safety::Keep;
use cladist::lts::strategy::shortest_of_inevitable;
use cladist::report::lts::{InevitableRequest, inevitable_document, inevitable_text};
use cladist::report::to_json;

/// Which neighbourhoods `--some` asks for.
pub fn entered(some: bool) -> Entered {
    if some { Entered::ByNeutral } else { Entered::ByNeutralOnly }
}

pub fn run(args: &InevitableArgs, console: &Console) -> Result<Exit, CommandError> {
    refuse_stdout(&[("--dot", args.draw.dot.as_ref())])?;
    let actions = sequence::load("--actions", &args.actions)?;
    let input = input::load_reduced(&args.input, None, console)?;
    let warnings = actions.warn(&input.lts, console);
    let steps = actions.over(&input.lts);
    let stopped = |why| input.ended("analysing", why);
    let analysis = Analysis::new(&input.lts, &steps, &input.budget).map_err(stopped)?;
    let entered = entered(args.some);
    let shortest = match analysis.holds() {
        true => None,
        false => shortest_of_inevitable(&analysis, entered, Keep::Neighbourhoods, &input.budget)
            .map_err(stopped)?,
    };
    draw(&args.draw, input.lts.labels(), &input.budget, console, |budget| {
        Drawing::of_inevitable(&analysis, entered, budget)
    })?;
    // Inevitable actions have no neighbourhoods.
    let listed = if analysis.holds() { 0 } else { args.limit };
    let request = InevitableRequest {
        system: input.system(),
        actions: &actions.names,
        entered,
        analysis: &analysis,
        counts: Counts::new(&analysis, entered, &input.budget).map_err(stopped)?,
        shortest,
        warnings: &warnings,
        sources: &actions.sources,
        full: args.full,
        neighbourhoods: &neighbourhoods(&analysis, entered, listed, &input.budget).map_err(stopped)?,
    };
    let result = match args.output.json {
        true => to_json(&inevitable_document(&request)),
        false => inevitable_text(&request, console.paint(), console.width()),
    };
    console.print(&result)?;
    let exit = if analysis.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
