//! The system of a command: a file in AUT, the system of a process text, or the state space of a model.

use super::ended::Ended;
use super::input_args::{AnalysedArgs, InputArgs, LabelArgs, LimitArgs, ModelArgs, StatesArgs, SystemArgs};
use super::kind::Kind;
use super::process;
use crate::cli::console::Console;
use crate::cli::refusal::Refusal;
use crate::cli::stream::{Source, Stream};
use crate::cli::{input, progress, settings};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, nearest, unreadable};
use cladist::explore::{Labelling, Space, Stop, state_space};
use cladist::lts::aut::{Read, Refused, read};
use cladist::lts::{Lts, quotient};
use cladist::model::{LoadOptions, Model};
use cladist::report::lts::{Size, System};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A system with its name, and what is left of the budget.
pub struct Input {
    /// The file as the user wrote it.
    pub file: String,
    /// The system.
    pub lts: Lts,
    /// How large it was before it was reduced modulo strong bisimulation; `None` if it was not.
    pub reduced_from: Option<Size>,
    /// How many initial states a model has that has several: then the system has one more, before them.
    pub starts: Option<usize>,
    /// Limits for everything that follows.
    pub budget: Budget,
}

impl Input {
    /// What is said when the budget ends: `doing` is what with the system.
    pub fn ended(&self, doing: &str, why: Exhausted) -> Ended {
        Ended::exhausted(&format!("{doing} {}", self.file), why, &self.budget)
    }

    /// As reports speak of it.
    pub fn system(&self) -> System<'_> {
        System { file: &self.file, lts: &self.lts, reduced_from: self.reduced_from }
    }
}

/// The limits of a command, whose progress is shown from here on.
pub fn budget(limits: &LimitArgs, console: &Console) -> Budget {
    let (budget, doubts) = settings::limits(limits.timeout, limits.memory);
    console.diagnose(&doubts, &Default::default());
    budget.watched(progress::stages(console))
}

/// The system of an analysis: what comes from a process text is reduced modulo strong bisimulation, because its states
/// mean nothing to anybody.
pub fn load_reduced(args: &AnalysedArgs, console: &Console) -> Result<Input, Ended> {
    let kind = args.kind()?;
    let mut input = read_system(kind, &args.input.system, &args.input.labels, console)?;
    if kind == Kind::Text && !args.no_reduce {
        let reduced = quotient(&input.lts, &input.budget).map_err(|why| input.ended("reducing", why))?;
        input.reduced_from = Some(Size::of(&input.lts));
        input.lts = reduced.lts;
    }
    Ok(input)
}

/// Reads the system, generates it, or explores the model.
pub fn load(args: &InputArgs, console: &Console) -> Result<Input, Ended> {
    read_system(args.kind()?, &args.system, &args.labels, console)
}

/// The same where labels are as they are.
pub fn load_system(args: &SystemArgs, console: &Console) -> Result<Input, Ended> {
    read_system(args.kind()?, args, &LabelArgs::default(), console)
}

/// The state space of a model.
pub fn load_model(args: &ModelArgs, console: &Console) -> Result<Input, Ended> {
    let budget = budget(&args.limits, console);
    let file = args.file.to_string_lossy().into_owned();
    let options =
        LoadOptions { overrides: &args.overrides, root: args.root.as_deref(), budget: budget.clone() };
    let (model, _) = input::load(&args.file, &options, console)?;
    let (lts, starts) = explore(&file, &model, &args.labels, &args.states, &budget)?;
    Ok(Input { file, lts, reduced_from: None, starts, budget })
}

fn read_system(kind: Kind, args: &SystemArgs, labels: &LabelArgs, console: &Console) -> Result<Input, Ended> {
    let budget = budget(&args.limits, console);
    let file = args.file.to_string_lossy().into_owned();
    let (lts, starts) = match kind {
        Kind::Model => {
            let options = LoadOptions {
                overrides: &args.overrides,
                root: args.root.as_deref(),
                budget: budget.clone(),
            };
            let (model, _) = input::load(&args.file, &options, console)?;
            explore(&file, &model, labels, &args.states, &budget)?
        }
        Kind::Text => (process::system(&args.file, args.main.as_deref(), &args.states, &budget)?, None),
        Kind::Aut => (read_aut(args, &file, &budget)?, None),
    };
    Ok(Input { file, lts, reduced_from: None, starts, budget })
}

fn read_aut(args: &SystemArgs, file: &str, budget: &Budget) -> Result<Lts, Ended> {
    let options = Read { lenient: args.lenient };
    let lts = if args.file == Path::new("-") {
        read(Stream::new(Source::Stdin, budget), "standard input", options, budget)
    } else {
        let metadata = match fs::metadata(&args.file) {
            Ok(metadata) if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
            metadata => metadata,
        };
        let opened = metadata.and_then(|metadata| match metadata.is_file() {
            true => Ok(Some(File::open(&args.file)?)),
            false => Ok(None),
        });
        match opened.map_err(|error| unreadable(&args.file, &error))? {
            Some(opened) => read(opened, file, options, budget),
            None => read(Stream::new(Source::File(args.file.clone()), budget), file, options, budget),
        }
    };
    lts.map_err(|refused| match refused {
        Refused::Mistakes(diagnostics, sources) => {
            Ended::Refused(Refusal { diagnostics, sources: Arc::new(sources) })
        }
        Refused::Exhausted(why) => Ended::exhausted(&format!("reading {file}"), why, budget),
    })
}

/// What the steps of a model are called.
fn labelling(args: &LabelArgs, file: &str, model: &Model) -> Result<Labelling, Refusal> {
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

/// The state space, and how many initial states there are if there are several.
fn explore(
    file: &str,
    model: &Model,
    labels: &LabelArgs,
    states: &StatesArgs,
    budget: &Budget,
) -> Result<(Lts, Option<usize>), Ended> {
    let labelling = labelling(labels, file, model)?;
    let explored = Space::of(model, states.most(), budget);
    match &explored.stopped {
        None if explored.initial == 0 => {
            Err(Refusal::message(format!("{file} has no initial state, so that there is no system")).into())
        }
        None => {
            let starts = Some(explored.initial).filter(|&starts| starts > 1);
            Ok((state_space(model, explored, &labelling), starts))
        }
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
