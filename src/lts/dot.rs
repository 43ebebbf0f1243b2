//! Graphs for Graphviz.

use super::graph::Lts;
use crate::diagnostics::escaped;
use crate::lts::graph::Transition;
use std::io::{self, Write};

/// Writes a system as a graph; the initial state has a double border.
pub fn write(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph lts {{\n  node [shape=circle, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];\n  {} [shape=doublecircle];", lts.initial())?;
    for Transition { from, label, to } in lts.all_transitions() {
        writeln!(out, "  {from} -> {to} [label={}];", quoted(&escaped(&lts.labels().text(label))))?;
    }
    writeln!(out, "}}")
}

/// A quoted string of the DOT language. It may have several lines; other control characters are escaped.
pub fn quoted(text: &str) -> String {
    let lines: Vec<String> =
        text.split('\n').map(|line| escaped(line).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::{Builder, StateId};

    #[test]
    fn labels_are_quoted() {
        let mut builder = Builder::new();
        let label = builder.labels.intern(b"SEND \"x\\y\"\n\x1b[1m");
        builder.add(StateId::FIRST, label, StateId::new(1));
        let mut out = Vec::new();
        write(&builder.finish(StateId::FIRST, 0), &mut out).expect("to memory");
        let text = String::from_utf8(out).expect("UTF-8");
        assert!(text.contains("0 [shape=doublecircle];"), "{text}");
        assert!(text.contains("  0 -> 1 [label=\"SEND \\\"x\\\\y\\\"\\\\n\\\\u{1b}[1m\"];\n"), "{text}");
    }
}
