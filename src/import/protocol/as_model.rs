//! Loads protocol files in place of models.

use super::ir::Protocols;
use super::overview::claim_everything;
use super::translate::{ClaimsAsked, Loss, Matching, ProtocolScope, Reveals, Translation, translate};
use super::{LoadedProtocols, load};
use crate::written::{self, Refused};
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, EarlyEnd, SourceMap};
use kit::number::counted;
use lang::model::{self, LoadOptions};
use std::path::Path;
use std::sync::Arc;

/// The greatest number of runs, and of agents of each kind.
const MOST: usize = 16;

/// A protocol file loaded as a model.
#[derive(Debug)]
pub struct LoadedModel {
    /// The model with warnings about the protocols, or their errors.
    pub loaded: model::Loaded,
    /// The model as a text, and the claims, if the file is free of errors.
    pub translation: Option<Translation>,
}

/// True if the file is a protocol file, by its name.
pub fn is_protocol(path: &Path) -> bool {
    is_own_notation(path) || is_message_list(path) || is_strand_file(path)
}

/// True if the file is a protocol in the language of Scyther, by its name.
pub fn is_own_notation(path: &Path) -> bool {
    has_extension(path, "spdl")
}

/// True if the file is a protocol in Alice–Bob notation, by its name.
pub(super) fn is_message_list(path: &Path) -> bool {
    has_extension(path, "anb")
}

/// True if the file is a protocol of CPSA, by its name.
pub(super) fn is_strand_file(path: &Path) -> bool {
    has_extension(path, "scm")
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// A protocol file after reading and translation.
#[derive(Debug)]
pub struct TranslatedFile {
    /// The model as a text, and the claims.
    pub translation: Translation,
    /// The number of runs that were asked for.
    runs: usize,
    /// The path of the file, as the user wrote it.
    shown: String,
    matching: Matching,
    /// Warnings about the file, with their places.
    warnings: Vec<Diagnostic>,
    sources: Arc<SourceMap>,
}

/// Reads a protocol file and translates it, without loading the model. The scope is set like constants of a
/// model: `RUNS`, `AGENTS`, `UNTRUSTED`, `MATCH`, `REVEAL` and `CLAIMS` among the overrides.
///
/// # Errors
/// All mistakes in the file and in the overrides; an unreadable file counts as one.
pub fn translate_file(path: &Path, options: &LoadOptions<'_>) -> Result<TranslatedFile, Refused> {
    let scope = scope(options.overrides)?;
    let LoadedProtocols { protocols, mut diagnostics, sources } = load(path, &options.budget);
    match protocols {
        Some(mut protocols) if !protocols.roles.is_empty() => {
            if scope.claims == ClaimsAsked::Overview {
                claim_everything(&mut protocols);
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok(TranslatedFile {
                translation: fitting(&name, &protocols, scope, options),
                runs: scope.runs,
                shown: path.display().to_string(),
                matching: scope.matching,
                warnings: diagnostics,
                sources,
            })
        }
        Some(_) => {
            let message = format!("{} describes no role, so there are no steps", path.display());
            let help = "write `protocol p(I) { role I { … } }`";
            diagnostics.push(Diagnostic::error_without_place(message).with_help(help));
            Err(Refused { diagnostics, sources })
        }
        None => Err(Refused { diagnostics, sources }),
    }
}

/// The greatest size, in bytes, of a translation whose model is certainly not too large.
const SMALL: usize = 50_000;

/// Translates protocols with as many forms of terms for variables of any type as the model allows; if one is too many, without words for attacks, and
/// with fewer runs, unless their number is given.
fn fitting(
    name: &str,
    protocols: &Protocols,
    mut scope: ProtocolScope,
    options: &LoadOptions<'_>,
) -> Translation {
    loop {
        let translation = translate(name, protocols, scope);
        let is_given = options.overrides.iter().any(|(name, _)| name == "RUNS");
        let is_smallest = translation.forms < 2 && !scope.words && (is_given || scope.runs == 1);
        if is_smallest || translation.text.len() < SMALL || !is_too_large(&translation, options) {
            return translation;
        }
        if translation.forms >= 2 {
            scope.forms = translation.forms * 2 / 3;
        } else if scope.words {
            scope.words = false;
        } else {
            scope.runs -= 1;
        }
    }
}

/// True if a translation is too large for a model. No other error is possible in it.
fn is_too_large(translation: &Translation, options: &LoadOptions<'_>) -> bool {
    let loaded =
        model::load_written("", &translation.text, &LoadOptions { overrides: &[], ..options.clone() });
    loaded.model.is_none() && !loaded.diagnostics.iter().any(ends_loading)
}

impl TranslatedFile {
    /// Loads the model, with warnings about the protocols, or the reason why there is none. Of the options,
    /// only the budget is used. Its [limits](Self::limits) are not among the warnings.
    pub fn load(&self, options: &LoadOptions<'_>) -> model::Loaded {
        let Self { translation, shown, warnings, sources, .. } = self;
        let options = LoadOptions { overrides: &[], ..options.clone() };
        let mut loaded = model::load_written(shown, &translation.text, &options);
        if let Some(model) = &mut loaded.model {
            let wishes = translation.wishes.iter();
            let wishes = wishes.filter_map(|text| Some(model::load_expression(model, text).found?.expr));
            model.wishes = wishes.collect();
        }
        // Diagnostics of the generated text are of no use to authors of protocols, unless it is unusable.
        loaded.diagnostics = if loaded.model.is_some() {
            warnings.iter().map(|found| written::without_place(found.clone(), sources)).collect()
        } else {
            vec![unusable(shown, translation, loaded.diagnostics)]
        };
        loaded
    }

    /// Returns warnings about limits of the model by which attacks may be missed.
    pub fn limits(&self) -> Vec<Diagnostic> {
        let warn = |message: String, help| Diagnostic::warning_without_place(message).with_help(help);
        let charts = &self.translation.charts;
        let runs = (charts.runs() < self.runs).then(|| {
            let (fewer, asked) = (counted(charts.runs(), "run"), self.runs);
            let message = format!("the model has at most {fewer}: with {asked} it is too large");
            warn(message, "claims that hold may still have attacks with more runs")
        });
        let powers = charts.looked_at().0.have_powers().then(|| {
            let help = "claims that hold may still have attacks with powers of more";
            warn("variables are powers of at most three exponents".to_owned(), help)
        });
        let translation = &self.translation;
        let help = "claims that hold may still have attacks with other sums";
        let sums = [
            (
                translation.variable_sums,
                "variables are sums of at most three terms, of which at most one is an encryption or function value",
            ),
            (translation.given_sums, "the attacker adds at most two sums that runs send, both of one run"),
        ];
        let sums = sums.into_iter().filter(|(are, _)| *are).map(|(_, limit)| warn(limit.to_owned(), help));
        let powers = powers.into_iter().chain(sums).collect_vec();
        if self.matching == Matching::Full {
            let message = "without types, keys contain no encryptions, and other terms of variables at most two, and six parts";
            let terms = warn(message.to_owned(), "claims that hold may still have attacks with larger terms");
            return powers.into_iter().chain(runs).chain([terms]).collect();
        }
        let help = "claims that hold may still have attacks; give the variable a type";
        let about = |name| format!("variable {name} could take terms of more forms than are considered");
        powers
            .into_iter()
            .chain(runs)
            .chain(self.translation.cut.iter().map(|name| warn(about(name), help)))
            .collect()
    }
}

/// Reads a protocol file as a model: [`translate_file`], then [`TranslatedFile::load`].
pub fn load_model(path: &Path, options: &LoadOptions<'_>) -> LoadedModel {
    match translate_file(path, options) {
        Ok(file) => {
            let mut loaded = file.load(options);
            loaded.diagnostics.extend(file.limits());
            LoadedModel { loaded, translation: Some(file.translation) }
        }
        Err(refused) => LoadedModel { loaded: refused.into(), translation: None },
    }
}

/// Explains why the model of a protocol cannot be used: it is too large, or the budget is exhausted.
fn unusable(file: &str, translation: &Translation, mut found: Vec<Diagnostic>) -> Diagnostic {
    if let Some(at) = found.iter().position(ends_loading) {
        return found.swap_remove(at);
    }
    let message = format!("the model of {file} is too large with `--runs {}`", translation.charts.runs());
    let help = "ask for fewer runs, or give types to variables that take any term";
    let unfinished = Some(EarlyEnd::Limit);
    Diagnostic { unfinished, ..Diagnostic::error_without_place(message).with_help(help) }
}

/// True if the budget is exhausted: such diagnostics have no place, unlike those about excessive expansion.
fn ends_loading(found: &Diagnostic) -> bool {
    found.span.is_none() && found.unfinished.is_some()
}

/// Parses the scope from the overrides. The last value of a name counts.
fn scope(overrides: &[(String, String)]) -> Result<ProtocolScope, Vec<Diagnostic>> {
    let mut scope = ProtocolScope::default();
    let mut mistakes = Vec::new();
    for (name, value) in overrides {
        let value = value.trim();
        let set = match name.as_str() {
            "RUNS" => number(value, 1).map(|runs| scope.runs = runs),
            "AGENTS" => number(value, 1).map(|honest| scope.honest = Some(honest)),
            "UNTRUSTED" => number(value, 0).map(|untrusted| scope.untrusted = untrusted),
            "MATCH" => matching(value).map(|matching| scope.matching = matching),
            "REVEAL" => reveals(value).map(|reveals| scope.reveals = reveals),
            "CLAIMS" => claims(value).map(|claims| scope.claims = claims),
            _ => {
                let message = format!("a protocol file has no constant `{name}`");
                let help = "RUNS, AGENTS, UNTRUSTED, MATCH, REVEAL and CLAIMS set the scope";
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

fn claims(value: &str) -> Result<ClaimsAsked, String> {
    let named = ClaimsAsked::ALL.into_iter().find(|claims| claims.name() == value);
    named.ok_or_else(|| listed(&ClaimsAsked::ALL.map(|claims| claims.name().to_owned()), "or"))
}

fn reveals(value: &str) -> Result<Reveals, String> {
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none");
    let losses = names.map(|name| Loss::ALL.into_iter().find(|loss| loss.name() == name));
    let known = || listed(&Loss::ALL.map(|loss| format!("`{}`", loss.name())), "and");
    losses.collect::<Option<Reveals>>().ok_or_else(|| format!("`none` or a list of {}", known()))
}

/// Joins names: `a, b and c`.
fn listed(names: &[String], last: &str) -> String {
    let (end, others) = names.split_last().map_or(("", &[][..]), |(end, others)| (end.as_str(), others));
    format!("{} {last} {end}", others.join(", "))
}
