//! Free occurrences of names.

use crate::syntax::ast::{AstExpr, AstExprKind, AstPatternKind, MatchArm};
use kit::diagnostics::Span;

/// Adds the places of the free occurrences of a name in an expression.
pub(super) fn free_names(e: &AstExpr, name: &str, places: &mut Vec<Span>) {
    let mut of = |parts: &mut dyn Iterator<Item = &AstExpr>| parts.for_each(|e| free_names(e, name, places));
    let one = std::iter::once::<&AstExpr>;
    match &e.kind {
        AstExprKind::Name(used) if used == name => places.push(e.span),
        AstExprKind::Name(_)
        | AstExprKind::Primed(_)
        | AstExprKind::Bool(_)
        | AstExprKind::Int(_)
        | AstExprKind::None
        | AstExprKind::Text(_)
        | AstExprKind::Error => {}
        AstExprKind::Some(a)
        | AstExprKind::Field(a, _)
        | AstExprKind::Size(a)
        | AstExprKind::Not(a)
        | AstExprKind::Neg(a)
        | AstExprKind::Is { expr: a, .. } => of(&mut one(a)),
        AstExprKind::Index(a, b)
        | AstExprKind::At(a, b)
        | AstExprKind::Range(a, b)
        | AstExprKind::Binary(_, a, b) => of(&mut [&**a, &**b].into_iter()),
        AstExprKind::If(a, b, c) => of(&mut [&**a, &**b, &**c].into_iter()),
        AstExprKind::Never { value, after, before } => {
            of(&mut one(value).chain(after.as_deref()).chain([&**before]));
        }
        AstExprKind::Established { value, by, before } => {
            of(&mut [&**value, &**by, &**before].into_iter());
        }
        AstExprKind::Call { args: list, .. }
        | AstExprKind::Set(list)
        | AstExprKind::List(list)
        | AstExprKind::Temporal(_, list) => {
            of(&mut list.iter());
        }
        AstExprKind::Record { fields, .. } => of(&mut fields.iter().map(|(_, e)| e)),
        AstExprKind::With(a, fields) => of(&mut one(a).chain(fields.iter().map(|(_, e)| e))),
        AstExprKind::Match { value, arms } => {
            of(&mut one(value));
            let bound = |arm: &&MatchArm<AstExpr>| {
                arm.patterns.iter().any(|pattern| match &pattern.kind {
                    AstPatternKind::Name(_, fields) => fields.iter().any(|(_, own)| own.name == name),
                    AstPatternKind::Some(own) => own.name == name,
                    _ => false,
                })
            };
            of(&mut arms.iter().filter(|arm| !bound(arm)).map(|arm| &arm.body));
        }
        AstExprKind::Filter { var, domain, cond: body } | AstExprKind::Map { var, domain, body } => {
            of(&mut one(domain));
            if var.name != name {
                of(&mut one(body));
            }
        }
        AstExprKind::Let { bindings, body } => {
            // A value may use the names before it.
            for (bound, value) in bindings {
                of(&mut one(value));
                if bound.name == name {
                    return;
                }
            }
            of(&mut one(body));
        }
        AstExprKind::Quant { vars, domain, body, .. } | AstExprKind::Aggregate { vars, domain, body, .. } => {
            of(&mut one(domain));
            if !vars.iter().any(|var| var.name == name) {
                of(&mut one(body));
            }
        }
    }
}
