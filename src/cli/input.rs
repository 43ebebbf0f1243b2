//! Reading models, libraries and expressions; errors in them become a refusal.

use super::console::Console;
use super::foreign::foreign;
use super::loading::option_of;
use super::protocol_args::ProtocolArgs;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, Severity, Span, TEXT_LIMIT, read_text, unreadable};
use cladist::explore::{self, ReachabilityResult};
use cladist::model::eval::eval_state;
use cladist::model::expr::{Expr, Op};
use cladist::model::{self, LoadOptions, Loaded, LoadedLibrary, Model, Observable, Property};
use cladist::protocol::{LoadedModel, is_protocol, load_model};
use cladist::readers::{ForeignLanguage, GUESSED, IMPORTED, RESULT};
use cladist::report::labels_line;
use cladist::syntax::ast::FileKind;
use cladist::tla::NO_DEADLOCK;
use itertools::Itertools;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An obstacle that keeps a step of a specification out of its model, with the ways to mend it.
#[derive(Debug, Clone, Copy)]
struct Losses {
    /// Words before the name of such a step in messages.
    of: &'static str,
    /// Words after it.
    has: &'static str,
    /// Advice where a step is lost.
    if_found: &'static str,
    /// Advice where steps may be lost.
    if_possible: &'static str,
    /// The most states that are listed to find them.
    most_states: usize,
    if_lost: IfLost,
}

/// The treatment of a model that lacks steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IfLost {
    /// Only properties are kept that are violated before.
    Refused,
    /// The limits are those of a user: there is a warning, and the steps beyond are no violation.
    LeftOut,
    /// There is a warning, and a property that is violated.
    Violated,
}

const OF_TLA: Losses = Losses {
    of: "a step of ",
    has: "no value, or one beyond the bounds of a variable",
    if_found: "state wider bounds in an invariant, `x \\in 0..99` or `Len(q) <= 9`, or limit the states by a CONSTRAINT",
    if_possible: "properties that hold do so without such steps; bounds in an invariant, such as `x \\in 0..9`, or a CONSTRAINT exclude them",
    most_states: 300_000,
    if_lost: IfLost::Refused,
};

/// Of texts that were imported.
const OF_TEXTS: Losses = Losses {
    if_found: "properties that hold do so without such steps; the invariants `…_has_a_result` say where",
    if_lost: IfLost::Violated,
    ..OF_TLA
};

const OF_QUINT: Losses = Losses {
    of: OF_TLA.of,
    has: "a value beyond the limits of a variable",
    if_found: "--int 0..99 limits the integers that grow: properties that hold do so within these limits",
    if_possible: "properties that hold do so without such steps; --int 0..99 sets the limits",
    // A step grows so far soon, by multiplication, or never.
    most_states: 3000,
    if_lost: IfLost::Refused,
};

const OF_SMV: Losses = Losses {
    of: "",
    has: "a value that does not fit its variable",
    if_found: "distinguish cases with `case`, or use `mod`; in `TRANS next(x) = e`, such a step does not exist",
    if_possible: "properties that hold do so without such steps; `check -p next_x_has_a_result --unbounded` decides whether there are any",
    most_states: OF_TLA.most_states,
    if_lost: IfLost::Refused,
};

const WITHIN_LIMITS_HELP: &str =
    "properties that hold do so without such steps; --int and --list set the limits";

const WITHIN_LIMITS: Losses = Losses {
    if_found: WITHIN_LIMITS_HELP,
    if_possible: WITHIN_LIMITS_HELP,
    most_states: OF_TLA.most_states,
    if_lost: IfLost::LeftOut,
    ..OF_QUINT
};

/// The most steps that are written out in a message.
const MOST_SHOWN: usize = 20;

/// The processor time for listing the states of a specification.
const FOR_RESULTS: Duration = Duration::from_secs(3);

/// Loads a model. Its warnings are printed and returned for the result.
pub fn load(
    path: &Path,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), UsageError> {
    said(load_any(path, options).loaded, console)
}

/// Loads a model that is about to be checked or classified; for a protocol file, its translation. If patterns are looked for, the limits
/// of the model are not warned of yet: see [`ProtocolArgs::limits_beside_patterns`].
pub fn load_settled(
    path: &Path,
    protocol: &ProtocolArgs,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), UsageError> {
    match &protocol.file {
        Some(file) => {
            let mut loaded = file.load(options);
            if !protocol.any_runs {
                loaded.diagnostics.extend(file.limits());
            }
            said(loaded, console)
        }
        None => load(path, options, console),
    }
}

/// Returns the model, if there is one; its warnings are printed and returned for the result.
fn said(loaded: Loaded, console: &Console) -> Result<(Model, Vec<Diagnostic>), UsageError> {
    match loaded.model {
        Some(model) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((model, loaded.diagnostics))
        }
        None => Err(UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Reads a model, or translates a file of protocols, of Quint's compiler, in SMV, Promela, TLA+, AIGER or BTOR2.
pub fn load_any(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    if is_protocol(path) {
        return load_model(path, options);
    }
    let language = ForeignLanguage::of(path);
    let is_limited = |(name, _): &&(String, String)| option_of(name) != "--set";
    if let Some((option, _)) = options.overrides.iter().find(is_limited)
        && !language.is_some_and(ForeignLanguage::has_constants)
    {
        let message = format!("{option} limits values of Quint and TLA+, and {} is neither", path.display());
        let mistake = Diagnostic::error_without_place(message).with_help(format!("leave out {option}"));
        let loaded = Loaded { model: None, diagnostics: vec![mistake], sources: Arc::default() };
        return LoadedModel { loaded, translation: None };
    }
    let loaded = match language {
        Some(language) => {
            let loaded = language.load(path, options);
            match language {
                ForeignLanguage::Quint => {
                    // Beyond limits that are guessed, a step is an error.
                    let is_guessed = loaded.diagnostics.iter().any(|found| found.message.contains(GUESSED));
                    let is_limited = !is_guessed && options.overrides.iter().any(|one| is_limited(&one));
                    let losses = if is_limited { WITHIN_LIMITS } else { OF_QUINT };
                    with_results(loaded, losses, &options.budget)
                }
                ForeignLanguage::Tla => with_results(loaded, OF_TLA, &options.budget),
                ForeignLanguage::Smv => with_results(loaded, OF_SMV, &options.budget),
                _ => loaded,
            }
        }
        None => match foreign(path) {
            Some(mistake) => Loaded { model: None, diagnostics: vec![mistake], sources: Arc::default() },
            None => {
                let loaded = model::load_with(path, options);
                let mut texts = loaded.sources.texts().map(|(_, text)| text);
                let is_imported = texts.next().is_some_and(|text| text.starts_with(IMPORTED));
                drop(texts);
                if is_imported { with_results(loaded, OF_TEXTS, &options.budget) } else { loaded }
            }
        },
    };
    LoadedModel { loaded, translation: None }
}

/// Refuses a specification with a step that is lost, or warns of it: the states after it are not in the model, so that no property could be
/// said to hold.
fn with_results(loaded: Loaded, losses: Losses, budget: &Budget) -> Loaded {
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
    let found = match explore::visit(model, &has_results, losses.most_states, &limits()) {
        ReachabilityResult::Holds(_) => return loaded,
        ReachabilityResult::Stopped { .. } => {
            Diagnostic::warning_without_place(format!("some steps may have {}", losses.has))
                .with_help(losses.if_possible)
        }
        ReachabilityResult::Violated(steps) => {
            let limits = (10 * losses.most_states, &limits());
            let trace = explore::first_violation(model, &has_results, steps, None, limits);
            let has_result = |expr: &Expr| {
                trace
                    .as_ref()
                    .is_none_or(|trace| eval_state(model, expr, trace.moment(trace.last())).is_true())
            };
            let action = of_actions.iter().find(|(_, expr)| !has_result(expr));
            let action =
                action.map_or_else(|| "a step".to_owned(), |(name, _)| format!("{}`{name}`", losses.of));
            let after = match (steps, &trace) {
                (0, _) => "initially".to_owned(),
                (..=MOST_SHOWN, Some(trace)) => format!("after {}", labels_line(model, trace)),
                _ => format!("after {steps} steps"),
            };
            let message = format!("{after}, {action} has {}", losses.has);
            match losses.if_lost {
                IfLost::Refused => Diagnostic::error_without_place(message),
                IfLost::LeftOut | IfLost::Violated => Diagnostic::warning_without_place(message),
            }
            .with_help(losses.if_found)
        }
    };
    let mut loaded = loaded;
    let left_out = match &mut loaded.model {
        Some(model) if found.is_error() => {
            keep_violated_before(model, &has_results, losses.most_states, &limits)
        }
        Some(model) if losses.if_lost == IfLost::LeftOut => {
            model.properties.retain(|of| !of.name.ends_with(RESULT));
            None
        }
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
    most_states: usize,
    limits: &dyn Fn() -> Budget,
) -> Option<String> {
    let is_own = |of: &Property| !of.name.ends_with(RESULT) && !of.name.starts_with(NO_DEADLOCK);
    let is_kept = |of: &Property| {
        of.invariant().filter(|_| is_own(of)).is_some_and(|expr| {
            let is_whole = Expr::binary_bool(Op::Or, expr.clone().negated(), has_results.clone());
            matches!(explore::visit(model, &is_whole, most_states, &limits()), ReachabilityResult::Holds(_))
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
    is_protocol(path) || ForeignLanguage::of(path).is_some()
}

/// Checks a predicate library; `None` if the file is not one. Its warnings are printed.
pub fn library(
    path: &Path,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<Option<LoadedLibrary>, UsageError> {
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
        return Err(UsageError { diagnostics: library.diagnostics, sources: library.sources });
    }
    console.diagnose(&library.diagnostics, &library.sources);
    Ok(Some(library))
}

pub fn show_expression(model: &Model, text: &str) -> Result<Observable, UsageError> {
    let loaded = model::load_expression(model, text);
    let refusal = UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources };
    loaded.found.ok_or(refusal)
}

/// Reads a regular text file of at most [`TEXT_LIMIT`] bytes.
pub fn read(path: &Path) -> Result<String, UsageError> {
    read_text(path, TEXT_LIMIT).map_err(|error| unreadable(path, &error).into())
}
