//! Tests of `explicit::lts::dot`.

use explicit::lts::aut::ReadError;
use explicit::lts::dot::*;
use explicit::lts::graph::Lts;
use explicit::lts::{LtsBuilder, StateId};
use kit::budget::Budget;

#[test]
fn labels_are_quoted() {
    let mut builder = LtsBuilder::new();
    let label = builder.labels.intern(b"SEND \"x\\y\"\n\x1b[1m");
    builder.add(StateId::FIRST, label, StateId::new(1));
    let mut out = Vec::new();
    write(&builder.finish(StateId::FIRST, 0), &mut out).expect("to memory");
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(text.contains("0 [shape=doublecircle];"), "{text}");
    assert!(text.contains("  0 -> 1 [label=\"SEND \\\"x\\\\y\\\"\\\\n\\\\u{1b}[1m\"];\n"), "{text}");
}

/// Initial state, number of states, and transitions.
fn told(lts: &Lts) -> String {
    let steps: Vec<String> = lts
        .all_transitions()
        .map(|step| format!("{} {} {}", step.from, lts.labels().text(step.label), step.to))
        .collect();
    format!("{}/{}: {}", lts.initial(), lts.declared_states(), steps.join(", "))
}

fn system(text: &str) -> String {
    match read(text.as_bytes(), "g.dot", &Budget::unlimited()) {
        Ok(lts) => told(&lts),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn what_is_written_is_read() {
    let mut builder = LtsBuilder::new();
    for (from, label, to) in [(2, "SEND !\"a\\b\"", 0), (0, "i", 1), (1, "ä", 2)] {
        let label = builder.labels.intern(label.as_bytes());
        builder.add(StateId::new(from), label, StateId::new(to));
    }
    let lts = builder.finish(StateId::new(1), 3);
    let mut out = Vec::new();
    write(&lts, &mut out).expect("to memory");
    assert_eq!(system(&String::from_utf8(out).expect("UTF-8")), told(&lts));
}

#[test]
fn graphs_of_other_tools_are_read() {
    for (text, expected) in [
        // As Graphviz writes it: attributes on several lines, layout, defaults.
        (
            "digraph \"a b\" {\n\tgraph [bb=\"0,0,54,180\"];\n\tnode [label=\"\\N\"];\n\tq0\t[height=0.5,\n\t\tpos=\"27,162\"];\n\t\
             q0 -> q1\t[label=\"a\\nb\",\n\t\tlp=\"30.5,90\",\n\t\tpos=\"e,27,36 27,143\"];\n}\n",
            "0/2: 0 a b 1",
        ),
        ("strict digraph{a->b->c[label=x];c->a[color=red][label=<y>]}", "0/3: 0 x 1, 1 x 2, 2 y 0"),
        // The initial state is where an edge from a point leads, or has a double border.
        ("digraph { s [shape=point]; b -> a [label=x]; s -> a; }", "0/2: 1 x 0"),
        ("digraph { node [shape=point]; s; node [shape=circle]; b -> a [label=x]; s -> a }", "0/2: 1 x 0"),
        ("digraph { { node [style=invis] s } b -> a [label=x]; s -> a }", "0/2: 1 x 0"),
        ("digraph { b -> a [label=x]; a [peripheries=2]; }", "0/2: 1 x 0"),
        ("digraph { 1 -> 0 [label=x]; 0 [shape=doublecircle] }", "0/2: 1 x 0"),
        ("digraph { 1 -> 0 [label=x]; }", "1/2: 1 x 0"),
        (
            "// c\n# 1 \"f\"\ndigraph { /* c */ edge [label=i]; subgraph c { a -> b } ; b:n -> a:s [label=-1.5] }",
            "0/2: 0 i 1, 1 -1.5 0",
        ),
        ("digraph { a [label=\"x\" + \"y\"] }", "0/1: "),
        ("digraph { s [shape=none]; b -> a [label=x]; s -> a [label=\"\"] }", "0/2: 1 x 0"),
    ] {
        assert_eq!(system(text), expected, "{text}");
    }
}

#[test]
fn mistakes_have_a_place() {
    for (text, line, message) in [
        ("", None, "expected `digraph`"),
        ("graph { a -- b }", Some(1), "the edges of this graph have no direction"),
        ("digraph { a -- b [label=x] }", Some(1), "this edge has no direction"),
        ("digraph {\n  a -> b;\n}", Some(2), "this edge has no label"),
        // What an edge leads to, or one with a label from, marks no initial state.
        ("digraph { node [shape=none]\n a -> b; b -> a [label=x] }", Some(2), "this edge has no label"),
        ("digraph { a [shape=none]\n a -> b; a -> c [label=x] }", Some(2), "this edge has no label"),
        ("digraph {\n  a -> [label=x];\n}", Some(2), "expected a name, a number or a quoted string"),
        (
            "digraph {\n  a -> b [label=\"x];\n}",
            Some(2),
            "this is not closed: a quotation, a comment or angle brackets",
        ),
        ("digraph { }", None, "the graph has no nodes, hence no initial state"),
        ("digraph { a -> {b c} [label=x] }", Some(1), "an edge to a subgraph"),
        (
            "digraph { a [peripheries=2]; b [peripheries=2] }",
            None,
            "several nodes look like initial states: a, b",
        ),
        ("digraph { a -> b [label=x] } }", Some(1), "there is more after the graph"),
        ("digraph { subgraph { edge [label=x]; a -> b } b -> c }", Some(1), "this edge has no label"),
    ] {
        match read(text.as_bytes(), "g.dot", &Budget::unlimited()) {
            Err(ReadError::Mistakes(found, sources)) => {
                let span = found[0].span.map(|span| sources.line_column(span).0);
                assert_eq!(found[0].message, message, "{text}");
                assert!(line.is_none() || span == line, "{text}: {span:?}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
