//! Records, sets, maps and quantifiers.

use super::domains::element_type;
use super::entity::Entity;
use super::events::WrittenStep;
use super::fold::constant_bool;
use super::relations::{assignable, has_integers, same_shape, within};
use super::types::{OPEN, coerce, is_open, known, poisoned};
use super::{Checker, ExprScope, NameBinding, Reported, Typed, all, both};
use crate::model::expr::{Expr, ExprKind, LocalId, Quantifier};
use crate::model::types::{RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, Ident};
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_i64;
use std::sync::Arc;

impl<'a> Checker<'a> {
    pub(super) fn record(
        &mut self,
        scope: &mut ExprScope,
        name: &'a Ident,
        fields: &'a [(Ident, AstExpr)],
        span: Span,
    ) -> Typed {
        let ty = match self.entity(scope.unit, &name.name) {
            Some(Entity::Constructor(variant, index)) => {
                let id = self.constructor(variant, index)?;
                return self.construction(scope, id, fields, span);
            }
            Some(Entity::Type(decl)) => self.declared_type(decl),
            Some(Entity::Action(action)) => {
                return self.event(scope, WrittenStep { action, given: fields }, None, span);
            }
            Some(other) => {
                let message = format!("`{}` is {}, not a record type", name.name, other.kind());
                return self.wrong(Diagnostic::error(name.span, message));
            }
            None => {
                let types = |e| matches!(e, Entity::Type(_));
                return self.unknown("record type", &name.name, name.span, scope, &types);
            }
        };
        let Type::Record(id) = known(ty)? else {
            return self.wrong(Diagnostic::error(name.span, format!("`{}` is not a record type", name.name)));
        };
        if self.types.record(id).is_variant() {
            let error = Diagnostic::error(name.span, format!("`{}` is a variant", name.name));
            return self.wrong(error.with_help(format!("write one of its constructors: {}", self.forms(id))));
        }
        let given = self.fields_given(scope, id, fields)?;
        let decl = self.types.record(id);
        let missing: Vec<String> = (0..decl.fields.len())
            .filter(|i| !given.iter().any(|(g, _)| g == i))
            .map(|i| format!("`{}`", decl.fields[i].0))
            .collect();
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "field" } else { "fields" };
            let message = format!("`{}` is missing {plural} {}", name.name, missing.join(", "));
            let note = self.field_names(id);
            return self.wrong(Diagnostic::error(span, message).with_note(note));
        }
        let mut given = every(given)?;
        given.sort_by_key(|(index, _)| *index);
        let (id, given) = self.with_room(id, given);
        let parts = given.into_iter().map(|(_, e)| e).collect();
        Ok(Expr { kind: ExprKind::Record(parts), ty: Type::Record(id), span })
    }

    /// Values given to fields of a record, each in the form of its field, and the record, in which collections may be larger.
    pub(super) fn with_room(
        &mut self,
        id: RecordId,
        given: Vec<(usize, Expr)>,
    ) -> (RecordId, Vec<(usize, Expr)>) {
        let types = &self.types;
        let mut fields: Vec<Type> = types.record(id).fields.iter().map(|(_, ty)| ty.clone()).collect();
        let mut grown = false;
        for (index, e) in &given {
            let field = &mut fields[*index];
            if !same_shape(&e.ty, field)
                && !within(types, &e.ty, field, true)
                && let Some(joined) = self.unify(field, &e.ty)
            {
                *field = if field.is_option() { joined } else { joined.inner().clone() };
                grown = true;
            }
        }
        let given = given.into_iter().map(|(index, e)| (index, self.reshaped(e, &fields[index]))).collect();
        (if grown { self.types.grown(id, fields) } else { id }, given)
    }

    pub(super) fn with(
        &mut self,
        scope: &mut ExprScope,
        base: &'a AstExpr,
        fields: &'a [(Ident, AstExpr)],
        span: Span,
    ) -> Typed {
        let typed = self.expr(scope, base)?;
        let Type::Record(id) = *typed.ty.inner() else {
            let message = format!("{} has no fields", self.described(&typed, base));
            return self.wrong(Diagnostic::error(base.span, message));
        };
        let given = self.fields_given(scope, id, fields)?;
        let (id, given) = self.with_room(id, every(given)?);
        let whole = Type::Record(id);
        let ty = if typed.ty.is_option() { whole.clone().optional() } else { whole.clone() };
        let typed = self.reshaped(typed, &whole);
        Ok(Expr { kind: ExprKind::With(Box::new(typed), given), ty, span })
    }

    /// Checks the values given to fields of a record, each of which is known and given once.
    fn fields_given(
        &mut self,
        scope: &mut ExprScope,
        id: RecordId,
        fields: &'a [(Ident, AstExpr)],
    ) -> Typed<Vec<(usize, Typed)>> {
        let mut given: Vec<(usize, Typed)> = Vec::new();
        let mut good = true;
        for (field, value) in fields {
            let expected = self.types.record(id).fields.iter().find(|(name, _)| *name == field.name);
            let expected = expected.map_or(super::POISON, |(_, ty)| ty.clone());
            let typed = self.expr_for(scope, value, &expected);
            let index = self.field_index(id, field);
            let Ok(index) = index.and_then(|index| self.replaceable(id, index, field.span)) else {
                good = false;
                continue;
            };
            if given.iter().any(|(g, _)| *g == index) {
                let message = format!("field `{}` is given twice", field.name);
                self.report(Diagnostic::error(field.span, message));
                good = false;
                continue;
            }
            let ty = self.types.record(id).fields[index].1.clone();
            let typed = typed.and_then(|typed| self.field_value(scope, typed, &ty, (field, value)));
            given.push((index, typed));
        }
        good.then_some(given).ok_or(Reported)
    }

    /// Checks what is given to a field of a record.
    pub(super) fn field_value(
        &mut self,
        scope: &ExprScope,
        typed: Expr,
        ty: &Type,
        (field, written): (&Ident, &'a AstExpr),
    ) -> Typed {
        let typed = self.fitting(scope, typed, ty, written, &format!("field `{}`", field.name))?;
        let within = is_open(&typed.ty) || within(&self.types, &typed.ty, ty, true);
        self.loose |= !within && has_integers(&self.types, ty);
        Ok(typed)
    }

    /// The index of a field; reports an error if the record has no such field.
    pub(super) fn field_index(&mut self, id: RecordId, field: &Ident) -> Typed<usize> {
        let decl = self.types.record(id);
        self.field_owners.insert(field.span, decl.span);
        if let Some(index) = decl.fields.iter().position(|(n, _)| *n == field.name) {
            return Ok(index);
        }
        let message = format!("`{}` has no field `{}`", decl.name, field.name);
        let mut error = Diagnostic::error(field.span, message).with_note(self.field_names(id));
        let found = nearest(&field.name, self.types.record(id).fields.iter().map(|(n, _)| n.as_str()));
        error.help = found.map(|n| format!("did you mean `{n}`?"));
        self.wrong(error)
    }

    fn field_names(&self, id: RecordId) -> String {
        let names: Vec<&str> = self.types.record(id).fields.iter().map(|(n, _)| n.as_str()).collect();
        format!("fields are {}", names.join(", "))
    }

    /// Checks an expression against the type of its place; `place` describes it in messages.
    pub(super) fn fitting(
        &mut self,
        scope: &ExprScope,
        typed: Expr,
        ty: &Type,
        written: &'a AstExpr,
        place: &str,
    ) -> Typed {
        self.fitting_or(scope, typed, ty, written, (place, ""))
    }

    /// [`Self::fitting`], with the consequence of a value that is never in the type, if it is to be named.
    pub(super) fn fitting_or(
        &mut self,
        scope: &ExprScope,
        typed: Expr,
        ty: &Type,
        written: &'a AstExpr,
        (place, otherwise): (&str, &str),
    ) -> Typed {
        if poisoned(ty) {
            return Err(Reported);
        }
        let typed = if ty.is_option() { typed } else { self.where_known(scope, typed) };
        if !assignable(&self.types, &typed.ty, ty) {
            let (shown, expected) = (self.described(&typed, written), self.show(ty));
            if assignable(&self.types, typed.ty.inner(), ty) && !is_open(&typed.ty) {
                let text = self.text(written.span);
                let message = format!("`{text}` may be `none`, but {place} is {expected}");
                let mut error = Diagnostic::error(written.span, message);
                error.notes.extend(self.key_outside(&typed, written));
                return self.wrong(error.with_help(self.help_on_absence(&typed, written)));
            }
            let error = Diagnostic::error(written.span, format!("{place} is {expected}, not {shown}"));
            let notes = self.because(scope, "the value", &typed, written).into_iter().collect();
            return self.wrong(Diagnostic { notes, ..error });
        }
        if let (Type::Int { lo, hi }, Type::Int { lo: least, hi: greatest }) = (typed.ty.inner(), ty.inner())
            && (hi < least || greatest < lo)
        {
            let shown = self.described(&typed, written);
            let message = format!("{shown} is never in {least}..{greatest}");
            let warning = Diagnostic::warning(written.span, message);
            self.report(warning.with_note(format!("{place} is {}{otherwise}", self.show(ty))));
        }
        if let Some(to) = self.collected(ty)
            && let Some((least, _)) = self.sizes(&typed)
            && least > to_i64(to.of.most)
        {
            let message = format!("`{}` has at least {least} elements", self.text(written.span));
            let warning = Diagnostic::warning(written.span, message);
            self.report(warning.with_note(format!("{place} is {}{otherwise}", self.show(ty))));
        }
        Ok(coerce(typed, ty))
    }

    pub(super) fn set_literal(
        &mut self,
        scope: &mut ExprScope,
        elements: &'a [AstExpr],
        expected: &Type,
        span: Span,
    ) -> Typed {
        let set = self.alternatives(scope, elements, expected, span)?;
        if let Type::Set(element) = &set.ty {
            self.few_values(element, span, "the elements of a set")?;
        }
        Ok(set)
    }

    /// A set literal of any integers, in which something is looked for.
    pub(super) fn alternatives(
        &mut self,
        scope: &mut ExprScope,
        elements: &'a [AstExpr],
        expected: &Type,
        span: Span,
    ) -> Typed {
        let place = if let Type::Set(element) = expected.inner() { element } else { &OPEN };
        let typed = all(elements.iter().map(|e| self.expr_for(scope, e, place)))?;
        let mut element = OPEN;
        for (index, e) in typed.iter().enumerate() {
            let Some(joined) = self.unify(&element, e.ty.inner()).filter(|_| e.ty != Type::Pos) else {
                let (this, before) = (self.described(e, &elements[index]), self.show(&element));
                let message = format!("the elements of a set have incompatible types: {before} and {this}");
                return self.wrong(Diagnostic::error(elements[index].span, message));
            };
            element = joined;
        }
        let typed = typed.into_iter().map(|e| self.coerced(e, &element)).collect();
        Ok(Expr { kind: ExprKind::SetLiteral(typed), ty: Self::set_type(element), span })
    }

    pub(super) fn filter(
        &mut self,
        scope: &mut ExprScope,
        var: &'a Ident,
        domain: &'a AstExpr,
        cond: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let domain = self.collection(scope, domain);
        if self.is_collection(&domain) {
            return self.filtered(scope, var, domain?.0, cond, span);
        }
        let local = self.fresh();
        let binding = NameBinding::Local(local, element_type(&domain));
        let ((set, _), cond) = both(domain, self.bound_to(scope, var, binding, |c, s| c.bool(s, cond)))?;
        let ty = set.ty.clone();
        Ok(Expr { kind: ExprKind::Filter { local, set: Box::new(set), cond: Box::new(cond) }, ty, span })
    }

    pub(super) fn map_of(
        &mut self,
        scope: &mut ExprScope,
        var: &'a Ident,
        domain: &'a AstExpr,
        body: &'a AstExpr,
        expected: &Type,
        span: Span,
    ) -> Typed {
        let keys = self.domain(scope, domain).and_then(|(set, key)| {
            let whole = self.type_named_by(scope, domain).is_some();
            let range = matches!(domain.kind, AstExprKind::Range(..)) && self.members_of(&set).is_some();
            if whole || range {
                return Ok((set, key));
            }
            let error =
                Diagnostic::error(domain.span, "the keys of a map must be a type or a constant range");
            self.wrong(error.with_help("write `map x in T: …` with a type or a constant range T"))
        });
        let local = self.fresh();
        let binding = NameBinding::Local(local, element_type(&keys));
        let place = if let Type::Map(_, value) = expected.inner() { value } else { &OPEN };
        let value = self.bound_to(scope, var, binding, |c, s| c.expr_for(s, body, place));
        let ((_, key), value) = both(keys, value)?;
        let ty = Type::Map(Arc::new(key), Arc::new(value.ty.clone()));
        Ok(Expr { kind: ExprKind::MapOf { local, body: Box::new(value) }, ty, span })
    }

    pub(super) fn size(&mut self, scope: &mut ExprScope, set: &'a AstExpr, span: Span) -> Typed {
        let (typed, element) = self.collection(scope, set)?;
        if let Some(to) = self.collected(&typed.ty) {
            return Ok(to.size(&typed, span));
        }
        let hi = match &typed.kind {
            ExprKind::Const(Value::Set(members)) => to_i64(members.len()),
            _ => to_i64(self.types.cardinality(&element).min(super::types::LIMIT)),
        };
        Ok(Expr { kind: ExprKind::Size(Box::new(typed)), ty: Type::Int { lo: 0, hi }, span })
    }

    pub(super) fn quantified(
        &mut self,
        scope: &mut ExprScope,
        quantifier: Quantifier,
        vars: &'a [Ident],
        domain: &'a AstExpr,
        body: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let domain = self.collection(scope, domain);
        if self.is_collection(&domain) {
            return self.quantified_over(scope, quantifier, vars, domain?.0, body, span);
        }
        let (locals, body) = self.all_bound(scope, vars, &domain, |c, scope| c.bool(scope, body));
        let ((set, _), mut body) = both(domain, body)?;
        for local in locals.into_iter().rev() {
            let (set, inner) = (Box::new(set.clone()), Box::new(body));
            let kind = ExprKind::Quant { quantifier, local, set, body: inner };
            body = self.folded(Expr { kind, ty: Type::Bool, span });
        }
        Ok(body)
    }

    /// The formula that something is true of all members of a set, or of some.
    pub(super) fn over_members(
        &mut self,
        quantifier: Quantifier,
        set: Expr,
        element: &Type,
        body: impl FnOnce(&mut Self, &Expr) -> Expr,
    ) -> Expr {
        let (local, span) = (self.fresh(), set.span);
        let member = Expr { kind: ExprKind::Local(local), ty: element.clone(), span };
        let body = Box::new(body(self, &member));
        if constant_bool(&body) == Some(quantifier == Quantifier::Forall) {
            return *body;
        }
        let kind = ExprKind::Quant { quantifier, local, set: Box::new(set), body };
        self.folded(Expr { kind, ty: Type::Bool, span })
    }

    /// Elaborates something with several more names bound, each to some element of a domain.
    pub(super) fn all_bound<R>(
        &mut self,
        scope: &mut ExprScope,
        names: &[Ident],
        domain: &Typed<(Expr, Type)>,
        run: impl FnOnce(&mut Self, &mut ExprScope) -> R,
    ) -> (Vec<LocalId>, R) {
        let (depth, ty) = (scope.locals.len(), element_type(domain));
        let mut locals = Vec::new();
        for name in names {
            self.warn_shadowed(scope, name);
            let local = self.fresh();
            scope.locals.push((name.name.clone(), NameBinding::Local(local, ty.clone())));
            locals.push(local);
        }
        let result = run(self, scope);
        scope.locals.truncate(depth);
        (locals, result)
    }

    /// Elaborates something with one more name bound.
    pub(super) fn bound_to<R>(
        &mut self,
        scope: &mut ExprScope,
        name: &Ident,
        binding: NameBinding,
        run: impl FnOnce(&mut Self, &mut ExprScope) -> R,
    ) -> R {
        self.warn_shadowed(scope, name);
        scope.locals.push((name.name.clone(), binding));
        let result = run(self, scope);
        scope.locals.pop();
        result
    }
}

/// The values given to fields, if nothing is wrong with any of them.
fn every(given: Vec<(usize, Typed)>) -> Typed<Vec<(usize, Expr)>> {
    all(given.into_iter().map(|(field, value)| Ok((field, value?))))
}
