//! Tests of `report::writing::columns`.

use report::writing::columns::*;
use unicode_width::UnicodeWidthStr;

#[test]
fn constraints_break_between_facts() {
    let constraint = "∃ … : a(i, j) ∧ x@i = Eve ∧ i < j";
    let lines = ["∃ … : a(i, j) ∧", "  x@i = Eve ∧", "  i < j"];
    assert_eq!(wrapped_facts(constraint, 15, 2), lines);
    assert_eq!(wrapped_facts(constraint, 80, 2), [constraint]);
    assert_eq!(wrapped_facts("x@i = Eve", 7, 2), ["x@i =", "  Eve"]);
}

#[test]
fn lines_break_at_spaces() {
    assert_eq!(wrapped("as it is", 8, 2), ["as it is"]);
    assert_eq!(wrapped("as it is", 7, 2), ["as it", "  is"]);
    assert_eq!(wrapped("one eleven two", 5, 2), ["one", "  eleven", "  two"]);
    assert_eq!(wrapped("{m}k(A, B) and n", 12, 2), ["{m}k(A, B)", "  and n"]);
    assert_eq!(wrapped("say {m}k(A, B)", 9, 2), ["say", "  {m}k(A,", "  B)"]);
}

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
