//! `docs/schema/ctl-1.json`.

use super::words::{PartTexts, holding, served};
use super::{CtlReport, CtlShown, CtlState, ctl_text};
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::{VERSION, diagnostic_document};
use crate::shared::proof::proof_words;
use crate::writing::paint::Paint;
use engines::ctl::{CtlVerdict, NoPath, Subformula, WitnessShape};
use engines::decide::Basis;
use serde::Serialize;
use serde_json::{Map, Value as Json};

impl Report for CtlReport<'_> {
    fn document(&self) -> impl Serialize {
        let shown = self.shown.as_ref();
        let (verdict, holds, reason) = match &self.verdict {
            CtlVerdict::Holds => ("holds", Some(true), None),
            CtlVerdict::Violated => ("violated", Some(false), None),
            CtlVerdict::Undecided(reason) => ("undecided", None, Some(reason)),
        };
        object!({
            schema: "cladist/ctl-1",
            version: VERSION,
            file: self.file,
            property: self.property,
            formula: &self.formula,
            class: self.class.word(),
            fairness: &self.fairness,
            strong_fairness: &self.strong_fairness,
            verdict,
            holds,
            definite: holds.is_some(),
            reason: reason.or(self.nothing_shown.as_ref()),
            basis: basis(&self.basis),
            scope: match self.basis {
                Basis::Scope(scope) => Some(scope),
                Basis::States { .. } | Basis::Diagrams { .. } | Basis::Proof(_) => None,
            },
            kind: match shown.map(|s| s.shape) {
                None => "none",
                Some(WitnessShape::Path) => "path",
                Some(WitnessShape::Lasso(_)) => "lasso",
                Some(WitnessShape::Subgraph) => "subgraph",
            },
            shows: shown.map(|s| s.goal.formula.text(s.goal.formula.root)),
            states: shown.map_or(Vec::new(), states),
            transitions: shown.map_or(Vec::new(), transitions),
            loop: shown.and_then(|s| match s.shape {
                WitnessShape::Lasso(back) => Some(back),
                WitnessShape::Path | WitnessShape::Subgraph => None,
            }),
            length: shown.map(|s| s.steps.len()),
            minimal: shown.map(|s| s.minimal),
            no_path: shown.and_then(|s| {
                let (impossible, up_to) = match s.no_path? {
                    NoPath::Impossible => (true, None),
                    NoPath::UpTo(n) => (false, Some(n)),
                    NoPath::NotWanted => return None,
                };
                Some(object!({ impossible, up_to_states: up_to, }))
            }),
            evidence: shown.map_or(Vec::new(), evidence),
            warnings: self.warnings.iter().map(|w| diagnostic_document(w, self.sources)).collect::<Vec<_>>(),
            seconds: self.seconds,
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        ctl_text(self, paint)
    }
}

/// The evidence of a verdict; a number of states with more than 64 bits is written as a text.
fn basis(basis: &Basis) -> impl Serialize + use<> {
    let (by, states, transitions, proof) = match basis {
        Basis::States { states, transitions } => {
            ("states", Some(Json::from(*states)), Some(*transitions), None)
        }
        Basis::Diagrams { states } => {
            let number = u64::try_from(states).map_or_else(|_| states.to_string().into(), Json::from);
            ("diagrams", Some(number), None, None)
        }
        Basis::Scope(_) => ("scope", None, None, None),
        Basis::Proof(proof) => ("proof", None, None, Some(proof_words(proof))),
    };
    object!({ by, states, transitions, proof, })
}

/// Parts of the formula as texts.
fn texts(texts: &mut PartTexts<'_>, parts: Vec<Subformula>) -> Vec<String> {
    parts.into_iter().map(|part| texts.of(part).to_string()).collect()
}

fn states(shown: &CtlShown) -> Vec<impl Serialize + use<>> {
    let values = |state: &CtlState| {
        let values = state.values.iter().map(|value| (value.name.clone(), value.json.clone()));
        Some(values.collect::<Map<String, Json>>()).filter(|values| !values.is_empty())
    };
    let mut names = PartTexts::new(&shown.goal.formula);
    let states = shown.states.iter().zip(holding(shown));
    states
        .map(|(s, shows)| object!({ number: s.number, values: values(s), shows: texts(&mut names, shows), }))
        .collect()
}

fn transitions(shown: &CtlShown) -> Vec<impl Serialize + use<'_>> {
    let mut names = PartTexts::new(&shown.goal.formula);
    let steps = shown.steps.iter().zip(served(shown));
    steps
        .map(|(step, serves)| {
            object!({
                from: step.from,
                to: step.to,
                labels: &step.labels,
                serves: texts(&mut names, serves),
            })
        })
        .collect()
}

fn evidence(shown: &CtlShown) -> Vec<impl Serialize + use<>> {
    let mut texts = PartTexts::new(&shown.goal.formula);
    let document = |e: &engines::ctl::CtlEvidence| {
        object!({
            state: e.state,
            formula: texts.of(e.part).to_string(),
            here: e.here.clone(),
            step: e.step.map(|(to, evidence)| object!({ to, evidence, })),
        })
    };
    shown.evidence.iter().map(document).collect()
}
