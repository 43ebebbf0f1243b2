//! Linear time by its definition: the truth of formulas and fairness on a lasso.
//!
//! Independent of normal forms and engines; evaluates their results again.

use super::fairness::{Fairness, is_meant};
use lang::model::expr::{Expr, Formula};
use lang::model::{Model, Position, eval};
use lang::syntax::ast::TemporalOp;
use lang::trace::Lasso;

/// True if the infinite trace satisfies the formula.
///
/// # Panics
/// If the formula has operators of branching time, or the lasso is not closed.
pub fn satisfies(model: &Model, formula: &Formula, lasso: &Lasso) -> bool {
    assert!(lasso.is_closed(), "the trace ends where its loop begins");
    truth(model, formula, lasso)[0]
}

/// True if the infinite trace meets each of the conditions.
pub fn is_fair(model: &Model, fairness: &[Fairness], lasso: &Lasso) -> bool {
    let holds = |expr: &Expr, at: Position| eval::eval_state(model, expr, lasso.trace.moment(at)).is_true();
    let round = || Position::range(lasso.start..lasso.trace.last());
    fairness.iter().all(|condition| match condition {
        Fairness::Again(expr) => round().any(|at| holds(expr, at)),
        Fairness::Action(action) => {
            let mut labels = lasso.loop_steps().filter_map(|at| lasso.trace.moment(at).label.as_ref());
            let taken = labels.any(|label| is_meant(action, label));
            let enabled = |at| holds(&action.enabled, at);
            let asked = if action.strong { round().any(enabled) } else { round().all(enabled) };
            taken || !asked
        }
    })
}

/// Returns the truth at each of the different positions.
fn truth(model: &Model, formula: &Formula, lasso: &Lasso) -> Vec<bool> {
    let of = |formula: &Formula| truth(model, formula, lasso);
    let merge = |a: Vec<bool>, b: Vec<bool>, by: fn(bool, bool) -> bool| -> Vec<bool> {
        a.into_iter().zip(b).map(|(a, b)| by(a, b)).collect()
    };
    match formula {
        Formula::Atom(expr, _) => {
            let states = &lasso.trace.moments[..lasso.len()];
            states.iter().map(|moment| eval::eval_state(model, expr, moment).is_true()).collect()
        }
        Formula::Not(a) => of(a).into_iter().map(|a| !a).collect(),
        Formula::And(a, b) => merge(of(a), of(b), |a, b| a && b),
        Formula::Or(a, b) => merge(of(a), of(b), |a, b| a || b),
        Formula::Implies(a, b) => merge(of(a), of(b), |a, b| !a || b),
        Formula::Iff(a, b) => merge(of(a), of(b), |a, b| a == b),
        Formula::If(condition, a, b) => {
            let parts = of(condition).into_iter().zip(of(a)).zip(of(b));
            parts.map(|((condition, a), b)| if condition { a } else { b }).collect()
        }
        Formula::Temporal(op, operands) => {
            let parts: Vec<Vec<bool>> = operands.iter().map(of).collect();
            lasso.positions().map(|at| temporal(*op, &parts, lasso, at)).collect()
        }
    }
}

/// Returns the truth of an operator at a position, by walking on until every later position has been visited.
fn temporal(op: TemporalOp, parts: &[Vec<bool>], lasso: &Lasso, at: Position) -> bool {
    let holds = |part: usize, at: Position| parts[part][at.index()];
    let from_here = || {
        let positions = std::iter::successors(Some(at), |&at| Some(lasso.after(at)));
        // Every later position occurs within one walk to the loop and one round.
        positions.take(2 * lasso.len())
    };
    match op {
        TemporalOp::Next => holds(0, lasso.after(at)),
        TemporalOp::Always => from_here().all(|at| holds(0, at)),
        TemporalOp::Eventually => from_here().any(|at| holds(0, at)),
        TemporalOp::Until => {
            let met = from_here().position(|at| holds(1, at));
            met.is_some_and(|met| from_here().take(met).all(|at| holds(0, at)))
        }
        TemporalOp::WeakUntil => {
            let met = from_here().position(|at| holds(1, at)).unwrap_or(usize::MAX);
            from_here().take(met).all(|at| holds(0, at))
        }
        TemporalOp::Release => {
            let met = from_here().position(|at| holds(0, at)).map_or(usize::MAX, |met| met + 1);
            from_here().take(met).all(|at| holds(1, at))
        }
        _ => panic!("an operator of branching time in a formula of linear time"),
    }
}
