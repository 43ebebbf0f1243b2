//! Tests of `kit::diagnostics::escape`.

use kit::diagnostics::*;
use std::borrow::Cow;

#[test]
fn only_what_hides_is_escaped() {
    for plain in ["", "Überprüfung → 完了 ¬∃", "a b"] {
        assert!(matches!(escaped(plain), Cow::Borrowed(same) if same == plain));
    }
    assert_eq!(escaped("\x1b[31mred"), r"\u{1b}[31mred");
    assert_eq!(printable("[\n\"\u{7f}\u{e0001}\"]"), "[\n\"\\u007f\\udb40\\udc01\"]");
    assert_eq!(escaped("a\u{202e}b\u{200b}\r\n\u{9b}"), r"a\u{202e}b\u{200b}\r\n\u{9b}");
}
