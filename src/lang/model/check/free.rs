//! Free occurrences of names.

use crate::syntax::ast::{Arm, Expr, ExprKind, PatternKind};
use kit::diagnostics::Span;

/// Adds the places of the free occurrences of a name in an expression.
pub(super) fn free_names(e: &Expr, name: &str, places: &mut Vec<Span>) {
    let mut of = |parts: &mut dyn Iterator<Item = &Expr>| parts.for_each(|e| free_names(e, name, places));
    let one = std::iter::once::<&Expr>;
    match &e.kind {
        ExprKind::Name(used) if used == name => places.push(e.span),
        ExprKind::Name(_)
        | ExprKind::Primed(_)
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::None
        | ExprKind::Text(_)
        | ExprKind::Error => {}
        ExprKind::Some(a)
        | ExprKind::Field(a, _)
        | ExprKind::Size(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Is { expr: a, .. } => of(&mut one(a)),
        ExprKind::Index(a, b) | ExprKind::At(a, b) | ExprKind::Range(a, b) | ExprKind::Binary(_, a, b) => {
            of(&mut [&**a, &**b].into_iter())
        }
        ExprKind::If(a, b, c) => of(&mut [&**a, &**b, &**c].into_iter()),
        ExprKind::Never { value, after, before } => {
            of(&mut one(value).chain(after.as_deref()).chain([&**before]));
        }
        ExprKind::Call { args: list, .. }
        | ExprKind::Set(list)
        | ExprKind::List(list)
        | ExprKind::Temporal(_, list) => {
            of(&mut list.iter());
        }
        ExprKind::Record { fields, .. } => of(&mut fields.iter().map(|(_, e)| e)),
        ExprKind::With(a, fields) => of(&mut one(a).chain(fields.iter().map(|(_, e)| e))),
        ExprKind::Match { value, arms } => {
            of(&mut one(value));
            let bound = |arm: &&Arm<Expr>| {
                arm.patterns.iter().any(|pattern| match &pattern.kind {
                    PatternKind::Name(_, fields) => fields.iter().any(|(_, own)| own.name == name),
                    PatternKind::Some(own) => own.name == name,
                    _ => false,
                })
            };
            of(&mut arms.iter().filter(|arm| !bound(arm)).map(|arm| &arm.body));
        }
        ExprKind::Filter { var, domain, cond: body } | ExprKind::Map { var, domain, body } => {
            of(&mut one(domain));
            if var.name != name {
                of(&mut one(body));
            }
        }
        ExprKind::Let { bindings, body } => {
            // A value may use the names before it.
            for (bound, value) in bindings {
                of(&mut one(value));
                if bound.name == name {
                    return;
                }
            }
            of(&mut one(body));
        }
        ExprKind::Quant { vars, domain, body, .. } | ExprKind::Aggregate { vars, domain, body, .. } => {
            of(&mut one(domain));
            if !vars.iter().any(|var| var.name == name) {
                of(&mut one(body));
            }
        }
    }
}
