//! What is wrong with a file that is too large to be kept: each mistake with the line it is in.

use super::line::Fault;
use crate::diagnostics::{Diagnostic, SourceMap, Span};
use crate::lts::labels::as_text;

/// So many mistakes are reported; who made more probably made one of them often.
const LIMIT: usize = 20;

/// Longer lines are shown up to here.
const SHOWN: usize = 100;

/// The mistakes so far.
pub struct Mistakes {
    name: String,
    /// What they are.
    pub found: Vec<Diagnostic>,
    /// The lines they are in.
    pub sources: SourceMap,
}

impl Mistakes {
    /// None yet, in the file of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), found: Vec::new(), sources: SourceMap::new() }
    }

    /// Whether it is no use to go on.
    pub fn enough(&self) -> bool {
        self.found.len() >= LIMIT
    }

    /// A place in a line (from 1), whose text is kept as far as it is shown.
    pub fn place(&mut self, number: usize, line: &[u8], place: std::ops::Range<usize>) -> Span {
        let shown = &line[..line.len().min(SHOWN)];
        let end = shown.iter().rposition(|b| !matches!(b, b' ' | b'\t' | b'\r')).map_or(0, |at| at + 1);
        let (mut text, mut start, mut stop) = (String::new(), None, None);
        for (at, part) in characters(&shown[..end.max(place.start.min(shown.len()))]) {
            start = start.or((at >= place.start).then_some(text.len()));
            stop = stop.or((at >= place.end).then_some(text.len()));
            text.push(if part.is_control() && part != '\t' { '\u{fffd}' } else { part });
        }
        let (start, stop) = (start.unwrap_or(text.len()), stop.unwrap_or(text.len()));
        if line.len() > shown.len() {
            text.push('…');
        }
        let source = self.sources.add_from_line(self.name.clone(), number, text);
        Span::new(source, start, stop.max(start))
    }

    /// Adds what is wrong with a line.
    pub fn fault(&mut self, number: usize, line: &[u8], fault: Fault) {
        let span = self.place(number, line, fault.place);
        self.found.push(Diagnostic::error(span, fault.message).with_help(fault.help));
    }

    /// Adds what is wrong with the file.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }
}

/// Characters with the byte where each begins.
fn characters(bytes: &[u8]) -> Vec<(usize, char)> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.char_indices().collect(),
        Err(_) => as_text(bytes).chars().enumerate().collect(),
    }
}
