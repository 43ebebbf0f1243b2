//! Libraries of macros: `library standard.mcl end_library`.

use super::FORMULAS;
use kit::diagnostics::{Diagnostic, SourceId, SourceMap, Span, why_unreadable};
use kit::parsing::AnyToken;
use std::io::{self, ErrorKind};

/// The library that is always there, under the name `standard.mcl`, unless a file has that name.
const STANDARD: &str = include_str!("standard.mcl");

/// The limit on libraries of a formula.
const MOST: usize = 100;

pub struct Library {
    pub source: SourceId,
    pub text: String,
}

impl Library {
    /// All libraries that a text mentions, and those that they mention, each once, in the order in which their macros count.
    ///
    /// # Errors
    /// One mistake for each that cannot be read.
    pub fn all(
        sources: &mut SourceMap,
        (source, text): (SourceId, &str),
        load: &dyn Fn(&str) -> io::Result<String>,
    ) -> Result<Vec<Library>, Vec<Diagnostic>> {
        let (mut found, mut mistakes): (Vec<Library>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let mut names: Vec<String> = Vec::new();
        let mut open = mentions(source, text);
        while let Some((name, span)) = open.pop() {
            if names.contains(&name) || names.len() >= MOST {
                continue;
            }
            let read = match load(&name) {
                Err(error) if error.kind() == ErrorKind::NotFound && name == "standard.mcl" => {
                    Ok(STANDARD.to_owned())
                }
                read => read,
            };
            match read {
                Ok(text) => {
                    let source = sources.add(name.as_str(), text.as_str());
                    open.extend(mentions(source, &text));
                    found.push(Library { source, text });
                }
                Err(error) => mistakes.push(
                    Diagnostic::error(
                        span,
                        format!("cannot read library {name}: {}", why_unreadable(&error)),
                    )
                    .with_help("libraries are files beside that of the formula; standard.mcl is built in"),
                ),
            }
            names.push(name);
        }
        found.reverse();
        if mistakes.is_empty() { Ok(found) } else { Err(mistakes) }
    }
}

/// The libraries that a text mentions, with their places.
pub fn mentions(source: SourceId, text: &str) -> Vec<(String, Span)> {
    let tokens = FORMULAS.lex(source, text).tokens;
    let mut found = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some(start) = rest.iter().position(|token| token.is("library")) {
        rest = &rest[start + 1..];
        let end = rest.iter().position(|token| token.is("end_library")).unwrap_or(rest.len());
        for name in rest[..end].split(|token| token.is(",")) {
            if let (Some(first), Some(last)) = (name.first(), name.last()) {
                let text = name.iter().map(|token| token.unquoted()).collect();
                found.push((text, first.span.to(last.span)));
            }
        }
        rest = &rest[end..];
    }
    found
}
