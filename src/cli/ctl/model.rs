//! Formulas over models.

use super::args::CtlArgs;
use super::listed::Listed;
use super::scoped::Scoped;
use super::{Found, deadlock_warning, fairness_warning, tell};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::lts::Ended;
use crate::cli::refusal::Refusal;
use crate::cli::{input, settings};
use cladist::budget::Budget;
use cladist::ctl::{
    Class, Formula, Goal, ModelFormula, Node, Part, Wanted, formula_of_model, is_about_one_state,
};
use cladist::diagnostics::{Diagnostic, SourceMap, Span};
use cladist::explore::{DEFAULT_SEARCH_LIMIT, Reachable, Stop, reachable, successors};
use cladist::model::expr::{self, Expr, Named, Op, TemporalOp};
use cladist::model::value::State;
use cladist::model::{LoadOptions, Model, Property, PropertyKind, load_formula};
use cladist::prove::{self, Decision, Effort, Evidence, Way};
use cladist::report::ctl::{CtlBasis, CtlRequest, CtlShown, CtlState, CtlVerdict};
use cladist::report::{change_text, value_json};
use cladist::trace::differences;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where there are other ways, states are listed for no longer than this, and for half of the time at most.
const LISTING: Duration = Duration::from_secs(20);

/// The scope, where the states cannot be listed and nothing is said.
const USUAL_SCOPE: usize = 12;

/// With more states than this, what is shown is looked for in the model as it is, where that can be.
const MANY_STATES: usize = 3000;

/// A verdict, what it rests on, and what shows it.
type Decided = (CtlVerdict, CtlBasis, Result<CtlShown, String>);

/// Runs it.
pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, Ended> {
    let started = Instant::now();
    let (budget, mut warnings) = settings::limits(args.input.limits.timeout, args.input.limits.memory);
    console.diagnose(&warnings, &Default::default());
    let file = args.input.file.to_string_lossy().into_owned();
    let options = LoadOptions {
        overrides: &args.input.overrides,
        root: args.input.root.as_deref(),
        budget: budget.clone(),
    };
    let (model, found) = input::load(&args.input.file, &options, console)?;
    warnings.extend(found);
    let (name, formula) = formula(args, &model, console)?;
    let limit = args.scope.unwrap_or_else(|| args.input.states.most()).min(u32::MAX as usize - 2);
    // No part of a system proves a formula that is mixed.
    let only_way = args.scope.is_some() || formula.formula.class() == Class::Mixed;
    let listing = if only_way { budget.clone() } else { budget.share(2).at_most(LISTING) };
    let reached = reachable(&model, limit, &listing);
    if reached.complete() && reached.initial == 0 {
        let error = Diagnostic::error_without_place(format!("{file} has no initial state"));
        return Err(error
            .with_help("every formula would hold; `cladist check` says which conditions exclude each other")
            .into());
    }
    let (verdict, basis, shown) = match &reached.stopped {
        None => listed(args, &model, &formula, &reached, &budget, &mut warnings, console)?,
        Some(Stop::Budget(why)) if budget.exhausted().is_some() => {
            return Err(Ended::exhausted(&format!("exploring {file}"), *why, &budget));
        }
        Some(_) => unlisted(args, &model, &formula, &budget),
    };
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
        verdict,
        basis,
        shown,
        nothing_shown,
        warnings: &warnings,
        sources: &model.sources,
        seconds: started.elapsed().as_secs_f64(),
    };
    tell(args, &request, console)
}

/// The formula that is asked for, with its name if it is a property of the model.
fn formula(
    args: &CtlArgs,
    model: &Model,
    console: &Console,
) -> Result<(Option<String>, ModelFormula), Refusal> {
    let mut fair: Vec<(Expr, String)> = Vec::new();
    if !args.ignore_fairness {
        fair.extend(model.fairness.iter().map(|e| (e.clone(), snippet(&model.sources, model, e, &[]))));
    }
    for text in &args.fair {
        let (condition, sources) = parsed(model, "--fair", text, console)?;
        let expr::Formula::Atom(condition, _) = condition else {
            let message =
                format!("`{text}` has temporal operators, and a fairness condition speaks of one state");
            return Err(Refusal::message(message));
        };
        let text = snippet(&sources, model, &condition, &[]);
        fair.push((condition, text));
    }
    if let Some(text) = &args.formula {
        let (formula, sources) = parsed(model, "formula", text, console)?;
        return Ok((None, formula_of_model(&formula, &fair, |e, named| snippet(&sources, model, e, named))));
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
    let body = match &property.kind {
        PropertyKind::Ctl(body) => body.clone(),
        PropertyKind::Invariant(e) => {
            expr::Formula::Temporal(TemporalOp::AllAlways, vec![expr::Formula::Atom(e.clone(), Vec::new())])
        }
        PropertyKind::Ltl(_) => {
            let message =
                format!("property `{}` belongs to ltl, and this command decides ctl", property.name);
            let mut error = Diagnostic::error(property.span, message);
            error.notes.extend(ltl_note(property));
            return Err(Refusal { sources: Arc::clone(&model.sources), ..Refusal::from(error) });
        }
    };
    let formula = formula_of_model(&body, &fair, |e, named| snippet(&model.sources, model, e, named));
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
            Some(format!("`{name}` of ltl is decided by no command yet; those of the form `always e` are"))
        }
        PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => None,
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

/// An expression as it was written, with values in the places of names, in one line and without parentheses around the
/// whole of it.
fn snippet(sources: &SourceMap, model: &Model, e: &Expr, named: &[Named]) -> String {
    let within =
        |place: Span| place.source == e.span.source && e.span.start <= place.start && place.end <= e.span.end;
    let mut places: Vec<&Named> = named.iter().filter(|named| within(named.span)).collect();
    places.sort_by_key(|named| named.span.start);
    let mut text = String::new();
    let mut at = e.span.start;
    for Named { span, value } in places {
        text += sources.snippet(Span { start: at, end: span.start, ..e.span });
        text += &model.types.show_value(value);
        at = span.end;
    }
    text += sources.snippet(Span { start: at, ..e.span });
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut depth = 0;
    // Where the parenthesis that the text begins with is closed.
    let closed = text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    });
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if closed == Some(text.len() - 1) => inner.to_owned(),
        _ => text,
    }
}

/// With all reachable states.
fn listed(
    args: &CtlArgs,
    model: &Model,
    formula: &ModelFormula,
    reached: &Reachable,
    budget: &Budget,
    warnings: &mut Vec<Diagnostic>,
    console: &Console,
) -> Result<Decided, Ended> {
    let (structure, labels) = formula.structure(model, reached);
    if let Some(warning) = deadlock_warning(&structure) {
        console.diagnose(std::slice::from_ref(&warning), &Default::default());
        warnings.push(warning);
    }
    let listed = Listed::new(&formula.formula, &structure, &labels, budget)
        .map_err(|why| Ended::exhausted("evaluating the formula", why, budget))?;
    let unfair = fairness_warning(&listed, budget)
        .map_err(|why| Ended::exhausted("evaluating the formula", why, budget))?;
    if let Some(warning) = unfair {
        console.diagnose(std::slice::from_ref(&warning), &Default::default());
        warnings.push(warning);
    }
    let verdict = if listed.holds() { CtlVerdict::Holds } else { CtlVerdict::Violated };
    let basis = CtlBasis::States { states: structure.states(), transitions: structure.lts.transitions() };
    // A slot for listed states is as large as there are states; one for the state of a model is not.
    let goal = Goal::new(&formula.formula, listed.holds());
    // Breadth-first search needs neither.
    let way = goal.is_way() && args.wanted() != Wanted::Subgraph;
    if structure.states() > MANY_STATES
        && goal.has_steps()
        && !way
        && is_about_one_state(&formula.formula, &goal)
    {
        let scoped = Scoped { model, formula, wanted: args.wanted(), backend: args.solver.backend(), budget };
        return Ok((verdict, basis, described(model, scoped.show(goal, structure.states(), None))));
    }
    let found = listed.show(args.wanted(), args.solver.backend(), budget);
    let of = |number: u32| &reached.states[number as usize];
    let shown = found.described(
        |&number, before| state(model, of(number), before.map(|&b| of(b))),
        |&from, &to| labels_of(model, of(from), of(to)),
    );
    Ok((verdict, basis, shown))
}

/// Where there are too many states: a proof if it is an invariant, else parts of the system.
fn unlisted(args: &CtlArgs, model: &Model, formula: &ModelFormula, budget: &Budget) -> Decided {
    let backend = args.solver.backend();
    let scoped = Scoped { model, formula, wanted: args.wanted(), backend, budget };
    let mut scope = args.scope.unwrap_or(USUAL_SCOPE);
    if args.scope.is_none()
        && let Some(invariant) = invariant(formula)
    {
        let effort = Effort { backend, budget, observer: &mut () };
        match prove::decide(model, &invariant, Way::Auto, effort) {
            Decision::Holds(evidence) => {
                let why = "that it holds cannot be shown by steps: it says something of all paths";
                return (CtlVerdict::Holds, CtlBasis::Proof(by(&evidence)), Err(why.to_owned()));
            }
            // With fairness, the path to there has to go on: so far it is only known how far it is.
            Decision::Violated(steps) => scope = scope.max(steps + 1),
            Decision::Unknown { .. } => {}
        }
    }
    let (verdict, found) = scoped.decide(scope);
    (verdict, CtlBasis::Scope(scope), described(model, found))
}

/// What was found among states of the model.
fn described(model: &Model, found: Found<State>) -> Result<CtlShown, String> {
    found.described(|here, before| state(model, here, before), |from, to| labels_of(model, from, to))
}

fn by(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Visited { states } => format!("visiting {states} states, without their steps"),
        Evidence::Induction { k, checked_by } => {
            format!("induction over {k} steps, without listing the states, checked again by {checked_by}")
        }
        Evidence::Invariant { clauses, checked_by } => {
            format!(
                "an inductive invariant of {} clauses, without listing the states, checked again by {checked_by}",
                clauses.len()
            )
        }
    }
}

/// The state formula, if this is `AG` of one and paths need not be fair; where it holds anyway, it holds on fair paths, too.
fn invariant(formula: &ModelFormula) -> Option<Expr> {
    let all = &formula.formula;
    let Node::Not(some) = all.node(all.root) else { return None };
    let Node::Until(through, bad) = all.node(*some) else { return None };
    if *all.node(*through) != Node::True {
        return None;
    }
    let bad = match all.node(*bad) {
        Node::And(bad, _) if !all.fair.is_empty() => bad,
        _ => bad,
    };
    (all.quantifies(*bad) == (false, false)).then(|| state_formula(all, &formula.labels, *bad).negated())
}

/// A part without operators as an expression of the model.
fn state_formula(formula: &Formula, labels: &[Expr], part: Part) -> Expr {
    let of = |part: &Part| state_formula(formula, labels, *part);
    match formula.node(part) {
        Node::Label(label) => labels[*label].clone(),
        Node::Not(a) => of(a).negated(),
        Node::And(a, b) => Expr::binary_bool(Op::And, of(a), of(b)),
        Node::Or(a, b) => Expr::binary_bool(Op::Or, of(a), of(b)),
        Node::True | Node::Next(_) | Node::Until(..) | Node::Always { .. } => {
            Expr::bool(true, Default::default())
        }
    }
}

/// The description of a state, and how it differs from one before.
fn state(model: &Model, here: &State, before: Option<&State>) -> CtlState {
    let values = model.variables.iter().zip(&here.0);
    let values = values.map(|(variable, value)| {
        (variable.name.clone(), model.types.show_value(value), value_json(&model.types, value))
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
