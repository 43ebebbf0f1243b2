//! `lts compare`.

use super::SystemCommand;
use super::args::CompareArgs;
use super::command_error::{CommandError, print};
use super::convert::{relabel, relabellings};
use super::input::{Input, load_both};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use cladist::budget::Budget;
use cladist::lts::compare::{ComparisonResult, Equivalence, Inequivalence, compare};
use cladist::mucalc::distinguishes;
use cladist::report::explicit::lts::CompareReport;
use std::time::Instant;

impl SystemCommand for CompareArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.first.system.limits(), self.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let started = Instant::now();
        let rules = relabellings(&self.relabel)?;
        let mut systems = load_both(&self.first, &self.second, console)?;
        for system in &mut systems {
            relabel(system, &rules)?;
        }
        let [first, second] = &systems;
        let equivalence = match (self.modulo.branching, self.modulo.weak, self.modulo.trace) {
            (true, _, _) => Equivalence::Branching,
            (_, true, _) => Equivalence::Weak,
            (_, _, true) => Equivalence::Trace,
            _ => Equivalence::Strong,
        };
        let both = [&first.lts, &second.lts];
        let compared = compare(both, equivalence, &first.budget)
            .map_err(|why| first.ended(&format!("comparing {} with", second.file), why))?;
        let compared = confirmed(compared, &systems);
        let report = CompareReport {
            systems: [first.system(), second.system()],
            equivalence,
            compared: &compared,
            seconds: started.elapsed().as_secs_f64(),
        };
        print(&report, self.json, &Budget::unlimited(), console)?;
        Ok(match compared {
            ComparisonResult::Equivalent => Exit::Fine,
            ComparisonResult::Different(_) => Exit::Violated,
        })
    }
}

/// The answer, if an evaluation on the systems says that what is to be shown tells them apart; without it if that takes too long.
fn confirmed(compared: ComparisonResult, [first, second]: &[Input; 2]) -> ComparisonResult {
    let budget = &first.budget;
    let confirmed = match &compared {
        ComparisonResult::Different(Inequivalence::Formula(formula)) => {
            distinguishes(&formula.text, [&first.lts, &second.lts], budget)
        }
        ComparisonResult::Different(Inequivalence::Trace(trace)) => trace
            .is_of(&first.lts, budget)
            .and_then(|first| Ok(first == trace.of_first && trace.is_of(&second.lts, budget)? != first)),
        _ => Ok(true),
    };
    match confirmed {
        Ok(true) => compared,
        Ok(false) => unreachable!("both have it or neither has: {compared:?}"),
        Err(why) => ComparisonResult::Different(Inequivalence::Open(why)),
    }
}
