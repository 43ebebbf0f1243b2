//! Process texts: reading them, generating their systems.

use super::args::InputArgs;
use super::ended::Ended;
use crate::budget::{Budget, Stage};
use crate::cli::refusal::Refusal;
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::lts::Lts;
use crate::process::load;
use crate::process::program::Program;
use crate::process::semantics::{Generated, Options, Trouble, generate};
use std::path::Path;
use std::sync::Arc;

/// Whether a file is a process text, by its name.
pub fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|end| end.eq_ignore_ascii_case("lnt"))
}

/// Reads a text.
pub fn program(args: &InputArgs) -> Result<(Program, Arc<SourceMap>), Refusal> {
    if !is_text(&args.file) {
        let message = format!("{} is no process text (.lnt)", args.file.display());
        return Err(Refusal::message(message));
    }
    if !args.overrides.is_empty() {
        let message = format!("--set is for models (.sts), and {} is none", args.file.display());
        return Err(Refusal::message(message));
    }
    let loaded = load(&args.file, args.main.as_deref());
    match loaded.program {
        Some(program) => Ok((program, loaded.sources)),
        None => Err(Refusal { diagnostics: loaded.mistakes, sources: loaded.sources }),
    }
}

/// How many states of a text are generated at most.
pub fn most_states(args: &InputArgs) -> usize {
    args.max_states.min(u32::MAX as usize - 2)
}

/// The system of a text, as far as it can be generated.
pub fn generated(args: &InputArgs, budget: &Budget) -> Result<(Generated, Arc<SourceMap>), Refusal> {
    let (program, sources) = program(args)?;
    let options = Options { most_states: most_states(args), ..Options::default() };
    Ok((generate(&program, options, budget), sources))
}

/// The whole system of a text.
pub fn system(args: &InputArgs, file: &str, budget: &Budget) -> Result<Lts, Ended> {
    let (generated, sources) = generated(args, budget)?;
    match &generated.stopped {
        None => Ok(generated.lts),
        Some(trouble) => Err(stopped(file, trouble, &sources, budget)),
    }
}

/// Why there is no whole system.
pub fn stopped(file: &str, trouble: &Trouble, sources: &Arc<SourceMap>, budget: &Budget) -> Ended {
    match trouble {
        Trouble::States(limit) => Ended::gave_up(
            format!("{file} has more than {limit} states"),
            "allow more with --max-states; if values grow without end, so do the states",
            Some(Stage { done: *limit as u64, of: None, what: "states generated" }),
        ),
        Trouble::Budget(why) => Ended::exhausted(&format!("generating {file}"), *why, budget),
        Trouble::Failure(failure, trace) => {
            let way = if trace.is_empty() {
                "at the beginning".to_owned()
            } else {
                format!("after {}", trace.join(", "))
            };
            let diagnostic = Diagnostic::error(failure.span, failure.message.clone())
                .with_note(way)
                .with_help("the system cannot do this: change the text, or the bounds of its types");
            Refusal { diagnostics: vec![diagnostic], sources: sources.clone() }.into()
        }
    }
}
