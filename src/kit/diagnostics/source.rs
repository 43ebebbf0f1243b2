//! The source texts that diagnostics refer to.

use crate::number::to_u32;

/// Identifies a source: an index into its [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A range of bytes of one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The source it belongs to.
    pub source: SourceId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `source` from byte `start` up to, not including, byte `end`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Self { source, start: to_u32(start), end: to_u32(end) }
    }

    /// The smallest span that covers both; they must belong to the same source.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Debug, Clone)]
struct SourceText {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    first_line: usize,
}

/// All sources of one run: the model, the libraries it imports.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<SourceText>,
}

impl Default for &SourceMap {
    fn default() -> Self {
        static EMPTY: SourceMap = SourceMap { sources: Vec::new() };
        &EMPTY
    }
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a source under the name shown in messages, usually its path as the user wrote it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add_from_line(name, 1, text)
    }

    /// The id that the next source will have.
    pub fn next_id(&self) -> SourceId {
        SourceId(to_u32(self.sources.len()))
    }

    /// Adds an excerpt of a source that is too large to be kept; it begins at the line with this number (from 1).
    pub fn add_from_line(
        &mut self,
        name: impl Into<String>,
        first_line: usize,
        text: impl Into<String>,
    ) -> SourceId {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        self.sources.push(SourceText { name: name.into(), text, line_starts, first_line });
        SourceId(to_u32(self.sources.len() - 1))
    }

    /// Adds all sources of another map. Returns the offset of their ids: diagnostics about
    /// them must be [`moved`](super::Diagnostic::moved) by it.
    pub fn append(&mut self, other: &SourceMap) -> u32 {
        let before = to_u32(self.sources.len());
        self.sources.extend(other.sources.iter().cloned());
        before
    }

    /// Returns the names and texts of all sources, in the order in which they were added.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.iter().map(|s| (s.name.as_str(), s.text.as_str()))
    }

    /// The name of a source, as shown in messages.
    pub fn name(&self, id: SourceId) -> &str {
        &self.sources[id.0 as usize].name
    }

    /// The whole text of a source.
    pub fn text(&self, id: SourceId) -> &str {
        &self.sources[id.0 as usize].text
    }

    /// Returns the line and column (both from 1, columns in characters) of the start of a span.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let source = &self.sources[span.source.0 as usize];
        let start = (span.start as usize).min(source.text.len());
        let line = source.line_starts.partition_point(|&s| s <= start);
        let from = source.line_starts[line - 1];
        let column = source.text.get(from..start).map_or(1, |before| before.chars().count() + 1);
        (line - 1 + source.first_line, column)
    }

    /// The text of a line (from 1), without its line end.
    pub fn line(&self, id: SourceId, line: usize) -> &str {
        let source = &self.sources[id.0 as usize];
        let line = line + 1 - source.first_line;
        let from = source.line_starts[line - 1];
        let to = source.line_starts.get(line).copied().unwrap_or(source.text.len());
        source.text[from..to].trim_end_matches(['\n', '\r'])
    }

    /// Returns `name:line:column` of the start of a span, the format that editors recognise.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.name(span.source))
    }

    /// The text that a span covers.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.source).get(span.start as usize..span.end as usize).unwrap_or("")
    }
}
