//! `lts neighbours`.

use super::args::NeighboursArgs;
use super::command_error::{CommandError, print_document};
use super::{input, property};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::lts::safety::{Counts, neighbourhoods};
use cladist::report::explicit::lts::{NeighboursRequest, neighbours_document, neighbours_text};

pub fn run(args: &NeighboursArgs, console: &Console) -> Result<Exit, CommandError> {
    let asked = property::load(&args.property)?;
    let input = input::load_reduced(&args.input, Some(&args.property.states), console)?;
    let warnings = asked.warn(input.known(), console)?;
    let sources = asked.sources();
    let automaton = asked.automaton(&input.lts)?;
    let analysis = asked.analyse(&input, &automaton)?;
    let analysing = |why| input.ended("analysing", why);
    let request = NeighboursRequest {
        asked: asked.request(&args.property, &input, &analysis, &warnings, &sources),
        total: Counts::new(&analysis, &input.budget).map_err(analysing)?.neighbourhoods,
        found: &neighbourhoods(&analysis, args.limit, &input.budget).map_err(analysing)?,
    };
    match args.output.json {
        true => print_document(&neighbours_document(&request), &input.budget, console)?,
        false => console.print(&neighbours_text(&request, console.paint(), console.width()))?,
    }
    let exit = if analysis.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
