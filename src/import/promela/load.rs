//! Programs in Promela where models are expected.

use super::evaluate::TermEvaluator;
use super::flow::resolve;
use super::instances::instances;
use super::ranges::Ranges;
use super::steps::StepMaker;
use super::text::{parse, read_texts};
use super::trail::ProgramSteps;
use super::write::PromelaWriter;
use crate::written::{self, Refused};
use kit::diagnostics::{Diagnostic, SourceMap, Span, first_mistakes, unreadable, why_unreadable};
use kit::parsing::with_large_stack;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Reads a program and writes it in the specification language. Files that it includes are looked for beside it.
///
/// # Errors
/// A file that cannot be read, or a program with mistakes, or with what is not supported.
pub fn import_file(path: &Path) -> Result<String, Refused> {
    imported(path).map(|(text, _)| text)
}

/// Reads a program for the statements of its steps.
///
/// # Errors
/// Those of [`import_file`].
pub fn program_steps(path: &Path) -> Result<ProgramSteps, Refused> {
    imported(path).map(|(_, steps)| steps)
}

fn imported(path: &Path) -> Result<(String, ProgramSteps), Refused> {
    let text = written::read_foreign_text(path).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = |included: &str| {
        let other = path.parent().unwrap_or(Path::new("")).join(included);
        written::read_foreign_text(&other).map_err(|error| why_unreadable(&error))
    };
    imported_text(&name, &path.display().to_string(), &text, &beside)
}

/// Like [`import_file`], from a text; `shown` is the path of its file for people, `name` that of the model, and `read` gives an included file.
///
/// # Errors
/// A program with mistakes, or with what is not supported.
pub fn import_text(
    name: &str,
    shown: &str,
    text: &str,
    read: &(dyn Fn(&str) -> Result<String, String> + Sync),
) -> Result<String, Refused> {
    imported_text(name, shown, text, read).map(|(text, _)| text)
}

fn imported_text(
    name: &str,
    shown: &str,
    text: &str,
    read: &(dyn Fn(&str) -> Result<String, String> + Sync),
) -> Result<(String, ProgramSteps), Refused> {
    let known = Mutex::new(SourceMap::new());
    let written = with_large_stack(|| {
        let mut sources = SourceMap::new();
        let texts = read_texts(shown, text, &mut sources, read);
        let written = translated(name, shown, &texts, &sources);
        *known.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = sources;
        written
    });
    let sources = known.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut diagnostics = match written {
        Ok(all) => return Ok(all),
        Err(found) => found,
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.source.0, span.start)));
    diagnostics.dedup();
    Err(Refused { diagnostics: first_mistakes(diagnostics, &sources), sources: Arc::new(sources) })
}

fn translated(
    name: &str,
    shown: &str,
    texts: &super::text::PromelaFiles,
    sources: &SourceMap,
) -> Result<(String, ProgramSteps), Vec<Diagnostic>> {
    let (tree, mistakes) = parse(texts);
    // Names that are not declared may be so where something could not be read.
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let program = resolve(&tree)?;
    let instances = instances(&program)?;
    let ranges = Ranges::new(&program, &instances);
    let span = program.processes.first().map_or(Span::new(sources.next_id(), 0, 0), |process| process.span);
    let mut evaluator = TermEvaluator {
        program: &program,
        instances: &instances,
        ranges: &ranges,
        checks: Vec::new(),
        mistakes: Vec::new(),
        span,
    };
    let steps = StepMaker::new(&mut evaluator).run();
    let (items, listed) = PromelaWriter::new(&mut evaluator, &steps, sources).items();
    if !evaluator.mistakes.is_empty() {
        return Err(evaluator.mistakes);
    }
    written::model_text(name, shown, &items)
        .map(|text| (text, listed))
        .map_err(|why| vec![Diagnostic::error_without_place(format!("{shown}: {why}"))])
}
