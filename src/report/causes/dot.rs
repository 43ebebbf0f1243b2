//! A causal tree as a graph for Graphviz.

use super::CausalRequest;
use super::words::{kind_title, reason_words};
use crate::traces::trace_text::label_text;
use classify::causes::tree::CausalTree;
use explicit::lts::dot::quoted;
use lang::model::Position;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The graph: a cluster for each kind, with the steps of its shortest trace; an edge leads from a step to one that needs it, with the conditions that it
/// establishes.
pub fn causal_dot(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let mut out = String::from("digraph causes {\n  rankdir=BT; labelloc=b; fontname=\"sans-serif\";\n");
    out += "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
    for (index, kind) in tree.kinds.iter().enumerate() {
        let (number, way) = (index + 1, &kind.ways[0]);
        let name = |step: usize| format!("kind_{number}_{step}");
        let title = format!("{number}  {}", kind_title(request, tree, kind));
        let _ = writeln!(out, "  subgraph cluster_{number} {{\n    label={};", quoted(&title));
        let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for reason in reason_words(request.problem, &request.property.name, way) {
            let to = reason.step.unwrap_or(0);
            for from in reason.because {
                edges.entry((from, to)).or_default().push(reason.condition.clone());
            }
        }
        if way.round.is_some() || way.trace.is_empty() {
            let violation = format!("{} is violated", request.property.name);
            let _ = writeln!(out, "    {} [shape=ellipse, label={}];", name(0), quoted(&violation));
        }
        for step in 1..=way.trace.len() {
            let label = label_text(request.problem.model(), &way.trace, Position::after(step));
            let is_last = way.round.is_none() && step == way.trace.len();
            let border = if is_last { ", peripheries=2" } else { "" };
            let _ =
                writeln!(out, "    {} [label={}{border}];", name(step), quoted(&format!("{step} {label}")));
        }
        for ((from, to), conditions) in edges {
            let label = quoted(&conditions.join("\n"));
            let _ = writeln!(out, "    {} -> {} [label={label}];", name(from), name(to));
        }
        out += "  }\n";
    }
    out + "}\n"
}
