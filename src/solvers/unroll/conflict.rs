//! Explains why there is no initial state: contradictory `init` formulas and state assumptions.

use super::encode::Encoder;
use super::forms::IntegerForms;
use super::initial::any_state;
use crate::sat::{Backend, Circuit, Lit, minimise_core};
use kit::budget::Budget;
use kit::diagnostics::Span;
use lang::model::{Model, Position};

/// The places of a minimal set of formulas that cannot hold together in an initial state; there may be other
/// such sets. Empty if the budget is exhausted first.
///
/// # Panics
/// If there is an initial state.
pub fn initial_conflict(model: &Model, backend: Backend, budget: &Budget) -> Vec<Span> {
    let mut circuit = Circuit::new(backend.start(budget)).within(budget);
    let frames = [any_state(&mut circuit, model, &IntegerForms::of(model))];
    let assumptions = model.assumptions.iter().filter(|a| !a.step).map(|a| &a.expr);
    let mut candidates: Vec<(Lit, Span)> = Vec::new();
    for formula in model.init.iter().chain(assumptions) {
        let holds = Encoder::new(&mut circuit, model, &frames).at(Position::FIRST).truth(formula);
        candidates.push((holds, formula.span));
    }
    let lits: Vec<Lit> = candidates.iter().map(|(lit, _)| *lit).collect();
    let core = minimise_core(&mut circuit, &[], &lits).unwrap_or_default();
    let mut spans = Vec::new();
    for lit in core {
        spans.extend(candidates.iter().find(|c| c.0 == lit).map(|c| c.1));
    }
    spans
}
