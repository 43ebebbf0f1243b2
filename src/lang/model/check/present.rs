//! Values that may be absent, where something else says that they are there.

use super::{Checker, Scope};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;

impl Checker<'_> {
    /// A value where one is needed: as if it were present, if the conditions around say that it is.
    pub(super) fn where_known(&self, scope: &Scope, e: Expr) -> Expr {
        if !e.ty.is_option() || super::types::poisoned(&e.ty) || !scope.has_value(&self.types, &e) {
            return e;
        }
        let ty = e.ty.inner().clone();
        self.as_if_present(e, &ty)
    }

    /// A value as one of this type, as if it were present: where it is `none`, any value will do.
    pub(super) fn as_if_present(&self, e: Expr, ty: &Type) -> Expr {
        if !e.ty.is_option() {
            return e;
        }
        let span = e.span;
        match self.types.simplest(ty) {
            Some(any) => {
                let any = Expr::constant(any, ty.clone(), span);
                let kind = ExprKind::Binary(Op::Otherwise, Box::new(e), Box::new(any));
                Expr { kind, ty: ty.clone(), span }
            }
            // Values of a type that a library requires are not known before it is imported.
            None => Expr { ty: ty.clone(), ..e },
        }
    }
}
