//! Text in columns of the terminal, where some characters take two and others none.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text, or its beginning and `…` where it takes more than `width` columns.
pub(super) fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(1);
        used <= width
    };
    let begin: String = text.chars().take_while(fits).collect();
    Cow::Owned(if width == 0 { begin } else { format!("{}…", begin.trim_end()) })
}

/// The text with spaces after it, up to `width` columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_rather_than_characters() {
        for (text, width, expected) in [
            ("∃ i : p(i)", 10, "∃ i : p(i)"),
            ("∃ i : p(i)", 9, "∃ i : p(…"),
            ("∃ i : p(i)", 7, "∃ i :…"),
            ("完了する", 8, "完了する"),
            ("完了する", 7, "完了す…"),
            ("完了する", 6, "完了…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(cut(text, width), expected, "{text} in {width}");
            assert!(cut(text, width).width() <= width);
        }
        assert_eq!(padded("完", 4), "完  ");
        assert_eq!(padded("abc", 2), "abc");
    }
}
