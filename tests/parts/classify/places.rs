//! Tests of `classify::places`.

use classify::facts::places::*;
use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::types::{EnumId, Type};
use lang::model::value::Value;

fn busy(key: Option<&str>) -> Expr {
    let expr = |kind| Expr { kind, ty: Type::Bool, span: Span::default() };
    let whole = expr(ExprKind::Var(VarId(2)));
    match key {
        None => whole,
        Some("a") => expr(ExprKind::Index(Box::new(whole), Box::new(expr(ExprKind::Var(VarId(0)))))),
        Some(name) => {
            let key = expr(ExprKind::Const(Value::Enum(EnumId(0), u32::from(name == "Eve"))));
            expr(ExprKind::Index(Box::new(whole), Box::new(key)))
        }
    }
}

#[test]
fn parts_overlap_with_wholes_and_unknown_keys() {
    let place = |key| read_by(&busy(key)).remove(0);
    let (whole, alice, eve, some) = (place(None), place(Some("Alice")), place(Some("Eve")), place(Some("a")));
    for (a, b, expected) in [
        (&alice, &eve, false),
        (&alice, &alice, true),
        (&whole, &eve, true),
        (&eve, &whole, true),
        (&some, &eve, true),
    ] {
        assert_eq!(a.overlaps(b), expected, "{a:?} {b:?}");
    }
    // The key of an entry is read, too.
    assert_eq!(read_by(&busy(Some("a"))).len(), 2);
}
