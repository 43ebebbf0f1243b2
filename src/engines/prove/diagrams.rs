//! Invariants over all reachable states as decision diagrams.

use super::decision::{InvariantDecision, InvariantEvidence, Unproved};
use crate::explore::{DEFAULT_SEARCH_LIMIT, initial_states, least_violation};
use crate::relations::{DiagramLimit, KeptDiagram, SymbolicSystem};
use kit::budget::Budget;
use kit::diagram::{Diagram, DiagramStopped};
use lang::model::Model;
use lang::model::expr::Expr;
use lang::trace::Trace;

/// Decides an invariant for traces of every length. A violation has the trace that [`solvers::unroll::check`] finds, unless the choices of an
/// initial state or of a step are too many to list.
pub(super) fn by_diagrams(model: &Model, invariant: &Expr, budget: &Budget) -> InvariantDecision {
    decided(model, invariant, budget).unwrap_or_else(|limit| {
        let why = match limit {
            DiagramLimit::Budget(why) => Unproved::Budget(why),
            DiagramLimit::Nodes(most) => Unproved::Nodes(most),
            DiagramLimit::Labels(labels) => Unproved::Choices(labels),
            DiagramLimit::Choices => Unproved::Open,
        };
        InvariantDecision::Unknown { why, depth: 0 }
    })
}

fn decided(model: &Model, invariant: &Expr, budget: &Budget) -> Result<InvariantDecision, DiagramLimit> {
    let formulas: Vec<Expr> = std::iter::once(invariant).chain(&model.wishes).cloned().collect();
    let mut system = SymbolicSystem::new(model, &formulas, budget)?;
    let of = system.labels.clone();
    let violating = system.without(system.of(system.reachable), system.of(of[0]));
    system.diagrams.check()?;
    if violating == Diagram::ZERO {
        let states = system.count(system.of(system.reachable));
        return Ok(InvariantDecision::Holds(InvariantEvidence::Diagrams { states }));
    }
    let violating = system.keep(violating);
    let Some(mut layers) = layers(&mut system, violating, usize::MAX)? else {
        unreachable!("every reachable state is reached from an initial one");
    };
    let steps = layers.len() - 1;
    for &wish in &of[1..] {
        let granted = system.diagrams.and(system.of(violating), system.of(wish));
        let granted = system.keep(granted);
        if let Some(found) = self::layers(&mut system, granted, steps)? {
            layers = found;
            break;
        }
    }
    Ok(InvariantDecision::Violated { steps, trace: violation(model, invariant, &system, &layers) })
}

/// Returns the reachable states from which a state of the goal is reached in exactly 0, 1, … steps and not earlier, up to the first of these sets
/// that has an initial state; `None` if the first `steps` have none. Drops diagrams.
fn layers(
    system: &mut SymbolicSystem,
    goal: KeptDiagram,
    steps: usize,
) -> Result<Option<Vec<KeptDiagram>>, DiagramStopped> {
    let unseen = system.keep(system.of(system.reachable));
    let mut layers = vec![system.keep(system.of(goal))];
    loop {
        let last = system.of(layers[layers.len() - 1]);
        let initial = system.diagrams.and(last, system.of(system.initial));
        system.diagrams.check()?;
        if initial != Diagram::ZERO {
            return Ok(Some(layers));
        }
        if last == Diagram::ZERO || layers.len() > steps {
            return Ok(None);
        }
        let rest = system.without(system.of(unseen), last);
        system.replace(unseen, rest);
        let before = system.before(last, unseen);
        layers.push(system.keep(before));
        system.diagrams.check()?;
        system.tidy();
    }
}

/// Returns the least trace through these sets of states, from the last one to the first.
fn violation(
    model: &Model,
    invariant: &Expr,
    system: &SymbolicSystem,
    layers: &[KeptDiagram],
) -> Option<Trace> {
    let first = initial_states(model, DEFAULT_SEARCH_LIMIT).ok()?;
    let steps = layers.len() - 1;
    least_violation(model, invariant, steps, first, |state, at| {
        system.has(system.of(layers[steps - at]), &system.row(state))
    })
}
