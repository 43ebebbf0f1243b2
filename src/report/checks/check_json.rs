//! A check as JSON: `docs/schema/check-1.json`.

use crate::shared::document::{
    VERSION, constants, diagnostic_document, infinite_trace_document, seconds, trace_document,
};
use crate::shared::document::{set_texts, source_documents};
use crate::shared::proof::proof_document;
use crate::shared::request::{CheckRequest, CheckedProperty, PropertyOutcome};
use engines::ctl::CtlVerdict;
use engines::decide::NotListed;
use import::protocol::PatternVerdict;
use kit::budget::Exhausted;
use kit::diagnostics::{Diagnostic, SourceMap};
use lang::model::PropertyKind;
use lang::model::eval::failing_conjuncts;
use serde_json::Map;
use solvers::unroll::Lengths;
use verify::document::{
    CheckDocument, CheckVerdict, ClaimWord, FileKindWord, LengthsWord, PatternsWord, PropertyKindWord,
    PropertyVerdict, StoredClaim, StoredFairness, StoredPatterns, StoredProperty, StoredRuns, WhyUndecided,
};

/// The claims among the properties that were asked for.
pub fn claim_documents(request: &CheckRequest<'_>) -> Vec<StoredClaim> {
    let claims = request.claims.iter().filter_map(|claim| {
        let checked = request.properties.iter().find(|checked| checked.property.name == claim.property)?;
        let (verdict, steps) = match &checked.outcome {
            PropertyOutcome::Holds | PropertyOutcome::Proved(_) => (PropertyVerdict::Holds, None),
            PropertyOutcome::Violated(trace) => (PropertyVerdict::Violated, Some(trace.len())),
            _ => (PropertyVerdict::Undecided, None),
        };
        Some(StoredClaim {
            protocol: claim.protocol.clone(),
            role: claim.role.clone(),
            label: claim.label.clone(),
            claim: ClaimWord::named(claim.claim)?,
            term: claim.term.clone(),
            verdict,
            steps,
            reached: checked.reached,
            patterns: checked.patterns.map(patterns_document),
            property: claim.property.clone(),
        })
    });
    claims.collect()
}

fn patterns_document(verdict: PatternVerdict) -> StoredPatterns {
    let (verdict, runs) = match verdict {
        PatternVerdict::Proved => (PatternsWord::Holds, None),
        PatternVerdict::Attacked { runs, .. } => (PatternsWord::Attacked, Some(runs)),
        PatternVerdict::UpTo { runs } => (PatternsWord::Open, Some(runs)),
    };
    StoredPatterns { verdict, runs }
}

/// The document of a check of a model.
pub fn check_document(request: &CheckRequest<'_>) -> CheckDocument {
    CheckDocument {
        kind: FileKindWord::Model,
        model: Some(request.model.name.clone()),
        constants: constants(request.model),
        bound: request.lengths.map(Lengths::bound),
        lengths: request.lengths.map(LengthsWord::from),
        unbounded: request.unbounded,
        fairness: request.is_about_infinite_traces().then(|| StoredFairness::from(request.fairness)),
        verdict: request.verdict(),
        properties: request.properties.iter().map(|p| property_document(request, p)).collect(),
        solver: Some(request.solver.clone()),
        seconds: seconds(request.seconds),
        rerun: request.rerun.to_owned(),
        runs: request.display.charts.as_ref().map(|charts| StoredRuns {
            at_most: charts.runs(),
            all_interleavings: request.all_interleavings(),
        }),
        claims: claim_documents(request),
        proofs: request.proofs.cloned(),
        ..library_document(request.file, request.warnings, &request.model.sources)
    }
}

/// The document of a library that is in order.
pub fn library_document(file: &str, warnings: &[Diagnostic], sources: &SourceMap) -> CheckDocument {
    CheckDocument {
        schema: "cladist/check-1".to_owned(),
        version: VERSION.to_owned(),
        kind: FileKindWord::Library,
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

fn property_document(request: &CheckRequest<'_>, checked: &CheckedProperty<'_>) -> StoredProperty {
    let model = request.model;
    let mut document = StoredProperty {
        name: checked.property.name.clone(),
        kind: match checked.property.kind {
            PropertyKind::Invariant(_) => PropertyKindWord::Invariant,
            PropertyKind::DeadlockFree(_) => PropertyKindWord::Deadlock,
            PropertyKind::Ltl(_) => PropertyKindWord::Ltl,
            PropertyKind::Ctl(_) => PropertyKindWord::Ctl,
        },
        verdict: PropertyVerdict::TypesOnly,
        proof: None,
        counterexample: None,
        violates: Vec::new(),
        reason: None,
        depth: None,
    };
    match &checked.outcome {
        PropertyOutcome::TypesOnly => {}
        PropertyOutcome::Holds => document.verdict = PropertyVerdict::Holds,
        PropertyOutcome::Proved(evidence) => {
            document.verdict = PropertyVerdict::Holds;
            document.proof = Some(proof_document(evidence));
        }
        PropertyOutcome::Violated(trace) => {
            document.verdict = PropertyVerdict::Violated;
            document.counterexample = Some(trace_document(model, trace, &[], &request.display));
            // What is wrong at the end of a deadlock is written nowhere in the model.
            let is_written = !matches!(checked.property.kind, PropertyKind::DeadlockFree(_));
            if let (Some(invariant), true) = (checked.property.invariant(), is_written) {
                document.violates = failing_conjuncts(model, invariant, &trace.moments);
            }
        }
        PropertyOutcome::ViolatedForever(lasso) => {
            document.verdict = PropertyVerdict::Violated;
            document.counterexample = Some(infinite_trace_document(model, lasso, &[], &request.display));
        }
        PropertyOutcome::Branching { verdict, .. } => match verdict {
            CtlVerdict::Holds => document.verdict = PropertyVerdict::Holds,
            CtlVerdict::Violated => document.verdict = PropertyVerdict::Violated,
            CtlVerdict::Undecided(_) => {
                document.verdict = PropertyVerdict::Undecided;
                document.reason = Some(WhyUndecided::States);
            }
        },
        PropertyOutcome::Unlisted(why) => {
            document.verdict = PropertyVerdict::Undecided;
            document.reason = Some(not_listed(why));
        }
        PropertyOutcome::Temporal => {
            document.verdict = PropertyVerdict::Undecided;
            document.reason = Some(WhyUndecided::Temporal);
        }
        PropertyOutcome::Undecided { why, depth } => {
            document.verdict = PropertyVerdict::Undecided;
            document.reason = Some(not_decided(*why));
            document.depth = Some(*depth);
        }
    }
    document
}

/// Why the states of a model were not listed, so that a property is undecided.
fn not_listed(why: &NotListed) -> WhyUndecided {
    match why {
        NotListed::States(_) | NotListed::Product(_) | NotListed::Nodes(_) => WhyUndecided::States,
        NotListed::Choices(_) => WhyUndecided::Choices,
        NotListed::Operators | NotListed::Conditions | NotListed::Open => WhyUndecided::Formula,
        NotListed::Budget(why) => not_decided(*why),
    }
}

/// Why a search ended before a property was decided.
fn not_decided(why: Exhausted) -> WhyUndecided {
    match why {
        Exhausted::Time => WhyUndecided::Time,
        Exhausted::Memory => WhyUndecided::Memory,
        Exhausted::Interrupt => WhyUndecided::Interrupt,
    }
}
