//! Tests of `explicit::lts::property::pattern`.

use explicit::lts::property::pattern::*;

#[test]
fn patterns_match_whole_labels() {
    for (pattern, matching, other) in [
        ("SEND", "SEND", "SEND !1"),
        ("SEND.*", "SEND !1", "RESEND !1"),
        (".*!1", "SEND !1", "SEND !12"),
        ("A.B", "AxB", "AB"),
        ("A(1)", "A(1)", "A1"),
        ("A+", "A+", "AA"),
        ("A|B", "A|B", "A"),
        ("A?", "A?", "A"),
        ("*A", "*A", "A"),
        ("^A$", "A", "^A$"),
        ("A{2}", "A{2}", "AA"),
        ("A\\{2\\}", "AA", "A"),
        ("\\(AB\\)*C", "ABABC", "ABAC"),
        ("[A-C]X", "BX", "DX"),
        ("[^A]X", "BX", "AX"),
        ("[]-]", "]", "["),
        ("[.*]", ".", "a"),
        ("A\\.B", "A.B", "AxB"),
        ("[[:digit:]]*", "12", "a"),
    ] {
        let compiled = LabelPattern::new(pattern).expect(pattern);
        assert!(compiled.matches(matching), "{pattern} {matching}");
        assert!(!compiled.matches(other), "{pattern} {other}");
    }
}

#[test]
fn broken_patterns_are_refused() {
    for pattern in ["[A", "\\(A", "A\\", "\\1", "A\\{x\\}", "\\)"] {
        assert!(LabelPattern::new(pattern).is_err(), "{pattern}");
    }
}
