//! Texts and helpers shared by the tests of reading and checking models.
#![allow(dead_code)]

use cladist::diagnostics::{Diagnostic, SourceMap, render};
use cladist::model::{Loaded, Model, load_text};
use std::io;
use std::path::Path;

pub const NEEDHAM_SCHROEDER: &str = include_str!("ns.sts");
pub const TCP: &str = include_str!("tcp.sts");
pub const MESSAGES: &str = include_str!("messages.pred");

/// Loads a model as `specs/m.sts`, with the message library at `predicates/messages.pred`.
pub fn load(text: &str, sets: &[(&str, &str)]) -> Loaded {
    load_with(text, sets, &[("predicates/messages.pred", MESSAGES)])
}

/// Loads a model as `specs/m.sts`, with these other files.
pub fn load_with(text: &str, sets: &[(&str, &str)], files: &[(&str, &str)]) -> Loaded {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| (*text).to_string()).ok_or(io::Error::from(io::ErrorKind::NotFound))
    };
    load_text("specs/m.sts", text, &sets, &read)
}

/// The model of a text that has nothing wrong with it.
pub fn good(text: &str) -> Model {
    let loaded = load(text, &[]);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    loaded.model.expect("a model without errors")
}

/// A mistake: what is added to a good text; the first message; the text that it points at; the help, or the first note where
/// there is none.
pub type Mistake = (&'static str, &'static str, &'static str, &'static str);

/// Checks that each text gives no model and one error, that of its mistake.
pub fn check_mistakes(mistakes: &[Mistake], load: impl Fn(&str) -> Loaded) {
    let mut failures = Vec::new();
    for (items, message, place, help) in mistakes {
        let loaded = load(items);
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        let found = errors.first().map(|first| {
            let place = first.span.map(|s| loaded.sources.snippet(s)).unwrap_or_default();
            let help = first.help.as_deref().or(first.notes.first().map(String::as_str)).unwrap_or_default();
            (first.message.as_str(), place, help)
        });
        let same = found == Some((message, place, help));
        if !same || errors.len() != 1 || loaded.model.is_some() {
            let shown = all(&loaded.diagnostics, &loaded.sources);
            failures.push(format!("{items}\n  expected {message} | {place} | {help}\n{shown}"));
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n----\n"));
}

/// All diagnostics as text.
pub fn all(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics.iter().map(|d| render(d, sources, false)).collect::<Vec<_>>().join("\n")
}
