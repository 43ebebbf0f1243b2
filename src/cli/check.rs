//! `cladist check`: types and warnings, and a shortest counterexample of each invariant.

use super::args::{CheckArgs, Engine};
use super::console::Console;
use super::ctl::{conditions, doubts};
use super::exit::Exit;
use super::linear::Decided;
use super::loading::option_of;
use super::progress::ProgressLine;
use super::refusal::UsageError;
use super::result_folder::{NewFolder, RESULTS, ResultFolder};
use super::watchdog::{KnownResult, PartialResult};
use super::{bounds, ci, claims, input, linear, progress, proofs, rerun, settings, symmetric};
use cladist::budget::{Budget, Exhausted, Observer};
use cladist::ctl::{expression_text, formula_of_model};
use cladist::decide::{
    Basis, Branching, BranchingOptions, InvariantOptions, InvariantResult, NoDecision, by_scripts,
};
use cladist::diagnostics::Diagnostic;
use cladist::ltl::Fairness;
use cladist::model::expr::{Expr, Formula, Op};
use cladist::model::{LoadedLibrary, Model, Property, PropertyKind, Remembering, load_formula};
use cladist::prove::{self, InvariantDecision, InvariantEvidence, InvariantMethod, ProofEffort, Reduction};
use cladist::report::ci::Suite;
use cladist::report::{
    CheckRequest, CheckedProperty, PropertyOutcome, check_document, check_page, check_text, integers_text,
    invariant_text, library_document, proofs_text, shows_counterexamples, to_json, unreached_notice,
};
use cladist::trace::{lasso_to_itf, to_itf};
use cladist::unroll::{BoundedResult, Lengths};
use cladist::{decide, unroll};
use itertools::Itertools;
use std::time::{Duration, Instant};

pub fn run(args: &CheckArgs, console: &Console) -> Result<Exit, UsageError> {
    let started = Instant::now();
    let (budget, doubts) = settings::budget(&args.run);
    let budget = budget.watched(progress::stages(console));
    console.diagnose(&doubts, &Default::default());
    refuse_options(args)?;
    let options = args.run.loading.options(&budget);
    if let Some(library) = input::library(&args.model, &options, console)? {
        return report_library(args, &library, console);
    }
    let (mut model, mut warnings) = input::load_settled(&args.model, &args.protocol, &options, console)?;
    warnings.extend(doubts);
    let claims = args.protocol.claims().len();
    let asked = if args.property.is_some() { 1 } else { args.protocol.properties.len() };
    let is_table = !shows_counterexamples(if asked == 0 { claims } else { asked }, claims);
    if is_table && !args.output.json && args.output.out.is_none() {
        // No user sees which declarations are used.
        model.wishes.clear();
    }
    let refuse = |d| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let deadlock = deadlock_freedom(args, &model)?;
    let properties = properties_asked(args, &model, deadlock.as_ref()).map_err(refuse)?;
    if properties.iter().all(|property| property.invariant().is_some()) {
        args.fairness.refuse()?;
    }
    let fairness = args.fairness.conditions(&model)?;
    warnings.extend(symmetric::insist(&model, &properties, &budget, console)?);
    let display = settings::display(&args.view, &model, args.protocol.charts(), console)?;
    let out = args.output.out.as_deref();
    let out = out.map(|path| ResultFolder::prepare(path, &RESULTS, console.watchdog())).transpose()?;
    let rerun = rerun::check(args);
    let folder = proofs::folder_of_check(args, &rerun, &budget, console)?;
    let limits = args.protocol.limits_beside_patterns();
    let mut request = CheckRequest {
        model: &model,
        file: &args.model.to_string_lossy(),
        lengths: args.lengths(),
        unbounded: args.unbounded,
        fairness: args.fairness.given(),
        properties: Vec::new(),
        warnings: &[&warnings[..], &limits].concat(),
        solver: args.engine.solver.name(),
        theory: args.engine.asked(),
        seconds: 0.0,
        rerun: &rerun,
        display,
        claims: args.protocol.claims(),
        proofs: None,
    };
    let doubts = decide_all(args, &mut request, (&properties, &fairness), &budget, console)?;

    let backend = args.engine.solver.backend();
    let mut notices = unreached_notices(&request);
    notices.extend(doubts);
    if request.properties.iter().any(|checked| request.holds_by_model_alone(checked)) {
        notices.extend(limits);
    }
    notices.extend(settings::vacuity(&model, lengths_to_search(args, &request), backend, &budget));
    for checked in request.properties.iter().filter(|p| p.outcome == PropertyOutcome::Holds) {
        let lengths = args.lengths();
        notices
            .extend(lengths.and_then(|l| settings::dead_end(&model, checked.property, l, backend, &budget)));
    }
    console.diagnose(&notices, &model.sources);
    warnings.extend(notices);

    let proofs = folder.map(|folder| proofs::of_check(folder, &request)).transpose()?;
    request.proofs = proofs.as_ref();
    request.warnings = &warnings;
    request.seconds = started.elapsed().as_secs_f64();
    let exit = Exit::from(&request).with_exit_zero(args.output.exit_zero);
    if !args.output.json {
        console.print(&text(args, &request))?;
    }
    request.display = settings::without_colour(&request.display);
    let document = to_json(&check_document(&request));
    if let Some(out) = &out {
        out.replace(|out| write_files(out, &request, &document))?;
    }
    ci::write(&args.output, || Suite::of_check(&request, input::is_written(request.file.as_ref())), console)?;
    if args.output.json {
        console.print(&document)?;
    }
    Ok(exit)
}

fn properties_asked<'m>(
    args: &CheckArgs,
    model: &'m Model,
    deadlock: Option<&'m Property>,
) -> Result<Vec<&'m Property>, Diagnostic> {
    match &args.property {
        _ if deadlock.is_some() => Ok(deadlock.into_iter().collect()),
        Some(name) => Ok(vec![settings::property(model, name)?]),
        None if !args.protocol.properties.is_empty() => {
            args.protocol.properties.iter().map(|name| settings::property(model, name)).collect()
        }
        None => Ok(model.properties.iter().collect()),
    }
}

/// Returns the lengths in which actions are looked for: with those of the shown counterexamples, whose steps are enabled.
fn lengths_to_search(args: &CheckArgs, request: &CheckRequest<'_>) -> Option<Lengths> {
    let shown = request.properties.iter().filter_map(|checked| match &checked.outcome {
        PropertyOutcome::Violated(trace) => Some(trace.len().max(settings::FEW_STEPS)),
        _ => None,
    });
    args.lengths().or_else(|| shown.max().map(Lengths::UpTo))
}

/// Returns the result for the terminal.
fn text(args: &CheckArgs, request: &CheckRequest<'_>) -> String {
    let proofs = request.proofs.map(proofs_text).unwrap_or_default();
    let integers = args.engine.verbose.then(|| integers_text(request.model, args.engine.asked()));
    check_text(request) + &proofs + &integers.unwrap_or_default()
}

/// Refuses contradictory options. Proofs for traces of every length consist of clauses.
fn refuse_options(args: &CheckArgs) -> Result<(), UsageError> {
    // A SAT solver unrolls traces step by step unless all have the same length, so the bound may be arbitrarily high.
    let at_once = args.exact || matches!(args.engine.solver, Engine::Smt(_));
    args.lengths().filter(|_| at_once).map_or(Ok(()), bounds::refuse_absurd)?;
    let (Engine::Smt(_), true) = (&args.engine.solver, args.unbounded || args.output.proofs.is_some()) else {
        return Ok(());
    };
    let error = Diagnostic::error_without_place("--unbounded and --proofs need a SAT solver");
    Err(error.with_help("leave out --solver, or ask about traces of up to N steps with -k N").into())
}

/// Decides the properties one after the other, and returns warnings. Budget that one property does not use is left for
/// the others.
fn decide_all<'a>(
    args: &CheckArgs,
    request: &mut CheckRequest<'a>,
    (properties, fairness): (&[&'a Property], &[Fairness]),
    budget: &Budget,
    console: &Console,
) -> Result<Vec<Diagnostic>, UsageError> {
    let started = Instant::now();
    // The proofs of --proofs are about clauses, and runs of protocols have many states.
    let lists = args.output.proofs.is_none() && args.protocol.file.is_none();
    let visited = if lists { visited_once(args, request.model, properties, budget) } else { None };
    let mut decisions = PropertyDecisions {
        args,
        model: request.model,
        fairness,
        console,
        lists,
        visited,
        notices: Vec::new(),
    };
    let (mut keeping, mut violated) = (Duration::ZERO, false);
    let mut left = properties.len();
    // The check that claims that hold are reached takes its share.
    left += usize::from(!request.claims.is_empty());
    let by_patterns = args.protocol.file.as_ref().filter(|_| args.protocol.takes_proofs);
    let mut answers = by_patterns.map_or(Vec::new(), |file| {
        let limits = if args.protocol.any_runs { claims::MOST } else { claims::FEW };
        claims::look_for_patterns(&file.translation, properties, limits, &budget.share(2))
    });
    if !args.protocol.any_runs {
        answers.retain(|answer| answer.is_certified);
    }
    for (index, &property) in properties.iter().enumerate() {
        // With many properties, keeping all results after each of them would take most of the time.
        let last = request.properties.last();
        let first_violation = !violated && last.is_some_and(|p| p.outcome.is_violated());
        if first_violation || keeping * 20 <= started.elapsed() {
            let clock = Instant::now();
            keep_so_far(args, request, &properties[index..], console);
            keeping += clock.elapsed();
        }
        violated |= first_violation;
        let budget = budget.share(left);
        left -= 1;
        // Proofs of --proofs are about the model.
        let is_certified = args.output.proofs.is_none() && claims::is_certified(&answers, property);
        let outcome =
            if is_certified { PropertyOutcome::Holds } else { decisions.outcome(property, &budget)? };
        request.properties.push(CheckedProperty { property, outcome, reached: None, patterns: None });
    }
    if let Some(file) = &args.protocol.file {
        let bound = args.lengths().map_or(file.translation.charts.steps(), Lengths::bound);
        let CheckRequest { model, claims, properties, .. } = request;
        let backend = args.engine.solver.backend();
        claims::look_whether_reached(model, claims, properties, bound, backend, &budget.share(left));
        let runs = file.translation.charts.runs();
        decisions.notices.extend(claims::compare_with_patterns(answers, properties, runs));
    }
    keep_so_far(args, request, &[], console);
    Ok(decisions.notices)
}

/// Returns the notices about claims that hold because no run reaches them.
fn unreached_notices(request: &CheckRequest<'_>) -> Vec<Diagnostic> {
    let unreached = request.properties.iter().filter(|checked| checked.reached == Some(false));
    let claims = unreached
        .filter_map(|checked| request.claims.iter().find(|claim| claim.property == checked.property.name));
    claims.map(|claim| unreached_notice(claim, request.lengths)).collect()
}

/// Leaves the known results to the watchdog, with the open properties undecided.
fn keep_so_far(args: &CheckArgs, request: &CheckRequest<'_>, open: &[&Property], console: &Console) {
    let decided = request.properties.clone();
    let known = KnownResult::new(|why: Exhausted| {
        let undecided = PropertyOutcome::Undecided { why, depth: 0 };
        let outcome = |p: &Property| without_search(args, p).unwrap_or(undecided.clone());
        let open = open.iter().map(|&property| CheckedProperty {
            property,
            outcome: outcome(property),
            reached: None,
            patterns: None,
        });
        let request = CheckRequest {
            properties: decided.iter().cloned().chain(open).collect(),
            display: settings::without_colour(&request.display),
            solver: request.solver.clone(),
            ..*request
        };
        PartialResult {
            exit: Exit::from(&request).with_exit_zero(args.output.exit_zero),
            text: check_text(&request),
            document: serde_json::to_value(check_document(&request)).unwrap_or_default(),
        }
    });
    console.watchdog().keep(known);
}

fn write_files(out: &NewFolder, request: &CheckRequest<'_>, document: &str) -> Result<(), UsageError> {
    for checked in &request.properties {
        let counterexample = match &checked.outcome {
            PropertyOutcome::Violated(trace) => Some(to_itf(request.model, trace)),
            PropertyOutcome::ViolatedForever(lasso) => Some(lasso_to_itf(request.model, lasso)),
            _ => None,
        };
        if let Some(text) = counterexample {
            out.write(&format!("counterexample-{}.itf.json", checked.property.name), &text)?;
        }
        let invariant = match &checked.outcome {
            PropertyOutcome::Proved(evidence) => invariant_text(request.model, checked.property, evidence),
            _ => None,
        };
        if let Some(text) = invariant {
            out.write(&format!("invariant-{}.sts", checked.property.name), &text)?;
        }
    }
    out.write("report.html", &check_page(request))?;
    out.write("check.json", document)
}

/// Reports on a well-formed library: one with errors has been refused before.
fn report_library(args: &CheckArgs, library: &LoadedLibrary, console: &Console) -> Result<Exit, UsageError> {
    let file = args.model.to_string_lossy();
    if args.property.is_some() || args.bound.is_some() || args.unbounded || args.deadlock {
        return Err(Diagnostic::error_without_place(format!(
            "{file} is a library, which has no properties to decide"
        ))
        .with_help("leave out -p, -k, --unbounded and --deadlock, or check a model that imports it")
        .into());
    }
    if args.output.junit.is_some() || args.output.sarif.is_some() {
        let message = format!("--junit and --sarif are about properties, and {file} is a library");
        return Err(Diagnostic::error_without_place(message)
            .with_help("leave them out, or check a model that imports the library")
            .into());
    }
    if let Some((name, _)) = args.run.loading.overrides.first() {
        let option = option_of(name);
        let given = if option == name { option.to_owned() } else { format!("{option} {name}") };
        let message = format!("{given}: {file} is a library, and {option} is for the values of a model");
        return Err(Diagnostic::error_without_place(message)
            .with_help(format!("leave out {option}, or check a model that imports the library"))
            .into());
    }
    let document = to_json(&library_document(&file, &library.diagnostics, &library.sources));
    if let Some(path) = &args.output.out {
        let out = ResultFolder::prepare(path, &RESULTS, console.watchdog())?;
        out.replace(|out| out.write("check.json", &document))?;
    }
    if args.output.json {
        console.print(&document)?;
    } else {
        let name = library.name.as_deref().unwrap_or_default();
        let list = library.predicates.join(", ");
        console.print(&format!("{file}: library {name} is well formed, predicates {list}\n"))?;
    }
    Ok(Exit::Fine)
}

/// The decisions about properties, one after the other.
struct PropertyDecisions<'a> {
    args: &'a CheckArgs,
    model: &'a Model,
    fairness: &'a [Fairness],
    console: &'a Console,
    /// True if the states may be few. States that could not be listed for one property are not listed for the next one.
    lists: bool,
    /// The visited states, if all invariants hold in them.
    visited: Option<InvariantEvidence>,
    notices: Vec<Diagnostic>,
}

impl PropertyDecisions<'_> {
    fn outcome(&mut self, property: &Property, budget: &Budget) -> Result<PropertyOutcome, UsageError> {
        let Self { args, model, fairness, .. } = *self;
        if let Some(outcome) = without_search(args, property) {
            return Ok(outcome);
        }
        let mut line =
            ProgressLine::new(self.console, args.lengths().filter(|_| !args.unbounded).map(Lengths::bound));
        let Some(invariant) = property.invariant() else {
            let decided = match &property.kind {
                PropertyKind::Ctl(formula) => branching(args, model, (&property.name, formula), budget)?,
                PropertyKind::Ltl(formula) => {
                    let asked = (&*property.name, formula);
                    linear::decide(args, (model, fairness, &mut self.lists), asked, budget, &mut line)
                }
                PropertyKind::Invariant(_) | PropertyKind::DeadlockFree(_) => {
                    return Ok(PropertyOutcome::Temporal);
                }
            };
            for notice in decided.notices {
                if !self.notices.contains(&notice) {
                    self.notices.push(notice);
                }
            }
            return Ok(decided.outcome);
        };
        if let Some(visited) = &self.visited {
            return Ok(PropertyOutcome::Proved(visited.clone()));
        }
        if args.unbounded {
            return Ok(unbounded(args, model, invariant, budget, &mut line));
        }
        let Some(lengths) = args.lengths() else { return Ok(PropertyOutcome::TypesOnly) };
        let checked = match &args.engine.solver {
            Engine::Sat(solver) => {
                if args.output.proofs.is_none()
                    && let Some(evidence) = prove::by_relations(model, invariant, budget)
                {
                    return Ok(PropertyOutcome::Proved(evidence));
                }
                if let (Lengths::UpTo(bound), true) = (lengths, self.lists) {
                    match decide::listed(model, invariant, bound, budget) {
                        Some(decided) => return Ok(outcome_of_decision(decided)),
                        None => self.lists = false,
                    }
                }
                match lengths {
                    // Decision diagrams of protocols are too large.
                    Lengths::UpTo(bound) if args.protocol.file.is_none() => {
                        decide::bounded(model, invariant, bound, solver.backend(), budget, &mut line)
                    }
                    _ => unroll::check(model, invariant, lengths, solver.backend(), budget, &mut line),
                }
            }
            Engine::Smt(solver) => {
                let asked = (solver, args.engine.theory.into());
                by_scripts(model, (property, invariant), lengths, asked, budget, &mut line)
                    .map_err(|why| settings::no_answer(solver, &why))?
            }
        };
        Ok(outcome_of(checked))
    }
}

/// Visits the states once for all invariants. `None` if there is only one, one of them is violated, or the states are not visited.
fn visited_once(
    args: &CheckArgs,
    model: &Model,
    properties: &[&Property],
    budget: &Budget,
) -> Option<InvariantEvidence> {
    let all = || properties.iter().filter_map(|property| property.invariant()).cloned();
    let is_asked = args.unbounded || matches!(args.lengths(), Some(Lengths::UpTo(_)));
    if !is_asked || all().count() < 2 || matches!(args.engine.solver, Engine::Smt(_)) {
        return None;
    }
    let together = all().tree_reduce(|one, other| Expr::binary_bool(Op::And, one, other))?;
    let budget = &budget.share(2);
    let decision = match args.proof.way() {
        InvariantMethod::Explicit if args.unbounded => {
            let effort = ProofEffort { backend: args.engine.solver.backend(), budget, observer: &mut () };
            prove::decide(model, &together, InvariantMethod::Explicit, reduction(args), effort)
        }
        way if way == InvariantMethod::Auto || !args.unbounded => {
            prove::listed(model, &together, reduction(args), budget)?
        }
        _ => return None,
    };
    if let InvariantDecision::Holds(evidence) = decision { Some(evidence) } else { None }
}

fn reduction(args: &CheckArgs) -> Reduction {
    if args.no_symmetry { Reduction::Nothing } else { Reduction::Symmetry }
}

/// Returns the outcome of a property that needs no search.
fn without_search(args: &CheckArgs, property: &Property) -> Option<PropertyOutcome> {
    let asked = args.bound.is_some() || args.unbounded;
    match asked {
        true if property.linear().is_some() && matches!(args.engine.solver, Engine::Smt(_)) => {
            Some(PropertyOutcome::Temporal)
        }
        true => None,
        false => Some(PropertyOutcome::TypesOnly),
    }
}

/// Returns the outcome of a bounded check.
fn outcome_of(checked: BoundedResult) -> PropertyOutcome {
    match checked {
        BoundedResult::Holds => PropertyOutcome::Holds,
        BoundedResult::Violated(trace) => PropertyOutcome::Violated(trace),
        BoundedResult::Undecided { why, depth } => PropertyOutcome::Undecided { why, depth },
    }
}

/// Decides a formula, as `cladist ctl` does; `name` is that of the property.
fn branching(
    args: &CheckArgs,
    model: &Model,
    (name, body): (&str, &Formula),
    budget: &Budget,
) -> Result<Decided, UsageError> {
    let mut remembering = Remembering::new(model);
    let conditions = conditions(&args.fairness, Some(name), &mut remembering)?;
    let formula =
        formula_of_model(body, &conditions, |e, named| expression_text(&model.sources, model, e, named));
    let options = BranchingOptions { backend: args.engine.solver.backend(), ..BranchingOptions::default() };
    let only = |outcome| Decided { outcome, notices: Vec::new() };
    Ok(match decide::branching(&remembering.model, &formula, &options, budget) {
        Ok(Branching { verdict, basis, doubts: found, .. }) => Decided {
            outcome: PropertyOutcome::Branching { verdict, basis },
            notices: doubts(&found, &formula.formula, !conditions.strong.is_empty()),
        },
        // The command warns that every property holds then.
        Err(NoDecision::NoInitialState) => only(PropertyOutcome::Branching {
            verdict: cladist::ctl::CtlVerdict::Holds,
            basis: Basis::States { states: 0, transitions: 0 },
        }),
        Err(NoDecision::Exhausted { why, .. }) => only(PropertyOutcome::Undecided { why, depth: 0 }),
    })
}

/// Returns the property that some step is possible in every state, if requested.
///
/// # Errors
/// If no option gives the traces to examine, or the property cannot be written.
fn deadlock_freedom(args: &CheckArgs, model: &Model) -> Result<Option<Property>, UsageError> {
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
    match loaded.found {
        // The generated text has no place in the files of the model.
        Some(Formula::Atom(formula, _)) => Ok(Some(Property {
            name: "deadlock".to_owned(),
            doc: None,
            kind: PropertyKind::DeadlockFree(formula.without_places()),
            span: Default::default(),
            formula: Default::default(),
        })),
        _ => Err(UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Decides an invariant for traces of every length.
fn unbounded(
    args: &CheckArgs,
    model: &Model,
    invariant: &Expr,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> PropertyOutcome {
    let backend = args.engine.solver.backend();
    let options =
        InvariantOptions { way: args.proof.way(), bound: args.bound, reduction: reduction(args), backend };
    outcome_of_decision(decide::invariant(model, invariant, &options, budget, observer))
}

/// Returns the outcome of a decision.
fn outcome_of_decision(decided: InvariantResult) -> PropertyOutcome {
    match decided {
        InvariantResult::Proved(evidence) => PropertyOutcome::Proved(evidence),
        InvariantResult::Violated(trace) => PropertyOutcome::Violated(trace),
        InvariantResult::HoldsUpToBound => PropertyOutcome::Holds,
        InvariantResult::Undecided { why, depth } => PropertyOutcome::Undecided { why, depth },
        InvariantResult::Unlisted(why) => PropertyOutcome::Unlisted(why),
    }
}
