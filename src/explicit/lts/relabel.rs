//! Other labels for a system: hiding and renaming.

use super::graph::{Lts, LtsBuilder};
use super::labels::{LabelId, as_text};
use super::property::LabelPattern;
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;
use std::borrow::Cow;

/// A rule for labels that a pattern matches as a whole. Rules apply one after the other.
#[derive(Debug, Clone)]
pub enum Relabelling {
    /// They become the invisible action `i`.
    Hide(LabelPattern),
    /// They become this label.
    Rename(LabelPattern, String),
}

/// The system with one spelling of the internal action, if it has both, `i` and `tau`: the first of them. States keep their numbers.
///
/// # Errors
/// If the budget is exhausted.
pub(super) fn one_invisible(lts: &Lts, budget: &Budget) -> Result<Option<Lts>, Exhausted> {
    let labels = lts.labels();
    let mut silent = labels.ids().filter(|&label| labels.is_invisible(label));
    let (Some(first), Some(_)) = (silent.next(), silent.next()) else { return Ok(None) };
    let of = |label| if labels.is_invisible(label) { first } else { label };
    let renamed: Vec<LabelId> = labels.ids().map(of).collect();
    with_labels(lts, LtsBuilder::with_labels(labels.clone()), &renamed, budget).map(Some)
}

/// A system with other labels. States keep their numbers.
///
/// # Errors
/// If the budget is exhausted.
pub fn relabel(lts: &Lts, rules: &[Relabelling], budget: &Budget) -> Result<Lts, Exhausted> {
    let mut builder = LtsBuilder::new();
    let labels = lts.labels();
    let renamed: Vec<LabelId> = labels
        .ids()
        .map(|label| {
            let mut name: Cow<'_, [u8]> = labels.get(label).into();
            for rule in rules {
                let (pattern, new) = match rule {
                    Relabelling::Hide(pattern) => (pattern, "i"),
                    Relabelling::Rename(pattern, new) => (pattern, new.as_str()),
                };
                if pattern.matches(&as_text(&name)) {
                    name = Cow::Borrowed(new.as_bytes());
                }
            }
            builder.labels.intern(&name)
        })
        .collect();
    with_labels(lts, builder, &renamed, budget)
}

/// A system with another label of the builder for each of its own.
fn with_labels(
    lts: &Lts,
    mut builder: LtsBuilder,
    renamed: &[LabelId],
    budget: &Budget,
) -> Result<Lts, Exhausted> {
    lts.all_transitions().for_each(|step| builder.add(step.from, renamed[step.label.index()], step.to));
    let renamed = builder.finish_within(lts.initial(), to_u32(lts.declared_states()), budget)?;
    Ok(renamed.choosing_start(lts.chooses_start()))
}
