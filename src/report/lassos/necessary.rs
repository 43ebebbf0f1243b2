//! Facts that all infinite counterexamples have in common: as lists, and as JSON.

use super::LassoRequest;
use crate::classes::necessary::{FactList, SharedWords, each_individual};
use crate::shared::verdict::extent_of_lassos;
use classify::lassos::{Infinite, LassoConstraint};
use classify::{Atoms, Classification, NecessaryFacts, SharedFact};
use lang::model::{LassoFormulaText, Model};
use std::collections::BTreeSet;
use verify::document::StoredNecessary;

/// The lists that there is something in.
pub fn necessary_lists(request: &LassoRequest<'_>, result: &Classification<Infinite>) -> Vec<FactList> {
    let Some(necessary) = &result.necessary else { return Vec::new() };
    with_words(request, result, necessary, |words| words.lists(necessary, &BTreeSet::new()))
}

/// The document.
pub fn necessary_document(
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
) -> Option<StoredNecessary<LassoFormulaText>> {
    let necessary = result.necessary.as_ref()?;
    let formula = |fact: &SharedFact<Infinite>| {
        (fact.constraint.formula(request.asked.model, &result.atoms), Some(fact.of_each))
    };
    Some(with_words(request, result, necessary, |words| words.document(necessary, formula)))
}

/// Does something with how the facts are spoken of.
fn with_words<T>(
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
    necessary: &NecessaryFacts<Infinite>,
    speak: impl FnOnce(&SharedWords<'_, Infinite>) -> T,
) -> T {
    let (model, atoms) = (request.asked.model, &result.atoms);
    let bound = (!necessary.every_length).then_some(result.lengths.bound());
    let extent = extent_of_lassos(request.fairness, "infinite counterexample", bound);
    speak(&SharedWords {
        every: format!("every {extent} has"),
        every_other: "as has every infinite trace without violation",
        none: format!("no {extent} has"),
        no_other: "nor has any infinite trace without violation",
        undecided: "undecided (in all, some or no infinite counterexamples)",
        show: &|constraint| constraint.show(model, atoms),
        show_each: &|constraint| each_text(model, atoms, constraint),
    })
}

/// A constraint that holds of each of its individuals by itself: `∀ p ∈ Process : again waiting(p)`.
fn each_text(model: &Model, atoms: &Atoms, constraint: &LassoConstraint) -> String {
    let names = constraint.names(model, atoms);
    let individuals = each_individual(model, atoms, &names.individuals, &constraint.individuals);
    let facts = constraint.show_facts(model, atoms).join(" ∧ ");
    match names.positions.is_empty() {
        true => format!("{individuals} : {facts}"),
        false => format!("{individuals} ∃ {} : {facts}", names.positions.join(", ")),
    }
}
