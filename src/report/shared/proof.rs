//! Proofs for traces of every length: in words, as JSON, and as text for the model.

use crate::shared::verdict::extent;
use engines::decide::Basis;
use engines::prove::{Certificate, CertificatePart, InvariantEvidence};
use kit::number::{counted, thousands};
use lang::model::{Model, Property};
use num_bigint::BigUint;
use solvers::unroll::Lengths;
use std::fmt::Write;
use verify::document::{StoredProof, StoredProofMethod};

/// Words for the basis of a verdict about branching time.
pub fn basis_words(basis: &Basis) -> String {
    match basis {
        Basis::States { states, transitions } => format!(
            "on all reachable states: {}, {}",
            counted(*states, "state"),
            counted(*transitions, "transition")
        ),
        Basis::Diagrams { states } => {
            let noun = if *states == BigUint::from(1u32) { "state" } else { "states" };
            format!("on all reachable states, as decision diagrams: {} {noun}", thousands(states))
        }
        Basis::Scope(scope) => format!("on connected parts of up to {}", counted(*scope, "state")),
        Basis::Proof(evidence) => format!("by {}", proof_words(evidence)),
    }
}

/// How an invariant was proved, in a few words.
pub fn proof_words(evidence: &InvariantEvidence) -> String {
    match evidence {
        InvariantEvidence::Visited { states } => {
            format!("visiting {}, without their steps", counted(*states, "state"))
        }
        InvariantEvidence::VisitedOrbits { visited, .. } => {
            format!(
                "visiting {}, at least one of each orbit, without their steps",
                counted(*visited, "state")
            )
        }
        InvariantEvidence::Diagrams { states } => {
            format!("decision diagrams of {} states, without their steps", thousands(states))
        }
        InvariantEvidence::Induction { k, checked_by, .. } => {
            format!("induction over {k} steps, without listing the states, checked again by {checked_by}")
        }
        InvariantEvidence::Invariant { clauses, checked_by, .. } => {
            format!(
                "an inductive invariant of {} clauses, without listing the states, checked again by {checked_by}",
                clauses.len()
            )
        }
        InvariantEvidence::Affine { relations } => {
            format!("{}, without listing the states", counted(relations.len(), "affine relation"))
        }
        InvariantEvidence::OfLoops(of) => proof_words(of),
    }
}

/// The document of a proof.
pub fn proof_document(evidence: &InvariantEvidence) -> StoredProof {
    let document = |method| StoredProof {
        method,
        states: None,
        visited: None,
        symmetric: Vec::new(),
        k: None,
        invariant: Vec::new(),
        checked_by: None,
    };
    match evidence {
        InvariantEvidence::Visited { states } => {
            StoredProof { states: Some(*states as u64), ..document(StoredProofMethod::Explicit) }
        }
        InvariantEvidence::VisitedOrbits { visited, states, symmetric } => StoredProof {
            states: *states,
            visited: Some(*visited),
            symmetric: symmetric.clone(),
            ..document(StoredProofMethod::Explicit)
        },
        InvariantEvidence::Diagrams { states } => {
            StoredProof { states: u64::try_from(states).ok(), ..document(StoredProofMethod::Diagrams) }
        }
        InvariantEvidence::Induction { k, checked_by, .. } => {
            let checked_by = Some((*checked_by).to_owned());
            StoredProof { k: Some(*k), checked_by, ..document(StoredProofMethod::KInduction) }
        }
        InvariantEvidence::Invariant { clauses, checked_by, .. } => {
            let checked_by = Some((*checked_by).to_owned());
            StoredProof { invariant: clauses.clone(), checked_by, ..document(StoredProofMethod::Ic3) }
        }
        InvariantEvidence::Affine { relations } => {
            StoredProof { invariant: relations.clone(), ..document(StoredProofMethod::Affine) }
        }
        // Its clauses are about another model.
        InvariantEvidence::OfLoops(of) => StoredProof {
            k: None,
            invariant: Vec::new(),
            method: StoredProofMethod::Loops,
            ..proof_document(of)
        },
    }
}

/// Why it holds, in a few words.
pub fn evidence_words(evidence: &InvariantEvidence) -> String {
    match evidence {
        InvariantEvidence::Visited { states: 1 } => {
            "explicit: the only reachable state was visited".to_owned()
        }
        InvariantEvidence::Visited { states } => {
            format!("explicit: all {} reachable states were visited", thousands(states))
        }
        InvariantEvidence::VisitedOrbits { visited, states, symmetric } => {
            let visited = thousands(visited);
            let how = match states.as_ref().map(thousands) {
                Some(states) => {
                    format!("{visited} of {states} reachable states were visited, one of each orbit")
                }
                None => format!("{visited} states were visited, at least one of each orbit"),
            };
            format!("explicit: {how}; symmetric: {}", symmetric.join("; "))
        }
        InvariantEvidence::Diagrams { states } => {
            format!("decision diagrams of all {} reachable states", thousands(states))
        }
        InvariantEvidence::Induction { k, checked_by, .. } => {
            format!("k-induction, k = {k}; checked by {checked_by}")
        }
        InvariantEvidence::Invariant { clauses, checked_by, .. } => {
            let count =
                if clauses.len() == 1 { "1 clause".into() } else { format!("{} clauses", clauses.len()) };
            format!("IC3: an inductive invariant of {count}; checked by {checked_by}")
        }
        InvariantEvidence::Affine { relations } => {
            format!("affine relations that every step preserves: {}", relations.join("; "))
        }
        InvariantEvidence::OfLoops(of) => format!("no loop violates it: {}", evidence_words(of)),
    }
}

/// A part of a certificate about a property, in words.
pub fn part_words(property: &str, certificate: &Certificate, part: CertificatePart) -> String {
    let k = match certificate {
        Certificate::Induction { k, .. } => *k,
        Certificate::Invariant(_) => 0,
    };
    match part {
        CertificatePart::Initial => {
            format!("every initial state satisfies the inductive invariant for {property}")
        }
        CertificatePart::Safe => {
            format!("no state that satisfies the inductive invariant for {property} violates it")
        }
        CertificatePart::Preserved => format!("every step preserves the inductive invariant for {property}"),
        CertificatePart::Base => no_violation_words(property, Lengths::UpTo(k.saturating_sub(1))),
        CertificatePart::Step => {
            format!("no state after {k} others in a row that satisfy {property} violates it")
        }
    }
}

/// The sentence that no trace violates a property.
pub fn no_violation_words(property: &str, lengths: Lengths) -> String {
    format!("no trace of {} violates {property}", extent(lengths))
}

/// The inductive invariant of a proof as a property that can be added to the model; none if the proof has
/// none.
pub fn invariant_text(model: &Model, property: &Property, evidence: &InvariantEvidence) -> Option<String> {
    let InvariantEvidence::Invariant { clauses, checked_by, .. } = evidence else { return None };
    let mut name = format!("{}_inductive", property.name);
    while model.property(&name).is_some() {
        name.push('_');
    }
    let mut text = format!(
        "/// Why `{}` holds in traces of every length of {}: this holds in every initial state, every step\n\
         /// preserves it, and no state that satisfies it violates `{}`. Found by IC3, checked by {checked_by}.\n\
         invariant {name}:\n",
        property.name, model.name, property.name
    );
    if clauses.is_empty() {
        text.push_str("  true;\n");
        return Some(text);
    }
    for (index, clause) in clauses.iter().enumerate() {
        let (word, end) =
            (if index == 0 { "   " } else { "and" }, if index + 1 == clauses.len() { ";" } else { "" });
        let _ = writeln!(text, "  {word} ({clause}){end}");
    }
    Some(text)
}
