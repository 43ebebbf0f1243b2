//! `cladist trace sort`: assignment of external traces to the classes or kinds of a stored result.

use super::console::Console;
use super::exit::Exit;
use super::loading::LoadingArgs;
use super::refusal::UsageError;
use super::stored::{self, CAUSES, StoredClasses, wrong};
use super::trace::TraceReader;
use super::{input, settings};
use cladist::batch::{
    FoundClass, RestoredKinds, Sorted, SortedOutcome, SortedTrace, sorted_by_classes, sorted_by_kinds,
    sorted_text,
};
use cladist::budget::Budget;
use cladist::classify::causes::question::CausalProblem;
use cladist::classify::lassos::LassoProblem;
use cladist::classify::{Problem, Restored};
use cladist::diagnostics::{Diagnostic, unreadable};
use cladist::ltl::Fairness;
use cladist::model::eval::check_trace;
use cladist::model::{Model, Vocabulary};
use cladist::promela::Trail;
use cladist::report::to_json;
use cladist::trace::{ItfTrace, lists_states};
use cladist::verify::document::{CausesDocument, StoredFairness};
use clap::{Args, ValueHint};
use serde::Deserialize;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct TraceSortArgs {
    /// A stored result of `classify --json` or `--out`, with classes or kinds by causes
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// The model
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The traces (ITF, or as TLC or `spin -t -p` print it), or folders of them
    #[arg(value_name = "FILE.itf.json", required = true, value_hint = ValueHint::AnyPath)]
    pub traces: Vec<PathBuf>,
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &TraceSortArgs, console: &Console) -> Result<Exit, UsageError> {
    let document = stored::document(&args.result)?;
    let is_by_causes = document.get("schema").and_then(Json::as_str) == Some(CAUSES);
    let (model, _) = input::load(&args.model, &args.loading.options(&Budget::unlimited()), console)?;
    let (number, sorted) = match is_by_causes {
        true => by_causes(args, &model, document)?,
        false => by_classes(args, &model)?,
    };
    match args.json {
        true => console.print(&to_json(&sorted))?,
        false => console.print(&sorted_text(&sorted))?,
    }
    Ok(match sorted.refused() {
        0 if sorted.is_known() => Exit::Fine,
        0 => Exit::Violated,
        refused => {
            let are = if refused == 1 { "is no trace" } else { "are no traces" };
            let message = format!("{refused} of {number} files {are} of model {}", model.name);
            console.diagnose(&[Diagnostic::error_without_place(message)], &Default::default());
            Exit::BadInput
        }
    })
}

/// Returns the number of files, and the traces under the classes of a result.
fn by_classes(args: &TraceSortArgs, model: &Model) -> Result<(usize, Sorted), UsageError> {
    let result = StoredClasses::read(&args.result)?.about(false, &args.result)?;
    let refuse = |d| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, invariant) = settings::invariant(model, result.text("property")).map_err(refuse)?;
    let vocabulary = vocabulary(&result, model, &args.result)?;
    let classes = restored(&result, model, vocabulary, &args.result)?;
    let exact = result.text("lengths") == Some("exactly");
    let kind = |stored: &ItfTrace| match stored {
        ItfTrace::Finite(trace) => sorted_by_classes(model, invariant, &classes, trace, exact),
        ItfTrace::Infinite(_) => SortedOutcome::Refused { why: "it is infinite".into() },
    };
    sorted(args, model, &property.name, ["class", "classes"], &kind)
}

/// Returns the number of files, and the traces under the kinds of a result by causes.
fn by_causes(args: &TraceSortArgs, model: &Model, document: Json) -> Result<(usize, Sorted), UsageError> {
    let file = args.result.display();
    let result = CausesDocument::deserialize(document)
        .map_err(|error| wrong(format!("`{file}` is not a stored result: {error}")))?;
    let lost = || wrong(format!("the kinds of `{file}` are of another model"));
    let kinds = RestoredKinds::new(model, &result.kinds).ok_or_else(lost)?;
    let property = model.properties.iter().find(|other| other.name == result.property).ok_or_else(lost)?;
    let fairness = match &result.fairness {
        None => Vec::new(),
        Some(StoredFairness { ignored, fair, strongly_fair }) => {
            Fairness::demanded(model, *ignored, fair, strongly_fair).map_err(|_| lost())?
        }
    };
    let problem = match (&result.fairness, property.invariant(), property.linear()) {
        (None, Some(invariant), _) => CausalProblem::Invariant(Problem::new(model, invariant)),
        (Some(_), _, Some(formula)) => {
            CausalProblem::Linear(LassoProblem { model, formula, fairness: &fairness })
        }
        _ => return Err(lost()),
    };
    sorted(args, model, &property.name, ["kind", "kinds"], &|stored| sorted_by_kinds(problem, &kinds, stored))
}

/// Returns the number of files, and their traces, each of the kind that is told.
fn sorted(
    args: &TraceSortArgs,
    model: &Model,
    property: &str,
    group: [&'static str; 2],
    kind: &dyn Fn(&ItfTrace) -> SortedOutcome,
) -> Result<(usize, Sorted), UsageError> {
    let files = files(&args.traces)?;
    let reader = TraceReader::new(model, &args.model);
    let sorted = files.iter().map(|file| SortedTrace {
        file: file.to_string_lossy().into_owned(),
        kind: match read(model, &reader, file) {
            Ok(stored) => kind(&stored),
            Err(why) => SortedOutcome::Refused { why },
        },
    });
    Ok((files.len(), Sorted::new(property, group, sorted.collect())))
}

/// Returns the named files, and those of folders in alphabetical order.
///
/// # Errors
/// All folders that cannot be read, or have no trace.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, UsageError> {
    let (mut files, mut diagnostics) = (Vec::new(), Vec::new());
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        match traces_in(path) {
            Ok(found) if found.is_empty() => {
                let message =
                    format!("there is no trace (.itf.json, or lines of TLC or Spin) in {}", path.display());
                diagnostics.push(Diagnostic::error_without_place(message));
            }
            Ok(found) => files.extend(found),
            Err(error) => diagnostics.push(unreadable(path, &error)),
        }
    }
    match diagnostics.is_empty() {
        true => Ok(files),
        false => Err(UsageError { diagnostics, sources: Default::default() }),
    }
}

/// Returns the traces in a folder, by their names.
fn traces_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_listed = |text: String| Trail::is_listed(&text) || lists_states(&text);
        let is_itf = path.to_string_lossy().ends_with(".itf.json");
        if path.is_file() && (is_itf || input::read(&path).is_ok_and(is_listed)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the vocabulary of the result.
fn vocabulary<'a>(
    result: &StoredClasses,
    model: &'a Model,
    file: &Path,
) -> Result<&'a Vocabulary, UsageError> {
    let name = result.text("vocabulary").unwrap_or_default();
    let Some(index) = model.vocabulary(name) else {
        let message =
            format!("`{}` uses the vocabulary `{name}`, which the model does not have", file.display());
        let help = "classify with a vocabulary of the model; the one that `-V auto` finds can be put into it";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    };
    Ok(&model.vocabularies[index])
}

/// Returns the classes of the result with their numbers, which their images share.
fn restored(
    result: &StoredClasses,
    model: &Model,
    vocabulary: &Vocabulary,
    file: &Path,
) -> Result<Vec<(usize, Restored)>, UsageError> {
    let class = |class: &FoundClass| {
        let lost = || wrong(format!("class {} of `{}` is of another model", class.id, file.display()));
        Ok((class.id, class.restored(model, vocabulary).ok_or_else(lost)?))
    };
    result.classes.iter().flat_map(FoundClass::with_images).map(class).collect()
}

/// Reads a trace of the model, or returns the reason why a file has none.
fn read(model: &Model, reader: &TraceReader<'_>, file: &Path) -> Result<ItfTrace, String> {
    let first =
        |refusal: UsageError| refusal.diagnostics.into_iter().next().map(|d| d.message).unwrap_or_default();
    let text = input::read(file).map_err(first)?;
    let stored = reader.read(file, &text).map_err(first)?;
    match check_trace(model, &stored.trace().moments) {
        Ok(()) => Ok(stored),
        Err(fault) => Err(fault.diagnostic(model).message),
    }
}
