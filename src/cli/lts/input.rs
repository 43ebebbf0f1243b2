//! The system of a command: a file in AUT, the system of a process text, or the state space of a model.

use super::args::InputArgs;
use super::ended::Ended;
use super::process;
use crate::budget::Budget;
use crate::cli::console::Console;
use crate::cli::refusal::Refusal;
use crate::cli::{input, settings};
use crate::explore::{Stop, reachable, state_space};
use crate::lts::aut::{Read, Refused, read};
use crate::lts::{Lts, quotient};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// A system with its name, and what is left of the budget.
pub struct Input {
    /// The file as the user wrote it.
    pub file: String,
    /// The system.
    pub lts: Lts,
    /// Limits for everything that follows.
    pub budget: Budget,
}

/// The same, but what comes from a process text is reduced modulo strong bisimulation: its states mean nothing to
/// anybody.
pub fn load_reduced(args: &InputArgs, console: &Console) -> Result<Input, Ended> {
    let mut input = load(args, console)?;
    if process::is_text(&args.file) && !args.no_reduce {
        input.lts = quotient(&input.lts).lts;
    }
    Ok(input)
}

/// Reads the system, generates it, or explores the model.
pub fn load(args: &InputArgs, console: &Console) -> Result<Input, Ended> {
    let (budget, doubts) = settings::limits(args.timeout, args.memory);
    console.diagnose(&doubts, &Default::default());
    let file = args.file.to_string_lossy().into_owned();
    let lts = if args.file.extension().is_some_and(|end| end == "sts") {
        explore(args, &file, &budget, console)?
    } else if process::is_text(&args.file) {
        process::system(args, &file, &budget, console)?
    } else if args.overrides.is_empty() {
        read_aut(args, &file, &budget)?
    } else {
        return Err(Refusal::message(format!("--set is for models (.sts), and {file} is none")).into());
    };
    Ok(Input { file, lts, budget })
}

fn read_aut(args: &InputArgs, file: &str, budget: &Budget) -> Result<Lts, Ended> {
    let options = Read { lenient: args.lenient };
    let lts = if args.file == Path::new("-") {
        read(std::io::stdin().lock(), "standard input", options, budget)
    } else {
        let opened = File::open(&args.file)
            .map_err(|error| Refusal::message(format!("cannot read {file}: {error}")))?;
        read(opened, file, options, budget)
    };
    lts.map_err(|refused| match refused {
        Refused::Mistakes(diagnostics, sources) => {
            Ended::Refused(Refusal { diagnostics, sources: Arc::new(sources) })
        }
        Refused::Exhausted(why) => Ended::exhausted(&format!("reading {file}"), why),
    })
}

fn explore(args: &InputArgs, file: &str, budget: &Budget, console: &Console) -> Result<Lts, Ended> {
    let (model, _) = input::load(&args.file, &args.overrides, console)?;
    let explored = reachable(&model, args.max_states.min(u32::MAX as usize - 2), budget);
    match &explored.stopped {
        None if explored.initial == 0 => {
            Err(Refusal::message(format!("{file} has no initial state, so that there is no system")).into())
        }
        None => Ok(state_space(&model, &explored)),
        Some(Stop::States(limit)) => Err(Ended::gave_up(
            format!("{file} has more than {limit} reachable states"),
            "allow more with --max-states, or make the model smaller with --set",
            false,
        )),
        Some(Stop::Choices(too_many)) => Err(Ended::gave_up(
            format!("{file} cannot be explored: {too_many}"),
            "make the model smaller with --set, or leave less open in its actions",
            false,
        )),
        Some(Stop::Budget(why)) => Err(Ended::exhausted(&format!("exploring {file}"), *why)),
    }
}
