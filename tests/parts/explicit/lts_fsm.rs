//! Tests of `explicit::lts::fsm`.

use explicit::lts::fsm::*;
use explicit::lts::graph::Lts;
use kit::budget::Budget;

fn read_text(text: &str) -> Result<Lts, String> {
    read(text.as_bytes(), "s.fsm", &Budget::unlimited()).map_err(|error| error.to_string())
}

#[test]
fn sections_are_read() {
    let text = "n(2) Nat \"0\" \"1\"\n---\n0\n1\n---\n1 2 \"a(1)\"\n2 1 \"say \"hello\"\"\n2 2 \"tau\"\n";
    let lts = read_text(text).expect("a system");
    assert_eq!((lts.declared_states(), lts.transitions(), lts.initial().to_u32()), (2, 3, 0));
    assert!(lts.labels().find(b"say \"hello\"").is_some());
    // Without parameters, the lines of states are empty.
    assert_eq!(read_text("---\n\n\n---\n1 2 \"a\"\n").expect("a system").declared_states(), 2);
}

#[test]
fn mistakes_are_found() {
    for (text, message) in [
        ("---\n0\n---\n1 2 \"a\"\n", "there is no state 2"),
        ("---\n0\n---\n1 1 a\n", "not between quotes"),
        ("---\n0\n---\n1 1\n", "the label is missing"),
        ("---\n0\n---\nx\n", "the number of a state is missing"),
        ("---\n0\n---\n1 [1 1/2] \"a\"\n", "a probability distribution"),
        ("---\n0\n---\n0 1 \"a\"\nx\n", "(and 1 more)"),
        ("des (0, 0, 1)\n", "fewer than two lines"),
    ] {
        let found = read_text(text).expect_err(text);
        assert!(found.contains(message), "{found}");
    }
}
