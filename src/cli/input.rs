//! Reading models, libraries and expressions; errors in them become a refusal.

use super::console::Console;
use super::foreign::foreign;
use super::protocol_args::ProtocolArgs;
use super::refusal::Refusal;
use cladist::aiger::{self, is_aiger};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, Severity, Span, TEXT_LIMIT, read_text, unreadable};
use cladist::explore::{self, Visited};
use cladist::model::eval::eval_state;
use cladist::model::expr::{Expr, Op};
use cladist::model::{self, LoadOptions, Loaded, LoadedLibrary, Model, Observable, Property};
use cladist::promela::{self, is_promela};
use cladist::protocol::{LoadedModel, is_protocol, load_model};
use cladist::quint::{self, is_quint};
use cladist::report::labels_line;
use cladist::smv::{self, is_smv};
use cladist::syntax::ast::FileKind;
use cladist::tla::{self, NO_DEADLOCK, RESULT, is_tla};
use itertools::Itertools;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The processor time for listing the states of a specification in TLA+.
const FOR_RESULTS: Duration = Duration::from_secs(3);

/// The most states that are listed for it.
const MOST_STATES: usize = 300_000;

/// Loads a model. Its warnings are printed and returned for the result.
pub fn load(
    path: &Path,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    said(load_any(path, options).loaded, console)
}

/// Loads a model that is about to be checked or classified; for a protocol file, its translation.
pub fn load_settled(
    path: &Path,
    protocol: &ProtocolArgs,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    match &protocol.file {
        Some(file) => said(file.load(options), console),
        None => load(path, options, console),
    }
}

/// Returns the model, if there is one; its warnings are printed and returned for the result.
fn said(loaded: Loaded, console: &Console) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    match loaded.model {
        Some(model) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((model, loaded.diagnostics))
        }
        None => Err(Refusal { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Reads a model, or translates a file of protocols, of Quint's compiler, in SMV, Promela, TLA+ or AIGER.
pub fn load_any(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    if is_protocol(path) {
        return load_model(path, options);
    }
    let loaded = match path {
        path if is_quint(path) => quint::load(path, options),
        path if is_aiger(path) => aiger::load(path, options),
        path if is_smv(path) => smv::load(path, options),
        path if is_promela(path) => promela::load(path, options),
        path if is_tla(path) => with_results(tla::load(path, options), &options.budget),
        path => match foreign(path) {
            Some(mistake) => Loaded { model: None, diagnostics: vec![mistake], sources: Arc::default() },
            None => model::load_with(path, options),
        },
    };
    LoadedModel { loaded, translation: None }
}

/// Refuses a specification in TLA+ with a step that has no value, or one beyond the bounds of a variable: the states after it are not in the model,
/// so that no property could be said to hold.
fn with_results(loaded: Loaded, budget: &Budget) -> Loaded {
    let Some(model) = &loaded.model else { return loaded };
    let invariants =
        model.properties.iter().filter_map(|of| Some((of.name.strip_suffix(RESULT)?, of.invariant()?)));
    let of_actions: Vec<(&str, &Expr)> = invariants.collect();
    if of_actions.is_empty() {
        return loaded;
    }
    let limits = || budget.at_most_work(FOR_RESULTS);
    let has_results =
        Expr::all(of_actions.iter().map(|(_, expr)| (*expr).clone()).collect(), Span::default());
    let found = match explore::visit(model, &has_results, MOST_STATES, &limits()) {
        Visited::Holds(_) => return loaded,
        Visited::Stopped { .. } => Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error_without_place(
                "some steps may have no value, or one beyond the bounds of a variable",
            )
        }
        .with_help(
            "properties that hold do so without such steps; bounds in an invariant, such as `x \\in 0..9`, or a CONSTRAINT exclude them",
        ),
        Visited::Violated(steps) => {
            let limits = (10 * MOST_STATES, &limits());
            let trace = explore::first_violation(model, &has_results, steps, None, limits);
            let has_result =
                |expr: &Expr| trace.as_ref().is_none_or(|trace| eval_state(model, expr, trace.moment(trace.last())).is_true());
            let action = of_actions.iter().find(|(_, expr)| !has_result(expr));
            let action = action.map_or_else(|| "a step".to_owned(), |(name, _)| format!("a step of `{name}`"));
            let after = match (steps, &trace) {
                (0, _) => "initially".to_owned(),
                (_, Some(trace)) => format!("after {}", labels_line(model, trace)),
                (_, None) => format!("after step {steps}"),
            };
            let message = format!("{after}, {action} has no value, or one beyond the bounds of a variable");
            Diagnostic::error_without_place(message).with_help(
                "state wider bounds in an invariant, `x \\in 0..99` or `Len(q) <= 9`, or limit the states by a CONSTRAINT",
            )
        }
    };
    let mut loaded = loaded;
    let left_out = match &mut loaded.model {
        Some(model) if found.is_error() => keep_violated_before(model, &has_results, &limits),
        _ => None,
    };
    let found = match left_out {
        None => found,
        Some(left_out) => Diagnostic { severity: Severity::Warning, ..found }.with_note(left_out),
    };
    loaded.model = loaded.model.filter(|_| !found.is_error());
    loaded.diagnostics.push(found);
    loaded
}

/// Keeps the invariants that are violated wherever a step has no result, so that traces without a violation are whole. Returns a note about the
/// other properties, which are undecided; `None`, with all properties, if there is no such invariant.
fn keep_violated_before(
    model: &mut Model,
    has_results: &Expr,
    limits: &dyn Fn() -> Budget,
) -> Option<String> {
    let is_own = |of: &Property| !of.name.ends_with(RESULT) && !of.name.starts_with(NO_DEADLOCK);
    let is_kept = |of: &Property| {
        of.invariant().filter(|_| is_own(of)).is_some_and(|expr| {
            let is_whole = Expr::binary_bool(Op::Or, expr.clone().negated(), has_results.clone());
            matches!(explore::visit(model, &is_whole, MOST_STATES, &limits()), Visited::Holds(_))
        })
    };
    let (kept, others): (Vec<Property>, Vec<Property>) = model.properties.iter().cloned().partition(is_kept);
    if kept.is_empty() {
        return None;
    }
    model.properties = kept;
    let kept = model.properties.iter().map(|of| format!("`{}`", of.name)).join(", ");
    let others = others.iter().filter(|of| is_own(of)).map(|of| format!("`{}`", of.name)).join(", ");
    let others = if others.is_empty() { others } else { format!("; undecided and left out: {others}") };
    Some(format!("violated before that step: {kept}{others}"))
}

/// True if the model of a file is generated by the program.
pub fn is_written(path: &Path) -> bool {
    is_protocol(path) || is_quint(path) || is_aiger(path) || is_smv(path) || is_promela(path) || is_tla(path)
}

/// Checks a predicate library; `None` if the file is not one. Its warnings are printed.
pub fn library(
    path: &Path,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<Option<LoadedLibrary>, Refusal> {
    if is_written(path) {
        return Ok(None);
    }
    // A file that cannot be read is reported as an unreadable model.
    let kind = read_text(path, TEXT_LIMIT).ok().and_then(|text| model::file_kind(&text));
    if kind != Some(FileKind::Library) {
        return Ok(None);
    }
    let library = model::check_library(path, options);
    if library.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Refusal { diagnostics: library.diagnostics, sources: library.sources });
    }
    console.diagnose(&library.diagnostics, &library.sources);
    Ok(Some(library))
}

/// Reads an expression of `--show`.
pub fn show_expression(model: &Model, text: &str) -> Result<Observable, Refusal> {
    let loaded = model::load_expression(model, text);
    let refusal = Refusal { diagnostics: loaded.diagnostics, sources: loaded.sources };
    loaded.observable.ok_or(refusal)
}

/// Reads a regular text file of at most [`TEXT_LIMIT`] bytes.
pub fn read(path: &Path) -> Result<String, Refusal> {
    read_text(path, TEXT_LIMIT).map_err(|error| unreadable(path, &error).into())
}
