//! Models in SMV, the language of NuSMV and nuXmv: translates a file to the specification language.
//!
//! The language is that of R. Cavada et al., *NuSMV 2.6 User Manual*, without reals. No
//! other module depends on SMV: the text is read like any other.

mod build;
mod elaborate;
mod evaluate;
mod print;
mod scopes;
mod step;
mod symbols;
mod system;
mod term;
pub mod text;
mod write;

pub use crate::written::Refused;

use crate::written;
use build::build;
use kit::diagnostics::{Diagnostic, SourceMap, Span, first_mistakes, unreadable};
use kit::parsing::with_large_stack;
use scopes::expand;
use std::path::Path;
use std::sync::Arc;
use text::parse;
use write::model_text;

/// Reads a model and writes it in the specification language, with warnings about the parts left out.
///
/// # Errors
/// An unreadable file, a model with mistakes, or unsupported constructs.
pub fn import_file(path: &Path) -> Result<(String, Vec<Diagnostic>), Refused> {
    let text = written::read_foreign_text(path).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    translated(&name, &path.display().to_string(), &text)
}

/// Like [`import_file`], from a text; `shown` is the path of its file for messages, and `name` that of the model.
///
/// # Errors
/// A model with mistakes, or unsupported constructs.
pub fn import_text(name: &str, shown: &str, text: &str) -> Result<String, Refused> {
    translated(name, shown, text).map(|(text, _)| text)
}

fn translated(name: &str, shown: &str, text: &str) -> Result<(String, Vec<Diagnostic>), Refused> {
    let mut sources = SourceMap::new();
    let source = sources.add(shown, text);
    let written = with_large_stack(|| {
        let (mut file, mut mistakes) = parse(source, text);
        if mistakes.is_empty() {
            mistakes = expand(&mut file);
        }
        // Undeclared names may be declared in a malformed part.
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let system = build(&file)?;
        let line = |span: &Span| sources.line_column(*span).0;
        let ignored = system.ignored.iter().map(|(word, span)| {
            Diagnostic::warning_without_place(format!("{shown}:{}: `{word}` is not read", line(span)))
        });
        let warnings = ignored.collect();
        model_text(name, shown, &system)
            .map(|text| (text, warnings))
            .map_err(|why| vec![Diagnostic::error_without_place(format!("{shown}: {why}"))])
    });
    let mut diagnostics = match written {
        Ok(all) => return Ok(all),
        Err(found) => found,
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    Err(Refused { diagnostics: first_mistakes(diagnostics, &sources), sources: Arc::new(sources) })
}
