//! The texts that importers make, and the models that are read from them.

use kit::diagnostics::{Diagnostic, SourceMap, TEXT_LIMIT, printable, read_bytes};
use lang::model::Loaded;
use lang::syntax::{self, as_name, is_reserved};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The beginning of the texts that importers make.
pub const IMPORTED: &str = "/// Imported from ";

/// The ending of names of invariants that each step of an action has a result.
pub const RESULT: &str = "_has_a_result";

/// Mistakes that keep a file from being read, and the texts that they refer to.
#[derive(Debug, Clone)]
pub struct Refused {
    /// At least one error, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: Arc<SourceMap>,
}

impl From<Vec<Diagnostic>> for Refused {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics, sources: Arc::default() }
    }
}

impl From<Refused> for Loaded {
    fn from(Refused { diagnostics, sources }: Refused) -> Self {
        Self { model: None, diagnostics, sources }
    }
}

/// Reads a text of another tool, perhaps in an older encoding: other bytes than UTF-8 become `\u{fffd}`.
///
/// # Errors
/// If it cannot be read, or is too large.
pub(crate) fn read_foreign_text(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&read_bytes(path, TEXT_LIMIT)?).into_owned())
}

/// Moves the place into the message: the places of a model refer to its own text.
pub(crate) fn without_place(found: Diagnostic, sources: &SourceMap) -> Diagnostic {
    let Some(span) = found.span else { return found };
    let (line, _) = sources.line_column(span);
    let message = format!("{}:{line}: {}", sources.name(span.source), found.message);
    Diagnostic { span: None, message, related: Vec::new(), ..found }
}

/// The name that is most like a text and is not reserved.
pub(crate) fn own_name(text: &str) -> String {
    let name = as_name(text);
    if is_reserved(&name) { name + "_" } else { name }
}

/// Like [`own_name`], for a property of a user: it is none of those that importers make.
pub(crate) fn property_name(text: &str) -> String {
    let name = own_name(text);
    if name.ends_with(RESULT) { name + "_" } else { name }
}

/// The text of a model with these items in the canonical layout. `shown` is the path of its file for people, and `name` that of the model.
///
/// # Errors
/// If it cannot be read, because it is too long, or nested too deeply.
pub(crate) fn model_text(name: &str, shown: &str, items: &[String]) -> Result<String, String> {
    let head = format!("{IMPORTED}{}.\nmodel {};", printable(shown), own_name(name));
    let text = format!("{head}\n{}", items.join("\n"));
    if text.len() as u64 > TEXT_LIMIT {
        let (size, most) = (text.len() >> 20, TEXT_LIMIT >> 20);
        return Err(format!(
            "the text gets too long once definitions are written out: {size} MiB, and {most} are the most"
        ));
    }
    let mut sources = SourceMap::new();
    let (file, mistakes) = syntax::parse(sources.add("import", &text), &text);
    match mistakes.into_iter().next() {
        None => Ok(syntax::print(&file)),
        Some(mistake) => Err(format!("it cannot be written as a text: {}", mistake.message)),
    }
}
