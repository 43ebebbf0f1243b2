//! The system of a command: a file in AUT, the system of a process text, or the state space of a model.

use super::args::ExportAutArgs;
use super::command_error::CommandError;
use super::input_args::{AnalysedArgs, InputArgs, LabelArgs, StatesArgs, SystemArgs};
use super::kind::{InputKind, SourceFormat};
use super::origin::{LabelContext, SystemOrigin};
use super::process;
use super::shared_args::InvariantArgs;
use super::states::{NamedInvariant, StateProperty, StateQuery, values};
use crate::cli::console::Console;
use crate::cli::limits::CommandLimits;
use crate::cli::refusal::UsageError;
use crate::cli::stream::{ByteSource, Stream};
use crate::cli::{input, progress, settings};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, nearest, unreadable};
use cladist::explore::{Labelling, StateSpace, Stop, state_space};
use cladist::lts::aut::{ReadError, ReadOptions, read};
use cladist::lts::{Lts, dot, fsm, strong_quotient};
use cladist::model::{Model, Observable};
use cladist::report::explicit::lts::{LtsSize, ReportedSystem};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

/// A system with its file name and the remaining budget.
pub struct Input {
    /// The file as the user wrote it.
    pub file: String,
    pub lts: Lts,
    /// Its size before the reduction modulo strong bisimulation; `None` if it was not reduced.
    pub reduced_from: Option<LtsSize>,
    /// The number of initial states of a model, if there are several: then the system has an additional state before them.
    pub starts: Option<usize>,
    /// The property of a model that was asked for.
    pub states: Option<StateProperty>,
    /// For each state of a model the values that are to be shown.
    pub values: Vec<Vec<String>>,
    /// The source of its labels.
    pub origin: SystemOrigin,
    /// True if a label that it does not have is a mistake in any case.
    pub strict: bool,
    /// The limits for the analysis.
    pub budget: Budget,
}

impl Input {
    /// The number of states without the one that is added before several initial states.
    pub fn own_states(&self) -> usize {
        self.lts.states() - usize::from(self.starts.is_some())
    }

    /// The error after the budget is exhausted; `doing` is a participle, as in `analysing`.
    pub fn ended(&self, doing: &str, why: Exhausted) -> CommandError {
        CommandError::exhausted(&format!("{doing} {}", self.file), why, &self.budget)
    }

    /// The system, as far as labels are looked up in it.
    pub fn known(&self) -> LabelContext<'_> {
        LabelContext { labels: self.lts.labels(), origin: &self.origin, strict: self.strict }
    }

    /// The system as reports need it.
    pub fn system(&self) -> ReportedSystem<'_> {
        ReportedSystem { file: &self.file, lts: &self.lts, reduced_from: self.reduced_from }
    }
}

/// The budget of a command; its progress is shown from here on.
pub fn budget(limits: CommandLimits, console: &Console) -> Budget {
    let (budget, doubts) = settings::limits(limits);
    console.diagnose(&doubts, &Default::default());
    budget.watched(progress::stages(console))
}

/// The system of an analysis. That of a process text is reduced modulo strong bisimulation, because its state numbers
/// have no meaning for the user.
pub fn load_reduced(
    args: &AnalysedArgs,
    asked: Option<&InvariantArgs>,
    console: &Console,
) -> Result<Input, CommandError> {
    let kind = args.kind()?;
    let mut input = read_system(kind, &args.input.system, &args.input.labels, asked, console)?;
    input.strict = args.strict.strict_labels;
    if kind == InputKind::Text && !args.no_reduce {
        let reduced =
            strong_quotient(&input.lts, &input.budget).map_err(|why| input.ended("reducing", why))?;
        input.reduced_from = Some(LtsSize::of(&input.lts));
        input.lts = reduced.lts;
    }
    Ok(input)
}

/// Reads the system, generates it, or explores the model.
pub fn load(args: &InputArgs, console: &Console) -> Result<Input, CommandError> {
    read_system(args.kind()?, &args.system, &args.labels, None, console)
}

/// Two systems that share all options and one budget: an option may be for the kind of one of them only.
pub fn load_both(args: &InputArgs, other: &Path, console: &Console) -> Result<[Input; 2], CommandError> {
    let kinds = args.kinds(other)?;
    if [&args.system.file, other].iter().all(|file| *file == Path::new("-")) {
        return Err(UsageError::message("only one of the systems can be read from standard input").into());
    }
    let budget = budget(args.system.limits(), console);
    let second = SystemArgs { file: other.to_owned(), ..args.system.clone() };
    let read = |kind, system: &SystemArgs| -> Result<Input, CommandError> {
        let explored = read_within(kind, system, &args.labels, None, &budget, console)?;
        Ok(explored.into_input(system.file.to_string_lossy().into_owned(), budget.clone()))
    };
    Ok([read(kinds[0], &args.system)?, read(kinds[1], &second)?])
}

/// As [`load`]; states of a model have their fates if a property of it is asked for.
pub fn load_with(args: &InputArgs, asked: &InvariantArgs, console: &Console) -> Result<Input, CommandError> {
    read_system(args.kind()?, &args.system, &args.labels, Some(asked), console)
}

/// As [`load`], without options for labels.
pub fn load_system(args: &SystemArgs, console: &Console) -> Result<Input, CommandError> {
    read_system(args.kind()?, args, &LabelArgs::default(), None, console)
}

/// The state space of a model, with what is asked of its states.
pub fn load_model(args: &ExportAutArgs, console: &Console) -> Result<Input, CommandError> {
    let model_args = &args.model;
    let budget = budget(model_args.limits(), console);
    let file = model_args.file.to_string_lossy().into_owned();
    let options = model_args.loading.options(&budget);
    let (model, _) = input::load(&model_args.file, &options, console)?;
    let shown: Vec<Observable> =
        args.show.iter().map(|text| input::show_expression(&model, text)).collect::<Result<_, _>>()?;
    let asked = Some(&args.states).filter(|asked| asked.property.is_some());
    let question = StateQuery { asked, shown: &shown };
    let explored = explore(&file, &model, &model_args.labels, &model_args.states, question, &budget)?;
    Ok(explored.into_input(file, budget))
}

fn read_system(
    kind: InputKind,
    args: &SystemArgs,
    labels: &LabelArgs,
    asked: Option<&InvariantArgs>,
    console: &Console,
) -> Result<Input, CommandError> {
    let asked = asked.filter(|asked| asked.property.is_some());
    if asked.is_some() && kind != InputKind::Model {
        return Err(not_a_model(&args.file).into());
    }
    let budget = budget(args.limits(), console);
    let explored = read_within(kind, args, labels, asked, &budget, console)?;
    Ok(explored.into_input(args.file.to_string_lossy().into_owned(), budget))
}

fn read_within(
    kind: InputKind,
    args: &SystemArgs,
    labels: &LabelArgs,
    asked: Option<&InvariantArgs>,
    budget: &Budget,
    console: &Console,
) -> Result<ExploredSystem, CommandError> {
    let file = args.file.to_string_lossy();
    Ok(match kind {
        InputKind::Model => {
            let options = args.loading.options(budget);
            let (model, warnings) = input::load(&args.file, &options, console)?;
            let question = StateQuery { asked, shown: &[] };
            let explored = explore(&file, &model, labels, &args.states, question, budget)?;
            let (model, arguments) = (Box::new(model), !labels.no_arguments);
            let origin = SystemOrigin::Model { model, arguments, warnings };
            ExploredSystem { origin, ..explored }
        }
        InputKind::Text => {
            let (lts, origin) = process::system(&args.file, args.main.as_deref(), &args.states, budget)?;
            ExploredSystem::of(lts, origin)
        }
        InputKind::Aut => ExploredSystem::of(read_aut(args, &file, budget)?, SystemOrigin::Explicit),
    })
}

/// An invariant is asked of something else than a model.
pub fn not_a_model(file: &Path) -> Diagnostic {
    let message = format!("-p names an invariant of a model (.sts), but not of {}", file.display());
    Diagnostic::error_without_place(message).with_help("write the property of another system with --property")
}

fn read_aut(args: &SystemArgs, file: &str, budget: &Budget) -> Result<Lts, CommandError> {
    let format = SourceFormat::of(&args.file)?;
    if args.lenient && matches!(format, SourceFormat::Fsm | SourceFormat::Dot) {
        let message = format!("--lenient applies only to AUT, not to {file}");
        return Err(Diagnostic::error_without_place(message).with_help("remove it").into());
    }
    let from = |input: &mut dyn io::Read, name: &str| match format {
        SourceFormat::Fsm => fsm::read(input, name, budget),
        SourceFormat::Dot => dot::read(input, name, budget),
        SourceFormat::Aut | SourceFormat::Tagged => {
            let options = ReadOptions { lenient: args.lenient, tagged: format == SourceFormat::Tagged };
            read(input, name, options, budget)
        }
    };
    let lts = if args.file == Path::new("-") {
        from(&mut Stream::new(ByteSource::Stdin, budget), "standard input")
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
            Some(mut opened) => from(&mut opened, file),
            None => from(&mut Stream::new(ByteSource::File(args.file.clone()), budget), file),
        }
    };
    lts.map_err(|refused| match refused {
        ReadError::Mistakes(diagnostics, sources) => {
            CommandError::Refused(UsageError { diagnostics, sources: Arc::new(sources) })
        }
        ReadError::Exhausted(why) => CommandError::exhausted(&format!("reading {file}"), why, budget),
    })
}

/// How the steps of a model are labelled.
pub fn labelling(args: &LabelArgs, file: &str, model: &Model) -> Result<Labelling, UsageError> {
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
        return Err(UsageError { diagnostics, sources: Arc::default() });
    }
    let visible = names().map(|name| args.visible.is_empty() || args.visible.iter().any(|v| v == name));
    Ok(Labelling { arguments: !args.no_arguments, visible: visible.collect() })
}

/// A system, and what is known of it besides.
struct ExploredSystem {
    lts: Lts,
    /// The number of initial states of a model, if there are several.
    starts: Option<usize>,
    states: Option<StateProperty>,
    /// For each state of a model the values that are to be shown: `leader={1}`.
    values: Vec<Vec<String>>,
    /// The source of its labels.
    origin: SystemOrigin,
}

impl ExploredSystem {
    fn of(lts: Lts, origin: SystemOrigin) -> Self {
        Self { lts, starts: None, states: None, values: Vec::new(), origin }
    }

    fn into_input(self, file: String, budget: Budget) -> Input {
        let Self { lts, starts, states, values, origin } = self;
        Input { file, lts, reduced_from: None, starts, states, values, origin, strict: false, budget }
    }
}

/// The state space of a model.
fn explore(
    file: &str,
    model: &Model,
    labels: &LabelArgs,
    states: &StatesArgs,
    question: StateQuery<'_>,
    budget: &Budget,
) -> Result<ExploredSystem, CommandError> {
    let labelling = labelling(labels, file, model)?;
    let asked = question.asked.map(|asked| NamedInvariant::new(model, asked)).transpose()?;
    let space = listed(file, model, states.most(), budget)?;
    let starts = Some(space.initial).filter(|&starts| starts > 1);
    let values = values(model, &space, question.shown, budget)
        .map_err(|why| CommandError::exhausted(&format!("exploring {file}"), why, budget))?;
    let Some(asked) = asked else {
        let lts = state_space(model, space, &labelling, budget)
            .map_err(|why| CommandError::exhausted(&format!("exploring {file}"), why, budget))?;
        return Ok(ExploredSystem { starts, values, ..ExploredSystem::of(lts, SystemOrigin::Explicit) });
    };
    let (lts, states) = asked.decide(file, model, space, &labelling, budget)?;
    Ok(ExploredSystem {
        starts,
        states: Some(states),
        values,
        ..ExploredSystem::of(lts, SystemOrigin::Explicit)
    })
}

/// All states of a model, of which there is at least one.
pub fn listed<'m>(
    file: &str,
    model: &'m Model,
    most_states: usize,
    budget: &Budget,
) -> Result<StateSpace<'m>, CommandError> {
    let space = StateSpace::of(model, most_states, budget);
    match &space.stopped {
        None if space.initial == 0 => Err(no_initial_state(file).into()),
        None => Ok(space),
        Some(stop) => Err(not_listed(file, stop, &space, budget)),
    }
}

/// The error about a model without an initial state.
pub fn no_initial_state(file: &str) -> Diagnostic {
    let message = format!("{file} has no initial state: no state satisfies `init` and the assumptions");
    Diagnostic::error_without_place(message)
        .with_help("every property would hold; `cladist check` shows which conditions exclude each other")
}

/// The error if the states of a model cannot all be listed.
pub fn not_listed(file: &str, stop: &Stop, space: &StateSpace<'_>, budget: &Budget) -> CommandError {
    match stop {
        Stop::States(limit) => CommandError::gave_up(
            format!("{file} has more than {limit} reachable states"),
            "raise the limit with --max-states, or make the model smaller with --set",
            Some(space.stage()),
        ),
        Stop::Choices(too_many) => CommandError::gave_up(
            format!("{file} cannot be explored: {too_many}"),
            "make the model smaller with --set, or its actions less nondeterministic",
            Some(space.stage()),
        ),
        Stop::Budget(why) => CommandError::exhausted(&format!("exploring {file}"), *why, budget),
    }
}
