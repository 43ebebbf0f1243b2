//! Protocols in Alice–Bob notation: their claims are as the literature says, and as those of the same protocols written role by role.

use cladist::budget::Budget;
use cladist::protocol::{PatternVerdict, Patterns, ProtocolScope, Protocols, load_text};
use std::collections::BTreeMap;
use std::path::Path;

const MOST: (usize, usize) = (4, 50_000);

fn read(name: &str, text: &str) -> Protocols {
    let loaded = load_text(name, text, &Budget::unlimited());
    assert!(loaded.diagnostics.is_empty(), "{name}: {:?}", loaded.diagnostics);
    loaded.protocols.expect("protocols")
}

/// The claims by their labels: true if there is an attack, false if there is none with any number of runs or up to three.
fn attacked(name: &str, protocols: &Protocols) -> BTreeMap<String, bool> {
    let patterns = Patterns::new(protocols, ProtocolScope::default()).expect("patterns");
    let decided = patterns.claims().into_iter().map(|(role, event)| {
        let label = protocols.roles[role.index()].events[event].label.clone();
        let verdict = patterns.decide(role, event, MOST, &Budget::unlimited());
        let attacked = match verdict {
            PatternVerdict::Attacked { .. } => true,
            PatternVerdict::Proved => false,
            PatternVerdict::UpTo { runs } => {
                assert!(runs >= 3, "{name} {label}: {verdict:?}");
                false
            }
        };
        (label, attacked)
    });
    decided.collect()
}

#[test]
fn message_lists_of_the_literature_are_as_they_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/alice-bob");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let (name, text) = (path.display().to_string(), std::fs::read_to_string(&path).expect("a text"));
        let found = attacked(&name, &read(&name, &text));
        let expected = text.lines().filter_map(|line| line.strip_prefix("# Expect: ")?.split_once(' '));
        let expected = expected.map(|(label, word)| (label.to_owned(), word == "attack"));
        assert_eq!(found, expected.collect(), "{name}");
        compared += found.len();
    }
    assert!(compared > 20);
}

/// A protocol with the head and the goals of all of them.
fn message_list(knowledge: &str, actions: &str, goals: &str) -> String {
    format!(
        "Protocol: p\nTypes: Agent A, B, s; Number NA, NB; Symmetric_key K; Function pk, sk, h;\n\
         Knowledge: {knowledge}\nActions: {actions}\nGoals: {goals}"
    )
}

/// Checks message lists with one goal of secrecy, each with the verdict of A.
fn assert_secret(cases: &[(&str, &str, &str, bool)]) {
    for (why, knowledge, actions, is_secret) in cases {
        let text = message_list(knowledge, actions, "NA secret between A, B");
        let found = attacked(why, &read("p.anb", &text));
        assert_eq!(found["G1A"], !is_secret, "{why}\n{text}");
    }
}

#[test]
fn the_attacker_has_what_one_of_the_agents_would_have() {
    assert_secret(&[
        ("a key of two", "A: A, B, sk(A, B); B: A, B, sk(A, B)", "A->B: {|NA|}sk(A, B)", true),
        (
            "a key of the server",
            "A: A, B, s, sk(A, s); B: B, A; s: sk(A, s)",
            "A->s: {|NA|}sk(A, s)\nB->A: B",
            true,
        ),
        ("a function that A has", "A: A, B, sk; B: A, B, sk", "A->B: {|NA|}sk(A, B)", false),
        ("a public key", "A: A, B, pk(B); B: A, B, pk(B), inv(pk(B))", "A->B: {NA}pk(B)", true),
        ("a signature", "A: A, B, pk(A), inv(pk(A)); B: A, B, pk(A)", "A->B: {NA}inv(pk(A))", false),
        ("a key in the clear", "A: A, B; B: A, B, pk(B), inv(pk(B))", "B->A: pk(B)\nA->B: {NA}pk(B)", false),
        ("a hash", "A: A, B, h; B: A, B, h, sk(A, B)", "A->B: h(NA)\nB->A: NB", true),
    ]);
}

#[test]
fn agents_compare_what_they_see_later() {
    let knowledge = "A: A, B, h, sk(A, B); B: A, B, h, sk(A, B)";
    // B learns NB's key after it has received what is encrypted with it.
    let late = message_list(
        knowledge,
        "A->B: {|NA|}K, h(NA)\nB->A: NB\nA->B: {|K, NB|}sk(A, B)",
        "B authenticates A on NA",
    );
    assert!(!attacked("late", &read("p.anb", &late))["G1B"]);
    let unseen =
        message_list(knowledge, "A->B: NA\nB->A: NB\nA->B: {|K, NB|}sk(A, B)", "B authenticates A on NA");
    assert!(attacked("unseen", &read("p.anb", &unseen))["G1B"]);
}
