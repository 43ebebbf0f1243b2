//! Comparisons of positions as distances between position variables.

use super::PositionParam;
use crate::facts::index::PositionVar;
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::value::Value;

/// The greatest distance, in steps, that is represented exactly: each step takes a position variable.
pub const MOST_STEPS: i64 = 12;

/// The distance between two position variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distance {
    /// The earlier position.
    pub first: PositionVar,
    /// The later position.
    pub second: PositionVar,
    /// The steps from the first to the second: exactly this number, or at least this number and at least one.
    pub steps: usize,
    /// True if `steps` is the exact distance.
    pub exact: bool,
}

/// A position at an offset, in steps, from that of a variable.
#[derive(Clone, Copy)]
struct OffsetPosition {
    variable: PositionVar,
    offset: i64,
}

/// Returns distances whose disjunction holds exactly where a comparison of two positions has this truth
/// value. `None` if the expression is no such comparison, or the distance exceeds [`MOST_STEPS`].
pub fn distances(expr: &Expr, params: &[PositionParam], truth: bool) -> Option<Vec<Distance>> {
    let ExprKind::Binary(op, a, b) = &expr.kind else { return None };
    let (a, b) = (place(a, params)?, place(b, params)?);
    match (op, truth) {
        (Op::Lt, true) => at_least(a, b, 1),
        (Op::Lt, false) => at_least(b, a, 0),
        (Op::Le, true) => at_least(a, b, 0),
        (Op::Le, false) => at_least(b, a, 1),
        (Op::Eq, true) => exactly(a, b).map(|distance| vec![distance]),
        (Op::Eq, false) => Some([at_least(a, b, 1)?, at_least(b, a, 1)?].concat()),
        _ => None,
    }
}

/// Parses a position parameter plus or minus constants.
fn place(expr: &Expr, params: &[PositionParam]) -> Option<OffsetPosition> {
    match &expr.kind {
        ExprKind::Local(local) => {
            let param = params.iter().find(|p| p.local == *local)?;
            Some(OffsetPosition { variable: param.variable, offset: 0 })
        }
        ExprKind::Binary(op @ (Op::Add | Op::Sub), base, by) => {
            let ExprKind::Const(Value::Int(by)) = by.kind else { return None };
            let OffsetPosition { variable, offset } = place(base, params)?;
            let offset = if *op == Op::Add { offset.checked_add(by)? } else { offset.checked_sub(by)? };
            Some(OffsetPosition { variable, offset })
        }
        _ => None,
    }
}

/// Requires the second place to be at least `steps` steps after the first.
fn at_least(first: OffsetPosition, second: OffsetPosition, steps: i64) -> Option<Vec<Distance>> {
    let steps = first.offset.checked_sub(second.offset)?.checked_add(steps)?;
    if steps >= 1 {
        let steps = within_limit(steps)?;
        return Some(vec![Distance { first: first.variable, second: second.variable, steps, exact: false }]);
    }
    let later = Distance { first: first.variable, second: second.variable, steps: 1, exact: false };
    let back = within_limit(steps.checked_neg()?)?;
    let earlier = |steps| Distance { first: second.variable, second: first.variable, steps, exact: true };
    Some(std::iter::once(later).chain((0..=back).map(earlier)).collect())
}

/// Requires both places to be the same.
fn exactly(a: OffsetPosition, b: OffsetPosition) -> Option<Distance> {
    let steps = a.offset.checked_sub(b.offset)?;
    let (first, second) = if steps >= 0 { (a.variable, b.variable) } else { (b.variable, a.variable) };
    Some(Distance { first, second, steps: within_limit(steps.checked_abs()?)?, exact: true })
}

fn within_limit(steps: i64) -> Option<usize> {
    if steps <= MOST_STEPS { usize::try_from(steps).ok() } else { None }
}
