//! The obligations of proofs for traces of every length.

use super::document::{StoredProof, StoredProofMethod};
use super::finite::question;
use super::obligation::Obligation;
use super::replay::Subject;
use kit::diagnostics::{Diagnostic, Span};
use lang::model::expr::Expr;
use lang::model::load_expression;
use lang::model::types::Type;
use solvers::smt::{Start, TraceLengths, TraceQuestion, Violation};
use std::sync::Arc;

/// A property that holds in traces of every length, according to the result.
pub(super) struct Proved<'a> {
    pub subject: &'a Subject<'a>,
    /// The property's name.
    pub name: &'a str,
    /// The prefix of the names of its obligations.
    pub file: String,
}

impl Proved<'_> {
    /// Returns the obligations of the proof.
    pub fn obligations(&self, proof: &StoredProof) -> Vec<Obligation> {
        let of_states = proof.states.is_some() || proof.visited.is_some() || !proof.symmetric.is_empty();
        match (proof.method, proof.k) {
            (StoredProofMethod::Ic3 | StoredProofMethod::Affine, None) if !of_states => {
                match self.invariant(&proof.invariant) {
                    Ok(invariant) => self.inductive(invariant),
                    Err(why) => vec![self.wrong(why)],
                }
            }
            (StoredProofMethod::KInduction, Some(k)) if !of_states && proof.invariant.is_empty() => {
                self.induction(k)
            }
            (StoredProofMethod::Diagrams, None) if proof.invariant.is_empty() => vec![Obligation::open(
                self.file.clone(),
                format!("{} holds in traces of every length", self.name),
                "decision diagrams leave no certificate; `--proof ic3` gives one",
            )],
            (StoredProofMethod::Explicit, None) if proof.invariant.is_empty() => vec![Obligation::open(
                self.file.clone(),
                format!("{} holds in traces of every length", self.name),
                "all states were visited, which leaves no certificate; `--proof ic3` gives one",
            )],
            _ => vec![self.wrong("it is no proof by its method".into())],
        }
    }

    fn wrong(&self, why: String) -> Obligation {
        let claim = format!("{} holds in traces of every length", self.name);
        Obligation::evaluated(self.file.clone(), claim, Err(why))
    }

    /// Returns the conjunction of the clauses of an invariant.
    fn invariant(&self, clauses: &[String]) -> Result<Expr, String> {
        let mut parts = Vec::new();
        for clause in clauses {
            let loaded = load_expression(self.subject.model, clause);
            match loaded.found {
                Some(found) if found.expr.ty == Type::Bool => parts.push(found.expr),
                Some(_) => return Err(format!("`{clause}` is no truth value")),
                None => {
                    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
                    let why = errors.map(|Diagnostic { message, .. }| message.clone()).next();
                    return Err(format!("`{clause}` cannot be read: {}", why.unwrap_or_default()));
                }
            }
        }
        Ok(Expr::all(parts, Span::default()))
    }

    /// Returns the obligations of an inductive invariant: initial, inductive, safe.
    fn inductive(&self, invariant: Expr) -> Vec<Obligation> {
        let invariant = Arc::new(invariant);
        let of_invariant = |steps, start| TraceQuestion {
            start,
            invariant: Arc::clone(&invariant),
            ..question(self.subject, "the invariant of the proof", steps, Violation::Last)
        };
        let safe = TraceQuestion {
            start: Start::Anywhere,
            given: Some(Arc::clone(&invariant)),
            ..question(self.subject, self.name, TraceLengths::Exactly(0), Violation::Last)
        };
        let name = |part: &str| format!("{}-{part}", self.file);
        vec![
            Obligation::ask(
                name("initial"),
                "every initial state satisfies the invariant of the proof",
                of_invariant(TraceLengths::Exactly(0), Start::First),
            ),
            Obligation::ask(
                name("inductive"),
                "every step from a state that satisfies it leads to one that does",
                of_invariant(TraceLengths::Exactly(1), Start::Anywhere),
            ),
            Obligation::ask(name("safe"), format!("no state that satisfies it violates {}", self.name), safe),
        ]
    }

    /// Returns the obligations of k-induction: the first positions, and the position after k others.
    fn induction(&self, k: usize) -> Vec<Obligation> {
        let mut list = Vec::new();
        if let Some(last) = k.checked_sub(1) {
            list.push(Obligation::ask(
                format!("{}-initial", self.file),
                format!("no trace of at most {last} steps violates {}", self.name),
                question(self.subject, self.name, TraceLengths::UpTo(last), Violation::Somewhere),
            ));
        }
        // A shortest path to a violation repeats no state.
        let step = TraceQuestion {
            start: Start::Anywhere,
            distinct: true,
            ..question(self.subject, self.name, TraceLengths::Exactly(k), Violation::Last)
        };
        let claim = format!("no violation of {} follows on {k} states in a row without one", self.name);
        list.push(Obligation::ask(format!("{}-inductive", self.file), claim, step));
        list
    }
}
