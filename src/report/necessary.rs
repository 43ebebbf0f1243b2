//! What all violating traces have in common: as lists, and as JSON.

use super::ClassifyRequest;
use super::verdict::extent;
use crate::classify::{Atoms, Classification, Necessary, SharedFact};
use crate::model::{Model, TraceFormulaText};
use serde::Serialize;
use std::collections::BTreeSet;

/// A list of facts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FactList {
    /// What is said of them.
    pub title: String,
    /// The facts in the paper's notation, with remarks.
    pub lines: Vec<String>,
}

/// The lists that there is something in. What a cover lists by itself is left out of a short one.
pub(super) fn necessary_lists(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<FactList> {
    let Some(necessary) = &result.necessary else { return Vec::new() };
    let (model, atoms) = (request.model, &result.atoms);
    let within = match necessary.every_length {
        true => "whatever length".to_owned(),
        false => extent(result.lengths),
    };
    let listed: BTreeSet<String> = result
        .cover
        .iter()
        .filter(|_| !necessary.full)
        .flat_map(|cover| cover.necessary.iter().map(|constraint| constraint.show(model, atoms)))
        .collect();
    let lines = |facts: &[SharedFact], idle: &str| -> Vec<String> {
        let line = |fact: &SharedFact| {
            let text = fact_text(model, atoms, fact);
            if fact.telling { text } else { format!("{text}  ({idle})") }
        };
        facts.iter().map(line).filter(|line| !listed.contains(line)).collect()
    };
    let constraints = necessary.undecided.iter().map(|constraint| constraint.show(model, atoms));
    let mut lists = vec![
        FactList {
            title: format!("every {} has", request.view.wording.of_length(&within)),
            lines: lines(&necessary.always, "as has every other trace that long"),
        },
        FactList {
            title: format!("no {} has", request.view.wording.of_length(&within)),
            lines: lines(
                &necessary.never,
                if necessary.every_length {
                    "nor has any trace without violation"
                } else {
                    "nor has any other trace"
                },
            ),
        },
        FactList {
            title: request
                .view
                .wording
                .choose(
                    "not decided whether every violating trace has it, or none",
                    "not decided whether every trace that gets there has it, or none",
                )
                .to_owned(),
            lines: constraints.collect(),
        },
        FactList {
            title: "not looked at, as they have too many values".to_owned(),
            lines: necessary.skipped.clone(),
        },
    ];
    lists.retain(|list| !list.lines.is_empty());
    if let Some(last) = lists.last_mut().filter(|_| necessary.more > 0) {
        last.lines.push(format!("and {} more: --necessary shows them", necessary.more));
    }
    lists
}

/// The fact in the paper's notation; of each of its individuals by itself if it is so of each.
fn fact_text(model: &Model, atoms: &Atoms, fact: &SharedFact) -> String {
    let text = fact.constraint.show(model, atoms);
    if !fact.of_each {
        return text;
    }
    let SharedFact { constraint, .. } = fact;
    let names = constraint.names(model, atoms);
    let types = constraint.individuals.iter().map(|&domain| model.types.name(atoms.type_of(domain)));
    let each: Vec<String> =
        names.individuals.iter().zip(types).map(|(name, ty)| format!("{name} ∈ {ty}")).collect();
    let positions = names.positions.join(", ");
    let facts = constraint.show_facts(model, atoms);
    format!("∀ {} ∃ {positions} ∈ [0..len(ρ)] : {facts}", each.join(", "))
}

/// What all violating traces have in common.
#[derive(Debug, Serialize)]
pub struct NecessaryDocument {
    /// Whether everything was asked for, and not only what is told quickly.
    pub full: bool,
    /// Whether it is so of violating traces of every length, and not only up to the bound.
    pub every_length: bool,
    /// What every violating trace has.
    pub always: Vec<SharedFactDocument>,
    /// What no violating trace has.
    pub never: Vec<SharedFactDocument>,
    /// What was not decided, in the paper's notation.
    pub undecided: Vec<String>,
    /// Observables with too many values, which were not looked at.
    pub skipped: Vec<String>,
    /// How many facts were left out of a short list.
    pub more: usize,
}

/// A fact that all violating traces have, or none.
#[derive(Debug, Serialize)]
pub struct SharedFactDocument {
    /// In the paper's notation.
    pub constraint: String,
    /// In the language of models.
    pub formula: TraceFormulaText,
    /// Whether it tells violating traces from others.
    pub telling: bool,
}

/// The document of what all violating traces have in common.
pub(super) fn necessary_document(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    necessary: &Necessary,
) -> NecessaryDocument {
    let model = request.model;
    let facts = |facts: &[SharedFact]| {
        let document = |fact: &SharedFact| SharedFactDocument {
            constraint: fact_text(model, atoms, fact),
            formula: TraceFormulaText { of_each: fact.of_each, ..fact.constraint.formula(model, atoms) },
            telling: fact.telling,
        };
        facts.iter().map(document).collect()
    };
    NecessaryDocument {
        full: necessary.full,
        every_length: necessary.every_length,
        always: facts(&necessary.always),
        never: facts(&necessary.never),
        undecided: necessary.undecided.iter().map(|c| c.show(model, atoms)).collect(),
        skipped: necessary.skipped.clone(),
        more: necessary.more,
    }
}
