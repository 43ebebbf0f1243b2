//! Fates of the states of a model, and the labels of decisive steps.

use super::documents::{PropertyText, names, property_document};
use super::words::{in_short, label};
use crate::explicit::object::object;
use explicit::lts::decisive::{DecisiveLabel, FateCounts, StateFate};
use explicit::lts::{LabelId, Labels};
use kit::number::counted;
use kit::number::thousands;
use serde::Serialize;
use std::fmt::Write;

/// A property of states, and what is known of it.
#[derive(Debug)]
pub struct DecisiveProperty<'a> {
    /// The property.
    pub property: PropertyText<'a>,
    /// The fate of the initial state.
    pub start: StateFate,
    /// The numbers of states.
    pub states: FateCounts,
    /// The labels of decisive steps.
    pub labels: Vec<DecisiveLabel>,
}

impl<'a> DecisiveProperty<'a> {
    pub(super) fn document(&self, labels: &Labels) -> impl Serialize + use<'a> {
        let name = |number: LabelId| labels.text(number).into_owned();
        let decisive = self.labels.iter().map(|found| {
            let instead = found.instead.iter();
            let instead =
                instead.map(|other| object!({ label: name(other.label), leads_to: other.fate.word(), }));
            object!({
                label: name(found.label),
                steps: found.steps,
                state: found.state,
                path: names(labels, &found.path),
                instead: instead.collect::<Vec<_>>(),
                always: names(labels, &found.always),
            })
        });
        let FateCounts { lost, safe, open } = self.states;
        object!({
            ..property_document(Some(self.property)),
            holds: self.start == StateFate::Safe,
            states: object!({ lost, safe, open, }),
            decisive: decisive.collect::<Vec<_>>(),
        })
    }

    /// The lines after those about the system.
    pub(super) fn text(&self, labels: &Labels) -> String {
        let FateCounts { lost, safe, open } = self.states;
        let mut out = format!("\n  {:<14} {}\n", "property", self.property.headline());
        if let PropertyText::States { environment: Some(steps), .. } = self.property {
            let _ = writeln!(out, "  {:<14} {}", "environment", steps.join(", "));
        }
        let (safe, open) = (thousands(safe), thousands(open));
        let _ = writeln!(out, "  {:<14} {} lost, {safe} safe, {open} open", "fates", counted(lost, "state"));
        if self.labels.is_empty() {
            let why = match self.start {
                StateFate::Safe => "none: no violation is possible",
                StateFate::Lost => "none: the initial state is lost",
                StateFate::Open if self.states.open == 0 => "none: no state is open",
                StateFate::Open => "none: no step leads from an open state to a lost one",
            };
            let _ = writeln!(out, "  {:<14} {why}", "decisive");
            return out;
        }
        out.push_str("\n  decisive       label\n");
        for found in &self.labels {
            let _ = writeln!(out, "  {:>8}       {}", found.steps, label(labels, found.label));
            let _ = writeln!(out, "                 {}", self.right(found, labels));
        }
        out
    }

    /// The right steps in place of a decisive step.
    fn right(&self, found: &DecisiveLabel, labels: &Labels) -> String {
        const SHOWN: usize = 5;
        let rest = matches!(self.property, PropertyText::States { environment: Some(_), .. });
        let (right, place): (Vec<LabelId>, _) = match found.always.is_empty() {
            false => (found.always.clone(), "right there"),
            true => {
                (found.instead.iter().map(|other| other.label).collect(), "right in the nearest such state")
            }
        };
        if rest && found.always.is_empty() {
            return "right there: to leave it out".to_owned();
        }
        if right.is_empty() {
            return "nothing else is possible in the nearest such state".to_owned();
        }
        let shown = in_short(right.iter().map(|&other| label(labels, other)), SHOWN);
        format!("{place}: {}{shown}", if rest { "to leave it out, " } else { "" })
    }
}
