//! `lts bugs`.

use super::command_error::{CommandError, conclude, print};
use super::convert::{draw, refuse_stdout, write_file};
use super::counterexample::refuse_idle_seed;
use super::input::not_a_model;
use super::kind::InputKind;
use super::origin::{LabelContext, SystemOrigin};
use super::process::{no_result, program, stopped};
use super::process_args::BugsArgs;
use super::property::{LabelProperty, load_actions, load_text};
use super::shared_args::DrawArgs;
use super::{input, states};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::input as cli_input;
use crate::cli::limits::CommandLimits;
use cladist::budget::{Budget, Stage};
use cladist::diagnostics::{Diagnostic, Severity, SourceMap};
use cladist::explore::{Forbidden, ModelBugs, ModelBugsError, Stop, model_bugs};
use cladist::lts::bugs::Bugs;
use cladist::lts::drawing::Drawing;
use cladist::lts::safety::{AnalysisError, Incorrect, Keep, SafetyAnalysis};
use cladist::lts::strategy::{Counterexample, NoCounterexample, SafetyProduct, Strategy, of_safety};
use cladist::lts::{LabelSequence, aut};
use cladist::process::bugs::{self, BugsError, TextBugs, count, count_by_parts};
use cladist::process::semantics::StopReason;
use cladist::report::explicit::lts::{BugsReport, EscapesReport, Findings, PropertyText};
use std::sync::Arc;
use std::time::Instant;

impl super::SystemCommand for BugsArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        refuse_idle_seed(self.seed, &self.strategy)?;
        refuse_stdout(&[("--final-lts", self.final_lts.as_ref()), ("--dot", self.dot.as_ref())])?;
        match &self.actions {
            Some(actions) => escapes(self, actions, console),
            None => bugs(self, console),
        }
    }
}

/// The bugs of a text or model, with remarks.
struct CountedBugs {
    bugs: Bugs,
    sources: Arc<SourceMap>,
    doubts: Vec<Diagnostic>,
    /// The invariant of a model that was asked for.
    invariant: Option<BugInvariant>,
    origin: SystemOrigin,
}

fn bugs(args: &BugsArgs, console: &Console) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let kind = args.input.kind()?;
    if args.states.property.is_some() && kind != InputKind::Model {
        return Err(not_a_model(&args.input.file).into());
    }
    if args.by_parts && kind != InputKind::Text {
        let message = format!("--by-parts is for process texts, and {} is none", args.input.file.display());
        let help = "leave it out: only process texts have parallel branches";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let asked = match args.states.property {
        None => Some(load_text(&args.property)?),
        Some(_) => None,
    };
    let budget = input::budget(args.input.limits(), console);
    let file = args.input.file.to_string_lossy().into_owned();
    let counted = match (kind, &asked) {
        (InputKind::Model, asked) => of_model(args, asked.as_ref(), &file, &budget, console)?,
        (_, Some(asked)) => of_text(args, asked, &file, &budget)?,
        (_, None) => unreachable!("an invariant is one of a model"),
    };
    let CountedBugs { bugs, sources, doubts, invariant, origin } = counted;
    let strict = args.strict.strict_labels;
    let known = LabelContext { labels: bugs.final_lts.lts.labels(), origin: &origin, strict };
    let warnings =
        asked.as_ref().map_or_else(|| Ok(origin.warnings()), |asked| asked.warn(known, console))?;
    console.diagnose(&doubts, &sources);
    let counterexamples = counterexamples(args, &bugs, &file, &budget)?;
    write(args, &bugs, &budget, console, &file)?;
    let of_property = asked.as_ref().map_or_else(SourceMap::default, |asked| asked.sources.clone());
    let report = BugsReport {
        file: &file,
        property: match (&asked, &invariant) {
            (Some(asked), _) => PropertyText::Labels(&asked.text),
            (None, Some(BugInvariant { name, environment })) => {
                PropertyText::States { invariant: name, environment: environment.as_deref() }
            }
            (None, None) => unreachable!("one of them is required"),
        },
        of: if kind == InputKind::Model { "model" } else { "text" },
        bugs: &bugs,
        sources: &sources,
        doubts: Findings(&doubts, &sources),
        paper: args.paper,
        counterexamples: &counterexamples,
        warnings: Findings(&warnings, &of_property),
        seconds: started.elapsed().as_secs_f64(),
    };
    print(&report, args.output.json, &Budget::unlimited(), console)?;
    let exit = match (bugs.partial, bugs.holds) {
        (_, true) => Exit::Fine,
        (false, false) => Exit::Violated,
        (true, false) => Exit::Partial,
    };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

/// Counts the bugs of a process text.
fn of_text(
    args: &BugsArgs,
    asked: &LabelProperty,
    file: &str,
    budget: &Budget,
) -> Result<CountedBugs, CommandError> {
    let (program, sources) = program(&args.input.file, args.input.main.as_deref(), budget)?;
    let origin = SystemOrigin::of_text(&program);
    if args.by_parts {
        let bugs = count_by_parts(&program, &asked.property, args.input.states.most(), budget);
        let bugs = bugs.map_err(|why| no_result(why, file, &sources, budget))?;
        return Ok(CountedBugs { bugs, sources, doubts: Vec::new(), invariant: None, origin });
    }
    let limits = bugs::CountLimits { most_states: args.input.states.most(), longest: args.up_to };
    let counted = count(&program, &asked.property, limits, budget);
    let counted = counted.map_err(|why| no_result(why, file, &sources, budget))?;
    let partial = counted.stopped.as_ref().map(|trouble| incomplete(file, trouble, &sources, &counted.bugs));
    let mut doubts: Vec<Diagnostic> = fails(&counted).into_iter().collect();
    let bugs = counted.bugs;
    match partial {
        Some(ended) if !bugs.complete && bugs.holds => return Err(ended),
        Some(CommandError::GaveUp { diagnostic, .. }) => doubts.push(about_rest(&bugs, *diagnostic)),
        Some(CommandError::Refused(refusal)) => {
            doubts.extend(refusal.diagnostics.into_iter().map(|found| about_rest(&bugs, found)));
        }
        None => {}
    }
    Ok(CountedBugs { bugs, sources, doubts, invariant: None, origin })
}

fn of_model(
    args: &BugsArgs,
    asked: Option<&LabelProperty>,
    file: &str,
    budget: &Budget,
    console: &Console,
) -> Result<CountedBugs, CommandError> {
    let options = args.input.loading.options(budget);
    let (model, warnings) = cli_input::load(&args.input.file, &options, console)?;
    let of_states = match asked {
        Some(_) => None,
        None => Some(states::NamedInvariant::new(&model, &args.states)?),
    };
    let most = args.input.states.most();
    let space = input::listed(file, &model, most, budget)?;
    let forbidden = match (asked, &of_states) {
        (Some(asked), _) => Forbidden::Labels(&asked.property),
        (None, Some(asked)) => {
            Forbidden::States { invariant: asked.invariant, environment: asked.environment.as_ref() }
        }
        (None, None) => unreachable!("one of them is asked for"),
    };
    let counted = model_bugs(&model, &space, forbidden, most, args.up_to, budget);
    let ModelBugs { bugs, stopped } = counted.map_err(|why| match why {
        ModelBugsError::Stopped(stop) => input::not_listed(file, &stop, &space, budget),
        ModelBugsError::Analysis(AnalysisError::Exhausted(why)) => {
            CommandError::exhausted(&format!("analysing {file}"), why, budget)
        }
        ModelBugsError::Analysis(AnalysisError::TooLarge { .. }) => {
            no_result(BugsError::TooLarge, file, &model.sources, budget)
        }
        ModelBugsError::Automaton => no_result(BugsError::Automaton, file, &model.sources, budget),
    })?;
    let about_stop = |stop: Stop| match input::not_listed(file, &stop, &space, budget) {
        CommandError::GaveUp { diagnostic, .. } => vec![about_rest(&bugs, *diagnostic)],
        CommandError::Refused(refusal) => {
            refusal.diagnostics.into_iter().map(|found| about_rest(&bugs, found)).collect()
        }
    };
    let doubts = stopped.map_or_else(Vec::new, about_stop);
    let invariant = of_states.map(|asked| BugInvariant {
        name: asked.property.name.clone(),
        environment: asked.environment.map(|environment| environment.names(&model)),
    });
    let sources = model.sources.clone();
    drop(space);
    let origin = SystemOrigin::Model { model: Box::new(model), arguments: true, warnings };
    Ok(CountedBugs { bugs, sources, doubts, invariant, origin })
}

/// An invariant of a model, and the steps of its environment, if there is one.
struct BugInvariant {
    name: String,
    environment: Option<Vec<String>>,
}

/// Warns that runs were ignored because a value cannot be computed in them.
fn fails(bugs: &TextBugs) -> Option<Diagnostic> {
    let (failure, trace) = bugs.fails.as_ref()?;
    let warning = Diagnostic::warning(failure.span, failure.message.clone())
        .with_note(format!("after {}", trace.join(", ")))
        .with_help("only runs in which actions are omitted reach this point; they are ignored");
    Some(warning)
}

/// Why the system is incomplete.
fn incomplete(file: &str, trouble: &StopReason, sources: &Arc<SourceMap>, bugs: &Bugs) -> CommandError {
    // The progress of the analysis after that is irrelevant.
    let mut ended = stopped(file, trouble, sources, &Budget::unlimited());
    if let CommandError::GaveUp { stage, .. } = &mut ended {
        *stage = Some(Stage { done: bugs.original.states as u64, of: None, what: "states generated" });
    }
    ended
}

/// Turns an error about an incomplete system into a warning.
fn about_rest(bugs: &Bugs, found: Diagnostic) -> Diagnostic {
    let warning = Diagnostic { severity: Severity::Warning, ..found };
    match bugs.complete {
        true => warning.with_note(
            "this concerns the system in which actions can be omitted; the system itself is complete, so all bugs that \
             occur without omissions are found",
        ),
        false => warning,
    }
}

/// A counterexample of the final counterexample LTS for each strategy given.
#[allow(clippy::type_complexity, reason = "the result of a strategy")]
fn counterexamples(
    args: &BugsArgs,
    bugs: &Bugs,
    file: &str,
    budget: &Budget,
) -> Result<Vec<(Strategy, Result<Counterexample, NoCounterexample>)>, CommandError> {
    if args.strategy.is_empty() || bugs.holds {
        return Ok(Vec::new());
    }
    let analysis = final_analysis(bugs, file, budget)?;
    let violations = SafetyProduct { analysis: &analysis, keep: Keep::FaultyStates };
    let mut found = Vec::new();
    for strategy in args.strategy.iter().map(|strategy| strategy.with_seed(args.seed)) {
        let chosen = of_safety(&violations, strategy, &LabelSequence::none(), budget).map_err(|why| {
            CommandError::exhausted(&format!("choosing a counterexample of {file}"), why, budget)
        })?;
        found.extend(chosen.map(|chosen| (strategy, chosen)));
    }
    Ok(found)
}

fn final_analysis<'a>(
    bugs: &'a Bugs,
    file: &str,
    budget: &Budget,
) -> Result<SafetyAnalysis<'a>, CommandError> {
    let final_lts = &bugs.final_lts;
    let analysis = SafetyAnalysis::new(&final_lts.lts, &final_lts.automaton, Incorrect::NoWayOut, budget);
    analysis.map_err(|stopped| match stopped {
        AnalysisError::Exhausted(why) => CommandError::exhausted(&format!("analysing {file}"), why, budget),
        AnalysisError::TooLarge { .. } => unreachable!("it was analysed before"),
    })
}

fn write(
    args: &BugsArgs,
    bugs: &Bugs,
    budget: &Budget,
    console: &Console,
    file: &str,
) -> Result<(), CommandError> {
    if let Some(path) = &args.final_lts {
        let unlimited = Budget::unlimited();
        let budget = if bugs.partial { &unlimited } else { budget };
        write_file(path, budget, console, |out| aut::write(&bugs.final_lts.lts, out))?;
    }
    if args.dot.is_some() {
        let analysis = final_analysis(bugs, file, budget)?;
        let drawn = DrawArgs { dot: args.dot.clone(), around: None };
        draw(&drawn, bugs.final_lts.lts.labels(), budget, console, |budget| {
            Drawing::of_safety(&analysis, budget)
        })?;
    }
    Ok(())
}

/// `lts bugs --actions`: where a system avoids actions that every run should contain.
fn escapes(args: &BugsArgs, actions: &str, console: &Console) -> Result<Exit, CommandError> {
    let actions = load_actions("--actions", actions)?;
    let budget = input::budget(args.input.limits(), console);
    let file = args.input.file.to_string_lossy().into_owned();
    let (program, sources) = program(&args.input.file, args.input.main.as_deref(), &budget)?;
    let found = bugs::escapes(&program, &actions.sequence, args.input.states.most(), &budget);
    let found = found.map_err(|why| no_result(why, &file, &sources, &budget))?;
    let origin = SystemOrigin::of_text(&program);
    let known =
        LabelContext { labels: found.lts.labels(), origin: &origin, strict: args.strict.strict_labels };
    let warnings = actions.warn(known, console)?;
    let report = EscapesReport {
        file: &file,
        actions: &actions.names,
        found: &found,
        sources: &sources,
        warnings: Findings(&warnings, &actions.sources),
    };
    conclude(&report, found.holds(), &args.output, &budget, console)
}
