//! `lts info`.

use super::args::InfoArgs;
use super::command_error::{CommandError, print_document};
use super::input::{self, Input};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::budget::Exhausted;
use cladist::lts::decisive::decisive_labels;
use cladist::lts::facts;
use cladist::report::explicit::lts::{Decisive, InfoRequest, PropertyText, info_document, info_text};

pub fn run(args: &InfoArgs, console: &Console) -> Result<Exit, CommandError> {
    let input = input::load_with(&args.input, &args.states, console)?;
    let facts = facts(&input.lts, &input.budget).map_err(|why| input.ended("examining", why))?;
    let property = decisive(&input).map_err(|why| input.ended("examining", why))?;
    let request = InfoRequest {
        file: &input.file,
        lts: &input.lts,
        facts: &facts,
        starts: input.starts,
        property: property.as_ref(),
    };
    match args.json {
        true => print_document(&info_document(&request), &input.budget, console)?,
        false => console.print(&info_text(&request))?,
    }
    Ok(Exit::Fine)
}

/// What can become of the states of a model, and which steps decide it, if a property was asked for.
fn decisive(input: &Input) -> Result<Option<Decisive<'_>>, Exhausted> {
    let Some(states) = &input.states else { return Ok(None) };
    let own = input.lts.state_ids().take(input.own_states());
    Ok(Some(Decisive {
        property: PropertyText::States {
            invariant: &states.name,
            environment: states.environment.as_deref(),
        },
        start: states.fates.of(input.lts.initial()),
        states: states.fates.count(own),
        labels: decisive_labels(&input.lts, &states.fates, &input.budget)?,
    }))
}
