//! Values in the form of another type that differs in the sizes of collections: with more places, or with fewer.
//!
//! A collection with too few places keeps its size, which then is none that the type has: it is a value of no type, so a step that
//! stores it does not exist, and it equals no collection that fits.

use super::collected::{CollectionType, conditional, integer};
use super::relations::{same_shape, within};
use super::types::poisoned;
use super::{Checker, poison};
use crate::model::expr::{Expr, ExprKind, Op, Quantifier};
use crate::model::types::{RecordId, Type, Types};
use crate::model::value::Value;
use kit::diagnostics::Span;
use kit::number::to_i64;

impl Checker<'_> {
    /// An expression as one of another type, which is compatible with its own: of options apart, and up to ranges of integers.
    pub(super) fn reshaped(&mut self, e: Expr, to: &Type) -> Expr {
        if poisoned(&e.ty) || poisoned(to) || same_shape(&e.ty, to) {
            return e;
        }
        let (to, span) = (to.inner(), e.span);
        let ty = if e.ty.is_option() { to.clone().optional() } else { to.clone() };
        let kind = match e.kind {
            ExprKind::Const(value) => ExprKind::Const(reshaped_value(&self.types, &value, to)),
            ExprKind::If(cond, a, b) => {
                ExprKind::If(cond, Box::new(self.reshaped(*a, to)), Box::new(self.reshaped(*b, to)))
            }
            ExprKind::Let { bindings, body } => {
                ExprKind::Let { bindings, body: Box::new(self.reshaped(*body, to)) }
            }
            ExprKind::Binary(op @ Op::Otherwise, a, b) => {
                ExprKind::Binary(op, Box::new(self.reshaped(*a, to)), Box::new(self.reshaped(*b, to)))
            }
            ExprKind::Record(parts) => match (to, self.collected(to)) {
                (_, Some(to)) => return self.with_places(&to, parts, span),
                (Type::Record(id), None) => return self.with_forms(*id, parts, span),
                _ => ExprKind::Record(parts),
            },
            ExprKind::SetLiteral(elements) => {
                let element = if let Type::Set(element) = to { element } else { to };
                ExprKind::SetLiteral(elements.into_iter().map(|e| self.reshaped(e, element)).collect())
            }
            ExprKind::MapOf { local, body } => {
                let value = if let Type::Map(_, value) = to { value } else { to };
                ExprKind::MapOf { local, body: Box::new(self.reshaped(*body, value)) }
            }
            kind => {
                let read = Expr { kind, ty: e.ty, span };
                return self.shared(read, |c, read| c.rebuilt(read, to));
            }
        };
        Expr { kind, ty, span }
    }

    /// A collection of these parts, its size and its elements, with as many places as another type has.
    fn with_places(&mut self, to: &CollectionType, mut parts: Vec<Expr>, span: Span) -> Expr {
        let size = parts.remove(0);
        parts.truncate(to.of.most);
        let mut elements: Vec<Expr> =
            parts.into_iter().map(|part| self.reshaped(part, &to.of.element)).collect();
        let slot = to.of.element.clone().optional();
        elements.resize(to.of.most, Expr::constant(Value::None, slot, span));
        whole(to.made(size, elements, span))
    }

    /// A record of these parts, in the forms of another record.
    fn with_forms(&mut self, id: RecordId, parts: Vec<Expr>, span: Span) -> Expr {
        let forms: Vec<Type> = self.types.record(id).fields.iter().map(|(_, ty)| ty.clone()).collect();
        let parts = parts.into_iter().zip(&forms).map(|(part, ty)| self.reshaped(part, ty)).collect();
        whole(Expr { kind: ExprKind::Record(parts), ty: Type::Record(id), span })
    }

    /// An expression that costs nothing to read again, taken apart and put together.
    fn rebuilt(&mut self, e: Expr, to: &Type) -> Expr {
        let span = e.span;
        if e.ty.is_option() {
            let some = Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span };
            let none = Expr::constant(Value::None, to.clone().optional(), span);
            let inner = e.ty.inner().clone();
            let present = self.as_if_present(e, &inner);
            let there = self.shared(present, |c, present| c.rebuilt(present, to));
            let kind = ExprKind::If(Box::new(some), Box::new(there), Box::new(none));
            return Expr { kind, ty: to.clone().optional(), span };
        }
        match (&e.ty.clone(), to) {
            (Type::Record(of), Type::Record(id)) => match (self.collected(&e.ty), self.collected(to)) {
                (Some(from), Some(to)) => {
                    let places = (0..from.of.most).map(|index| from.at(&e, index, span));
                    let parts = std::iter::once(from.size(&e, span)).chain(places).collect();
                    self.with_places(&to, parts, span)
                }
                _ => {
                    let fields = 0..self.types.record(*of).fields.len();
                    let parts = fields.map(|field| self.field_of(&e, *of, field)).collect();
                    self.with_forms(*id, parts, span)
                }
            },
            (Type::Map(key, of), Type::Map(_, value)) => {
                let local = self.fresh();
                let here = Expr { kind: ExprKind::Local(local), ty: key.as_ref().clone(), span };
                let kind = ExprKind::Index(Box::new(e), Box::new(here));
                let entry = self.reshaped(Expr { kind, ty: of.as_ref().clone(), span }, value);
                Expr { kind: ExprKind::MapOf { local, body: Box::new(entry) }, ty: to.clone(), span }
            }
            (Type::Set(_), Type::Set(element)) => self.set_in_form(e, element),
            _ => e,
        }
    }

    /// A plain set with its members in another form; where one has none, a set with a member of no type.
    fn set_in_form(&mut self, set: Expr, element: &Type) -> Expr {
        let span = set.span;
        let Type::Set(from) = set.ty.clone() else { return poison(span) };
        let fitting = self.members_of_type(set.clone(), element);
        if poisoned(&fitting.ty) || within(&self.types, &from, element, true) {
            return fitting;
        }
        let all = self.all_values(element, span);
        let all_fit = self.over_members(Quantifier::Forall, set, &from, |c, member| {
            let member = c.reshaped(member.clone(), element);
            Expr { span, ..Expr::binary_bool(Op::In, member, all) }
        });
        let bad = self.no_value(element, span);
        let bad = Expr { kind: ExprKind::SetLiteral(vec![bad]), ty: fitting.ty.clone(), span };
        conditional(all_fit, fitting, bad, span)
    }

    /// The members of a plain set that are values of another type, in its form; reports an error if it has too many values.
    pub(super) fn members_of_type(&mut self, set: Expr, element: &Type) -> Expr {
        let span = set.span;
        let Type::Set(from) = set.ty.clone() else { return set };
        if same_shape(&from, element) {
            return set;
        }
        if self.few_values(element, span, "the elements of a set").is_err() {
            return poison(span);
        }
        let local = self.fresh();
        let member = Expr { kind: ExprKind::Local(local), ty: element.clone(), span };
        let member = self.reshaped(member, &from);
        let cond = Box::new(Expr::binary_bool(Op::In, member, set));
        let all = self.all_values(element, span);
        let ty = all.ty.clone();
        self.folded(Expr { kind: ExprKind::Filter { local, set: Box::new(all), cond }, ty, span })
    }

    /// A value that is none of a type that contains collections.
    fn no_value(&mut self, ty: &Type, span: Span) -> Expr {
        match (ty.inner(), self.collected(ty)) {
            (_, Some(to)) => {
                let none = Expr::constant(Value::None, to.of.element.clone().optional(), span);
                to.made(integer(to_i64(to.of.most) + 1, span), vec![none; to.of.most], span)
            }
            (Type::Record(id), None) => {
                let fields = self.types.record(*id).fields.clone();
                let parts = fields.iter().map(|(_, ty)| self.no_value(ty, span)).collect();
                Expr { kind: ExprKind::Record(parts), ty: ty.inner().clone(), span }
            }
            (Type::Map(key, value), None) => {
                let (local, body) = (self.fresh(), Box::new(self.no_value(value, span)));
                let ty = Type::Map(key.clone(), value.clone());
                Expr { kind: ExprKind::MapOf { local, body }, ty, span }
            }
            (inner, None) => match self.types.simplest(inner) {
                Some(value) => Expr::constant(value, inner.clone(), span),
                None => poison(span),
            },
        }
    }
}

/// A record that is put together of all fields of another one of its type is that one.
fn whole(made: Expr) -> Expr {
    let ExprKind::Record(parts) = &made.kind else { return made };
    let mut of: Option<&Expr> = None;
    for (index, part) in parts.iter().enumerate() {
        match &part.kind {
            ExprKind::Field(base, field) if *field == index && base.ty == made.ty => {
                if of.is_some_and(|of| of.kind != base.kind) {
                    return made;
                }
                of = Some(base);
            }
            _ => return made,
        }
    }
    of.cloned().unwrap_or(made)
}

/// A constant in the form of another type.
fn reshaped_value(types: &Types, value: &Value, to: &Type) -> Value {
    match (value, to.inner()) {
        (Value::Record(_, values), Type::Record(id)) => {
            let fields = &types.record(*id).fields;
            let part = |(index, (_, ty)): (usize, &(String, Type))| {
                values.get(index).map_or(Value::None, |value| reshaped_value(types, value, ty))
            };
            Value::Record(*id, fields.iter().enumerate().map(part).collect())
        }
        (Value::Set(members), Type::Set(element)) => {
            Value::Set(members.iter().map(|member| reshaped_value(types, member, element)).collect())
        }
        (Value::Map(entries), Type::Map(_, value)) => {
            let entry = |(key, entry): (&Value, &Value)| (key.clone(), reshaped_value(types, entry, value));
            Value::Map(entries.iter().map(entry).collect())
        }
        _ => value.clone(),
    }
}
