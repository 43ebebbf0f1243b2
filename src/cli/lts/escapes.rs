//! `lts bugs --actions`: where a system avoids actions that every run should contain.

use super::command_error::{CommandError, print_document};
use super::origin::{Known, Origin};
use super::process::{no_result, program};
use super::process_args::BugsArgs;
use super::{input, sequence};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::process::bugs::escapes;
use cladist::report::explicit::lts::{EscapesRequest, escapes_document, escapes_text};

pub fn run(args: &BugsArgs, actions: &str, console: &Console) -> Result<Exit, CommandError> {
    let actions = sequence::load("--actions", actions)?;
    let budget = input::budget(args.input.limits(), console);
    let file = args.input.file.to_string_lossy().into_owned();
    let (program, sources) = program(&args.input.file, args.input.main.as_deref(), &budget)?;
    let found = escapes(&program, &actions.sequence, args.input.states.most(), &budget);
    let found = found.map_err(|why| no_result(why, &file, &sources, &budget))?;
    let origin = Origin::of_text(&program);
    let known = Known { labels: found.lts.labels(), origin: &origin, strict: args.strict.strict_labels };
    let warnings = actions.warn(known, console)?;
    let request = EscapesRequest {
        file: &file,
        actions: &actions.names,
        found: &found,
        sources: &sources,
        warnings: &warnings,
        warning_sources: &actions.sources,
    };
    match args.output.json {
        true => print_document(&escapes_document(&request), &budget, console)?,
        false => console.print(&escapes_text(&request, console.paint()))?,
    }
    let exit = if found.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
