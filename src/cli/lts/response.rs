//! The property of linear time that `lts inevitable` is asked about, and the states in which something is waited for.

use super::args::InevitableArgs;
use super::command_error::CommandError;
use super::input::{self, budget, labelling};
use super::kind::InputKind;
use crate::cli::console::Console;
use crate::cli::input as cli_input;
use crate::cli::refusal::UsageError;
use crate::cli::settings;
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::explore::{Response, Waiting, state_space};
use cladist::ltl::Fairness;
use cladist::lts::Lts;
use cladist::model::{Model, Property, PropertyKind};
use std::sync::Arc;

/// A model with a property that asks for an answer.
pub struct ResponseQuery {
    /// The file as the user wrote it.
    pub file: String,
    /// The states of the model.
    pub lts: Lts,
    /// The states of the model with what is waited for.
    pub waiting: Waiting,
    pub property: String,
    /// The limits for the analysis.
    pub budget: Budget,
    pub sources: Arc<SourceMap>,
}

/// Loads the model, and lists its states for the property that is asked about.
pub fn load(args: &InevitableArgs, name: &str, console: &Console) -> Result<ResponseQuery, CommandError> {
    let (system, labels) = (&args.input.input.system, &args.input.input.labels);
    if args.input.kind()? != InputKind::Model {
        let message = format!("-p names a property of a model (.sts), but not of {}", system.file.display());
        let help = "name the actions of another system with --actions";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let budget = budget(system.limits(), console);
    let options = system.loading.options(&budget);
    let (model, _) = cli_input::load(&system.file, &options, console)?;
    let file = system.file.to_string_lossy().into_owned();
    let refuse =
        |diagnostic| UsageError { diagnostics: vec![diagnostic], sources: Arc::clone(&model.sources) };
    let (property, response) = response(&model, name).map_err(refuse)?;
    if !args.ignore_fairness && !Fairness::of_model(&model).is_empty() {
        return Err(refuse(fairness(&model, name)).into());
    }
    let labelling = labelling(labels, &file, &model)?;
    let space = input::listed(&file, &model, system.states.most(), &budget)?;
    let waiting = response
        .product(&model, &space, &labelling, &budget)
        .map_err(|why| CommandError::exhausted(&format!("analysing {file}"), why, &budget))?;
    let lts = state_space(&model, space, &labelling, &budget)
        .map_err(|why| CommandError::exhausted(&format!("exploring {file}"), why, &budget))?;
    let (property, sources) = (property.name.clone(), Arc::clone(&model.sources));
    Ok(ResponseQuery { file, lts, waiting, property, budget, sources })
}

/// The property with this name, and the answer that it asks for.
fn response<'m>(model: &'m Model, name: &str) -> Result<(&'m Property, Response<'m>), Diagnostic> {
    let property = settings::property(model, name)?;
    let about = |command| settings::command_about(command, model, name);
    let PropertyKind::Ltl(formula) = &property.kind else {
        let error = Diagnostic::error(property.span, format!("`{name}` is not a property of ltl"));
        return Err(match property.invariant() {
            Some(_) => error.with_help(format!("`{}` analyses an invariant", about("lts tag"))),
            None => error.with_help(format!("`{}` decides it", about("ctl"))),
        });
    };
    if let Some(response) = Response::of(formula) {
        return Ok((property, response));
    }
    let error = Diagnostic::error(property.span, format!("`{name}` is not a response property"));
    Err(match property.invariant() {
        Some(_) => error.with_help(format!("`{}` analyses an invariant", about("lts tag"))),
        None => error
            .with_help(
                "write `eventually e`, `always eventually e` or `always (a => eventually e)`, with a and e about one \
                 state; a property about several individuals as one property for each",
            )
            .with_note(format!("`{}` classifies its violations", about("classify"))),
    })
}

fn fairness(model: &Model, name: &str) -> Diagnostic {
    let message = format!("model {} declares fairness, and every run counts here", model.name);
    Diagnostic::error_without_place(message)
        .with_help("--ignore-fairness leaves it out")
        .with_note(format!("`{}` respects it", settings::command_about("classify", model, name)))
}
