//! Operators: logic, comparison, sets, arithmetic.

use super::collections::is_literal;
use super::entity::Entity;
use super::fold::is_constant;
use super::relations::compatible;
use super::types::{LIMIT, OPEN, coerce, is_open};
use super::{Checker, ExprScope, ReadAccess, Reported, Typed, both, type_of};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, BinaryOp};
use kit::diagnostics::{Diagnostic, Span};

/// The operands of a binary operator as they are written, and the place of the whole.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub a: &'a AstExpr,
    pub b: &'a AstExpr,
    pub span: Span,
}

impl<'a> Checker<'a> {
    pub(super) fn binary(
        &mut self,
        scope: &mut ExprScope,
        op: BinaryOp,
        of: Operands<'a>,
        expected: &Type,
    ) -> Typed {
        let Operands { a, b, span } = of;
        match op {
            BinaryOp::And => self.only_where(scope, &[(a, true), (b, true)], |checker, scope| {
                checker.connective(scope, Op::And, a, (b, Some(true)), span)
            }),
            BinaryOp::Or => self.only_where(scope, &[(a, false), (b, false)], |checker, scope| {
                checker.connective(scope, Op::Or, a, (b, Some(false)), span)
            }),
            BinaryOp::Iff => self.connective(scope, Op::Eq, a, (b, None), span),
            BinaryOp::Implies => {
                let cond = self.only_where(scope, &[(b, false)], |checker, scope| checker.bool(scope, a));
                let then = self.only_where(scope, &[(a, true)], |checker, scope| {
                    checker.bool_where(scope, (&cond, true), b)
                });
                let (cond, then) = both(cond, then)?;
                let otherwise = self.negation(cond);
                Ok(Expr { span, ..Expr::binary_bool(Op::Or, otherwise, then) })
            }
            BinaryOp::Eq | BinaryOp::Ne => self.equality(scope, op == BinaryOp::Ne, of),
            BinaryOp::Lt => self.ordering(scope, Op::Lt, of, false),
            BinaryOp::Le => self.ordering(scope, Op::Le, of, false),
            BinaryOp::Gt => self.ordering(scope, Op::Lt, of, true),
            BinaryOp::Ge => self.ordering(scope, Op::Le, of, true),
            BinaryOp::In => self.membership(scope, of),
            BinaryOp::NotIn => {
                let inside = self.membership(scope, of)?;
                Ok(self.negation(inside))
            }
            BinaryOp::Subset => self.set_operation(scope, Op::Subset, of, None),
            BinaryOp::Union => self.set_operation(scope, Op::Union, of, None),
            BinaryOp::Intersect => self.set_operation(scope, Op::Intersect, of, None),
            BinaryOp::Minus => self.set_operation(scope, Op::Minus, of, None),
            BinaryOp::Otherwise => self.otherwise(scope, of, expected),
            BinaryOp::Add => self.arithmetic(scope, Op::Add, of),
            BinaryOp::Sub => self.arithmetic(scope, Op::Sub, of),
            BinaryOp::Mul => self.arithmetic(scope, Op::Mul, of),
            BinaryOp::Div => self.arithmetic(scope, Op::Div, of),
            BinaryOp::Mod => self.arithmetic(scope, Op::Mod, of),
        }
    }

    /// A connective whose right operand matters only where the left one has the truth value beside it, if there is one.
    fn connective(
        &mut self,
        scope: &mut ExprScope,
        op: Op,
        a: &'a AstExpr,
        (b, matters): (&'a AstExpr, Option<bool>),
        span: Span,
    ) -> Typed {
        let left = self.bool(scope, a);
        let right = match matters {
            Some(truth) => self.bool_where(scope, (&left, truth), b),
            None => self.bool(scope, b),
        };
        let (left, right) = both(left, right)?;
        Ok(Expr { span, ..Expr::binary_bool(op, left, right) })
    }

    /// A truth value that matters only where a condition has this truth value.
    fn bool_where(&mut self, scope: &mut ExprScope, (cond, truth): (&Typed, bool), e: &'a AstExpr) -> Typed {
        let known = scope.known.len();
        cond.iter().for_each(|cond| scope.learn_present(cond, truth));
        let checked = self.bool(scope, e);
        scope.known.truncate(known);
        checked
    }

    /// Both sides of a comparison.
    fn compared(&mut self, scope: &mut ExprScope, of: Operands<'a>) -> Typed<(Expr, Expr)> {
        let Operands { a, b, .. } = of;
        // The other side says what a literal is.
        let (left, right) = if is_literal(a) && !is_literal(b) {
            let right = self.expr(scope, b);
            (self.expr_for(scope, a, type_of(&right)), right)
        } else {
            let left = self.expr(scope, a);
            let right = self.expr_for(scope, b, type_of(&left));
            (left, right)
        };
        self.comparable(scope, left?, right?, of)
    }

    fn equality(&mut self, scope: &mut ExprScope, differ: bool, of: Operands<'a>) -> Typed {
        let Operands { a, b, span } = of;
        let (left, right) = self.compared(scope, of)?;
        self.warn_disjoint(scope, (&left, a), (&right, b), differ, span);
        if differ {
            self.warn_none(scope, &left, &right, a, span);
            self.warn_none(scope, &right, &left, b, span);
        } else {
            self.warn_both_none(scope, (&left, a), (&right, b), span);
        }
        let equal = match (&left.kind, &right.kind) {
            (_, ExprKind::Const(Value::None)) if !is_constant(&left) => absent(left, span),
            (ExprKind::Const(Value::None), _) if !is_constant(&right) => absent(right, span),
            _ => Expr { span, ..Expr::binary_bool(Op::Eq, left, right) },
        };
        let equal = self.folded(equal);
        Ok(if differ { self.negation(equal) } else { equal })
    }

    /// Both sides with their open types resolved; reports an error if they cannot be compared.
    pub(super) fn comparable(
        &mut self,
        scope: &ExprScope,
        left: Expr,
        right: Expr,
        of: Operands<'a>,
    ) -> Typed<(Expr, Expr)> {
        let Operands { a, b, span } = of;
        let Some(joined) = self.unify(&left.ty, &right.ty) else {
            let (x, y) = (self.described(&left, a), self.described(&right, b));
            let error = Diagnostic::error(span, format!("cannot compare {x} with {y}"));
            let error = self.with_side_types(error, scope, (&left, a), (&right, b));
            return self.wrong(error);
        };
        let target = |e: &Expr| if is_open(&e.ty) { joined.clone() } else { e.ty.clone() };
        let (l, r) = (target(&left), target(&right));
        let (left, right) = (coerce(left, &l), coerce(right, &r));
        Ok((self.reshaped(left, &joined), self.reshaped(right, &joined)))
    }

    /// Adds notes on the declarations that give both sides of an operator their types.
    fn with_side_types(
        &self,
        mut error: Diagnostic,
        scope: &ExprScope,
        left: (&Expr, &AstExpr),
        right: (&Expr, &AstExpr),
    ) -> Diagnostic {
        for (side, (typed, written)) in [("left side", left), ("right side", right)] {
            error.notes.extend(self.because(scope, side, typed, written));
        }
        error
    }

    /// Warns about a comparison of integers whose ranges are disjoint.
    fn warn_disjoint(
        &mut self,
        scope: &ExprScope,
        (left, a): (&Expr, &'a AstExpr),
        (right, b): (&Expr, &'a AstExpr),
        differ: bool,
        span: Span,
    ) {
        let (Some((p, q)), Some((r, s))) = (self.numbers(left), self.numbers(right)) else { return };
        if (q < r || s < p) && varies(left, a) && varies(right, b) && !both_constant(left, right) {
            self.warn_decided(scope, differ, (left, a), (right, b), span);
        }
    }

    /// Warns that a comparison is always or never true, where bound names have values of their types.
    fn warn_decided(
        &mut self,
        scope: &ExprScope,
        truth: bool,
        left: (&Expr, &AstExpr),
        right: (&Expr, &AstExpr),
        span: Span,
    ) {
        let word = if truth { "always" } else { "never" };
        let given = scope.unlimited && (left.0.reads_names() || right.0.reads_names());
        let whose = if given { " of arguments that fit the types of their parameters" } else { "" };
        let mut warning = Diagnostic::warning(span, format!("`{}` is {word} true{whose}", self.text(span)));
        for (typed, written) in [left, right] {
            if !is_constant(typed) {
                let (text, ty) = (self.text(written.span), self.show(typed.ty.inner()));
                warning.notes.push(format!("`{text}` is {ty}"));
            }
        }
        self.report(warning);
    }

    /// Warns that `operand != value` also holds if the operand is `none`.
    fn warn_none(
        &mut self,
        scope: &ExprScope,
        operand: &Expr,
        value: &Expr,
        written: &'a AstExpr,
        span: Span,
    ) {
        if scope.reads != ReadAccess::Positions || !operand.ty.is_option() || value.ty.is_option() {
            return;
        }
        let inner = match &written.kind {
            AstExprKind::At(inner, _) => self.text(inner.span),
            _ => self.text(written.span),
        };
        self.warn_true_of_none(scope, written, &format!("`{inner}` is `none`"), span);
    }

    /// Warns that an equation of different operands also holds if both are `none`.
    fn warn_both_none(
        &mut self,
        scope: &ExprScope,
        (left, a): (&Expr, &'a AstExpr),
        (right, b): (&Expr, &'a AstExpr),
        span: Span,
    ) {
        let options = left.ty.is_option() && right.ty.is_option();
        // Of `x@t = none`, that is what it says.
        let varies = ![left, right].into_iter().any(is_constant);
        if self.silent > 0 || scope.reads != ReadAccess::Positions || !options || !varies {
            return;
        }
        if !self.is_same_part(scope, a, b) && !self.is_present(scope, b) {
            self.warn_true_of_none(scope, a, "both are `none`", span);
        }
    }

    /// Warns that a comparison is also true where an operand has no value, unless the conditions around say that it has one.
    fn warn_true_of_none(&mut self, scope: &ExprScope, operand: &AstExpr, wherever: &str, span: Span) {
        let library = self.is_library(scope.unit);
        if self.silent > 0 || library && !self.notes || self.is_present(scope, operand) {
            return;
        }
        let message = format!("`{}` is also true where {wherever}", self.text(span));
        let diagnostic =
            if library { Diagnostic::note(span, message) } else { Diagnostic::warning(span, message) };
        let help = format!("add `{} is some and …`", self.text(operand.span));
        self.report(diagnostic.with_help(help));
    }

    fn ordering(&mut self, scope: &mut ExprScope, op: Op, of: Operands<'a>, swap: bool) -> Typed {
        let Operands { a, b, span } = of;
        let (left, right) = self.compared(scope, of)?;
        if !matches!(left.ty.inner(), Type::Int { .. } | Type::Enum(_) | Type::Pos) {
            let ty = self.show(left.ty.inner());
            let error = Diagnostic::error(span, format!("{ty} is not ordered"));
            return self.wrong(
                error.with_help("only integers, values of one enumeration and positions are ordered"),
            );
        }
        if let (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) = (&left.ty, &right.ty) {
            let (least, greatest) = if swap { (r, q) } else { (p, s) };
            let never = if op == Op::Lt { least >= greatest } else { least > greatest };
            if never && varies(&left, a) && varies(&right, b) && !both_constant(&left, &right) {
                self.warn_decided(scope, false, (&left, a), (&right, b), span);
            }
        }
        let (left, right) = if swap { (right, left) } else { (left, right) };
        Ok(Expr { span, ..Expr::binary_bool(op, left, right) })
    }

    fn membership(&mut self, scope: &mut ExprScope, of: Operands<'a>) -> Typed {
        let Operands { a, b, span } = of;
        let element = self.expr(scope, a);
        let is_integer = matches!(type_of(&element).inner(), Type::Int { .. });
        let set = match &b.kind {
            AstExprKind::Range(lo, hi) if is_integer => {
                return self.between(scope, element?, lo, hi, b, span);
            }
            AstExprKind::Set(elements) if is_integer => self.alternatives(scope, elements, &OPEN, b.span),
            AstExprKind::Set(elements) if self.collected(type_of(&element)).is_some() => {
                let place = Self::set_type(type_of(&element).inner().clone());
                self.alternatives(scope, elements, &place, b.span)
            }
            _ => {
                if is_integer && let Some(Type::Int { lo, hi }) = self.large_range(scope, b) {
                    let bound = |n| Expr::element(Value::Int(n), &Type::Bool, b.span);
                    return Ok(self.is_between(element?, bound(lo), bound(hi), span));
                }
                self.collection(scope, b).map(|(set, _)| set)
            }
        };
        let (element, set) = both(element, set)?;
        self.is_member(scope, element, set, of)
    }

    /// The range of integers that an expression names, if it has too many values for a set.
    fn large_range(&mut self, scope: &ExprScope, written: &'a AstExpr) -> Option<Type> {
        let AstExprKind::Name(name) = &written.kind else { return None };
        if scope.local(name).is_some() {
            return None;
        }
        let Some(Entity::Type(decl)) = self.entity(scope.unit, name) else { return None };
        let ty = self.declared_type(decl);
        (matches!(ty, Type::Int { .. }) && self.types.cardinality(&ty) > LIMIT).then_some(ty)
    }

    /// `element in lo..hi`: as comparisons if the range is too large for a set.
    fn between(
        &mut self,
        scope: &mut ExprScope,
        element: Expr,
        lo: &'a AstExpr,
        hi: &'a AstExpr,
        written: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let (low, high, ty) = self.bounds_of(scope, lo, hi, written.span)?;
        if self.types.cardinality(&ty) > LIMIT {
            return Ok(self.is_between(element, low, high, span));
        }
        let set = self.range_of(low, high, ty, written.span);
        self.is_member(scope, element, set, Operands { a: written, b: written, span })
    }

    /// `low <= element and element <= high`.
    fn is_between(&mut self, element: Expr, low: Expr, high: Expr, span: Span) -> Expr {
        let inside = self.shared(element, |c, element| {
            let above = c.folded(Expr::binary_bool(Op::Le, low, element.clone()));
            let below = c.folded(Expr::binary_bool(Op::Le, element, high));
            c.both(above, below)
        });
        Expr { span, ..self.folded(inside) }
    }

    /// True if a value is a member of a set, both being typed.
    fn is_member(&mut self, scope: &ExprScope, element: Expr, set: Expr, of: Operands<'a>) -> Typed {
        let Operands { a, b, span } = of;
        let of = match (self.collected(&set.ty), &set.ty) {
            (Some(to), _) => to.of.element,
            (None, Type::Set(element)) => element.as_ref().clone(),
            _ => return Err(Reported),
        };
        if !compatible(&self.types, element.ty.inner(), &of) || element.ty == Type::Pos {
            let (x, y) = (self.described(&element, a), self.show(&of));
            let mut error = Diagnostic::error(span, format!("{x} cannot be a member of a set of {y}"));
            for (typed, written) in [(&element, a), (&set, b)] {
                let text = format!("`{}`", self.text(written.span));
                error.notes.extend(self.because(scope, &text, typed, written));
            }
            return self.wrong(error);
        }
        if self.collected(&set.ty).is_some() {
            let element = coerce(element, &of);
            let inside = self.shared(set, |c, set| c.member(element, &set, span));
            return Ok(Expr { span, ..self.folded(inside) });
        }
        let set = coerce(set, &Self::set_type(element.ty.inner().clone()));
        let element = self.coerced(element, &of);
        Ok(Expr { span, ..self.folded(Expr::binary_bool(Op::In, element, set)) })
    }

    /// `subset`, `union`, `intersect` and `minus`. What is stored in a set of at most `limit` elements needs no place for more.
    pub(super) fn set_operation(
        &mut self,
        scope: &mut ExprScope,
        op: Op,
        of: Operands<'a>,
        limit: Option<usize>,
    ) -> Typed {
        let Operands { a, b, span } = of;
        let ((left, x), (right, y)) = match &a.kind {
            AstExprKind::Set(_) => {
                let right = self.set_operand(scope, b);
                both(self.operand_beside(scope, a, &right), right)?
            }
            _ => {
                let left = self.set_operand(scope, a);
                let right = self.operand_beside(scope, b, &left);
                both(left, right)?
            }
        };
        let Some(element) = self.unify(&x, &y) else {
            let (x, y) = (self.show(&left.ty), self.show(&right.ty));
            let error = Diagnostic::error(span, format!("{x} and {y} are incompatible types"));
            let error = self.with_side_types(error, scope, (&left, a), (&right, b));
            return self.wrong(error);
        };
        if [&left, &right].iter().any(|side| self.collected(&side.ty).is_some()) {
            let target = Self::set_type(element);
            let [left, right] = [left, right].map(|side| match self.collected(&side.ty) {
                Some(_) => side,
                None => coerce(side, &target),
            });
            return Ok(self.collected_operation(op, (left, right), (a, b), limit, span));
        }
        let joined = Self::set_type(element);
        if is_open(&left.ty) && is_open(&right.ty) && op == Op::Subset {
            return Ok(Expr::bool(true, span));
        }
        let (left, right) = (self.coerced(left, &joined), self.coerced(right, &joined));
        let ty = match op {
            Op::Subset => Type::Bool,
            Op::Minus => left.ty.clone(),
            _ => joined,
        };
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// An operand of a set operation: collections that are written in it have the type of the elements of the other operand.
    fn operand_beside(
        &mut self,
        scope: &mut ExprScope,
        e: &'a AstExpr,
        other: &Typed<(Expr, Type)>,
    ) -> Typed<(Expr, Type)> {
        match (&e.kind, other) {
            (AstExprKind::Set(elements), Ok((_, element))) if self.collected(element).is_some() => {
                let place = Self::set_type(element.clone());
                Ok((self.set_literal(scope, elements, &place, e.span)?, element.clone()))
            }
            _ => self.set_operand(scope, e),
        }
    }

    fn otherwise(&mut self, scope: &mut ExprScope, of: Operands<'a>, expected: &Type) -> Typed {
        let Operands { a, b, span } = of;
        let left = self.expr_for(scope, a, expected);
        let place = if is_open(type_of(&left)) { expected } else { type_of(&left) };
        let right = self.expr_for(scope, b, place);
        let (left, right) = both(left, right)?;
        let inner = left.ty.inner().clone();
        let Some(ty) = self.unify(&inner, &right.ty).filter(|t| *t != Type::Pos) else {
            let (x, y) = (self.described(&left, a), self.described(&right, b));
            let error = Diagnostic::error(
                span,
                format!("the operands of `otherwise` have incompatible types: {x} and {y}"),
            );
            return self.wrong(error);
        };
        if !left.ty.is_option() {
            let text = self.text(a.span);
            let message = format!("`{text}` is {}, which is never `none`", self.show(&left.ty));
            self.report(Diagnostic::warning(a.span, message));
            return Ok(left);
        }
        let ty = if right.ty.is_option() { ty.optional() } else { ty };
        let (left, right) = (self.coerced(left, &ty), self.coerced(right, &ty));
        Ok(Expr { kind: ExprKind::Binary(Op::Otherwise, Box::new(left), Box::new(right)), ty, span })
    }

    fn arithmetic(&mut self, scope: &mut ExprScope, op: Op, of: Operands<'a>) -> Typed {
        let Operands { a, b, span } = of;
        let left = self.expr(scope, a);
        if *type_of(&left) == Type::Pos && matches!(op, Op::Add | Op::Sub) {
            let right = self.int(scope, b)?;
            if !is_constant(&right) || right.ty.is_option() {
                let error = Diagnostic::error(b.span, "the offset of a position must be a constant");
                return self.wrong(error);
            }
            const BOUND: i64 = 1 << 31;
            if !matches!(right.ty, Type::Int { lo, hi } if -BOUND <= lo && hi <= BOUND) {
                let error = Diagnostic::error(b.span, "position offset out of range");
                return self.wrong(error.with_help(format!("an offset must be less than {BOUND} steps")));
            }
            return Ok(Expr {
                kind: ExprKind::Binary(op, Box::new(left?), Box::new(right)),
                ty: Type::Pos,
                span,
            });
        }
        if let Ok(left) = &left
            && let Type::Set(_) = left.ty.inner()
        {
            return self.arithmetic_of_sets(scope, op, left, of);
        }
        let left = left.and_then(|left| self.as_int(scope, left, a));
        let (left, right) = both(left, self.int(scope, b))?;
        let (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) = (left.ty.inner(), right.ty.inner())
        else {
            return Err(Reported);
        };
        if matches!(op, Op::Div | Op::Mod) && (!is_constant(&right) || *r <= 0) && !self.is_abstract(&right) {
            let word = if op == Op::Div { "divide" } else { "take remainders" };
            let message = format!("can only {word} by a positive constant, not `{}`", self.text(b.span));
            return self.wrong(Diagnostic::error(b.span, message));
        }
        let Some((lo, hi)) = hull(op, (*p, *q), (*r, *s)) else {
            return self.overflow(&[(&left, a), (&right, b)], span);
        };
        let ty = Type::Int { lo, hi };
        let ty = if left.ty.is_option() || right.ty.is_option() { ty.optional() } else { ty };
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// The negation of an expression; double negations cancel.
    pub(super) fn negation(&self, e: Expr) -> Expr {
        let span = e.span;
        match e.kind {
            ExprKind::Not(inner) => Expr { span, ..*inner },
            _ => Expr { span, ..self.folded(e.negated()) },
        }
    }

    /// Reports a result that may exceed 64 bits.
    pub(super) fn overflow(&mut self, operands: &[(&Expr, &'a AstExpr)], span: Span) -> Typed {
        let message = format!("`{}` may overflow a 64-bit integer", self.text(span));
        let mut error = Diagnostic::error(span, message);
        for (typed, written) in operands {
            error.notes.push(format!("`{}` is {}", self.text(written.span), self.show(typed.ty.inner())));
        }
        self.wrong(error.with_help("narrow the operands' ranges"))
    }

    /// Reports arithmetic on a set, with the set operation as help.
    fn arithmetic_of_sets(&mut self, scope: &mut ExprScope, op: Op, left: &Expr, of: Operands<'a>) -> Typed {
        let Operands { a, b, span } = of;
        let right = self.expr(scope, b)?;
        let message = format!("expected an integer, found {}", self.described(left, a));
        let error = Diagnostic::error(a.span, message);
        let (x, y) = (self.text(a.span), self.text(b.span));
        let y = if matches!(right.ty.inner(), Type::Set(_)) { y } else { format!("{{{y}}}") };
        let word = match op {
            Op::Add => "union",
            Op::Sub => "minus",
            _ => "intersect",
        };
        self.wrong(Diagnostic { span: Some(span), ..error }.with_help(format!("write `{x} {word} {y}`")))
    }

    pub(super) fn negative(&mut self, scope: &mut ExprScope, e: &'a AstExpr, span: Span) -> Typed {
        let typed = self.int(scope, e)?;
        let Type::Int { lo, hi } = *typed.ty.inner() else { return Err(Reported) };
        let (Some(least), Some(greatest)) = (hi.checked_neg(), lo.checked_neg()) else {
            return self.overflow(&[(&typed, e)], span);
        };
        let ty = Type::Int { lo: least, hi: greatest };
        let ty = if typed.ty.is_option() { ty.optional() } else { ty };
        Ok(Expr { kind: ExprKind::Neg(Box::new(typed)), ty, span })
    }
}

/// The formula that an expression is `none`.
fn absent(e: Expr, span: Span) -> Expr {
    if !e.ty.is_option() {
        return Expr::bool(false, span);
    }
    Expr { kind: ExprKind::IsSome(Box::new(e)), ty: Type::Bool, span }.negated()
}

/// True if a comparison with this operand can be judged independently of the model's constants: it is a
/// literal or not constant at all.
fn varies(typed: &Expr, written: &AstExpr) -> bool {
    let literal = match &written.kind {
        AstExprKind::Neg(e) => matches!(e.kind, AstExprKind::Int(_)),
        kind => matches!(kind, AstExprKind::Int(_)),
    };
    literal || !is_constant(typed)
}

fn both_constant(a: &Expr, b: &Expr) -> bool {
    is_constant(a) && is_constant(b)
}

/// The smallest and the largest result of an operator on integers from these ranges, if both fit into
/// 64 bits.
fn hull(op: Op, (p, q): (i64, i64), (r, s): (i64, i64)) -> Option<(i64, i64)> {
    Some(match op {
        Op::Add => (p.checked_add(r)?, q.checked_add(s)?),
        Op::Sub => (p.checked_sub(s)?, q.checked_sub(r)?),
        Op::Mul => {
            let mut products = [(p, r), (p, s), (q, r), (q, s)].map(|(a, b)| a.checked_mul(b));
            products.sort_unstable();
            // `None`, for an overflow, comes first.
            (products[0]?, products[3]?)
        }
        Op::Div if r > 0 => (p.div_euclid(r), q.div_euclid(r)),
        Op::Mod if p >= 0 && q < r => (p, q),
        Op::Mod => (0, (r - 1).max(0)),
        _ => (p, q),
    })
}
