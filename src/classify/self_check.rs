//! The final check of a classification, in a fresh solver: each class implies a violation, together
//! they leave out no counterexample, and each has a counterexample of its own.

use super::atom::Atoms;
use super::block;
use super::constraint::Constraint;
use super::index::PositionVar;
use super::listing::Accepting;
use super::oracle::Oracle;
use super::orbit::Exchange;
use super::problem::Problem;
use super::space::{Space, Sufficiency};
use super::statistics::{Phase, Statistics};
use crate::budget::{Budget, Limited};
use crate::model::eval;
use crate::sat::{Lit, Setup};
use crate::trace::Trace;
use crate::unroll::Lengths;
use std::sync::Arc;
use std::time::Instant;

/// A class to be checked.
pub struct Claim {
    /// The constraint that must be sufficient.
    pub constraint: Constraint,
    /// The canonical counterexample, which must match; redundant classes have none.
    pub canonical: Option<Trace>,
}

/// What is claimed of a problem, so that another thread can check it.
pub struct Claims<'m> {
    /// The problem.
    pub problem: Problem<'m>,
    /// The atoms of the constraints.
    pub atoms: Atoms,
    /// The traces that the claims are about.
    pub lengths: Lengths,
    /// These, and longer ones for which the classes are claimed to suffice.
    pub unrolled: Lengths,
    /// The classes.
    pub classes: Vec<Claim>,
    /// Whether they are claimed to leave out no counterexample.
    pub complete: bool,
    /// Values that were proved to be interchangeable.
    pub exchange: Option<Arc<Exchange>>,
}

/// Checks that each class suffices for a violation, that canonical counterexamples are what they should be, and, if that
/// is claimed, that no counterexample is left out. Returns the name of the solver, whose calls and size are noted, as is the time.
///
/// # Panics
/// If a claim is wrong: that is a bug in this program.
pub fn check(
    claims: &Claims<'_>,
    solver: Setup,
    statistics: &mut Statistics,
    budget: &Budget,
) -> Limited<String> {
    let clock = Instant::now();
    let solver = checked(claims, solver, statistics, budget);
    statistics.seconds.add(Phase::Verify, clock.elapsed().as_secs_f64());
    solver
}

fn checked(
    claims: &Claims<'_>,
    solver: Setup,
    statistics: &mut Statistics,
    budget: &Budget,
) -> Limited<String> {
    let Claims { problem, ref atoms, lengths, unrolled, ref classes, complete, ref exchange } = *claims;
    let Problem { model, invariant } = problem;
    let mut space = Space::unrolled(problem, atoms, unrolled, solver, budget)?;
    space.limit_violations(lengths.bound());
    exchange.iter().for_each(|exchange| space.exchange(Arc::clone(exchange)));
    for Claim { constraint, .. } in classes {
        let used: Vec<PositionVar> = constraint.variables().collect();
        if let Sufficiency::Insufficient(accepting) = space.sufficiency(&constraint.facts, &used)? {
            let Accepting { trace, assigned } = accepting;
            panic!(
                "self-check: {} holds with {assigned:?} in {trace:?}, which violates nothing",
                constraint.show(model, atoms)
            );
        }
    }
    if complete {
        check_coverage(&mut space, classes, lengths)?;
    }
    for (index, Claim { constraint, canonical }) in classes.iter().enumerate() {
        let Some(trace) = canonical else { continue };
        let alone = classes.iter().enumerate().all(|(other, claim)| {
            // A class that was kept although it is redundant may contain it.
            other == index || claim.canonical.is_none() || space.matches(&claim.constraint, trace).is_none()
        });
        let first = eval::first_violation(model, invariant, &trace.moments);
        let violates = first.is_some_and(|at| lengths.whole(at.steps()) == trace.len());
        if !alone || !violates || space.matches(constraint, trace).is_none() {
            let class = constraint.show(model, atoms);
            panic!("self-check: {trace:?} is not a canonical counterexample of {class}");
        }
    }
    statistics.add_solver(space.circuit());
    Ok(space.circuit().solver_name().to_owned())
}

/// That every counterexample is in a class.
fn check_coverage(space: &mut Space<'_>, classes: &[Claim], lengths: Lengths) -> Limited<()> {
    let matched = classes.iter().map(|claim| block::matched(space, &claim.constraint));
    let outside: Vec<Lit> = matched.map(|lit| !lit).collect();
    let in_order = space.one_of_each_orbit(classes.iter().map(|claim| &claim.constraint));
    let assumed: Vec<Lit> = outside.iter().copied().chain(in_order).collect();
    if matches!(lengths, Lengths::Exactly(_)) {
        contained(space.any_counterexample(&assumed)?);
        return Ok(());
    }
    for steps in 0..=lengths.bound() {
        contained(space.counterexample(steps, &assumed)?);
        space.settle(steps, &outside);
    }
    Ok(())
}

/// Panics on a counterexample outside all classes.
fn contained(found: Option<Trace>) {
    if let Some(trace) = found {
        panic!("self-check: no class contains the counterexample {trace:?}");
    }
}
