//! Protocol files where models are expected.

use super::ir::Protocols;
use super::translate::{Loss, Matching, Reveals, Scope, Translation, translate};
use super::{Loaded, load};
use crate::written::Refused;
use kit::diagnostics::{Diagnostic, SourceMap, Unfinished};
use lang::model::{self, LoadOptions};
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

/// True if a file is one of protocols, by its name.
pub fn is_protocol(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("spdl"))
}

/// A protocol file that was read and translated.
#[derive(Debug)]
pub struct TranslatedFile {
    /// The model as a text, and the claims.
    pub translation: Translation,
    /// The file, as the user wrote it.
    shown: String,
    matching: Matching,
    /// What is odd about the file, in its places.
    warnings: Vec<Diagnostic>,
    sources: Arc<SourceMap>,
}

/// Reads a protocol file and translates it, without loading the model. What is looked at is set like constants of a model:
/// `RUNS`, `AGENTS`, `UNTRUSTED`, `MATCH` and `REVEAL` among the overrides.
///
/// # Errors
/// All mistakes in the file and in what is set. A file that cannot be read is one.
pub fn translate_file(path: &Path, options: &LoadOptions<'_>) -> Result<TranslatedFile, Refused> {
    let scope = scope(options.overrides)?;
    let Loaded { protocols, mut diagnostics, sources } = load(path, &options.budget);
    match protocols {
        Some(protocols) if !protocols.roles.is_empty() => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok(TranslatedFile {
                translation: fitting(&name, &protocols, scope, options),
                shown: path.display().to_string(),
                matching: scope.matching,
                warnings: diagnostics,
                sources,
            })
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

/// The bytes of a translation with which the model of it is not too large.
const SMALL: usize = 50_000;

/// Translates protocols with as many forms of terms for variables of any type as the model can have.
fn fitting(name: &str, protocols: &Protocols, mut scope: Scope, options: &LoadOptions<'_>) -> Translation {
    loop {
        let translation = translate(name, protocols, scope);
        if translation.forms < 2 || translation.text.len() < SMALL || !is_too_large(&translation, options) {
            return translation;
        }
        scope.forms = translation.forms * 2 / 3;
    }
}

/// True if a translation makes no model because of its size. There is nothing else that could be wrong with it.
fn is_too_large(translation: &Translation, options: &LoadOptions<'_>) -> bool {
    let loaded =
        model::load_written("", &translation.text, &LoadOptions { overrides: &[], ..options.clone() });
    loaded.model.is_none() && !loaded.diagnostics.iter().any(ends_loading)
}

impl TranslatedFile {
    /// The model, with what is odd about the protocols, or why there is none. Of the options, only the budget counts.
    pub fn load(&self, options: &LoadOptions<'_>) -> model::Loaded {
        let Self { translation, shown, matching, warnings, sources } = self;
        let options = LoadOptions { overrides: &[], ..options.clone() };
        let mut loaded = model::load_written(shown, &translation.text, &options);
        if let Some(model) = &mut loaded.model {
            let wishes = translation.wishes.iter();
            let wishes = wishes.filter_map(|text| Some(model::load_expression(model, text).observable?.expr));
            model.wishes = wishes.collect();
        }
        // What is said of the generated text is no concern of those who wrote the protocol, unless it ends here.
        loaded.diagnostics = if loaded.model.is_some() {
            warnings.iter().map(|found| without_place(found.clone(), sources)).collect()
        } else {
            vec![unusable(shown, translation, loaded.diagnostics)]
        };
        loaded.diagnostics.extend(of_limits(translation, *matching));
        loaded
    }
}

/// Reads a protocol file as a model: [`translate_file`], then [`TranslatedFile::load`].
pub fn load_model(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    match translate_file(path, options) {
        Ok(file) => LoadedModel { loaded: file.load(options), translation: Some(file.translation) },
        Err(refused) => LoadedModel { loaded: refused.into(), translation: None },
    }
}

/// Why the model of a protocol cannot be used: it is too large, or the budget is exhausted.
fn unusable(file: &str, translation: &Translation, mut found: Vec<Diagnostic>) -> Diagnostic {
    if let Some(at) = found.iter().position(ends_loading) {
        return found.swap_remove(at);
    }
    let message = format!("the model of {file} is too large with `--runs {}`", translation.charts.runs());
    let help = "ask for fewer runs, or give types to variables that take any term";
    let unfinished = Some(Unfinished::Limit);
    Diagnostic { unfinished, ..Diagnostic::error_without_place(message).with_help(help) }
}

/// True if the budget is exhausted, which is said of no place; what expands too far has one.
fn ends_loading(found: &Diagnostic) -> bool {
    found.span.is_none() && found.unfinished.is_some()
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
    let named = Matching::ALL.into_iter().find(|matching| matching.name() == value);
    named.ok_or_else(|| listed(&Matching::ALL.map(|matching| matching.name().to_owned()), "or"))
}

fn reveals(value: &str) -> Result<Reveals, String> {
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none");
    let losses = names.map(|name| Loss::ALL.into_iter().find(|loss| loss.name() == name));
    let known = || listed(&Loss::ALL.map(|loss| format!("`{}`", loss.name())), "and");
    losses.collect::<Option<Reveals>>().ok_or_else(|| format!("`none` or a list of {}", known()))
}

/// `a, b and c`.
fn listed(names: &[String], last: &str) -> String {
    let (end, others) = names.split_last().map_or(("", &[][..]), |(end, others)| (end.as_str(), others));
    format!("{} {last} {end}", others.join(", "))
}
