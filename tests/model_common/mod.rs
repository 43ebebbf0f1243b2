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

/// All diagnostics as text.
pub fn all(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics.iter().map(|d| render(d, sources, false)).collect::<Vec<_>>().join("\n")
}
