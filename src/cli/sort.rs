//! `cladist trace sort`: assignment of external traces to the classes of a stored result.

use super::console::Console;
use super::exit::Exit;
use super::refusal::Refusal;
use super::stored::{StoredClasses, wrong};
use super::values::parse_override;
use super::{input, settings, trace};
use cladist::batch::{FoundClass, Kind, Sorted, SortedTrace, kind_of, sorted_text};
use cladist::classify::Restored;
use cladist::diagnostics::{Diagnostic, unreadable};
use cladist::model::eval::check_trace;
use cladist::model::{Model, Vocabulary};
use cladist::report::to_json;
use cladist::trace::Stored;
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// `trace sort`.
#[derive(Debug, Args)]
pub struct TraceSortArgs {
    /// A stored result of `classify --json` or `--out`
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// The model
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// The traces (ITF), or folders with such files (.itf.json)
    #[arg(value_name = "FILE.itf.json", required = true, value_hint = ValueHint::AnyPath)]
    pub traces: Vec<PathBuf>,
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// Root folder of imports [default: as for `check`]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Runs `cladist trace sort`.
pub fn run(args: &TraceSortArgs, console: &Console) -> Result<Exit, Refusal> {
    let result = StoredClasses::read(&args.result)?.about(false, &args.result)?;
    let (model, _) =
        input::load(&args.model, &trace::options(&args.overrides, args.root.as_deref()), console)?;
    let refuse = |d| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let (property, invariant) = settings::invariant(&model, result.text("property")).map_err(refuse)?;
    let vocabulary = vocabulary(&result, &model, &args.result)?;
    let classes = restored(&result, &model, vocabulary, &args.result)?;
    let exact = result.text("lengths") == Some("exactly");
    let files = files(&args.traces)?;
    let sorted = files.iter().map(|file| SortedTrace {
        file: file.to_string_lossy().into_owned(),
        kind: match finite(&model, file) {
            Ok(Stored::Finite(trace)) => kind_of(&model, invariant, &classes, &trace, exact),
            Ok(Stored::Infinite(_)) => Kind::Refused { why: "it is infinite".into() },
            Err(why) => Kind::Refused { why },
        },
    });
    let sorted = Sorted::new(&property.name, sorted.collect());
    match args.json {
        true => console.print(&to_json(&sorted))?,
        false => console.print(&sorted_text(&sorted))?,
    }
    Ok(match sorted.refused() {
        0 if sorted.is_known() => Exit::Fine,
        0 => Exit::Violated,
        refused => {
            let (number, are) = (files.len(), if refused == 1 { "is no trace" } else { "are no traces" });
            let message = format!("{refused} of {number} files {are} of model {}", model.name);
            console.diagnose(&[Diagnostic::error_without_place(message)], &Default::default());
            Exit::BadInput
        }
    })
}

/// Returns the named files, and those of folders in alphabetical order.
///
/// # Errors
/// All folders that cannot be read, or have no trace.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Refusal> {
    let (mut files, mut diagnostics) = (Vec::new(), Vec::new());
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        match traces_in(path) {
            Ok(found) if found.is_empty() => {
                let message = format!("there is no trace (.itf.json) in {}", path.display());
                diagnostics.push(Diagnostic::error_without_place(message));
            }
            Ok(found) => files.extend(found),
            Err(error) => diagnostics.push(unreadable(path, &error)),
        }
    }
    match diagnostics.is_empty() {
        true => Ok(files),
        false => Err(Refusal { diagnostics, sources: Default::default() }),
    }
}

/// Returns the traces in a folder, by their names.
fn traces_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".itf.json") && !path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the vocabulary of the result.
fn vocabulary<'a>(result: &StoredClasses, model: &'a Model, file: &Path) -> Result<&'a Vocabulary, Refusal> {
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
) -> Result<Vec<(usize, Restored)>, Refusal> {
    let class = |class: &FoundClass| {
        let lost = || wrong(format!("class {} of `{}` is of another model", class.id, file.display()));
        Ok((class.id, class.restored(model, vocabulary).ok_or_else(lost)?))
    };
    result.classes.iter().flat_map(FoundClass::with_images).map(class).collect()
}

/// Reads a trace of the model, or returns the reason why a file has none.
fn finite(model: &Model, file: &Path) -> Result<Stored, String> {
    let first =
        |refusal: Refusal| refusal.diagnostics.into_iter().next().map(|d| d.message).unwrap_or_default();
    let text = input::read(file).map_err(first)?;
    let stored = trace::read(model, file, &text).map_err(first)?;
    match check_trace(model, &stored.trace().moments) {
        Ok(()) => Ok(stored),
        Err(fault) => Err(fault.diagnostic(model).message),
    }
}
