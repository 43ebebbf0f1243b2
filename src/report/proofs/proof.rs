//! Proofs for traces of every length: in words, as JSON, and as text for the model.

use crate::shared::verdict::extent;
use crate::writing::digits::thousands;
use engines::prove::{Certificate, Evidence, Part};
use lang::model::{Model, Property};
use serde::Serialize;
use solvers::unroll::Lengths;
use std::fmt::Write;

/// Why a property holds in traces of every length.
#[derive(Debug, Serialize)]
pub struct ProofDocument {
    /// `explicit`, `k_induction` or `ic3`.
    pub method: &'static str,
    /// With `explicit`: how many states are reachable; `null` if only their orbits are known.
    pub states: Option<u64>,
    /// With `explicit`: how many of them were visited, where symmetries made others superfluous.
    pub visited: Option<usize>,
    /// With `visited`: the symmetries, in words.
    pub symmetric: Vec<String>,
    /// With `k_induction`: it holds before position k, and after k states in a row in which it does.
    pub k: Option<usize>,
    /// With `ic3`: the conjuncts of an invariant that holds at first, is preserved by every step, and
    /// implies the property; as the language writes them.
    pub invariant: Vec<String>,
    /// The solver that checked it again; `null` with `explicit`.
    pub checked_by: Option<&'static str>,
}

impl From<&Evidence> for ProofDocument {
    fn from(evidence: &Evidence) -> Self {
        let document = |method| Self {
            method,
            states: None,
            visited: None,
            symmetric: Vec::new(),
            k: None,
            invariant: Vec::new(),
            checked_by: None,
        };
        match evidence {
            Evidence::Visited { states } => Self { states: Some(*states as u64), ..document("explicit") },
            Evidence::VisitedOrbits { visited, states, symmetric } => Self {
                states: *states,
                visited: Some(*visited),
                symmetric: symmetric.clone(),
                ..document("explicit")
            },
            Evidence::Induction { k, checked_by, .. } => {
                Self { k: Some(*k), checked_by: Some(checked_by), ..document("k_induction") }
            }
            Evidence::Invariant { clauses, checked_by, .. } => {
                Self { invariant: clauses.clone(), checked_by: Some(checked_by), ..document("ic3") }
            }
            // Its clauses are about another model.
            Evidence::OfLoops(of) => {
                Self { k: None, invariant: Vec::new(), method: "loops", ..(&**of).into() }
            }
        }
    }
}

/// Why it holds, in a few words.
pub fn evidence_words(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Visited { states: 1 } => "explicit: the only reachable state was visited".to_owned(),
        Evidence::Visited { states } => {
            format!("explicit: all {} reachable states were visited", thousands(states))
        }
        Evidence::VisitedOrbits { visited, states, symmetric } => {
            let visited = thousands(visited);
            let how = match states.as_ref().map(thousands) {
                Some(states) => {
                    format!("{visited} of {states} reachable states were visited, one of each orbit")
                }
                None => format!("{visited} states were visited, at least one of each orbit"),
            };
            format!("explicit: {how}; symmetric: {}", symmetric.join("; "))
        }
        Evidence::Induction { k, checked_by, .. } => format!("k-induction, k = {k}; checked by {checked_by}"),
        Evidence::Invariant { clauses, checked_by, .. } => {
            let count =
                if clauses.len() == 1 { "1 clause".into() } else { format!("{} clauses", clauses.len()) };
            format!("IC3: an inductive invariant of {count}; checked by {checked_by}")
        }
        Evidence::OfLoops(of) => format!("no loop violates it: {}", evidence_words(of)),
    }
}

/// What a part of a certificate says about a property.
pub fn part_words(property: &str, certificate: &Certificate, part: Part) -> String {
    let k = match certificate {
        Certificate::Induction { k, .. } => *k,
        Certificate::Invariant(_) => 0,
    };
    match part {
        Part::Initial => format!("every first state satisfies the inductive invariant for {property}"),
        Part::Safe => format!("no state that satisfies the inductive invariant for {property} violates it"),
        Part::Preserved => format!("every step preserves the inductive invariant for {property}"),
        Part::Base => no_violation_words(property, Lengths::UpTo(k.saturating_sub(1))),
        Part::Step => format!("no state after {k} others in a row that satisfy {property} violates it"),
    }
}

/// That no trace violates a property.
pub fn no_violation_words(property: &str, lengths: Lengths) -> String {
    format!("no trace of {} violates {property}", extent(lengths))
}

/// The inductive invariant of a proof as a property that can be added to the model; none if the proof has
/// none.
pub fn invariant_text(model: &Model, property: &Property, evidence: &Evidence) -> Option<String> {
    let Evidence::Invariant { clauses, checked_by, .. } = evidence else { return None };
    let mut name = format!("{}_inductive", property.name);
    while model.property(&name).is_some() {
        name.push('_');
    }
    let mut text = format!(
        "/// Why `{}` holds in traces of every length of {}: this holds in every first state, every step\n\
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
