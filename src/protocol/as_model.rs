//! Protocol files where models are expected.

use super::load::{Loaded, load};
use super::translate::{Matching, Reveals, Scope, Translation, translate};
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::model::{self, LoadOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The most runs, and agents of each kind.
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
    scope: Scope,
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
            Ok(Translated { translation, scope, warnings: diagnostics, sources })
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

/// Reads a protocol file as a model. What is looked at is set like constants of a model: `RUNS`, `AGENTS`, `UNTRUSTED`, `MATCH`
/// and `REVEAL` among the overrides. A file that cannot be read gives an error.
pub fn load_model(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    let Translated { translation, scope, warnings, sources } = match translated(path, options) {
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
    loaded.diagnostics = if loaded.model.is_some() {
        warnings.into_iter().map(|found| without_place(found, &sources)).collect()
    } else {
        vec![unusable(path, loaded.diagnostics)]
    };
    loaded.diagnostics.extend(of_limits(&translation, scope.matching));
    LoadedModel { loaded, translation: Some(translation) }
}

/// Why the model of a protocol cannot be used: its own mistakes would be faults of the translation.
fn unusable(path: &Path, found: Vec<Diagnostic>) -> Diagnostic {
    let cause = found.into_iter().next().map_or_else(String::new, |first| first.message);
    let message = format!("no model can be made of {}: {cause}", path.display());
    let help = "if it is too large, ask for fewer runs, or give types to variables that take any term";
    Diagnostic::error_without_place(message).with_help(help)
}

/// What is not looked at, so that attacks may be missed.
fn of_limits(translation: &Translation, matching: Matching) -> Vec<Diagnostic> {
    let warn = |message: String, help| Diagnostic::warning_without_place(message).with_help(help);
    if matching == Matching::Full {
        let message = "where types do not count, keys have no encryptions in them, and what else variables stand for up to two, and six parts";
        return vec![warn(message.to_owned(), "what holds may have attacks with larger terms all the same")];
    }
    let help = "what holds may have attacks all the same; give the variable a type, or expect less of it";
    let about = |name| format!("variable {name} could take terms of more forms than are looked at");
    translation.cut.iter().map(|name| warn(about(name), help)).collect()
}

/// Says the place in words: the places of a model are those of its own text.
fn without_place(found: Diagnostic, sources: &SourceMap) -> Diagnostic {
    let Some(span) = found.span else { return found };
    let (line, _) = sources.line_column(span);
    let message = format!("{}:{line}: {}", sources.name(span.source), found.message);
    Diagnostic { span: None, message, related: Vec::new(), ..found }
}

/// What is asked for. The last one counts where something is set twice.
fn scope(overrides: &[(String, String)]) -> Result<Scope, Vec<Diagnostic>> {
    let mut scope = Scope::default();
    let mut mistakes = Vec::new();
    for (name, value) in overrides {
        let value = value.trim();
        let set = match name.as_str() {
            "RUNS" => number(value, 1).map(|runs| scope.runs = runs),
            "AGENTS" => number(value, 1).map(|honest| scope.honest = Some(honest)),
            "UNTRUSTED" => number(value, 0).map(|untrusted| scope.untrusted = untrusted),
            "MATCH" => matching(value).map(|matching| scope.matching = matching),
            "REVEAL" => reveals(value).map(|reveals| scope.reveals = reveals),
            _ => {
                let message = format!("a protocol file has no constant `{name}`");
                let help = "what is looked at is set with RUNS, AGENTS, UNTRUSTED, MATCH and REVEAL";
                mistakes.push(Diagnostic::error_without_place(message).with_help(help));
                continue;
            }
        };
        if let Err(expected) = set {
            mistakes.push(Diagnostic::error_without_place(format!("{name}={value} is not {expected}")));
        }
    }
    if mistakes.is_empty() { Ok(scope) } else { Err(mistakes) }
}

fn number(value: &str, least: usize) -> Result<usize, String> {
    let number = value.parse().ok().filter(|number| (least..=MOST).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {MOST}"))
}

fn matching(value: &str) -> Result<Matching, String> {
    match value {
        "typed" => Ok(Matching::Typed),
        "basic" => Ok(Matching::Basic),
        "full" => Ok(Matching::Full),
        _ => Err("typed, basic or full".to_owned()),
    }
}

fn reveals(value: &str) -> Result<Reveals, String> {
    let mut reveals = Reveals::default();
    for name in value.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none") {
        match name {
            "actor" => reveals.actor = true,
            "after" => reveals.after = true,
            "old-sessions" => reveals.old_sessions = true,
            _ => {
                return Err("`none` or a list of `actor`, `after` and `old-sessions`".to_owned());
            }
        }
    }
    Ok(reveals)
}
