//! `lts tag` and `lts neighbours`.

use super::SystemCommand;
use super::args::{NeighboursArgs, TagArgs};
use super::command_error::{CommandError, conclude};
use super::convert::{draw, refuse_stdout, write_file};
use super::property::with_analysis;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use cladist::lts::drawing::Drawing;
use cladist::lts::safety::{CounterexampleLts, Counts, neighbourhoods, shortest};
use cladist::report::explicit::lts::{NeighboursReport, TagReport};

impl SystemCommand for TagArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.input.system.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        refuse_stdout(&[
            ("--counterexample-lts", self.counterexample_lts.as_ref()),
            ("--autx", self.autx.as_ref()),
            ("--dot", self.draw.dot.as_ref()),
        ])?;
        with_analysis(&self.property, &self.input, console, |input, asked| {
            let (analysis, keep, budget) = (asked.analysis, self.keep.into(), &input.budget);
            let analysing = |why| input.ended("analysing", why);
            let report = TagReport {
                asked,
                counts: Counts::new(analysis, budget).map_err(analysing)?,
                shortest: shortest(analysis, keep, budget).map_err(analysing)?,
                keep,
                full: self.full,
            };
            if self.counterexample_lts.is_some() || self.autx.is_some() {
                let part = CounterexampleLts::new(analysis, budget).map_err(analysing)?;
                if let Some(path) = &self.counterexample_lts {
                    write_file(path, budget, console, |out| part.write_aut(out))?;
                }
                if let Some(path) = &self.autx {
                    write_file(path, budget, console, |out| part.write_autx(out))?;
                }
            }
            draw(&self.draw, input.lts.labels(), budget, console, |budget| {
                Drawing::of_safety(analysis, budget)
            })?;
            conclude(&report, analysis.holds(), &self.output, budget, console)
        })
    }
}

impl SystemCommand for NeighboursArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.input.system.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        with_analysis(&self.property, &self.input, console, |input, asked| {
            let analysis = asked.analysis;
            let analysing = |why| input.ended("analysing", why);
            let report = NeighboursReport {
                asked,
                total: Counts::new(analysis, &input.budget).map_err(analysing)?.neighbourhoods,
                found: &neighbourhoods(analysis, self.limit, &input.budget).map_err(analysing)?,
            };
            conclude(&report, analysis.holds(), &self.output, &input.budget, console)
        })
    }
}
