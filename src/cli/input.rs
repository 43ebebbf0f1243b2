//! Reading models, libraries and expressions; what is wrong with them becomes a refusal.

use super::console::Console;
use super::protocol_args::ProtocolArgs;
use super::refusal::Refusal;
use cladist::aiger::{self, is_aiger};
use cladist::diagnostics::{Diagnostic, TEXT_LIMIT, read_text, unreadable};
use cladist::model::{self, LoadOptions, Loaded, LoadedLibrary, Model, Observable};
use cladist::protocol::{LoadedModel, is_protocol, load_model};
use cladist::quint::{self, is_quint};
use cladist::smv::{self, is_smv};
use cladist::syntax::ast::FileKind;
use std::path::Path;

/// Loads a model. Its warnings are printed and handed back for the result.
pub fn load(
    path: &Path,
    options: &LoadOptions<'_>,
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    said(load_any(path, options).loaded, console)
}

/// Loads a model that is about to be checked or classified: of a protocol file, the one that it was translated to.
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

/// The model, if there is one; its warnings are printed and handed back for the result.
fn said(loaded: Loaded, console: &Console) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    match loaded.model {
        Some(model) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((model, loaded.diagnostics))
        }
        None => Err(Refusal { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Reads a model, or a file of protocols, of Quint's compiler, in SMV or in AIGER as one.
pub fn load_any(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    if is_protocol(path) {
        return load_model(path, options);
    }
    let loaded = match path {
        path if is_quint(path) => quint::load(path, options),
        path if is_aiger(path) => aiger::load(path, options),
        path if is_smv(path) => smv::load(path, options),
        path => model::load_with(path, options),
    };
    LoadedModel { loaded, translation: None }
}

/// Whether the model of a file is one that the program writes.
pub fn is_written(path: &Path) -> bool {
    is_protocol(path) || is_quint(path) || is_aiger(path) || is_smv(path)
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
    // What cannot be read is reported as a model that cannot be read.
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
