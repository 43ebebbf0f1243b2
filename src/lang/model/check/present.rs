//! Values that may be absent, where something else says that they are there.

use super::moments::BEFORE;
use super::{Checker, Scope};
use crate::model::expr::{Expr, ExprKind};
use crate::model::types::Type;
use crate::syntax::ast;

impl Checker<'_> {
    /// A value where one is needed: as if it were present, if the conditions around say that it is.
    pub(super) fn where_known(&self, scope: &Scope, e: Expr) -> Expr {
        if !e.ty.is_option() || super::types::poisoned(&e.ty) || !scope.has_value(&self.types, &e) {
            return e;
        }
        let ty = e.ty.inner().clone();
        self.as_if_present(e, &ty)
    }

    /// Help for an option where a value is needed.
    pub(super) fn help_on_absence(&self, typed: &Expr, written: &ast::Expr) -> String {
        let text = self.text(written.span);
        let read = if let ExprKind::At { value, .. } = &typed.kind { value } else { typed };
        match &read.kind {
            ExprKind::Previous(value) if !value.ty.is_option() => format!(
                "`{BEFORE}(… {} …)` reads all of it in the state before; where a condition says that a step led there, \
                 `{text}` is a value",
                self.text(value.span)
            ),
            _ if text
                .trim_start_matches("pre ")
                .chars()
                .all(|c| c.is_alphanumeric() || "_.[]@".contains(c)) =>
            {
                format!(
                    "`{text} otherwise …` supplies a default; where a condition says `{text} is some`, it is a value"
                )
            }
            _ => format!("`{text} otherwise …` supplies a default"),
        }
    }

    /// A value as one of this type, as if it were present: where it is `none`, any value will do.
    pub(super) fn as_if_present(&self, e: Expr, ty: &Type) -> Expr {
        if !e.ty.is_option() {
            return e;
        }
        match self.types.simplest(ty) {
            Some(any) => e.or_any(any, ty),
            // Values of a type that a library requires are not known before it is imported.
            None => Expr { ty: ty.clone(), ..e },
        }
    }
}
