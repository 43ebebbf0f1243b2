//! Cases: `match e { A(f) => …, none => …, else => … }`, as expressions and as statements.
//!
//! They become conditionals. A name in a pattern stands for the field of the value that is looked at, which is present where the
//! pattern fits.

use super::relations::compatible;
use super::types::{LIMIT, OPEN, poisoned};
use super::variants::ConstructorId;
use super::{Checker, ExprScope, NameBinding, Reported, Typed};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, AstPattern, AstPatternKind, Ident, MatchArm};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;
use std::collections::BTreeSet;

/// A case whose patterns are checked.
pub(super) struct MatchCase<'a, B> {
    /// The condition that one of its patterns fits, in a value for which no earlier one does.
    pub condition: Expr,
    /// The names that its patterns give.
    pub names: Vec<(&'a Ident, NameBinding)>,
    pub body: &'a B,
}

/// The values that the cases so far leave.
struct RemainingValues {
    /// The values that no pattern fits yet; `None` where they are not counted.
    values: Option<BTreeSet<Value>>,
    /// Of values that are not counted: `none` is left, something else is.
    none: bool,
    some: bool,
    otherwise: bool,
}

impl RemainingValues {
    fn of(values: Option<BTreeSet<Value>>, optional: bool) -> Self {
        Self { values, none: optional, some: true, otherwise: false }
    }

    /// True if there is a case for every value.
    fn is_nothing(&self) -> bool {
        let uncounted = || !self.none && !self.some;
        self.otherwise || self.values.as_ref().map_or_else(uncounted, BTreeSet::is_empty)
    }

    /// Takes a value away, or with `None` all but `none`; false if that is not left.
    fn take(&mut self, value: Option<&Value>) -> bool {
        match (&mut self.values, value) {
            (Some(values), Some(value)) => values.remove(value),
            (Some(values), None) => {
                let before = values.len();
                values.retain(|value| *value == Value::None);
                values.len() < before
            }
            (None, Some(Value::None)) => std::mem::take(&mut self.none),
            (None, Some(_)) => self.some,
            (None, None) => std::mem::take(&mut self.some),
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn match_expression(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        arms: &'a [MatchArm<AstExpr>],
        expected: &Type,
        span: Span,
    ) -> Typed {
        let looked = self.looked_at(scope, value, arms)?;
        let mut lets = Vec::new();
        let subject = self.named(looked, &mut lets);
        let cases = self.cases(scope, &subject, value, arms, span)?;
        let mut bodies: Vec<(Expr, Expr)> = Vec::new();
        let mut joined: Option<Type> = None;
        let mut first = String::new();
        let mut good = true;
        let known = scope.known.len();
        for case in cases {
            let earlier = scope.known.len();
            scope.learn(&case.condition, true);
            // The type of an earlier case says what `[]` is in this one.
            let place = joined.as_ref().filter(|_| expected == &OPEN).unwrap_or(expected).clone();
            let body = self.with_names(scope, case.names, |c, s| c.expr_for(s, case.body, &place));
            let body = body.map(|body| if place.is_option() { body } else { self.where_known(scope, body) });
            scope.known.truncate(earlier);
            scope.learn(&case.condition, false);
            good &= body.is_ok();
            let Some(body) = body.ok().filter(|_| good) else { continue };
            let ty = match &joined {
                None => Some(body.ty.clone()).filter(|ty| *ty != Type::Pos),
                Some(before) => self.unify(before, &body.ty),
            };
            if ty.is_none() {
                let found = self.described(&body, case.body);
                let message = match joined {
                    Some(_) => format!("the cases have incompatible types: {first} and {found}"),
                    None => format!("{found} cannot be the value of a case"),
                };
                self.report(Diagnostic::error(case.body.span, message));
                good = false;
            }
            if joined.is_none() {
                first = self.described(&body, case.body);
            }
            joined = ty.or(joined);
            bodies.push((case.condition, body));
        }
        scope.known.truncate(known);
        let (Some(ty), true) = (joined, good) else { return Err(Reported) };
        let mut cases = bodies.into_iter().rev();
        let (_, last) = cases.next().ok_or(Reported)?;
        let mut result = self.coerced(last, &ty);
        for (condition, body) in cases {
            let parts = (Box::new(condition), Box::new(self.coerced(body, &ty)), Box::new(result));
            let chosen = Expr { kind: ExprKind::If(parts.0, parts.1, parts.2), ty: ty.clone(), span };
            result = self.folded(chosen);
        }
        Ok(Expr::with_names(&lets, result))
    }

    /// Checks the patterns of all cases.
    pub(super) fn cases<B>(
        &mut self,
        scope: &mut ExprScope,
        subject: &Expr,
        written: &'a AstExpr,
        arms: &'a [MatchArm<B>],
        span: Span,
    ) -> Typed<Vec<MatchCase<'a, B>>> {
        let mut left = RemainingValues::of(self.kinds(&subject.ty), subject.ty.is_option());
        let errors = self.errors();
        let mut cases = Vec::new();
        for arm in arms {
            let mut conditions = Vec::new();
            let mut names = Vec::new();
            for pattern in &arm.patterns {
                let condition = self.pattern(scope, subject, written, pattern, &mut names, &mut left);
                conditions.extend(condition);
                if arm.patterns.len() > 1 && !names.is_empty() {
                    let message = "one of several patterns cannot name fields";
                    let help = "write a case for each of them";
                    self.report(Diagnostic::error(pattern.span, message).with_help(help));
                    names.clear();
                    break;
                }
            }
            let condition = conditions.into_iter().reduce(|a, b| Expr::binary_bool(Op::Or, a, b));
            if let Some(condition) = condition {
                cases.push(MatchCase { condition, names, body: &arm.body });
            }
        }
        if self.errors() > errors {
            return Err(Reported);
        }
        if !left.is_nothing() {
            let error = Diagnostic::error(span, "the cases do not cover every value");
            let missing = left.values.map(|values| self.missing(&subject.ty, &values));
            let help = match missing {
                Some(missing) => format!("missing: {missing}; `else => …` stands for all others"),
                None if !left.some => "missing: `none`".to_owned(),
                None => "add a case `else => …`".to_owned(),
            };
            return self.wrong(error.with_help(help));
        }
        Ok(cases)
    }

    /// Runs something with the names of a case.
    pub(super) fn with_names<R>(
        &mut self,
        scope: &mut ExprScope,
        names: Vec<(&'a Ident, NameBinding)>,
        run: impl FnOnce(&mut Self, &mut ExprScope) -> R,
    ) -> R {
        let depth = scope.locals.len();
        for (name, binding) in names {
            self.warn_shadowed(scope, name);
            scope.locals.push((name.name.clone(), binding));
        }
        let result = run(self, scope);
        scope.locals.truncate(depth);
        result
    }

    /// The kinds of value that patterns tell apart: constructors, by the numbers that stand for them, and values of small scalars.
    fn kinds(&self, ty: &Type) -> Option<BTreeSet<Value>> {
        let inner = match self.variant_id(ty) {
            Some(id) => self.types.record(id).fields[0].1.clone(),
            None => ty.inner().clone(),
        };
        match inner {
            Type::Bool | Type::Enum(_) | Type::Int { .. } if self.types.cardinality(&inner) <= LIMIT => {
                let mut values: BTreeSet<Value> = self.types.values(&inner).into_iter().collect();
                if ty.is_option() {
                    values.insert(Value::None);
                }
                Some(values)
            }
            _ => None,
        }
    }

    /// The values that no case is for, as patterns.
    fn missing(&self, ty: &Type, values: &BTreeSet<Value>) -> String {
        const MOST: usize = 6;
        let show = |value: &Value| match (value, self.variant_id(ty)) {
            (Value::Enum(_, index), Some(variant)) => {
                self.types.record(variant).constructors[*index as usize].name.clone()
            }
            _ => self.types.show_value(value),
        };
        let mut shown: Vec<String> =
            values.iter().take(MOST).map(|value| format!("`{}`", show(value))).collect();
        if values.len() > MOST {
            shown.push(format!("{} more", values.len() - MOST));
        }
        shown.join(", ")
    }

    /// The condition that a pattern fits; none for one that fits no argument of a definition.
    fn pattern(
        &mut self,
        scope: &mut ExprScope,
        subject: &Expr,
        written: &'a AstExpr,
        pattern: &'a AstPattern,
        names: &mut Vec<(&'a Ident, NameBinding)>,
        left: &mut RemainingValues,
    ) -> Typed<Expr> {
        let span = pattern.span;
        if left.otherwise {
            let error = Diagnostic::error(span, "this case is never reached: `else` comes before it");
            return self.wrong(error.with_help("put `else` last"));
        }
        let (taken, condition) = match &pattern.kind {
            AstPatternKind::Else => {
                left.otherwise = true;
                if left.values.as_ref().is_some_and(BTreeSet::is_empty) {
                    let warning = Diagnostic::warning(span, "the cases before it leave nothing for `else`");
                    self.report(warning);
                }
                return Ok(Expr::bool(true, span));
            }
            AstPatternKind::Name(name, fields) if self.variant_id(&subject.ty).is_some() => {
                let id = self.constructor_of(scope, subject, written, name)?;
                self.name_fields(subject, id, fields, names)?;
                let of = self.types.record(id.variant).constructor_enum().ok_or(Reported)?;
                (Some(Value::Enum(of, to_u32(id.index))), self.has_constructor(subject, id, span))
            }
            AstPatternKind::Some(name) => (None, self.present_as(subject, written, name, names, span)?),
            AstPatternKind::Name(name, fields) => {
                if let Some((field, _)) = fields.first() {
                    let message = format!("{} has no constructors", self.described(subject, written));
                    return self.wrong(Diagnostic::error(field.span, message));
                }
                let value = self.name(scope, &name.name, name.span)?;
                let (value, condition) = self.equals(subject, written, value, span)?;
                (Some(value), condition)
            }
            AstPatternKind::Value(value) => {
                let value = self.expr(scope, value)?;
                let (value, condition) = self.equals(subject, written, value, span)?;
                (Some(value), condition)
            }
        };
        if !left.take(taken.as_ref()) {
            if self.silent > 0 {
                // The argument of a definition has fewer values than its parameter.
                return Err(Reported);
            }
            let text = self.text(span);
            let message = format!("`{text}` fits no value that the cases before it leave");
            return self.wrong(Diagnostic::error(span, message).with_help("remove it"));
        }
        Ok(condition)
    }

    /// The condition that a value is present, with a name for it.
    fn present_as(
        &mut self,
        subject: &Expr,
        written: &'a AstExpr,
        name: &'a Ident,
        names: &mut Vec<(&'a Ident, NameBinding)>,
        span: Span,
    ) -> Typed<Expr> {
        let value = self.as_if_present(subject.clone(), subject.ty.inner());
        names.push((name, NameBinding::of(value)));
        if subject.ty.is_option() {
            let some = Expr { span, ..subject.clone().presence() };
            return Ok(self.folded(some));
        }
        // Of the argument of a definition, the parameter may be an option.
        if self.silent == 0 {
            let of = self.described(subject, written);
            let error = Diagnostic::error(span, format!("{of} is never `none`"));
            let text = self.text(written.span);
            return self.wrong(error.with_help(format!("`let {} = {text}` gives it a name", name.name)));
        }
        Ok(Expr::bool(true, span))
    }

    /// A value that is looked at: as if it were present where the conditions around say so, unless a case is for `none`.
    pub(super) fn looked_at<B>(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        arms: &[MatchArm<B>],
    ) -> Typed {
        let typed = self.expr(scope, value)?;
        let may_be_none = |pattern: &AstPattern| match &pattern.kind {
            AstPatternKind::Value(value) => value.kind == AstExprKind::None,
            AstPatternKind::Some(_) => true,
            _ => false,
        };
        Ok(match arms.iter().flat_map(|arm| &arm.patterns).any(may_be_none) {
            true => typed,
            false => self.where_known(scope, typed),
        })
    }

    /// The constant that a value is compared with, and the condition that they are equal.
    fn equals(
        &mut self,
        subject: &Expr,
        written: &'a AstExpr,
        value: Expr,
        span: Span,
    ) -> Typed<(Value, Expr)> {
        if poisoned(&value.ty) {
            return Err(Reported);
        }
        let ExprKind::Const(constant) = value.kind.clone() else {
            let error = Diagnostic::error(span, "a pattern is a constant or a constructor");
            return self.wrong(error.with_help("compare other values by `if … then … else …`"));
        };
        let never = constant == Value::None && !subject.ty.is_option();
        if never || !compatible(&self.types, &subject.ty, &value.ty) {
            if self.silent > 0 {
                return Err(Reported);
            }
            let (of, found) = (self.described(subject, written), self.text(span));
            return self.wrong(Diagnostic::error(span, format!("{of} is never `{found}`")));
        }
        let equal = match constant {
            Value::None => Expr { span, ..subject.clone().presence() }.negated(),
            _ => {
                let value = self.coerced(value, &subject.ty);
                Expr { span, ..Expr::binary_bool(Op::Eq, subject.clone(), value) }
            }
        };
        Ok((constant, self.folded(equal)))
    }

    /// Gives names to fields of the payload of a constructor.
    fn name_fields(
        &mut self,
        subject: &Expr,
        id: ConstructorId,
        fields: &'a [(Ident, Ident)],
        names: &mut Vec<(&'a Ident, NameBinding)>,
    ) -> Typed<()> {
        for (field, own) in fields {
            let decl = self.types.record(id.variant);
            let mut payload = decl.constructors[id.index].payload.iter();
            let part = payload.find(|part| decl.fields[part.field].0 == field.name).cloned();
            self.field_owners.insert(field.span, decl.span);
            let Some(part) = part else { return self.no_such_field(id, field) };
            if names.iter().any(|(name, _)| name.name == own.name) {
                return self.wrong(Diagnostic::error(own.span, format!("`{}` is bound twice", own.name)));
            }
            let slot = decl.fields[part.field].1.clone();
            let ty = if subject.ty.is_option() { slot.optional() } else { slot };
            let kind = ExprKind::Field(Box::new(subject.clone()), part.field);
            let mut value = Expr { kind, ty, span: own.span };
            if !part.ty.is_option() {
                // It is present where the pattern fits.
                value = self.as_if_present(value, &part.ty);
            }
            names.push((own, NameBinding::Alias(value)));
        }
        Ok(())
    }
}
