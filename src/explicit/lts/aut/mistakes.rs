//! Mistakes in a file that is not kept in memory: only the lines that contain mistakes are.

use super::line::AutFault;
use crate::lts::labels::as_text;
use kit::diagnostics::{Diagnostic, SourceMap, Span};

/// The maximum number of mistakes that are reported.
const LIMIT: usize = 20;

/// The number of bytes of a line that are kept.
const SHOWN: usize = 100;

/// The mistakes so far.
pub struct Mistakes {
    name: String,
    /// One diagnostic for each.
    pub found: Vec<Diagnostic>,
    /// The lines that the diagnostics point into.
    pub sources: SourceMap,
}

impl Mistakes {
    /// An empty list for the file of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), found: Vec::new(), sources: SourceMap::new() }
    }

    /// True if the limit on mistakes is reached.
    pub fn enough(&self) -> bool {
        self.found.len() >= LIMIT
    }

    /// A place in a line (from 1); keeps the beginning of the line.
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

    /// Adds a mistake in a line.
    pub fn fault(&mut self, number: usize, line: &[u8], fault: AutFault) {
        let span = self.place(number, line, fault.place);
        self.found.push(Diagnostic::error(span, fault.message).with_help(fault.help));
    }

    /// Adds a mistake that concerns the whole file.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }
}

/// Characters with their byte offsets.
fn characters(bytes: &[u8]) -> Vec<(usize, char)> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.char_indices().collect(),
        Err(_) => as_text(bytes).chars().enumerate().collect(),
    }
}
