//! `docs/schema/ctl-1.json`.

use super::words::{Texts, holding, proof_words, served};
use super::{CtlRequest, CtlShown};
use crate::shared::document::{VERSION, diagnostic_document};
use engines::ctl::{NoPath, Part, Shape, Verdict};
use engines::decide::Basis;
use explicit::lts::StateId;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use verify::document::StoredFinding;

/// The document.
#[derive(Debug, Serialize)]
pub struct CtlDocument<'a> {
    schema: &'static str,
    version: &'static str,
    file: &'a str,
    property: Option<&'a str>,
    formula: &'a str,
    class: &'static str,
    fairness: &'a [String],
    strong_fairness: &'a [String],
    verdict: &'static str,
    /// `null` where it is not known.
    holds: Option<bool>,
    definite: bool,
    reason: Option<&'a str>,
    basis: BasisDocument,
    scope: Option<usize>,
    kind: &'static str,
    shows: Option<String>,
    states: Vec<StateDocument>,
    transitions: Vec<StepDocument<'a>>,
    r#loop: Option<usize>,
    length: Option<usize>,
    minimal: Option<bool>,
    no_path: Option<NoPathDocument>,
    evidence: Vec<EvidenceDocument>,
    warnings: Vec<StoredFinding>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct BasisDocument {
    by: &'static str,
    /// A number, or its digits where it has more than 64 bits.
    states: Option<Json>,
    transitions: Option<usize>,
    proof: Option<String>,
}

#[derive(Debug, Serialize)]
struct StateDocument {
    number: Option<StateId>,
    values: Option<Map<String, Json>>,
    shows: Vec<String>,
}

#[derive(Debug, Serialize)]
struct StepDocument<'a> {
    from: usize,
    to: usize,
    labels: &'a [String],
    serves: Vec<String>,
}

#[derive(Debug, Serialize)]
struct NoPathDocument {
    impossible: bool,
    up_to_states: Option<usize>,
}

#[derive(Debug, Serialize)]
struct EvidenceDocument {
    state: StateId,
    formula: String,
    here: Vec<usize>,
    step: Option<EvidenceStep>,
}

#[derive(Debug, Serialize)]
struct EvidenceStep {
    to: StateId,
    evidence: usize,
}

/// The document for a result.
pub fn ctl_document<'a>(request: &'a CtlRequest<'_>) -> CtlDocument<'a> {
    let shown = request.shown.as_ref();
    let (verdict, holds, reason) = match &request.verdict {
        Verdict::Holds => ("holds", Some(true), None),
        Verdict::Violated => ("violated", Some(false), None),
        Verdict::Undecided(reason) => ("undecided", None, Some(reason.as_str())),
    };
    let none = BasisDocument { by: "scope", states: None, transitions: None, proof: None };
    CtlDocument {
        schema: "cladist/ctl-1",
        version: VERSION,
        file: request.file,
        property: request.property,
        formula: &request.formula,
        class: request.class.word(),
        fairness: &request.fairness,
        strong_fairness: &request.strong_fairness,
        verdict,
        holds,
        definite: holds.is_some(),
        reason: reason.or(request.nothing_shown.as_deref()),
        basis: match &request.basis {
            Basis::States { states, transitions } => BasisDocument {
                by: "states",
                states: Some((*states).into()),
                transitions: Some(*transitions),
                proof: None,
            },
            Basis::Diagrams { states } => BasisDocument {
                by: "diagrams",
                states: Some(u64::try_from(states).map_or_else(|_| states.to_string().into(), Json::from)),
                ..none
            },
            Basis::Scope(_) => none,
            Basis::Proof(proof) => BasisDocument { by: "proof", proof: Some(proof_words(proof)), ..none },
        },
        scope: match request.basis {
            Basis::Scope(scope) => Some(scope),
            Basis::States { .. } | Basis::Diagrams { .. } | Basis::Proof(_) => None,
        },
        kind: match shown.map(|s| s.shape) {
            None => "none",
            Some(Shape::Path) => "path",
            Some(Shape::Lasso(_)) => "lasso",
            Some(Shape::Subgraph) => "subgraph",
        },
        shows: shown.map(|s| s.goal.formula.text(s.goal.formula.root)),
        states: shown.map_or(Vec::new(), states),
        transitions: shown.map_or(Vec::new(), transitions),
        r#loop: shown.and_then(|s| match s.shape {
            Shape::Lasso(back) => Some(back),
            Shape::Path | Shape::Subgraph => None,
        }),
        length: shown.map(|s| s.steps.len()),
        minimal: shown.map(|s| s.minimal),
        no_path: shown.and_then(|s| match s.no_path? {
            NoPath::Impossible => Some(NoPathDocument { impossible: true, up_to_states: None }),
            NoPath::UpTo(n) => Some(NoPathDocument { impossible: false, up_to_states: Some(n) }),
            NoPath::NotWanted => None,
        }),
        evidence: shown.map_or(Vec::new(), evidence),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
        seconds: request.seconds,
    }
}

fn states(shown: &CtlShown) -> Vec<StateDocument> {
    let values = |state: &super::CtlState| {
        let values: Map<String, Json> =
            state.values.iter().map(|value| (value.name.clone(), value.json.clone())).collect();
        (!values.is_empty()).then_some(values)
    };
    let states = shown.states.iter().zip(holding(shown));
    let mut texts = Texts::new(&shown.goal.formula);
    let document = |(s, shows): (&super::CtlState, Vec<Part>)| StateDocument {
        number: s.number,
        values: values(s),
        shows: shows.into_iter().map(|part| texts.of(part).to_string()).collect(),
    };
    states.map(document).collect()
}

fn transitions(shown: &CtlShown) -> Vec<StepDocument<'_>> {
    let steps = shown.steps.iter().zip(served(shown));
    let mut texts = Texts::new(&shown.goal.formula);
    steps
        .map(|(step, serves)| StepDocument {
            from: step.from,
            to: step.to,
            labels: &step.labels,
            serves: serves.into_iter().map(|part| texts.of(part).to_string()).collect(),
        })
        .collect()
}

fn evidence(shown: &CtlShown) -> Vec<EvidenceDocument> {
    let mut texts = Texts::new(&shown.goal.formula);
    let document = |e: &engines::ctl::Evidence| EvidenceDocument {
        state: e.state,
        formula: texts.of(e.part).to_string(),
        here: e.here.clone(),
        step: e.step.map(|(to, evidence)| EvidenceStep { to, evidence }),
    };
    shown.evidence.iter().map(document).collect()
}
