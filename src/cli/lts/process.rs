//! Process texts: reading them, generating their systems.

use super::command_error::CommandError;
use super::input_args::StatesArgs;
use super::kind::InputKind;
use super::origin::SystemOrigin;
use crate::cli::refusal::UsageError;
use cladist::budget::{Budget, Stage};
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::Lts;
use cladist::lts::property::MOST_STATES;
use cladist::process::bugs::BugsError;
use cladist::process::load;
use cladist::process::program::ProcessProgram;
use cladist::process::semantics::{GenerateOptions, GeneratedSystem, StopReason, generate};
use std::path::Path;
use std::sync::Arc;

/// Reads a text whose system is the `main` process.
///
/// # Errors
/// If the text has mistakes, the file is of another kind (the help names the right command), or the budget is exhausted.
pub fn program(
    file: &Path,
    main: Option<&str>,
    budget: &Budget,
) -> Result<(ProcessProgram, Arc<SourceMap>), CommandError> {
    let help = match InputKind::of(file) {
        InputKind::Text => None,
        InputKind::Model => Some(
            "`cladist export aut` writes the state space of a model, `cladist lts tag` analyses it, and `cladist lts info \
             MODEL -p INVARIANT` lists its decisive steps",
        ),
        InputKind::Aut => {
            Some("`cladist lts convert` writes AUT in other formats, `cladist lts tag` analyses it")
        }
    };
    if let Some(help) = help {
        let message = format!("{} is not a process text (.lnt)", file.display());
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let loaded = load(file, main, budget);
    match (loaded.program, loaded.exhausted) {
        (Some(program), _) => Ok((program, loaded.sources)),
        (None, Some(why)) if loaded.mistakes.is_empty() => {
            let doing = main.map_or_else(
                || format!("reading {}", file.display()),
                |call| format!("computing the arguments of {call}"),
            );
            Err(CommandError::exhausted(&doing, why, budget))
        }
        (None, _) => Err(UsageError { diagnostics: loaded.mistakes, sources: loaded.sources }.into()),
    }
}

/// The system of a text, as far as it can be generated.
pub fn generated(program: &ProcessProgram, states: &StatesArgs, budget: &Budget) -> GeneratedSystem {
    let options = GenerateOptions { most_states: states.most(), ..GenerateOptions::default() };
    generate(program, options, budget)
}

/// The complete system of a text.
pub fn system(
    file: &Path,
    main: Option<&str>,
    states: &StatesArgs,
    budget: &Budget,
) -> Result<(Lts, SystemOrigin), CommandError> {
    let (program, sources) = program(file, main, budget)?;
    let generated = generated(&program, states, budget);
    match &generated.stopped {
        None => Ok((generated.lts, SystemOrigin::of_text(&program))),
        Some(trouble) => Err(stopped(&file.to_string_lossy(), trouble, &sources, budget)),
    }
}

/// The error for an incomplete system.
pub fn stopped(file: &str, trouble: &StopReason, sources: &Arc<SourceMap>, budget: &Budget) -> CommandError {
    match trouble {
        StopReason::States(limit) => CommandError::gave_up(
            format!("{file} has more than {limit} states"),
            "raise the limit with --max-states, unless values grow without bound",
            Some(Stage { done: *limit as u64, of: None, what: "states generated" }),
        ),
        StopReason::Budget(why) => CommandError::exhausted(&format!("generating {file}"), *why, budget),
        StopReason::Failure(failure, trace) => {
            let way = if trace.is_empty() {
                "in the initial state".to_owned()
            } else {
                format!("after {}", trace.join(", "))
            };
            let diagnostic = Diagnostic::error(failure.span, failure.message.clone())
                .with_note(way)
                .with_help("correct the text or the bounds of its types");
            UsageError { diagnostics: vec![diagnostic], sources: sources.clone() }.into()
        }
    }
}

/// The error when bugs cannot be counted.
pub fn no_result(why: BugsError, file: &str, sources: &Arc<SourceMap>, budget: &Budget) -> CommandError {
    match why {
        BugsError::Failure(trouble) => stopped(file, &trouble, sources, budget),
        BugsError::Exhausted(why) => CommandError::exhausted(&format!("analysing {file}"), why, budget),
        BugsError::TooLarge => CommandError::gave_up(
            format!("{file} and the property have a product with too many states"),
            "use a property with a smaller automaton or a smaller system",
            budget.stage(),
        ),
        BugsError::Automaton => {
            let message = format!("the automaton of the property would have more than {MOST_STATES} states");
            Diagnostic::error_without_place(message)
                .with_help("counted repetitions R{n} after choices make it large: split the property")
                .into()
        }
    }
}
