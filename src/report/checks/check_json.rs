//! A check as JSON: `docs/schema/check-1.json`.

use crate::proofs::proof::ProofDocument;
use crate::shared::document::{
    DiagnosticDocument, TraceDocument, VERSION, constants, diagnostic_document, seconds,
};
use crate::shared::proofs_made::ProofsSummary;
use crate::shared::request::{CheckRequest, CheckedProperty, GivenFairness, Outcome};
use crate::shared::sources::{SourceDocument, set_texts, source_documents};
use crate::shared::verdict::budget_word;
use crate::writing::wording::Wording;
use kit::diagnostics::{Diagnostic, SourceMap};
use lang::model::PropertyKind;
use lang::model::eval::failing_conjuncts;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use solvers::unroll::Lengths;
use verify::{CheckVerdict, LengthsWord};

/// The document.
#[derive(Debug, Serialize)]
pub struct CheckDocument<'a> {
    /// `cladist/check-1`.
    pub schema: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// `model` or `library`.
    pub kind: &'static str,
    /// The model's name; `null` for a library.
    pub model: Option<String>,
    /// The file, as the user wrote it.
    pub file: String,
    /// The texts of the model and of what it imports, with their digests.
    pub sources: Vec<SourceDocument>,
    /// What `--set` gave, as text.
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The bound in steps; `null` when only types were checked.
    pub bound: Option<usize>,
    /// Whether the bound is the greatest or the only number of steps.
    pub lengths: Option<LengthsWord>,
    /// Whether proofs for traces of every length were asked for.
    pub unbounded: bool,
    /// Which infinite traces count, as the user said; missing where nothing is asked of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fairness: Option<GivenFairness<'a>>,
    /// How the check as a whole ended.
    pub verdict: CheckVerdict,
    /// The properties that were asked for.
    pub properties: Vec<PropertyDocument>,
    /// Findings about the input, with what never happens.
    pub warnings: Vec<DiagnosticDocument>,
    /// The solver; `null` when none was used.
    pub solver: Option<String>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: String,
    /// How many runs of a protocol were looked at; missing for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<RunsDocument>,
    /// What the roles of a protocol claim; missing for a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimDocument>,
    /// The proofs of unsatisfiable answers; missing unless they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<ProofsSummary>,
}

/// How many runs of a protocol were looked at.
#[derive(Debug, Serialize)]
pub struct RunsDocument {
    /// The most runs.
    pub at_most: usize,
    /// Whether the verdicts are about all interleavings of so many runs, and not only about those of up to `bound` steps.
    pub all_interleavings: bool,
}

/// A claim and what came of it.
#[derive(Debug, Serialize)]
pub struct ClaimDocument {
    /// The protocol.
    pub protocol: String,
    /// The role that claims.
    pub role: String,
    /// The label, as in the file.
    pub label: String,
    /// What is claimed: `Secret`.
    pub claim: &'static str,
    /// Of what; `null` if of nothing.
    pub term: Option<String>,
    /// `holds`, `violated` or `undecided`.
    pub verdict: &'static str,
    /// With `violated`: the steps of a shortest attack.
    pub steps: Option<usize>,
    /// Whether a run that the claim is about comes to it within the bound; `null` if that was not decided.
    pub reached: Option<bool>,
    /// The name of the property.
    pub property: String,
    /// What it is called that it is violated.
    #[serde(skip)]
    pub(crate) wording: Wording,
}

/// The claims among the properties that were asked for.
pub fn claim_documents(request: &CheckRequest<'_>) -> Vec<ClaimDocument> {
    let claims = request.claims.iter().filter_map(|claim| {
        let checked = request.properties.iter().find(|checked| checked.property.name == claim.property)?;
        let (verdict, steps) = match &checked.outcome {
            Outcome::Holds | Outcome::Proved(_) => ("holds", None),
            Outcome::Violated(trace) => ("violated", Some(trace.len())),
            _ => ("undecided", None),
        };
        Some(ClaimDocument {
            protocol: claim.protocol.clone(),
            role: claim.role.clone(),
            label: claim.label.clone(),
            claim: claim.claim,
            term: claim.term.clone(),
            verdict,
            steps,
            reached: checked.reached,
            property: claim.property.clone(),
            wording: Wording::of(claim.reachability),
        })
    });
    claims.collect()
}

/// A property and what came of it.
#[derive(Debug, Serialize)]
pub struct PropertyDocument {
    /// The declared name.
    pub name: String,
    /// `invariant`, `deadlock`, `ltl` or `ctl`.
    pub kind: &'static str,
    /// `types_only`, `holds`, `violated` or `undecided`.
    pub verdict: &'static str,
    /// Why it holds in traces of every length, where that was proved.
    pub proof: Option<ProofDocument>,
    /// With `violated`: a shortest violating trace.
    pub counterexample: Option<TraceDocument>,
    /// With `violated`: the conjuncts of the property that fail at the end of it.
    pub violates: Vec<String>,
    /// With `undecided`: `time`, `memory`, `interrupt`, `temporal` where this command does not decide it, `choices` or `states`
    /// where states were to be listed, but are too many, or `formula` where that is too large for it.
    pub reason: Option<&'static str>,
    /// With `undecided` for want of budget: traces of fewer steps than this do not violate it.
    pub depth: Option<usize>,
}

/// The document of a check of a model.
pub fn check_document<'a>(request: &CheckRequest<'a>) -> CheckDocument<'a> {
    CheckDocument {
        kind: "model",
        model: Some(request.model.name.clone()),
        constants: constants(request.model),
        bound: request.lengths.map(Lengths::bound),
        lengths: request.lengths.map(LengthsWord::from),
        unbounded: request.unbounded,
        fairness: request.is_about_infinite_traces().then_some(request.fairness),
        verdict: request.verdict(),
        properties: request.properties.iter().map(|p| property_document(request, p)).collect(),
        solver: Some(request.solver.clone()),
        seconds: seconds(request.seconds),
        rerun: request.rerun.to_owned(),
        runs: request.view.charts.as_ref().map(|charts| RunsDocument {
            at_most: charts.runs(),
            all_interleavings: request.all_interleavings(),
        }),
        claims: claim_documents(request),
        proofs: request.proofs.cloned(),
        ..CheckDocument::library(request.file, request.warnings, &request.model.sources)
    }
}

impl CheckDocument<'_> {
    /// The document of a library that is in order.
    pub fn library(file: &str, warnings: &[Diagnostic], sources: &SourceMap) -> Self {
        Self {
            schema: "cladist/check-1",
            version: VERSION,
            kind: "library",
            model: None,
            file: file.to_owned(),
            sources: source_documents(sources),
            set: set_texts(sources),
            constants: Map::new(),
            bound: None,
            lengths: None,
            unbounded: false,
            fairness: None,
            verdict: CheckVerdict::Checked,
            properties: Vec::new(),
            warnings: warnings.iter().map(|d| diagnostic_document(d, sources)).collect(),
            solver: None,
            seconds: 0.0,
            rerun: String::new(),
            runs: None,
            claims: Vec::new(),
            proofs: None,
        }
    }
}

fn property_document(request: &CheckRequest<'_>, checked: &CheckedProperty<'_>) -> PropertyDocument {
    let model = request.model;
    let mut document = PropertyDocument {
        name: checked.property.name.clone(),
        kind: match checked.property.kind {
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::DeadlockFree(_) => "deadlock",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Ctl(_) => "ctl",
        },
        verdict: "types_only",
        proof: None,
        counterexample: None,
        violates: Vec::new(),
        reason: None,
        depth: None,
    };
    match &checked.outcome {
        Outcome::TypesOnly => {}
        Outcome::Holds => document.verdict = "holds",
        Outcome::Proved(evidence) => {
            document.verdict = "holds";
            document.proof = Some(evidence.into());
        }
        Outcome::Unlistable(_) => {
            document.verdict = "undecided";
            document.reason = Some("choices");
        }
        Outcome::Violated(trace) => {
            document.verdict = "violated";
            document.counterexample = Some(TraceDocument::new(model, trace, &[], &request.view));
            // What is wrong at the end of a deadlock is written nowhere in the model.
            let is_written = !matches!(checked.property.kind, PropertyKind::DeadlockFree(_));
            if let (Some(invariant), true) = (checked.property.invariant(), is_written) {
                document.violates = failing_conjuncts(model, invariant, &trace.moments);
            }
        }
        Outcome::ViolatedForever(lasso) => {
            document.verdict = "violated";
            document.counterexample = Some(TraceDocument::lasso(model, lasso, &[], &request.view));
        }
        Outcome::Unlisted(why) => {
            document.verdict = "undecided";
            document.reason = Some(why.word());
        }
        Outcome::Temporal => {
            document.verdict = "undecided";
            document.reason = Some("temporal");
        }
        Outcome::Undecided { why, depth } => {
            document.verdict = "undecided";
            document.reason = Some(budget_word(*why));
            document.depth = Some(*depth);
        }
    }
    document
}
