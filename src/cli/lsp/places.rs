//! Places in texts as editors count them: lines from 0, columns in units of UTF-16.

use lsp_types::{Position, Range};

/// The position of a byte.
pub fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    Position::new(narrow(line), narrow(before[line_start..].encode_utf16().count()))
}

/// The range of these bytes.
pub fn range(text: &str, start: usize, end: usize) -> Range {
    Range::new(position(text, start), position(text, end))
}

/// The range of the whole text.
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
        for (offset, (line, column)) in places {
            assert_eq!(position(text, offset), Position::new(line, column), "{offset}");
        }
        assert_eq!(whole(text), Range::new(Position::new(0, 0), Position::new(1, 1)));
    }
}
