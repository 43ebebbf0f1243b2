//! Protocol files where models are expected.

use super::load::{Loaded, load};
use super::translate::{Scope, Translation, translate};
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::model::{self, LoadOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The number of runs where none is given.
pub const DEFAULT_RUNS: usize = 3;
/// The most runs and honest agents.
const MOST: usize = 16;

/// A protocol file that was read as a model.
#[derive(Debug)]
pub struct LoadedModel {
    /// The model with what is odd about the protocols, or what is wrong with them.
    pub loaded: model::Loaded,
    /// The model as a text, and the claims, if the file is free of errors.
    pub translation: Option<Translation>,
}

/// Whether a file is one of protocols, by its name.
pub fn is_protocol(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("spdl"))
}

/// What is wrong with a protocol file.
#[derive(Debug)]
pub struct Refused {
    /// The mistakes.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that they refer to.
    pub sources: Arc<SourceMap>,
}

/// A protocol file that was read and translated.
struct Translated {
    translation: Translation,
    /// What is odd about the file, in its places.
    warnings: Vec<Diagnostic>,
    sources: Arc<SourceMap>,
}

/// Reads a protocol file and translates it, without loading the model.
///
/// # Errors
/// All mistakes in the file and in what is set.
pub fn translation(path: &Path, options: &LoadOptions<'_>) -> Result<Translation, Refused> {
    translated(path, options).map(|translated| translated.translation)
}

fn translated(path: &Path, options: &LoadOptions<'_>) -> Result<Translated, Refused> {
    let scope = scope(options.overrides)
        .map_err(|diagnostics| Refused { diagnostics, sources: Arc::new(SourceMap::new()) })?;
    let Loaded { protocols, mut diagnostics, sources } = load(path, &options.budget);
    match protocols {
        Some(protocols) if !protocols.roles.is_empty() => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let translation = translate(&name, &protocols, scope);
            Ok(Translated { translation, warnings: diagnostics, sources })
        }
        Some(_) => {
            let message = format!("{} describes no role, so that nothing can happen", path.display());
            let help = "write `protocol p(I) { role I { … } }`";
            diagnostics.push(Diagnostic::error_without_place(message).with_help(help));
            Err(Refused { diagnostics, sources })
        }
        None => Err(Refused { diagnostics, sources }),
    }
}

/// Reads a protocol file as a model. The numbers of runs and of honest agents are set like constants of a model: `RUNS` and
/// `AGENTS` among the overrides. A file that cannot be read gives an error.
pub fn load_model(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    let Translated { translation, warnings, sources } = match translated(path, options) {
        Ok(translated) => translated,
        Err(Refused { diagnostics, sources }) => {
            let loaded = model::Loaded { model: None, diagnostics, sources };
            return LoadedModel { loaded, translation: None };
        }
    };
    let options = LoadOptions { overrides: &[], ..options.clone() };
    let none = |_: &Path| Err(io::Error::from(io::ErrorKind::NotFound));
    let shown = format!("{} as a model", path.display());
    let mut loaded = model::load_text_with(&shown, &translation.text, &options, &none);
    // What is said of the generated text is no concern of those who wrote the protocol, unless it ends here.
    if loaded.model.is_some() {
        loaded.diagnostics = warnings.into_iter().map(|found| without_place(found, &sources)).collect();
    }
    for variable in &translation.cut {
        let message = format!("variable {variable} could take terms of more forms than are looked at");
        let help = "what holds may have attacks all the same; give the variable a type, or expect less of it";
        loaded.diagnostics.push(Diagnostic::warning_without_place(message).with_help(help));
    }
    LoadedModel { loaded, translation: Some(translation) }
}

/// Says the place in words: the places of a model are those of its own text.
fn without_place(found: Diagnostic, sources: &SourceMap) -> Diagnostic {
    let Some(span) = found.span else { return found };
    let (line, _) = sources.line_column(span);
    let message = format!("{}:{line}: {}", sources.name(span.source), found.message);
    Diagnostic { span: None, message, related: Vec::new(), ..found }
}

/// The numbers of runs and agents that are asked for.
fn scope(overrides: &[(String, String)]) -> Result<Scope, Vec<Diagnostic>> {
    let mut scope = Scope { runs: DEFAULT_RUNS, honest: None };
    let mut mistakes = Vec::new();
    for (name, value) in overrides {
        let number = value.trim().parse().ok().filter(|number| (1..=MOST).contains(number));
        match (name.as_str(), number) {
            ("RUNS", Some(number)) => scope.runs = number,
            ("AGENTS", Some(number)) => scope.honest = Some(number),
            ("RUNS" | "AGENTS", None) => {
                let message = format!("{name}={value} is not a number from 1 to {MOST}");
                mistakes.push(Diagnostic::error_without_place(message));
            }
            _ => {
                let message = format!("a protocol file has no constant `{name}`");
                let help = "the number of runs is set with RUNS, that of honest agents with AGENTS";
                mistakes.push(Diagnostic::error_without_place(message).with_help(help));
            }
        }
    }
    if mistakes.is_empty() { Ok(scope) } else { Err(mistakes) }
}
