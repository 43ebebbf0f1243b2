//! Graphs in the DOT language of Graphviz.

mod read;
mod token;

pub use read::read;

use super::graph::Lts;
use crate::lts::graph::LtsTransition;
use kit::diagnostics::escaped;
use std::io::{self, Write};

/// Writes a system as a graph; the initial state has a double border.
pub fn write(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph lts {{\n  node [shape=circle, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];\n  {} [shape=doublecircle];", lts.initial())?;
    for LtsTransition { from, label, to } in lts.all_transitions() {
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
