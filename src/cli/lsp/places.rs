//! Places in texts as editors count them: lines from 0, columns in units of UTF-16.

use super::messages::{Range, TextPosition};
use cladist::diagnostics::{SourceMap, Span};

pub fn position(text: &str, offset: usize) -> TextPosition {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    TextPosition { line: narrow(line), character: narrow(before[line_start..].encode_utf16().count()) }
}

/// The byte at a position; the end of its line if the line is shorter.
pub fn offset(text: &str, position: TextPosition) -> usize {
    let line_start = match position.line {
        0 => 0,
        line => text.match_indices('\n').nth(line as usize - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    let line = text[line_start..].split('\n').next().unwrap_or_default();
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= position.character {
            return line_start + at;
        }
        units += narrow(c.len_utf16());
    }
    line_start + line.len()
}

/// The range of these bytes.
pub fn range(text: &str, start: usize, end: usize) -> Range {
    Range { start: position(text, start), end: position(text, end) }
}

/// The range of a place in its text.
pub fn range_of(span: Span, sources: &SourceMap) -> Range {
    range(sources.text(span.source), span.start as usize, span.end as usize)
}

pub fn whole(text: &str) -> Range {
    range(text, 0, text.len())
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = "aé😀b\nc";
        let places =
            [(0, (0, 0)), (1, (0, 1)), (3, (0, 2)), (7, (0, 4)), (8, (0, 5)), (9, (1, 0)), (99, (1, 1))];
        for (byte, (line, character)) in places {
            assert_eq!(position(text, byte), TextPosition { line, character }, "{byte}");
            assert_eq!(offset(text, TextPosition { line, character }), byte.min(text.len()));
        }
        assert_eq!(offset(text, TextPosition { line: 0, character: 99 }), 8);
        assert_eq!(offset(text, TextPosition { line: 7, character: 0 }), text.len());
        let end = TextPosition { line: 1, character: 1 };
        assert_eq!(whole(text), Range { start: TextPosition::default(), end });
    }
}
