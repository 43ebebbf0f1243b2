//! Tests of `explicit::lts::aut::line`.

use explicit::lts::aut::line::*;
use explicit::lts::graph::StateId;

#[test]
fn labels_are_what_is_between_the_first_and_the_last_comma() {
    for (line, label) in [
        ("(0,A,1)", "A"),
        ("  ( 0 , A b , 1 )  \r", "A b"),
        ("(0, \"GET !CONS (A, NIL)\", 1)", "GET !CONS (A, NIL)"),
        ("(0, SEND !{A, B}, 1)", "SEND !{A, B}"),
        ("(0, \"SEND !\"hello\" !\"world\"\", 1)", "SEND !\"hello\" !\"world\""),
        ("(0, \"DUMP ... \" ... \\\" ...\", 1)", "DUMP ... \" ... \\\" ..."),
        ("(0, \"\", 1)", ""),
        ("(0, *, 1)", "*"),
        ("(0, \"a\"b\", 1)", "a\"b"),
    ] {
        let [from, to] = [0, 1].map(StateId::from_u32);
        assert_eq!(
            transition(line.as_bytes()),
            Ok(ParsedTransition { from, label: label.as_bytes(), to }),
            "{line}"
        );
    }
}

#[test]
fn faults_have_their_place() {
    for (line, place, message) in [
        ("0, A, 1)", 0..1, "a `(` is missing before the source state"),
        ("(x, A, 1)", 1..2, "the source state is missing here"),
        ("(0 A, 1)", 3..4, "a `,` is missing after the source state"),
        ("(0, A, 1", 8..8, "a `)` is missing at the end of the line"),
        ("(0, A, )", 6..6, "the target state is missing here"),
        ("(0, 1)", 3..3, "a `,` is missing before the target state: a transition has three parts"),
        ("(0, , 1)", 4..4, "the label is missing here"),
        ("(0, \"A, 1)", 4..6, "this label starts with a quote but does not end with one"),
        ("(0, \", 1)", 4..5, "this label starts with a quote but does not end with one"),
        ("(4294967295, A, 1)", 1..11, "state number out of range"),
        ("(0, A, 99999999999999999999999)", 7..30, "state number out of range"),
        ("(", 1..1, "the source state is missing here"),
        ("(0,", 3..3, "a `)` is missing at the end of the line"),
    ] {
        let fault = transition(line.as_bytes()).expect_err(line);
        assert_eq!((fault.message.as_str(), fault.place), (message, place), "{line}");
    }
}

#[test]
fn headers() {
    let header_of = |line: &str| header(line.as_bytes());
    let sizes = |t, s| AutHeader { initial: StateId::FIRST, transitions: t, states: s };
    assert_eq!(header_of("des (0, 2, 3)"), Ok(sizes(Some(2), Some(3))));
    assert_eq!(header_of("des(0,2,3)   \r"), Ok(sizes(Some(2), Some(3))));
    assert_eq!(header_of(" des ( 0 , ? , ? ) "), Ok(sizes(None, None)));
    for wrong in ["", "dfs (0, 1, 2)", "des (0, 1)", "des 0, 1, 2", "des (0, 1, 2) x", "des (, 1, 2)"] {
        assert!(header_of(wrong).is_err(), "{wrong}");
    }
}
