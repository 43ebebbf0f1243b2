//! The final check of a classification, in a fresh solver: each class implies a violation, together
//! they leave out no counterexample, and each has a counterexample of its own.

use super::block;
use super::constraint::Constraint;
use super::space::{Limited, Space, Sufficiency};
use crate::budget::Budget;
use crate::model::expr::Expr;
use crate::model::{Model, eval};
use crate::sat::{Lit, Setup};
use crate::trace::Trace;
use crate::unroll::Lengths;

/// What the check took.
pub struct Checked {
    /// The solver's name and version.
    pub solver: String,
    /// Solver calls.
    pub solver_calls: u64,
    /// SAT variables.
    pub variables: usize,
    /// Clauses.
    pub clauses: usize,
}

/// Checks classes with their canonical counterexamples, which redundant classes do not have; and, if they are
/// `complete`, that they leave out no counterexample.
///
/// # Panics
/// If the classification is wrong: that is a mistake in this program.
pub fn check(
    model: &Model,
    invariant: &Expr,
    classes: &[(&Constraint, Option<&Trace>)],
    complete: bool,
    lengths: Lengths,
    solver: impl Into<Setup>,
    budget: &Budget,
) -> Limited<Checked> {
    let mut space = Space::new(model, invariant, lengths, solver, budget);
    space.grow_to(lengths.bound())?;
    for (constraint, _) in classes {
        let used: Vec<usize> = (0..constraint.positions).collect();
        if let Sufficiency::Insufficient(trace, positions) = space.sufficiency(&constraint.facts, &used)? {
            panic!(
                "self-check: {} holds at {positions:?} in {trace:?}, which violates nothing",
                constraint.show(model)
            );
        }
    }
    if complete {
        check_coverage(&mut space, classes, lengths)?;
    }
    for (index, (constraint, canonical)) in classes.iter().enumerate() {
        let Some(trace) = canonical else { continue };
        let alone = classes.iter().enumerate().all(|(other, (c, own))| {
            // A class that was kept although it is redundant may contain it.
            other == index || own.is_none() || c.matches(model, &trace.moments).is_none()
        });
        let first = eval::first_violation(model, invariant, &trace.moments);
        let violates = first.is_some_and(|steps| lengths.whole(steps) == trace.len());
        if !alone || !violates || constraint.matches(model, &trace.moments).is_none() {
            panic!("self-check: {trace:?} is no canonical counterexample of {}", constraint.show(model));
        }
    }
    let circuit = &space.unrolling.circuit;
    Ok(Checked {
        solver: circuit.solver_name().to_owned(),
        solver_calls: circuit.solver_calls(),
        variables: circuit.variables(),
        clauses: circuit.clauses(),
    })
}

/// That every counterexample is in a class.
fn check_coverage(
    space: &mut Space<'_>,
    classes: &[(&Constraint, Option<&Trace>)],
    lengths: Lengths,
) -> Limited<()> {
    let matched = classes.iter().map(|(constraint, _)| block::matched(space, constraint));
    let outside: Vec<Lit> = matched.map(|lit| !lit).collect();
    if matches!(lengths, Lengths::Exactly(_)) {
        contained(space.any_counterexample(&outside)?);
        return Ok(());
    }
    for steps in 0..=lengths.bound() {
        contained(space.counterexample(steps, &outside)?);
        space.settle(steps, &outside);
    }
    Ok(())
}

/// Refuses a counterexample outside of all classes.
fn contained(found: Option<Trace>) {
    if let Some(trace) = found {
        panic!("self-check: no class contains the counterexample {trace:?}");
    }
}
