//! Counterexamples and witnesses as graphs for Graphviz.

use super::CtlShown;
use super::words::{Texts, holding, served};
use engines::ctl::Part;
use explicit::lts::dot::quoted;
use std::io::{self, Write};

/// Writes the states with what they show, and the steps with what they are for; the initial state has a double border.
pub fn ctl_dot(shown: &CtlShown, out: &mut dyn Write) -> io::Result<()> {
    let mut texts = Texts::new(&shown.goal.formula);
    let mut texts = |parts: Vec<Part>| parts.into_iter().map(|part| texts.of(part)).collect::<Vec<_>>();
    writeln!(out, "digraph shown {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];")?;
    for (at, (state, shows)) in shown.states.iter().zip(holding(shown)).enumerate() {
        let mut lines = vec![match state.number {
            Some(number) => format!("{at} (state {number})"),
            None => at.to_string(),
        }];
        lines.extend(state.values.iter().map(|value| format!("{} = {}", value.name, value.text)));
        lines.push("⊨ ".to_owned() + &texts(shows).join("\n⊨ "));
        let border = if at == 0 { ", peripheries=2" } else { "" };
        writeln!(out, "  {at} [label={}{border}];", quoted(&lines.join("\n")))?;
    }
    for (step, serves) in shown.steps.iter().zip(served(shown)) {
        let label =
            format!("{}\n{}", step.labels.first().map_or("", String::as_str), texts(serves).join("\n"));
        writeln!(out, "  {} -> {} [label={}];", step.from, step.to, quoted(label.trim_end()))?;
    }
    writeln!(out, "}}")
}
