//! `lts tag`.

use super::args::TagArgs;
use super::command_error::{CommandError, print_document};
use super::convert::{refuse_stdout, write_file};
use super::draw::draw;
use super::{input, property};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::lts::drawing::Drawing;
use cladist::lts::safety::{CounterexampleLts, Counts, shortest};
use cladist::report::explicit::lts::{TagRequest, tag_document, tag_text};

pub fn run(args: &TagArgs, console: &Console) -> Result<Exit, CommandError> {
    refuse_stdout(&[
        ("--counterexample-lts", args.counterexample_lts.as_ref()),
        ("--autx", args.autx.as_ref()),
        ("--dot", args.draw.dot.as_ref()),
    ])?;
    let asked = property::load(&args.property)?;
    let input = input::load_reduced(&args.input, Some(&args.property.states), console)?;
    let warnings = asked.warn(input.known(), console)?;
    let sources = asked.sources();
    let automaton = asked.automaton(&input.lts)?;
    let analysis = asked.analyse(&input, &automaton)?;
    let keep = args.keep.into();
    let analysing = |why| input.ended("analysing", why);
    let request = TagRequest {
        asked: asked.request(&args.property, &input, &analysis, &warnings, &sources),
        counts: Counts::new(&analysis, &input.budget).map_err(analysing)?,
        shortest: shortest(&analysis, keep, &input.budget).map_err(analysing)?,
        keep,
        full: args.full,
    };
    if args.counterexample_lts.is_some() || args.autx.is_some() {
        let part = CounterexampleLts::new(&analysis, &input.budget).map_err(analysing)?;
        if let Some(path) = &args.counterexample_lts {
            write_file(path, &input.budget, console, |out| part.write_aut(out))?;
        }
        if let Some(path) = &args.autx {
            write_file(path, &input.budget, console, |out| part.write_autx(out))?;
        }
    }
    draw(&args.draw, input.lts.labels(), &input.budget, console, |budget| {
        Drawing::of_safety(&analysis, budget)
    })?;
    match args.output.json {
        true => print_document(&tag_document(&request), &input.budget, console)?,
        false => console.print(&tag_text(&request, console.paint()))?,
    }
    let exit = if analysis.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
