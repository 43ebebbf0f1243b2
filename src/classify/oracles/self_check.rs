//! The final check of a classification, in a fresh solver: each class implies a violation, together they
//! cover every counterexample, and each has a counterexample of its own.

use crate::automata::listing::AcceptingTrace;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use crate::oracles::block;
use crate::oracles::orbit::InterchangeableValues;
use crate::oracles::sat::{SatOracle, Sufficiency};
use crate::results::statistics::{Phase, Statistics};
use kit::budget::{Budget, Limited};
use lang::model::eval;
use lang::trace::Trace;
use solvers::sat::{Lit, Setup};
use solvers::unroll::Lengths;
use std::sync::Arc;
use std::time::Instant;

/// A class to check.
pub struct ClassClaim {
    /// The constraint that must be sufficient.
    pub constraint: Constraint,
    /// The canonical counterexample, which must match; redundant classes have none.
    pub canonical: Option<Trace>,
}

/// The claims about a problem, for a check in another thread.
pub struct SelfCheckClaims<'m> {
    /// The problem.
    pub problem: Problem<'m>,
    /// The atoms of the constraints.
    pub atoms: Atoms,
    /// The lengths of the traces that the claims are about.
    pub lengths: Lengths,
    /// These lengths, and longer ones for which the classes are claimed to be sufficient.
    pub unrolled: Lengths,
    /// The classes.
    pub classes: Vec<ClassClaim>,
    /// True if they are claimed to cover every counterexample.
    pub complete: bool,
    /// Values proved to be interchangeable.
    pub exchange: Option<Arc<InterchangeableValues>>,
}

/// The result of checking claims.
#[derive(Debug)]
pub enum Finding {
    /// The claims are right; the name of the solver.
    Right(String),
    /// The claims are wrong; the reason.
    Wrong(String),
}

impl SelfCheckClaims<'_> {
    /// Checks that each class is sufficient for a violation, and, if claimed, that every counterexample is
    /// covered. Records the solver's calls and size, and the time.
    pub fn check(&self, solver: Setup, statistics: &mut Statistics, budget: &Budget) -> Limited<Finding> {
        let clock = Instant::now();
        let finding = self.checked(solver, statistics, budget);
        statistics.seconds.add(Phase::Verify, clock.elapsed().as_secs_f64());
        finding
    }

    fn checked(&self, solver: Setup, statistics: &mut Statistics, budget: &Budget) -> Limited<Finding> {
        let Self { problem, ref atoms, lengths, unrolled, ref classes, complete, ref exchange } = *self;
        let mut oracle = SatOracle::unrolled(problem, atoms, unrolled, solver, budget)?;
        oracle.limit_violations(lengths.bound());
        exchange.iter().for_each(|exchange| oracle.exchange(Arc::clone(exchange)));
        let mut wrong = insufficient(&mut oracle, classes)?;
        if complete && wrong.is_none() {
            let left_out = left_out(&mut oracle, classes, lengths)?;
            wrong = left_out.map(|trace| format!("no class contains the counterexample {trace:?}"));
        }
        statistics.add_solver(oracle.circuit());
        let solver = oracle.circuit().solver_name().to_owned();
        Ok(wrong.map_or(Finding::Right(solver), Finding::Wrong))
    }

    /// Checks the canonical counterexamples, without a solver.
    ///
    /// # Panics
    /// If one is not canonical: a bug in this program.
    pub fn check_canonical(&self) {
        let Self { problem: Problem { model, invariant }, ref atoms, lengths, ref classes, .. } = *self;
        let has = |claim: &ClassClaim, trace: &Trace| {
            claim.constraint.matches(model, atoms, &trace.moments).is_some()
        };
        for (index, claim) in classes.iter().enumerate() {
            let Some(trace) = &claim.canonical else { continue };
            let alone = classes.iter().enumerate().all(|(other, claim)| {
                // A redundant class that was kept may contain it.
                other == index || claim.canonical.is_none() || !has(claim, trace)
            });
            let first = eval::first_violation(model, invariant, &trace.moments);
            let violates = first.is_some_and(|at| lengths.whole(at.steps()) == trace.len());
            assert!(
                alone && violates && has(claim, trace),
                "self-check: {trace:?} is not a canonical counterexample of {}",
                claim.constraint.show(model, atoms)
            );
        }
    }
}

/// Describes the failure of a class that is not sufficient for a violation, if any.
fn insufficient(oracle: &mut SatOracle<'_>, classes: &[ClassClaim]) -> Limited<Option<String>> {
    for ClassClaim { constraint, .. } in classes {
        let used: Vec<PositionVar> = constraint.variables().collect();
        if let Sufficiency::Insufficient(accepting) = oracle.sufficiency(&constraint.facts, &used)? {
            let AcceptingTrace { trace, assigned } = accepting;
            let class = constraint.show(oracle.problem.model, oracle.atoms);
            return Ok(Some(format!("{class} holds with {assigned:?} in {trace:?}, which violates nothing")));
        }
    }
    Ok(None)
}

/// Returns a counterexample that is in no class.
fn left_out(oracle: &mut SatOracle<'_>, classes: &[ClassClaim], lengths: Lengths) -> Limited<Option<Trace>> {
    let matched = classes.iter().map(|claim| block::matched(oracle, &claim.constraint));
    let outside: Vec<Lit> = matched.map(|lit| !lit).collect();
    let in_order = oracle.one_of_each_orbit(classes.iter().map(|claim| &claim.constraint));
    let assumed: Vec<Lit> = outside.iter().copied().chain(in_order).collect();
    if matches!(lengths, Lengths::Exactly(_)) {
        return oracle.any_counterexample(&assumed);
    }
    for steps in 0..=lengths.bound() {
        let found = oracle.counterexample(steps, &assumed)?;
        if found.is_some() {
            return Ok(found);
        }
        oracle.settle(steps, &outside);
    }
    Ok(None)
}
