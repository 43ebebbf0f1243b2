//! `lts info`.

use super::SystemCommand;
use super::args::InfoArgs;
use super::command_error::{CommandError, print};
use super::input::{self, Input};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use cladist::budget::Exhausted;
use cladist::lts::decisive::decisive_labels;
use cladist::lts::facts;
use cladist::report::explicit::lts::{DecisiveProperty, InfoReport, PropertyText};

impl SystemCommand for InfoArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.system.limits(), self.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let input = input::load_with(&self.input, &self.states, console)?;
        let facts = facts(&input.lts, &input.budget).map_err(|why| input.ended("examining", why))?;
        let property = decisive(&input).map_err(|why| input.ended("examining", why))?;
        let report = InfoReport {
            file: &input.file,
            lts: &input.lts,
            facts: &facts,
            starts: input.starts,
            property: property.as_ref(),
        };
        print(&report, self.json, &input.budget, console)?;
        Ok(Exit::Fine)
    }
}

/// The fates of the states of a model, and the steps that decide them, if a property was asked for.
fn decisive(input: &Input) -> Result<Option<DecisiveProperty<'_>>, Exhausted> {
    let Some(states) = &input.states else { return Ok(None) };
    let own = input.lts.state_ids().take(input.own_states());
    Ok(Some(DecisiveProperty {
        property: PropertyText::States {
            invariant: &states.name,
            environment: states.environment.as_deref(),
        },
        start: states.fates.of(input.lts.initial()),
        states: states.fates.count(own),
        labels: decisive_labels(&input.lts, &states.fates, &input.budget)?,
    }))
}
