//! Comparisons of positions as distances between position variables.

use super::Param;
use crate::classify::index::PositionVar;
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::value::Value;

/// The greatest distance in steps that is told apart from others: each step takes a position variable.
const MOST_STEPS: i64 = 12;

/// How far one position variable is after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Distance {
    pub first: PositionVar,
    pub second: PositionVar,
    /// The steps from the first to the second: exactly so many, or at least one and so many.
    pub steps: usize,
    pub exact: bool,
}

/// The position so many steps after that of a variable.
#[derive(Clone, Copy)]
struct Place {
    variable: PositionVar,
    offset: i64,
}

/// Distances of which one or more are right exactly where a comparison of two positions has this truth value. `None` if
/// the expression is none, or compares positions that are too far apart.
pub(super) fn distances(expr: &Expr, params: &[Param], truth: bool) -> Option<Vec<Distance>> {
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

/// A position parameter plus or minus constants.
fn place(expr: &Expr, params: &[Param]) -> Option<Place> {
    match &expr.kind {
        ExprKind::Local(local) => {
            let param = params.iter().find(|p| p.local == *local)?;
            Some(Place { variable: param.variable, offset: 0 })
        }
        ExprKind::Binary(op @ (Op::Add | Op::Sub), base, by) => {
            let ExprKind::Const(Value::Int(by)) = by.kind else { return None };
            let Place { variable, offset } = place(base, params)?;
            let offset = if *op == Op::Add { offset.checked_add(by)? } else { offset.checked_sub(by)? };
            Some(Place { variable, offset })
        }
        _ => None,
    }
}

/// The second place is at least so many steps after the first.
fn at_least(first: Place, second: Place, steps: i64) -> Option<Vec<Distance>> {
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

/// Both places are the same.
fn exactly(a: Place, b: Place) -> Option<Distance> {
    let steps = a.offset.checked_sub(b.offset)?;
    let (first, second) = if steps >= 0 { (a.variable, b.variable) } else { (b.variable, a.variable) };
    Some(Distance { first, second, steps: within_limit(steps.checked_abs()?)?, exact: true })
}

fn within_limit(steps: i64) -> Option<usize> {
    if steps <= MOST_STEPS { usize::try_from(steps).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Span;
    use crate::model::expr::LocalId;
    use crate::model::types::Type;

    fn position(param: u32, offset: i64) -> Expr {
        let expr = |kind, ty| Expr { kind, ty, span: Span::default() };
        let plain = expr(ExprKind::Local(LocalId(param)), Type::Pos);
        let (op, by) = if offset < 0 { (Op::Sub, -offset) } else { (Op::Add, offset) };
        let by = expr(ExprKind::Const(Value::Int(by)), Type::Int { lo: by, hi: by });
        match offset {
            0 => plain,
            _ => expr(ExprKind::Binary(op, Box::new(plain), Box::new(by)), Type::Pos),
        }
    }

    #[test]
    fn distances_are_right_exactly_where_the_comparison_is() {
        let param = |n: u32| Param { local: LocalId(n), variable: PositionVar::new(n as usize) };
        let params = [param(0), param(1)];
        let offsets = || -20..=20;
        for (op, truth) in [Op::Lt, Op::Le, Op::Eq].into_iter().flat_map(|op| [(op, true), (op, false)]) {
            for (a, b) in offsets().flat_map(|a| [(a, 0), (0, a), (a, 2)]) {
                let formula = Expr::binary_bool(op, position(0, a), position(1, b));
                let found = distances(&formula, &params, truth);
                assert!(found.is_some() || (a - b).abs() >= MOST_STEPS, "{op:?} {a} {b}");
                let Some(found) = found else { continue };
                for (p, q) in (0..30i64).flat_map(|p| (0..30i64).map(move |q| (p, q))) {
                    let holds = match op {
                        Op::Lt => p + a < q + b,
                        Op::Le => p + a <= q + b,
                        _ => p + a == q + b,
                    };
                    let is_right = |d: &Distance| {
                        let apart = [p, q][d.second.index()] - [p, q][d.first.index()];
                        let steps = d.steps as i64;
                        if d.exact { apart == steps } else { apart >= steps.max(1) }
                    };
                    let right = found.iter().any(is_right);
                    assert_eq!(right, holds == truth, "{op:?} {truth}: {p} + {a}, {q} + {b}: {found:?}");
                }
            }
        }
    }
}
