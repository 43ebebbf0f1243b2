//! Names for values: `let x = e in body`, `let x = e;` in actions, and those that the checker gives to what it uses several times.

use super::types::{is_open, poisoned};
use super::{Checker, ExprScope, NameBinding, Typed, or_poison};
use crate::model::expr::{Expr, ExprKind, LocalId};
use crate::model::types::Type;
use crate::syntax::ast::{AstExpr, Ident};
use kit::diagnostics::{Diagnostic, Span};

impl<'a> Checker<'a> {
    pub(super) fn let_in(
        &mut self,
        scope: &mut ExprScope,
        bindings: &'a [(Ident, AstExpr)],
        body: &'a AstExpr,
        expected: &Type,
        span: Span,
    ) -> Typed {
        let depth = scope.locals.len();
        let mut lets = Vec::new();
        for (name, value) in bindings {
            self.bind_let(scope, name, value, &mut lets);
        }
        let body = self.expr_for(scope, body, expected);
        scope.locals.truncate(depth);
        Ok(Expr { span, ..Expr::with_names(&lets, body?) })
    }

    /// Binds the names of a `let` statement for the rest of its block.
    pub(super) fn let_statement(&mut self, scope: &mut ExprScope, bindings: &'a [(Ident, AstExpr)]) {
        for (name, value) in bindings {
            let mut lets = std::mem::take(&mut scope.lets);
            self.bind_let(scope, name, value, &mut lets);
            scope.lets = lets;
        }
    }

    /// Binds a name to a value, which is [named](Checker::named) once; returns what the name stands for.
    pub(super) fn bind_let(
        &mut self,
        scope: &mut ExprScope,
        name: &'a Ident,
        value: &'a AstExpr,
        lets: &mut Vec<(LocalId, Expr)>,
    ) -> Expr {
        let typed = self.expr(scope, value);
        self.warn_shadowed(scope, name);
        let typed = typed.and_then(|typed| match &typed.ty {
            Type::Pos => {
                let error = Diagnostic::error(value.span, "`let` cannot name a position");
                self.wrong(
                    error.with_help("add a parameter of type `pos`, such as `t2`, and say `t2 = t1 + 1`"),
                )
            }
            ty if is_open(ty) && !matches!(typed.kind, ExprKind::Const(_)) => {
                let text = self.text(value.span);
                let error = Diagnostic::error(value.span, format!("the type of `{text}` is unknown"));
                self.wrong(error.with_help("write the value where it is used"))
            }
            _ => Ok(typed),
        });
        let named = self.named(or_poison(typed, value.span), lets);
        scope.locals.push((name.name.clone(), NameBinding::of(named.clone())));
        named
    }

    /// An expression for a value that is used any number of times: the value itself where it costs nothing to read again, and
    /// otherwise a new name, which is added to `lets` and has to be [put around](Expr::with_names) everything that uses it.
    pub(super) fn named(&mut self, value: Expr, lets: &mut Vec<(LocalId, Expr)>) -> Expr {
        if is_place(&value) || poisoned(&value.ty) {
            return value;
        }
        let local = self.fresh();
        let name = Expr { kind: ExprKind::Local(local), ty: value.ty.clone(), span: value.span };
        lets.push((local, value));
        name
    }

    /// Makes something of a value that it may use any number of times.
    pub(super) fn shared(&mut self, value: Expr, make: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        let mut lets = Vec::new();
        let named = self.named(value, &mut lets);
        let body = make(self, named);
        Expr::with_names(&lets, body)
    }
}

/// True if an expression is a place of the state or a name, which costs nothing to read again. What `@` reads is not: it must
/// not get below another `@`.
pub(super) fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Next(_)
        | ExprKind::LabelArg { .. } => true,
        ExprKind::Field(base, _) => is_place(base),
        _ => false,
    }
}
