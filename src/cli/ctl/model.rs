//! Formulas over models.

use super::args::CtlArgs;
use super::{deadlock_warning, fairness_warning, tell};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::lts::CommandError;
use crate::cli::refusal::Refusal;
use crate::cli::{input, settings};
use cladist::budget::Budget;
use cladist::ctl::{
    ModelFormula, Part, branching_formula, expression_text, formula_of_model, model_fairness,
};
use cladist::decide::{self, BranchingOptions, Doubt, NoDecision, Phase};
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::explore::{DEFAULT_SEARCH_LIMIT, successors};
use cladist::model::expr;
use cladist::model::value::State;
use cladist::model::{LoadOptions, Model, Property, PropertyKind, load_formula};
use cladist::report::ctl::{CtlRequest, CtlShown, CtlState, CtlValue};
use cladist::report::{change_text, value_json};
use cladist::trace::differences;
use std::sync::Arc;
use std::time::Instant;

/// Decides a formula or a property of a model, prints the result and writes the files that were asked for.
pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let (budget, mut warnings) = settings::limits(args.input.limits.timeout, args.input.limits.memory);
    console.diagnose(&warnings, &Default::default());
    let file = args.input.file.to_string_lossy().into_owned();
    let options = LoadOptions {
        overrides: &args.input.loading.overrides,
        root: args.input.loading.root.as_deref(),
        budget: budget.clone(),
    };
    let (model, found) = input::load(&args.input.file, &options, console)?;
    warnings.extend(found);
    let (name, formula) = formula(args, &model, console)?;
    let options = BranchingOptions {
        wanted: args.wanted(),
        scope: args.scope,
        max_states: args.input.states.most(),
        backend: args.solver.backend(),
    };
    let decided = decide::branching(&model, &formula, &options, &budget)
        .map_err(|why| no_decision(why, &file, &budget))?;
    let doubts: Vec<Diagnostic> = decided
        .doubts
        .iter()
        .map(|doubt| match doubt {
            Doubt::Deadlocks(number) => deadlock_warning(number),
            Doubt::Unfair(never) => fairness_warning(&formula.formula, never),
        })
        .collect();
    console.diagnose(&doubts, &Default::default());
    warnings.extend(doubts);
    let shown = CtlShown::new(
        decided.found,
        |here, before| state(&model, here, before),
        |from, to| labels_of(&model, from, to),
    );
    let text = |part: Part| formula.formula.text(part);
    let (shown, nothing_shown) = match shown {
        Ok(shown) => (Some(shown), None),
        Err(why) => (None, Some(why)),
    };
    let request = CtlRequest {
        file: &file,
        property: name.as_deref(),
        formula: args.given().unwrap_or_else(|| text(formula.formula.root)),
        class: formula.formula.class(),
        fairness: formula.formula.fair.iter().map(|&c| text(c)).collect(),
        verdict: decided.verdict,
        basis: decided.basis,
        shown,
        nothing_shown,
        warnings: &warnings,
        sources: &model.sources,
        seconds: started.elapsed().as_secs_f64(),
    };
    tell(args, &request, console)
}

/// Why nothing is reported.
fn no_decision(why: NoDecision, file: &str, budget: &Budget) -> CommandError {
    match why {
        NoDecision::NoInitialState => {
            let error = Diagnostic::error_without_place(format!("{file} has no initial state"));
            let help = "every formula would hold; `cladist check` says which conditions exclude each other";
            error.with_help(help).into()
        }
        NoDecision::Exhausted { phase: Phase::Exploring, why } => {
            CommandError::exhausted(&format!("exploring {file}"), why, budget)
        }
        NoDecision::Exhausted { phase: Phase::Evaluating, why } => {
            CommandError::exhausted("evaluating the formula", why, budget)
        }
    }
}

/// The formula that is asked for, with its name if it is a property of the model.
fn formula(
    args: &CtlArgs,
    model: &Model,
    console: &Console,
) -> Result<(Option<String>, ModelFormula), Refusal> {
    if !args.ignore_fairness && !model.action_fairness.is_empty() {
        let message =
            format!("model {} declares fairness of actions, and this command is about states", model.name);
        let help =
            "--ignore-fairness leaves out the fairness of the model; `cladist check` decides ltl with it";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let mut fair = if args.ignore_fairness { Vec::new() } else { model_fairness(model) };
    for text in &args.fair {
        let (condition, sources) = parsed(model, "--fair", text, console)?;
        let expr::Formula::Atom(condition, _) = condition else {
            let message =
                format!("`{text}` has temporal operators, but a fairness condition is about one state");
            return Err(Refusal::message(message));
        };
        let text = expression_text(&sources, model, &condition, &[]);
        fair.push((condition, text));
    }
    if let Some(text) = &args.formula {
        let (formula, sources) = parsed(model, "formula", text, console)?;
        return Ok((
            None,
            formula_of_model(&formula, &fair, |e, named| expression_text(&sources, model, e, named)),
        ));
    }
    let property = match &args.property {
        Some(name) => settings::property(model, name)?,
        None => {
            let first = model.properties.iter().find(|p| matches!(p.kind, PropertyKind::Ctl(_)));
            first.ok_or_else(|| {
                let message = format!("model {} has no ctl property", model.name);
                let ltl: Vec<String> = model.properties.iter().filter_map(ltl_note).collect();
                let error = Diagnostic::error_without_place(message).with_help(
                    "write a formula after the file, or add a property: `ctl name: AG (p => AF q);`",
                );
                ltl.into_iter().fold(error, Diagnostic::with_note)
            })?
        }
    };
    let Some(body) = branching_formula(property) else {
        let message = format!("property `{}` belongs to ltl, and this command decides ctl", property.name);
        let mut error = Diagnostic::error(property.span, message);
        error.notes.extend(ltl_note(property));
        return Err(Refusal { sources: Arc::clone(&model.sources), ..Refusal::from(error) });
    };
    let formula = formula_of_model(&body, &fair, |e, named| expression_text(&model.sources, model, e, named));
    Ok((Some(property.name.clone()), formula))
}

/// What can be done about a property of ltl.
fn ltl_note(property: &Property) -> Option<String> {
    let name = &property.name;
    match property.kind {
        PropertyKind::Ltl(_) if property.invariant().is_some() => Some(format!(
            "`{name}` of ltl is an invariant: `cladist check MODEL -p {name} --unbounded` decides it"
        )),
        PropertyKind::Ltl(_) => {
            Some(format!("`{name}` of ltl: `cladist check MODEL -p {name} --unbounded` decides it"))
        }
        PropertyKind::Invariant(_) | PropertyKind::DeadlockFree(_) | PropertyKind::Ctl(_) => None,
    }
}

fn parsed(
    model: &Model,
    what: &str,
    text: &str,
    console: &Console,
) -> Result<(expr::Formula, Arc<SourceMap>), Refusal> {
    let loaded = load_formula(model, what, text);
    match loaded.formula {
        Some(formula) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((formula, loaded.sources))
        }
        None => Err(Refusal { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// The description of a state, and how it differs from one before.
fn state(model: &Model, here: &State, before: Option<&State>) -> CtlState {
    let values = model.variables.iter().zip(&here.0);
    let values = values.map(|(variable, value)| CtlValue {
        name: variable.name.clone(),
        text: model.types.show_value(value),
        json: value_json(&model.types, value),
    });
    let changes = before.map_or(Vec::new(), |before| differences(model, before, here));
    let changes = changes.iter().map(|change| change_text(change, str::to_owned)).collect();
    CtlState { number: None, values: values.collect(), changes }
}

/// The labels with which a step can be taken; none where the choices in the state are too many to list.
///
/// # Panics
/// If there is no such step.
fn labels_of(model: &Model, from: &State, to: &State) -> Vec<String> {
    let Ok(steps) = successors(model, from, DEFAULT_SEARCH_LIMIT) else { return Vec::new() };
    let labels: Vec<String> =
        steps.iter().filter(|(_, after)| after == to).map(|(label, _)| model.show_label(label)).collect();
    assert!(!labels.is_empty(), "the search and the reference semantics disagree about a step");
    labels
}
