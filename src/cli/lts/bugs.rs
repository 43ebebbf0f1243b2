//! `lts bugs`.

use super::command_error::CommandError;
use super::convert::{refuse_stdout, write_file};
use super::counterexample::refuse_idle_seed;
use super::draw;
use super::escapes;
use super::process::{no_result, program, stopped};
use super::process_args::BugsArgs;
use super::shared_args::DrawArgs;
use super::{input, property};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::budget::{Budget, Stage};
use cladist::diagnostics::{Diagnostic, Severity, SourceMap};
use cladist::lts::drawing::Drawing;
use cladist::lts::safety::{Analysis, AnalysisError, Incorrect, Keep};
use cladist::lts::strategy::{Counterexample, NoCounterexample, Safety, Strategy, of_safety};
use cladist::lts::{Steps, aut};
use cladist::process::bugs::{Bugs, Limits, count};
use cladist::process::semantics::StopReason;
use cladist::report::lts::{BugsRequest, bugs_document, bugs_text};
use cladist::report::to_json;
use std::sync::Arc;
use std::time::Instant;

pub fn run(args: &BugsArgs, console: &Console) -> Result<Exit, CommandError> {
    refuse_idle_seed(args.seed, &args.strategy)?;
    refuse_stdout(&[("--final-lts", args.final_lts.as_ref()), ("--dot", args.dot.as_ref())])?;
    match &args.actions {
        Some(actions) => escapes::run(args, actions, console),
        None => bugs(args, console),
    }
}

fn bugs(args: &BugsArgs, console: &Console) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let asked = property::load_text(&args.property)?;
    let budget = input::budget(&args.input.limits, console);
    let file = args.input.file.to_string_lossy().into_owned();
    let (program, sources) = program(&args.input.file, args.input.main.as_deref(), &budget)?;
    let limits = Limits { most_states: args.input.states.most(), longest: args.up_to };
    let counted = count(&program, &asked.property, limits, &budget);
    let bugs = counted.map_err(|why| no_result(why, &file, &sources, &budget))?;
    let partial = bugs.stopped.as_ref().map(|trouble| incomplete(&file, trouble, &sources, &bugs));
    let mut doubts: Vec<Diagnostic> = fails(&bugs).into_iter().collect();
    match partial {
        Some(ended) if !bugs.complete && bugs.holds => return Err(ended),
        Some(CommandError::GaveUp { diagnostic, .. }) => doubts.push(about_rest(&bugs, *diagnostic)),
        Some(CommandError::Refused(refusal)) => {
            doubts.extend(refusal.diagnostics.into_iter().map(|found| about_rest(&bugs, found)));
        }
        None => {}
    }
    console.diagnose(&doubts, &sources);
    let warnings = asked.warn(&bugs.final_lts.lts, console);
    let counterexamples = counterexamples(args, &bugs, &file, &budget)?;
    write(args, &bugs, &budget, console, &file)?;
    let request = BugsRequest {
        file: &file,
        property: &asked.text,
        bugs: &bugs,
        sources: &sources,
        doubts: &doubts,
        paper: args.paper,
        counterexamples: &counterexamples,
        warnings: &warnings,
        warning_sources: &asked.sources,
        seconds: started.elapsed().as_secs_f64(),
    };
    let result = match args.output.json {
        true => to_json(&bugs_document(&request)),
        false => bugs_text(&request, console.paint()),
    };
    console.print(&result)?;
    let exit = match (&bugs.stopped, bugs.holds) {
        (_, true) => Exit::Fine,
        (None, false) => Exit::Violated,
        (Some(_), false) => Exit::Partial,
    };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

/// Warns that runs were ignored because a value cannot be computed in them.
fn fails(bugs: &Bugs) -> Option<Diagnostic> {
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
#[allow(clippy::type_complexity, reason = "what a strategy finds")]
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
    let violations = Safety { analysis: &analysis, keep: Keep::FaultyStates };
    let mut found = Vec::new();
    for strategy in args.strategy.iter().map(|strategy| strategy.with_seed(args.seed)) {
        let chosen = of_safety(&violations, strategy, &Steps::none(), budget).map_err(|why| {
            CommandError::exhausted(&format!("choosing a counterexample of {file}"), why, budget)
        })?;
        found.extend(chosen.map(|chosen| (strategy, chosen)));
    }
    Ok(found)
}

fn final_analysis<'a>(bugs: &'a Bugs, file: &str, budget: &Budget) -> Result<Analysis<'a>, CommandError> {
    let final_lts = &bugs.final_lts;
    let analysis = Analysis::new(&final_lts.lts, &final_lts.automaton, Incorrect::NoWayOut, budget);
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
        let budget = if bugs.stopped.is_some() { &unlimited } else { budget };
        write_file(path, budget, console, |out| aut::write(&bugs.final_lts.lts, out))?;
    }
    if args.dot.is_some() {
        let analysis = final_analysis(bugs, file, budget)?;
        let drawn = DrawArgs { dot: args.dot.clone(), around: None };
        draw::draw(&drawn, bugs.final_lts.lts.labels(), budget, console, |budget| {
            Drawing::of_safety(&analysis, budget)
        })?;
    }
    Ok(())
}
