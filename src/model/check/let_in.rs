//! Names for values: `let x = e in body`, and `let x = e;` in actions.

use super::types::{is_open, poisoned};
use super::{Binding, Checker, Scope, poison};
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::{Expr, ExprKind, LocalId};
use crate::model::types::Type;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn let_in(
        &mut self,
        scope: &mut Scope,
        bindings: &'a [(ast::Ident, ast::Expr)],
        body: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let depth = scope.locals.len();
        let mut lets = Vec::new();
        for (name, value) in bindings {
            lets.extend(self.bind_let(scope, name, value));
        }
        let body = self.expr(scope, body);
        scope.locals.truncate(depth);
        if poisoned(&body.ty) { poison(span) } else { Expr { span, ..wrap(&lets, body) } }
    }

    /// Binds the names of a `let` statement for the rest of its block.
    pub(super) fn let_statement(&mut self, scope: &mut Scope, bindings: &'a [(ast::Ident, ast::Expr)]) {
        for (name, value) in bindings {
            let bound = self.bind_let(scope, name, value);
            scope.lets.extend(bound);
        }
    }

    /// Binds a name to a value; returns the `let` that has to be put around everything that uses the name, if one has to.
    /// Constants and other names are put in place of the name.
    pub(super) fn bind_let(
        &mut self,
        scope: &mut Scope,
        name: &'a ast::Ident,
        value: &'a ast::Expr,
    ) -> Option<(LocalId, Expr)> {
        let typed = self.expr(scope, value);
        self.warn_shadowed(scope, name);
        let typed = match &typed.ty {
            ty if poisoned(ty) => typed,
            Type::Pos => {
                let error = Diagnostic::error(value.span, "`let` cannot name a position");
                self.wrong(
                    error.with_help("add a parameter of type `pos`, such as `t2`, and say `t2 = t1 + 1`"),
                )
            }
            ty if is_open(ty) && !matches!(typed.kind, ExprKind::Const(_)) => {
                let text = self.text(value.span);
                let error = Diagnostic::error(value.span, format!("the type of `{text}` cannot be told"));
                self.wrong(error.with_help("write the value where it is used"))
            }
            _ => typed,
        };
        let (binding, bound) = match typed.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => (Binding::Alias(typed), None),
            _ => {
                let local = self.fresh();
                (Binding::Local(local, typed.ty.clone()), Some((local, typed)))
            }
        };
        scope.locals.push((name.name.clone(), binding));
        bound
    }
}

/// Puts those names around an expression that it uses; a value may use the names before it.
pub(super) fn wrap(lets: &[(LocalId, Expr)], body: Expr) -> Expr {
    lets.iter().rev().fold(body, |body, (local, value)| {
        let used = super::rewrite::any(&body, &|kind| matches!(kind, ExprKind::Local(l) if l == local));
        if !used {
            return body;
        }
        let (ty, span) = (body.ty.clone(), body.span);
        let (value, body) = (Box::new(value.clone()), Box::new(body));
        Expr { kind: ExprKind::Let { local: *local, value, body }, ty, span }
    })
}
