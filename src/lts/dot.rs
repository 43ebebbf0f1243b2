//! Graphs for Graphviz.

use super::graph::Lts;
use std::io::{self, Write};

/// Writes the whole system as a graph: the initial state with a double border.
pub fn write(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph lts {{\n  node [shape=circle, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];\n  {} [shape=doublecircle];", lts.initial())?;
    for (from, label, to) in lts.triples() {
        writeln!(out, "  {from} -> {to} [label={}];", quoted(&lts.labels().text(label).replace('\n', " ")))?;
    }
    writeln!(out, "}}")
}

/// A string as Graphviz reads it; it can have several lines.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
