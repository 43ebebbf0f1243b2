//! Formulas over models.

use super::args::CtlArgs;
use super::{doubts, tell};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::fairness::FairnessArgs;
use crate::cli::lts::{CommandError, no_initial_state};
use crate::cli::refusal::UsageError;
use crate::cli::{input, settings};
use cladist::budget::Budget;
use cladist::ctl::{
    ModelFormula, PathFairness, Subformula, branching_formula, expression_text, formula_of_model,
};
use cladist::decide::{self, BranchingOptions, BudgetPhase, NoDecision};
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::explore::{DEFAULT_SEARCH_LIMIT, successors};
use cladist::model::expr;
use cladist::model::value::State;
use cladist::model::{
    LoadedFairness, Model, Property, PropertyKind, Remembering, load_fairness, load_formula,
};
use cladist::report::explicit::ctl::{CtlReport, CtlShown, CtlState, CtlValue};
use cladist::report::{change_text, places};
use cladist::trace::differences;
use cladist::trace::value_json;
use std::sync::Arc;
use std::time::Instant;

/// The most strong conditions, each of which doubles the formula.
const MOST_STRONG: usize = 5;

/// Decides a formula or properties of a model, prints the results and writes the requested files.
pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, CommandError> {
    let (budget, mut warnings) = settings::limits(args.input.limits());
    console.diagnose(&warnings, &Default::default());
    let options = args.input.loading.options(&budget);
    let (model, found) = input::load(&args.input.file, &options, console)?;
    warnings.extend(found);
    if args.properties.len() < 2 {
        let one = args.properties.first().map(String::as_str);
        return decide(args, (&model, one), &warnings, &budget, console);
    }
    // Names are mistaken before something is decided.
    for name in &args.properties {
        property(Some(name), &model)?;
    }
    let mut exits = Vec::new();
    for (number, name) in args.properties.iter().enumerate() {
        if number > 0 {
            console.print("\n")?;
        }
        let budget = budget.share(args.properties.len() - number);
        exits.push(decide(args, (&model, Some(name)), &warnings, &budget, console)?);
    }
    let all = |wanted: Exit| exits.contains(&wanted);
    Ok(match (all(Exit::Violated), all(Exit::Undecided)) {
        (true, true) => Exit::Partial,
        (true, false) => Exit::Violated,
        (false, true) => Exit::Undecided,
        (false, false) => Exit::Fine,
    })
}

/// Decides a formula, or a property by its name.
fn decide(
    args: &CtlArgs,
    (model, name): (&Model, Option<&str>),
    warnings: &[Diagnostic],
    budget: &Budget,
    console: &Console,
) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let file = args.input.file.to_string_lossy().into_owned();
    let mut warnings = warnings.to_vec();
    let CtlQuestion { name, formula, text: given, strong, remembering } =
        asked(args, (model, name), console)?;
    let options = BranchingOptions {
        wanted: args.wanted(),
        scope: args.scope,
        max_states: args.input.states.most(),
        backend: args.solver.solver.backend(),
    };
    let decided = decide::branching(&remembering, &formula, &options, budget)
        .map_err(|why| no_decision(why, &file, budget))?;
    let doubts = doubts(&decided.doubts, &formula.formula, !strong.is_empty());
    console.diagnose(&doubts, &Default::default());
    warnings.extend(doubts);
    let shown = CtlShown::new(
        decided.found,
        |here, before| state(model, here, before),
        |from, to| labels_of(&remembering, from, to),
    );
    let text = |part: Subformula| formula.formula.text(part);
    let (shown, nothing_shown) = match shown {
        Ok(shown) => (Some(shown), None),
        Err(why) => (None, Some(why)),
    };
    let request = CtlReport {
        file: &file,
        property: name.as_deref(),
        formula: given,
        class: formula.formula.class(),
        fairness: formula.formula.fair.iter().map(|&c| text(c)).collect(),
        strong_fairness: strong,
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

/// Returns the error for a missing decision.
fn no_decision(why: NoDecision, file: &str, budget: &Budget) -> CommandError {
    match why {
        NoDecision::NoInitialState => no_initial_state(file).into(),
        NoDecision::Exhausted { phase: BudgetPhase::Exploring, why } => {
            CommandError::exhausted(&format!("exploring {file}"), why, budget)
        }
        NoDecision::Exhausted { phase: BudgetPhase::Evaluating, why } => {
            CommandError::exhausted("evaluating the formula", why, budget)
        }
    }
}

struct CtlQuestion {
    /// The name of the property, if it is one of the model.
    name: Option<String>,
    formula: ModelFormula,
    /// The formula as text, without the conditions added by fairness.
    text: String,
    /// Steps that paths take infinitely often if they are possible infinitely often.
    strong: Vec<String>,
    /// The model with states that record the steps of fairness conditions that led to them.
    remembering: Model,
}

fn asked(
    args: &CtlArgs,
    (model, name): (&Model, Option<&str>),
    console: &Console,
) -> Result<CtlQuestion, UsageError> {
    let mut remembering = Remembering::new(model);
    let conditions = conditions(&args.fairness, name, &mut remembering)?;
    let of = |body: &expr::Formula, fair: &PathFairness, sources: &SourceMap| {
        formula_of_model(body, fair, |e, named| expression_text(sources, model, e, named))
    };
    let (name, body, sources) = match args.formula() {
        Some(text) => {
            let (body, sources) = parsed(model, "formula", text, console)?;
            (None, body, sources)
        }
        None => {
            let (name, body) = property(name, model)?;
            (Some(name), body, Arc::clone(&model.sources))
        }
    };
    let plain = of(&body, &PathFairness::default(), &sources).formula;
    let formula = of(&body, &conditions, &sources);
    let text = args.given().unwrap_or_else(|| plain.text(plain.root));
    let strong = conditions.strong.into_iter().map(|condition| condition.steps).collect();
    Ok(CtlQuestion { name, formula, text, strong, remembering: remembering.model })
}

/// Returns the fairness conditions of paths.
pub fn conditions(
    fairness: &FairnessArgs,
    name: Option<&str>,
    remembering: &mut Remembering,
) -> Result<PathFairness, UsageError> {
    let model = remembering.model.clone();
    let own = PathFairness::of_model(&model);
    // Finite traces violate invariants, and none of them is unfair.
    let about_states = name.is_some_and(|name| is_invariant(&model, name));
    let own_count = !fairness.ignore_fairness && !about_states;
    let mut conditions = if own_count { own } else { PathFairness::default() };
    let mut actions = if own_count { model.action_fairness.clone() } else { Vec::new() };
    let weak = fairness.fair.iter().map(|text| ("--fair", text, false));
    let strong = fairness.strongly_fair.iter().map(|text| ("--strongly-fair", text, true));
    for (option, text, is_strong) in weak.chain(strong) {
        let LoadedFairness { found: loaded, diagnostics, sources, .. } =
            load_fairness(&model, option, text, is_strong);
        let Some((states, of_actions)) = loaded else { return Err(UsageError { diagnostics, sources }) };
        let named = states.into_iter().map(|e| (e.clone(), expression_text(&sources, &model, &e, &[])));
        conditions.again.extend(named);
        actions.extend(of_actions);
    }
    actions.iter().for_each(|action| conditions.add_action(remembering, action));
    if conditions.strong.len() > MOST_STRONG {
        let message = format!(
            "strong fairness is asked of {} kinds of steps, and at most {MOST_STRONG} are supported here",
            conditions.strong.len()
        );
        let help =
            "ask for weak fairness of some with --fair, or --ignore-fairness; `cladist check` decides ltl";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    Ok(conditions)
}

/// True if a property of that name is an invariant.
fn is_invariant(model: &Model, name: &str) -> bool {
    let is_one = |property: &Property| matches!(property.kind, PropertyKind::Invariant(_));
    model.properties.iter().any(|property| property.name == name && is_one(property))
}

/// Returns the requested property, with its formula.
fn property(name: Option<&str>, model: &Model) -> Result<(String, expr::Formula), UsageError> {
    let property = match name {
        Some(name) => settings::property(model, name)?,
        None => {
            let first = model.properties.iter().find(|p| matches!(p.kind, PropertyKind::Ctl(_)));
            first.ok_or_else(|| {
                let message = format!("model {} has no ctl property", model.name);
                let ltl: Vec<String> = model.properties.iter().filter_map(|other| ltl_note(model, other)).collect();
                let error = Diagnostic::error_without_place(message).with_help(
                    "write a formula after the file, name an invariant with -p, or add a property: `ctl name: AG (p => AF q);`",
                );
                ltl.into_iter().fold(error, Diagnostic::with_note)
            })?
        }
    };
    match branching_formula(property) {
        Some(body) => Ok((property.name.clone(), body)),
        None => {
            let message =
                format!("property `{}` is an ltl property, and this command decides ctl", property.name);
            let mut error = Diagnostic::error(property.span, message);
            error.notes.extend(ltl_note(model, property));
            Err(UsageError { sources: Arc::clone(&model.sources), ..UsageError::from(error) })
        }
    }
}

/// Returns advice for a property of ltl.
fn ltl_note(model: &Model, property: &Property) -> Option<String> {
    let PropertyKind::Ltl(_) = property.kind else { return None };
    let is = if property.invariant().is_some() { " is an invariant" } else { "" };
    let command = settings::command_about("check", model, &property.name);
    Some(format!("`{}` of ltl{is}: `{command} --unbounded` decides it", property.name))
}

fn parsed(
    model: &Model,
    what: &str,
    text: &str,
    console: &Console,
) -> Result<(expr::Formula, Arc<SourceMap>), UsageError> {
    let loaded = load_formula(model, what, text);
    match loaded.found {
        Some(formula) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((formula, loaded.sources))
        }
        None => Err(UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Returns the description of a state without its recorded steps, with its differences from a previous one.
fn state(model: &Model, here: &State, before: Option<&State>) -> CtlState {
    let own = |state: &State| State(state.0[..model.variables.len()].to_vec());
    let (here, before) = (&own(here), before.map(own));
    let values = model.variables.iter().zip(&here.0);
    let values = values.map(|(variable, value)| CtlValue {
        name: variable.name.clone(),
        text: model.types.show_value(value),
        json: value_json(&model.types, value),
    });
    let changes = before.map_or(Vec::new(), |before| differences(model, &before, here));
    let changes = changes.iter().map(|change| change_text(change, str::to_owned)).collect();
    let places =
        places(model, here).into_iter().map(|(place, value)| (place, model.types.show_value(&value)));
    CtlState { number: None, values: values.collect(), places: places.collect(), changes }
}

/// Returns the labels with which a step can be taken; none if there are too many choices in the state to list.
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
