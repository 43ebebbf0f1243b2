//! The fates `lost`, `safe`, `open` and `decisive` for the property of a command.

use super::refusal::UsageError;
use super::settings;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::explore::{ListedFates, Stop};
use cladist::model::{Environment, Model};

/// The options of a command for fates.
pub struct FateOptions<'a> {
    /// The property; the first invariant if not given.
    pub property: Option<&'a str>,
    /// The steps of the environment, unless they are those that the model declares.
    pub environment: Option<&'a str>,
    /// The most states that are listed.
    pub max_states: usize,
}

/// Defines these words, if the model's vocabularies have any.
///
/// # Errors
/// If the property or the environment is unknown, or the states cannot be listed.
pub fn decide(
    model: &mut Model,
    asked: &FateOptions<'_>,
    budget: &Budget,
) -> Result<ListedFates, UsageError> {
    let refuse = |diagnostic| UsageError { diagnostics: vec![diagnostic], sources: model.sources.clone() };
    let (_, invariant) = settings::invariant(model, asked.property).map_err(refuse)?;
    let environment = asked.environment.map(|text| environment(model, text)).transpose().map_err(refuse)?;
    let listed = ListedFates::new(model, invariant, environment.as_ref(), asked.max_states, budget)
        .map_err(|stop| refuse(unlisted(stop)))?;
    let formulas = listed.formulas(model, budget).map_err(|why| refuse(unlisted(Stop::Budget(why))))?;
    model.set_fates(&formulas);
    Ok(listed)
}

/// Parses the steps of the environment on the command line.
///
/// # Errors
/// If the model does not have these steps.
pub fn environment(model: &Model, text: &str) -> Result<Environment, Diagnostic> {
    Environment::parse(model, text)
        .map_err(|unknown| Diagnostic::error_without_place(unknown.message).with_help(unknown.help))
}

/// Returns the reason why the states are not all known.
fn unlisted(stop: Stop) -> Diagnostic {
    let (why, help) = match stop {
        Stop::States(limit) => (
            format!("there are more than {limit}"),
            "raise the limit with --max-states, make the model smaller with --set, or hide these words with --hide",
        ),
        Stop::Choices(too_many) => {
            (too_many.to_string(), "make the model smaller with --set, or hide these words with --hide")
        }
        Stop::Budget(why) => (why.was_reached().to_owned(), why.help("there is no result")),
    };
    let message =
        format!("`lost`, `safe`, `open` and `decisive` need a list of all reachable states, but {why}");
    Diagnostic::error_without_place(message).with_help(help)
}
