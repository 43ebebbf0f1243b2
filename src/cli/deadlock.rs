//! `check --deadlock`: the search for a reachable state without successor.

use super::args::{CheckArgs, Engine};
use super::refusal::UsageError;
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Formula;
use cladist::model::{Model, Property, PropertyKind, load_formula};

/// The name of the property in reports.
const NAME: &str = "deadlock";

/// Returns the property that some step is possible in every state, if requested.
///
/// # Errors
/// If no option gives the traces to examine, or the property cannot be written.
pub fn asked(args: &CheckArgs, model: &Model) -> Result<Option<Property>, UsageError> {
    if !args.deadlock {
        return Ok(None);
    }
    let wrong = |message: &str, help: &str| -> UsageError {
        Diagnostic::error_without_place(message).with_help(help).into()
    };
    if args.bound.is_none() && !args.unbounded {
        let help = "add `-k N` for traces of up to N steps, or `--unbounded`";
        return Err(wrong("--deadlock needs a bound", help));
    }
    if matches!(args.engine.solver, Engine::Smt(_)) {
        return Err(wrong("--deadlock needs a SAT solver", "leave out --solver"));
    }
    if args.protocol.file.is_some() {
        return Err(wrong("--deadlock is about models: runs of protocols always end", "leave it out"));
    }
    let some: Vec<String> = model.actions.iter().map(|action| format!("enabled({})", action.name)).collect();
    let text = if some.is_empty() { "false".to_owned() } else { some.join(" or ") };
    let loaded = load_formula(model, "--deadlock", &text);
    match loaded.formula {
        // The generated text has no place in the files of the model.
        Some(Formula::Atom(formula, _)) => Ok(Some(Property {
            name: NAME.to_owned(),
            doc: None,
            kind: PropertyKind::DeadlockFree(formula.without_places()),
            span: Default::default(),
            formula: Default::default(),
        })),
        _ => Err(UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}
