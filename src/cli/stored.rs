//! Stored results of classifications, as `--within`, `--baseline` and `diff` read them.

use super::refusal::UsageError;
use super::verify::RESULT_LIMIT;
use cladist::batch::FoundClass;
use cladist::diagnostics::{Diagnostic, read_text, unreadable};
use cladist::model::{Model, Vocabulary};
use serde::Deserialize;
use serde_json::Value as Json;
use std::path::Path;

/// The document of a classification with its classes: that of `classify --json` or `classes.json` of `--out`, or the
/// record of a job of a batch.
pub struct StoredClasses {
    pub document: Json,
    pub classes: Vec<FoundClass>,
}

/// The schema of results by causes.
pub const CAUSES: &str = "cladist/causes-1";

/// Returns the error for a stored result.
pub fn wrong(what: String) -> UsageError {
    let help = "give a result that `cladist classify MODEL --json` or `--out` wrote, such as `classes.json`";
    Diagnostic::error_without_place(what).with_help(help).into()
}

/// Returns the document of a stored result: for the record of a job, the one in it.
pub fn document(file: &Path) -> Result<Json, UsageError> {
    let shown = file.display();
    let text = read_text(file, RESULT_LIMIT).map_err(|error| UsageError::from(unreadable(file, &error)))?;
    let mut document: Json = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("`{shown}` is not a stored result: {error}")))?;
    Ok(match document.get_mut("result") {
        Some(result) => result.take(),
        None => document,
    })
}

/// Refuses a result without classes, which the answer without a vocabulary is.
///
/// # Errors
/// If it has kinds by their causes, or attack patterns.
pub fn refuse_kinds(document: &Json, file: &Path) -> Result<(), UsageError> {
    let has = match document.get("schema").and_then(Json::as_str) {
        Some(CAUSES) => "kinds by their causes",
        Some("cladist/patterns-1") => "attack patterns",
        _ => return Ok(()),
    };
    let message = format!("`{}` has {has}, and classes are needed", file.display());
    let help = "store classes: `cladist classify MODEL -V VOCABULARY --json`; -V auto finds a vocabulary";
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

impl StoredClasses {
    pub fn read(file: &Path) -> Result<Self, UsageError> {
        let document = document(file)?;
        refuse_kinds(&document, file)?;
        let classes = document.get("classes").map(Vec::<FoundClass>::deserialize).and_then(Result::ok);
        let Some(classes) = classes else {
            return Err(wrong(format!("`{}` is not a stored result", file.display())));
        };
        Ok(Self { document, classes })
    }

    /// True if its classes are those of a property of infinite traces.
    pub fn is_about_infinite_traces(&self) -> bool {
        self.text("schema") == Some("cladist/classify-lassos-1")
    }

    /// Refuses classes of infinite traces where finite ones are needed, or the other way round.
    ///
    /// # Errors
    /// If the classes are those of the other kind.
    pub fn about(self, infinite: bool, file: &Path) -> Result<Self, UsageError> {
        if self.is_about_infinite_traces() == infinite {
            return Ok(self);
        }
        let (are, needed) = match infinite {
            true => ("finite", "a property of ltl"),
            false => ("infinite", "an invariant"),
        };
        let message = format!("`{}` has classes of {are} traces", file.display());
        let help = format!("give the result of {needed}");
        Err(Diagnostic::error_without_place(message).with_help(help).into())
    }

    /// Returns a text of the document.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.document.get(field).and_then(Json::as_str)
    }

    /// Returns the vocabulary of the classes, if the model still has it; the given one otherwise.
    pub fn vocabulary<'a>(&self, model: &'a Model, otherwise: &'a Vocabulary) -> &'a Vocabulary {
        let named = self.text("vocabulary").and_then(|name| model.vocabulary(name));
        named.map_or(otherwise, |index| &model.vocabularies[index])
    }
}
