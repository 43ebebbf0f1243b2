//! Tests of `classify::automata::remembered::distance`.

use classify::automata::remembered::PositionParam;
use classify::automata::remembered::distance::*;
use classify::facts::index::PositionVar;
use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::Value;

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
    let param = |n: u32| PositionParam { local: LocalId(n), variable: PositionVar::new(n as usize) };
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
