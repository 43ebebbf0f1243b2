//! The claims of a result that `--proofs` proves.

use super::args::{CheckArgs, ClassifyArgs};
use super::console::Console;
use super::proof_folder::ProofFolder;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::classify::{Classification, Problem};
use cladist::diagnostics::Diagnostic;
use cladist::prove::{AlwaysHolds, ObservedModel};
use cladist::report::{
    CheckRequest, CheckedProperty, ClassifyRequest, PropertyOutcome, evidence_words, lengths_text,
    no_violation_words, part_words, proposition_words,
};
use cladist::unroll::{self, Lengths};
use cladist::verify::document::StoredProofs;

/// Returns the folder for the proofs of a classification, if requested.
pub fn folder_of_classify(
    args: &ClassifyArgs,
    rerun: &str,
    budget: &Budget,
    console: &Console,
) -> Result<Option<ProofFolder>, UsageError> {
    let Some(path) = &args.output.proofs else { return Ok(None) };
    let folder = ProofFolder::create(path, &args.model, rerun, budget, console)?;
    Ok(Some(folder.with_second_opinion(args.verify)))
}

/// Returns the folder for the proofs of a check, if requested.
pub fn folder_of_check(
    args: &CheckArgs,
    rerun: &str,
    budget: &Budget,
    console: &Console,
) -> Result<Option<ProofFolder>, UsageError> {
    let Some(path) = &args.output.proofs else { return Ok(None) };
    if args.bound.is_none() && !args.unbounded {
        return Err(Diagnostic::error_without_place(
            "without -k or --unbounded, nothing is decided that --proofs could prove",
        )
        .with_help("add `-k N` for traces of up to N steps, or `--unbounded`")
        .into());
    }
    ProofFolder::create(path, &args.model, rerun, budget, console).map(Some)
}

/// Proves the properties that hold. Minimality of counterexamples is proved as well, except for traces of an exact
/// length.
pub fn of_check(mut folder: ProofFolder, request: &CheckRequest<'_>) -> Result<StoredProofs, UsageError> {
    let model = request.model;
    for CheckedProperty { property, outcome, .. } in &request.properties {
        let name = &property.name;
        let Some(invariant) = property.invariant() else {
            if matches!(
                outcome,
                PropertyOutcome::Holds | PropertyOutcome::Proved(_) | PropertyOutcome::ViolatedForever(_)
            ) {
                folder.without(format!("the verdict on {name}, a property of infinite traces"));
            }
            continue;
        };
        let mut excluded = |name: &str, lengths: Lengths| {
            let claim = no_violation_words(&property.name, lengths);
            folder.prove(name, &claim, |budget| unroll::clauses(model, invariant, lengths, budget))
        };
        match (outcome, request.lengths) {
            (PropertyOutcome::Holds, Some(lengths)) => excluded(&format!("{name}-holds"), lengths)?,
            (PropertyOutcome::Violated(trace), lengths) if !matches!(lengths, Some(Lengths::Exactly(_))) => {
                if let Some(shorter) = trace.len().checked_sub(1) {
                    excluded(&format!("{name}-shortest"), Lengths::UpTo(shorter))?;
                }
            }
            (PropertyOutcome::Proved(evidence), _) => match evidence.certificate() {
                None => folder.without(format!("{name} holds, {}", evidence_words(evidence))),
                Some(certificate) => {
                    let watch = AlwaysHolds(invariant);
                    let system = ObservedModel::new(model, &watch);
                    for part in certificate.parts() {
                        let name = format!("{name}-{}", part.name());
                        let claim = part_words(&property.name, certificate, part);
                        folder
                            .prove(&name, &claim, |budget| certificate.obligation(&system, part, budget))?;
                    }
                }
            },
            _ => {}
        }
    }
    folder.finish()
}

/// Proves the claims of the result about all traces.
pub fn of_classification(
    mut folder: ProofFolder,
    request: &ClassifyRequest<'_>,
    result: &Classification,
) -> Result<StoredProofs, UsageError> {
    let problem = Problem::new(request.asked.model, request.invariant);
    for proposition in result.propositions() {
        let claim = proposition_words(request, result, proposition);
        folder.prove(&result.name_of(proposition), &claim, |budget| {
            result.obligation(problem, proposition, budget)
        })?;
    }
    if let Some(lengths) = lengths_text(result) {
        folder.without(lengths);
    }
    folder.finish()
}
