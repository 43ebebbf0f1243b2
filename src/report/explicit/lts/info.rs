//! `lts info`: `docs/schema/lts-info-1.json`.

use super::decisive::{Decisive, DecisiveDocument};
use super::documents::SystemDocument;
use super::words::{count, label, size};
use crate::shared::document::VERSION;
use crate::writing::digits::thousands;
use explicit::lts::{Facts, LabelId, Lts, StateId};
use serde::Serialize;
use std::fmt::Write;

/// The number of labels and deadlocks that the text shows.
const SHOWN: usize = 20;

/// The result to report.
pub struct InfoRequest<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The system.
    pub lts: &'a Lts,
    /// The facts about it.
    pub facts: &'a Facts,
    /// The number of initial states of a model, if the system has an additional state before them.
    pub starts: Option<usize>,
    /// A property of a model, if one was asked for.
    pub property: Option<&'a Decisive<'a>>,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct InfoDocument<'a> {
    schema: &'static str,
    version: &'static str,
    file: &'a str,
    initial: StateId,
    lts: SystemDocument,
    reachable: Reachable,
    deadlocks: &'a [StateId],
    deterministic: bool,
    invisible_transitions: usize,
    components: ComponentsDocument,
    labels: Vec<LabelUse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<DecisiveDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct Reachable {
    states: usize,
    transitions: usize,
}

#[derive(Debug, Serialize)]
struct ComponentsDocument {
    count: usize,
    cyclic: usize,
    largest: usize,
}

#[derive(Debug, Serialize)]
struct LabelUse {
    label: String,
    transitions: usize,
}

/// Labels with their reachable transitions, the most frequent first.
fn uses(lts: &Lts, facts: &Facts) -> Vec<(LabelId, usize)> {
    let mut uses: Vec<(LabelId, usize)> = lts.labels().ids().zip(facts.uses.iter().copied()).collect();
    uses.sort_by_key(|&(label, uses)| (std::cmp::Reverse(uses), label));
    uses
}

/// The document for a system.
pub fn info_document<'a>(request: &InfoRequest<'a>) -> InfoDocument<'a> {
    let &InfoRequest { file, lts, facts, .. } = request;
    let labels = lts.labels();
    InfoDocument {
        schema: "cladist/lts-info-1",
        version: VERSION,
        file,
        initial: lts.initial(),
        lts: lts.into(),
        reachable: Reachable { states: facts.reachable_states, transitions: facts.reachable_transitions },
        deadlocks: &facts.deadlocks,
        deterministic: facts.deterministic,
        invisible_transitions: facts.invisible,
        components: ComponentsDocument {
            count: facts.components,
            cyclic: facts.cyclic_components,
            largest: facts.largest_component,
        },
        labels: uses(lts, facts)
            .into_iter()
            .map(|(label, transitions)| LabelUse { label: labels.text(label).into_owned(), transitions })
            .collect(),
        property: request.property.map(|property| property.document(labels)),
    }
}

/// The facts as text.
pub fn info_text(request: &InfoRequest<'_>) -> String {
    let &InfoRequest { file, lts, facts, starts, .. } = request;
    let mut out = format!("{}\n", size(file, lts));
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<14} {text}");
    let left = lts.declared_states() - facts.reachable_states;
    let added = starts.map(|n| format!(", added before the {n} initial states of the model"));
    line("initial state", format!("{}{}", lts.initial(), added.unwrap_or_default()));
    line(
        "reachable",
        format!(
            "{}, {}{}",
            count(facts.reachable_states, "state"),
            count(facts.reachable_transitions, "transition"),
            if left == 0 { String::new() } else { format!(" ({} unreachable)", count(left, "state")) }
        ),
    );
    line("deterministic", if facts.deterministic { "yes" } else { "no" }.to_owned());
    let shown: Vec<String> = facts.deadlocks.iter().take(SHOWN).map(StateId::to_string).collect();
    line(
        "deadlocks",
        match facts.deadlocks.len() {
            0 => "none".to_owned(),
            1 => format!("1, state {}", shown.join("")),
            n if n > SHOWN => format!("{}, states {}, …", thousands(n), shown.join(", ")),
            n => format!("{}, states {}", thousands(n), shown.join(", ")),
        },
    );
    line(
        "components",
        format!(
            "{}, {} of them with a cycle, the largest has {}",
            thousands(facts.components),
            thousands(facts.cyclic_components),
            count(facts.largest_component, "state")
        ),
    );
    line("invisible", count(facts.invisible, "transition"));
    out.push_str("\n  transitions    label\n");
    for &(number, uses) in uses(lts, facts).iter().take(SHOWN) {
        let _ = writeln!(out, "  {uses:>11}    {}", label(lts.labels(), number));
    }
    if lts.labels().len() > SHOWN {
        let _ = writeln!(out, "  and {} more labels; --json lists all", lts.labels().len() - SHOWN);
    }
    if let Some(property) = request.property {
        out.push_str(&property.text(lts.labels()));
    }
    out
}
