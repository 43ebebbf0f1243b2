//! `lts tag`.

use super::args::TagArgs;
use super::convert::{refuse_stdout, write_file};
use super::draw::draw;
use super::ended::Ended;
use super::{input, property};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::lts::drawing::Drawing;
use cladist::lts::safety::{Counts, shortest, write_autx, write_counterexamples};
use cladist::report::lts::{TagRequest, tag_document, tag_text};
use cladist::report::to_json;

/// Runs it.
pub fn run(args: &TagArgs, console: &Console) -> Result<Exit, Ended> {
    refuse_stdout(&[
        ("--counterexample-lts", args.counterexample_lts.as_ref()),
        ("--autx", args.autx.as_ref()),
        ("--dot", args.draw.dot.as_ref()),
    ])?;
    let asked = property::load(&args.property)?;
    let input = input::load_reduced(&args.input, console)?;
    let warnings = asked.warn(&input.lts, console);
    let automaton = asked.automaton(&input.lts)?;
    let analysis = asked.analyse(&input, &automaton)?;
    let keep = args.keep.into();
    let request = TagRequest {
        asked: asked.request(&args.property, &input, &analysis, &warnings),
        counts: Counts::new(&analysis),
        shortest: shortest(&analysis, keep),
        keep,
        full: args.full,
    };
    if let Some(path) = &args.counterexample_lts {
        write_file(path, &input.budget, console, |out| write_counterexamples(&analysis, out))?;
    }
    if let Some(path) = &args.autx {
        write_file(path, &input.budget, console, |out| write_autx(&analysis, out))?;
    }
    draw(&args.draw, input.lts.labels(), &input.budget, console, || Drawing::of_safety(&analysis))?;
    let result =
        if args.output.json { to_json(&tag_document(&request)) } else { tag_text(&request, console.paint()) };
    console.print(&result)?;
    let exit = if analysis.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
