//! Domains of quantifiers, filters and membership: types, ranges, sets.

use super::entity::Entity;
use super::fold::is_constant;
use super::types::{POISON, known};
use super::{Checker, ExprScope, Reported, Typed, both};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind};
use kit::diagnostics::{Diagnostic, Span};
use std::sync::Arc;

pub(super) fn element_type(domain: &Typed<(Expr, Type)>) -> Type {
    domain.as_ref().map_or(POISON, |(_, element)| element.clone())
}

impl<'a> Checker<'a> {
    /// The set that a domain denotes, and the type of its elements.
    pub(super) fn domain(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed<(Expr, Type)> {
        let (set, element) = self.collection(scope, e)?;
        let is_plain = self.collected(&set.ty).is_none();
        Ok((if is_plain { set } else { self.as_plain_set(set, e)? }, element))
    }

    /// A domain, or a collection of limited size as it is.
    pub(super) fn collection(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed<(Expr, Type)> {
        self.domain_or(scope, e, |_| None)
    }

    /// [`Self::collection`] for an operand of a set operation, with help if a single element was written for a set.
    pub(super) fn set_operand(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed<(Expr, Type)> {
        self.domain_or(scope, e, |text| Some(format!("write `{{{text}}}` for the set with this one member")))
    }

    /// [`Self::collection`], with help for an expression, given as text, that is a single value.
    fn domain_or(
        &mut self,
        scope: &mut ExprScope,
        e: &'a AstExpr,
        help: impl Fn(&str) -> Option<String>,
    ) -> Typed<(Expr, Type)> {
        let set = match self.type_named_by(scope, e) {
            Some(ty) => {
                let ty = known(ty)?;
                if ty.is_option() {
                    let message =
                        format!("{} cannot be a domain, because `none` is never a member", self.show(&ty));
                    return self.wrong(Diagnostic::error(e.span, message));
                }
                self.few_values(&ty, e.span, "a domain")?;
                self.all_values(&ty, e.span)
            }
            None if self.is_unknown(scope, e) => {
                let hidden = |e| matches!(e, Entity::Import(_) | Entity::Pred(_) | Entity::Action(_));
                return self.unknown("name", &self.text(e.span), e.span, scope, &|e| !hidden(e));
            }
            None => {
                let set = self.expr(scope, e)?;
                self.where_known(scope, set)
            }
        };
        if self.collected(&set.ty).is_some() {
            let to = self.certain(&set, e)?;
            return Ok((set, to.of.element));
        }
        match &set.ty {
            Type::Set(element) => {
                let element = element.as_ref().clone();
                Ok((set, known(element)?))
            }
            Type::Option(inner) if matches!(**inner, Type::Set(_)) => {
                let text = self.text(e.span);
                let error = Diagnostic::error(e.span, format!("`{text}` may be `none` instead of a set"));
                self.wrong(error.with_help(format!("write `({text} otherwise {{}})`")))
            }
            _ => {
                let message = format!("expected a type, a range or a set, found {}", self.described(&set, e));
                let mut error = Diagnostic::error(e.span, message);
                error.notes.extend(self.because(scope, "it", &set, e));
                if matches!(set.ty, Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Record(_)) {
                    error.help = help(&self.text(e.span));
                }
                self.wrong(error)
            }
        }
    }

    /// True if an expression is an unknown name.
    fn is_unknown(&self, scope: &ExprScope, e: &AstExpr) -> bool {
        matches!(&e.kind, AstExprKind::Name(name) if name != "action"
            && scope.local(name).is_none()
            && self.entity(scope.unit, name).is_none())
    }

    /// The type that an expression names, if any.
    pub(super) fn type_named_by(&mut self, scope: &ExprScope, e: &AstExpr) -> Option<Type> {
        let AstExprKind::Name(name) = &e.kind else { return None };
        if scope.local(name).is_some() {
            return None;
        }
        match self.entity(scope.unit, name) {
            Some(Entity::Type(decl)) => Some(self.declared_type(decl)),
            None if name == "bool" => Some(Type::Bool),
            None if name == "pos" => {
                let error = Diagnostic::error(e.span, "quantifiers cannot range over positions");
                self.report(error.with_help("add a parameter of type `pos` to the predicate"));
                Some(POISON)
            }
            _ => None,
        }
    }

    /// `lo..hi` as a set. The bounds may depend on the state.
    pub(super) fn range(
        &mut self,
        scope: &mut ExprScope,
        lo: &'a AstExpr,
        hi: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let (low, high, ty) = self.bounds_of(scope, lo, hi, span)?;
        self.few_values(&ty, span, "a set")?;
        Ok(self.range_of(low, high, ty, span))
    }

    /// The bounds of `lo..hi`, and the type of the integers between them.
    pub(super) fn bounds_of(
        &mut self,
        scope: &mut ExprScope,
        lo: &'a AstExpr,
        hi: &'a AstExpr,
        span: Span,
    ) -> Typed<(Expr, Expr, Type)> {
        let (low, high) = both(self.int(scope, lo), self.int(scope, hi))?;
        let (Type::Int { lo: least, .. }, Type::Int { hi: greatest, .. }) = (low.ty.inner(), high.ty.inner())
        else {
            return Err(Reported);
        };
        let ty = self.int_range(*least, *greatest, span)?;
        Ok((low, high, ty))
    }

    /// The set of the integers between two bounds, which are all of this type.
    pub(super) fn range_of(&mut self, low: Expr, high: Expr, ty: Type, span: Span) -> Expr {
        let all = self.all_values(&ty, span);
        if is_constant(&low) && is_constant(&high) {
            return all;
        }
        let local = self.fresh();
        let member = Expr { kind: ExprKind::Local(local), ty, span };
        let above = Expr::binary_bool(Op::Le, low, member.clone());
        let below = Expr::binary_bool(Op::Le, member, high);
        let (above, below) = (self.folded(above), self.folded(below));
        let cond = self.folded(Expr::binary_bool(Op::And, above, below));
        let ty = all.ty.clone();
        Expr { kind: ExprKind::Filter { local, set: Box::new(all), cond: Box::new(cond) }, ty, span }
    }

    /// Checks an expression that must be an integer or an optional integer.
    pub(super) fn int(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed {
        let typed = self.expr(scope, e)?;
        self.as_int(scope, typed, e)
    }

    /// The check for an expression that was typed already.
    pub(super) fn as_int(&mut self, scope: &ExprScope, typed: Expr, e: &'a AstExpr) -> Typed {
        if matches!(typed.ty.inner(), Type::Int { .. }) {
            return Ok(typed);
        }
        let message = format!("expected an integer, found {}", self.described(&typed, e));
        let mut error = Diagnostic::error(e.span, message);
        error.notes.extend(self.because(scope, "it", &typed, e));
        self.wrong(error)
    }

    /// The members of a constant set; `None` if it is not constant.
    pub(super) fn members_of(&self, set: &Expr) -> Option<Vec<Value>> {
        match &set.kind {
            ExprKind::Const(Value::Set(members)) => Some(members.iter().cloned().collect()),
            _ => None,
        }
    }

    pub(super) fn set_type(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }
}
