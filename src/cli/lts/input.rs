//! The system of a command: a file in AUT, the system of a process text, or the state space of a model.

use super::args::InputArgs;
use super::ended::Ended;
use super::process;
use crate::budget::{Budget, Exhausted};
use crate::cli::console::Console;
use crate::cli::refusal::Refusal;
use crate::cli::{input, progress, settings};
use crate::diagnostics::{Diagnostic, nearest};
use crate::explore::{Labelling, Stop, reachable, state_space};
use crate::lts::aut::{Read, Refused, read};
use crate::lts::{Lts, quotient};
use crate::model::Model;
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

impl Input {
    /// What is said when the budget ends: `doing` is what with the system.
    pub fn ended(&self, doing: &str, why: Exhausted) -> Ended {
        Ended::exhausted(&format!("{doing} {}", self.file), why, &self.budget)
    }
}

/// The same, but what comes from a process text is reduced modulo strong bisimulation: its states mean nothing to
/// anybody.
pub fn load_reduced(args: &InputArgs, console: &Console) -> Result<Input, Ended> {
    let mut input = load(args, console)?;
    if process::is_text(&args.file) && !args.no_reduce {
        let reduced = quotient(&input.lts, &input.budget);
        input.lts = reduced.map_err(|why| input.ended("reducing", why))?.lts;
    }
    Ok(input)
}

/// Reads the system, generates it, or explores the model.
pub fn load(args: &InputArgs, console: &Console) -> Result<Input, Ended> {
    let (budget, doubts) = settings::limits(args.timeout, args.memory);
    let budget = budget.watched(progress::stages(console));
    console.diagnose(&doubts, &Default::default());
    let file = args.file.to_string_lossy().into_owned();
    let lts = if args.file.extension().is_some_and(|end| end == "sts") {
        explore(args, &file, &budget, console)?
    } else if process::is_text(&args.file) {
        process::system(args, &file, &budget)?
    } else {
        let for_models = [
            ("--set", !args.overrides.is_empty()),
            ("--visible", !args.visible.is_empty()),
            ("--no-arguments", args.no_arguments),
        ];
        if let Some((option, _)) = for_models.iter().find(|(_, given)| *given) {
            let message = format!("{option} is for models (.sts), and {file} is none");
            return Err(Refusal::message(message).into());
        }
        read_aut(args, &file, &budget)?
    };
    Ok(Input { file, lts, budget })
}

fn read_aut(args: &InputArgs, file: &str, budget: &Budget) -> Result<Lts, Ended> {
    let options = Read { lenient: args.lenient };
    let lts = if args.file == Path::new("-") {
        read(std::io::stdin().lock(), "standard input", options, budget)
    } else {
        if args.file.is_dir() {
            return Err(Refusal::message(format!("{file} is a directory")).into());
        }
        let opened = File::open(&args.file)
            .map_err(|error| Refusal::message(format!("cannot read {file}: {error}")))?;
        read(opened, file, options, budget)
    };
    lts.map_err(|refused| match refused {
        Refused::Mistakes(diagnostics, sources) => {
            Ended::Refused(Refusal { diagnostics, sources: Arc::new(sources) })
        }
        Refused::Exhausted(why) => Ended::exhausted(&format!("reading {file}"), why, budget),
    })
}

/// What the steps of a model are called.
fn labelling(args: &InputArgs, file: &str, model: &Model) -> Result<Labelling, Refusal> {
    let names = || model.actions.iter().map(|action| action.name.as_str());
    let unknown = args.visible.iter().filter(|name| names().all(|known| known != name.as_str()));
    let diagnostics: Vec<Diagnostic> = unknown
        .map(|name| {
            let help = match nearest(name, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("its actions are {}", names().collect::<Vec<_>>().join(", ")),
            };
            Diagnostic::error_without_place(format!("{file} has no action `{name}`")).with_help(help)
        })
        .collect();
    if !diagnostics.is_empty() {
        return Err(Refusal { diagnostics, sources: Arc::default() });
    }
    let visible = names().map(|name| args.visible.is_empty() || args.visible.iter().any(|v| v == name));
    Ok(Labelling { arguments: !args.no_arguments, visible: visible.collect() })
}

fn explore(args: &InputArgs, file: &str, budget: &Budget, console: &Console) -> Result<Lts, Ended> {
    let (model, _) = input::load(&args.file, &args.overrides, console)?;
    let labelling = labelling(args, file, &model)?;
    let explored = reachable(&model, args.max_states.min(u32::MAX as usize - 2), budget);
    match &explored.stopped {
        None if explored.initial == 0 => {
            Err(Refusal::message(format!("{file} has no initial state, so that there is no system")).into())
        }
        None => Ok(state_space(&model, &explored, &labelling)),
        Some(Stop::States(limit)) => Err(Ended::gave_up(
            format!("{file} has more than {limit} reachable states"),
            "allow more with --max-states, or make the model smaller with --set",
            Some(explored.stage()),
        )),
        Some(Stop::Choices(too_many)) => Err(Ended::gave_up(
            format!("{file} cannot be explored: {too_many}"),
            "make the model smaller with --set, or leave less open in its actions",
            Some(explored.stage()),
        )),
        Some(Stop::Budget(why)) => Err(Ended::exhausted(&format!("exploring {file}"), *why, budget)),
    }
}
