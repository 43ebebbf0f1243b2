//! `lts info`: `docs/schema/lts-info-1.json`.

use super::decisive::DecisiveProperty;
use super::documents::{LtsSize, sizes};
use super::words::{label, size};
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::{Facts, LabelId, Lts, StateId};
use kit::number::counted;
use kit::number::thousands;
use serde::Serialize;
use std::fmt::Write;

/// The number of labels and deadlocks that the text shows.
const SHOWN: usize = 20;

/// The result of `lts info`.
pub struct InfoReport<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The system.
    pub lts: &'a Lts,
    /// The facts about it.
    pub facts: &'a Facts,
    /// The number of initial states of a model, if the system has an additional state before them.
    pub starts: Option<usize>,
    /// A property of a model, if one was asked for.
    pub property: Option<&'a DecisiveProperty<'a>>,
}

/// Labels with their reachable transitions, the most frequent first.
fn uses(lts: &Lts, facts: &Facts) -> Vec<(LabelId, usize)> {
    let mut uses: Vec<(LabelId, usize)> = lts.labels().ids().zip(facts.uses.iter().copied()).collect();
    uses.sort_by_key(|&(label, uses)| (std::cmp::Reverse(uses), label));
    uses
}

impl Report for InfoReport<'_> {
    fn document(&self) -> impl Serialize {
        let &Self { file, lts, facts, .. } = self;
        let labels = uses(lts, facts).into_iter();
        let labels = labels.map(|(label, n)| object!({ label: lts.labels().text(label), transitions: n, }));
        object!({
            schema: "cladist/lts-info-1",
            version: VERSION,
            file,
            initial: lts.initial(),
            lts: sizes(lts),
            reachable: LtsSize { states: facts.reachable_states, transitions: facts.reachable_transitions },
            deadlocks: &facts.deadlocks,
            deterministic: facts.deterministic,
            invisible_transitions: facts.invisible,
            components: object!({
                count: facts.components,
                cyclic: facts.cyclic_components,
                largest: facts.largest_component,
            }),
            labels: labels.collect::<Vec<_>>(),
            property?: self.property.map(|property| property.document(lts.labels())),
        })
    }

    fn text(&self, _: Paint, _: usize) -> String {
        let &Self { file, lts, facts, starts, .. } = self;
        let mut out = format!("{}\n", size(file, lts));
        let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<14} {text}");
        let left = lts.declared_states() - facts.reachable_states;
        let added = starts.map(|n| format!(", added before the {n} initial states of the model"));
        line("initial state", format!("{}{}", lts.initial(), added.unwrap_or_default()));
        line(
            "reachable",
            format!(
                "{}, {}{}",
                counted(facts.reachable_states, "state"),
                counted(facts.reachable_transitions, "transition"),
                if left == 0 { String::new() } else { format!(" ({} unreachable)", counted(left, "state")) }
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
                counted(facts.largest_component, "state")
            ),
        );
        line("invisible", counted(facts.invisible, "transition"));
        out.push_str("\n  transitions    label\n");
        for &(number, uses) in uses(lts, facts).iter().take(SHOWN) {
            let _ = writeln!(out, "  {uses:>11}    {}", label(lts.labels(), number));
        }
        if lts.labels().len() > SHOWN {
            let _ = writeln!(out, "  and {} more labels; --json lists all", lts.labels().len() - SHOWN);
        }
        if let Some(property) = self.property {
            out.push_str(&property.text(lts.labels()));
        }
        out
    }
}
