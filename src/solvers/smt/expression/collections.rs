//! Sets and maps.

use super::Translator;
use crate::smt::symbolic::{Body, TermValue, aligned};
use crate::smt::term::{Terms, Truth};
use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use std::collections::BTreeMap;

impl Translator<'_> {
    /// A listed or filtered set, or a map given by its values.
    pub(super) fn collection(&mut self, expr: &Expr) -> TermValue {
        match &expr.kind {
            ExprKind::SetLiteral(parts) => {
                let mut members: BTreeMap<Value, Truth> = BTreeMap::new();
                for part in parts {
                    let part = self.value(part);
                    for case in part.cases(self.terms()) {
                        let known = members.entry(case.value).or_insert(Terms::NO);
                        *known = self.terms().or(*known, case.condition);
                    }
                }
                TermValue::set(members)
            }
            ExprKind::Filter { local, set, cond } => {
                let set = self.value(set);
                let mut kept = BTreeMap::new();
                for (value, inside) in set.members(self.terms()) {
                    if inside == Terms::NO {
                        continue;
                    }
                    if !self.terms().goes_on() {
                        break;
                    }
                    let member = TermValue::constant(self.terms(), &value);
                    let holds = self.within(*local, member, |inner| inner.truth(cond));
                    kept.insert(value, self.terms().and(inside, holds));
                }
                TermValue::set(kept)
            }
            ExprKind::MapOf { local, body } => {
                let Type::Map(key, _) = expr.ty.inner() else { unreachable!("a map has a map type") };
                let mut entries = Vec::new();
                for key in self.model.types.values(key) {
                    if !self.terms().goes_on() {
                        break;
                    }
                    let bound = TermValue::constant(self.terms(), &key);
                    let value = self.within(*local, bound, |inner| inner.value(body));
                    entries.push((key, value));
                }
                TermValue::there(Body::Map(entries.into()))
            }
            _ => unreachable!("only sets and maps are asked for"),
        }
    }

    /// True if a value is a member of a set.
    pub fn is_member(&mut self, element: &TermValue, set: &Expr) -> Truth {
        match &set.kind {
            ExprKind::Const(Value::Set(values)) => {
                let inside = element.is_one_of(self.terms(), values.iter());
                self.terms().and(element.present, inside)
            }
            ExprKind::SetLiteral(parts) => {
                let mut same = Vec::new();
                for part in parts {
                    let part = self.value(part);
                    same.push(element.equal(self.terms(), &part));
                }
                let inside = self.terms().any(same);
                self.terms().and(element.present, inside)
            }
            ExprKind::Filter { local, set, cond } => {
                let inside = self.is_member(element, set);
                if inside == Terms::NO {
                    return inside;
                }
                let holds = self.within(*local, element.clone(), |inner| inner.truth(cond));
                self.terms().and(inside, holds)
            }
            _ => {
                let set = self.value(set);
                let terms = self.terms();
                let mut parts = Vec::new();
                for (value, inside) in set.members(terms) {
                    let same = element.is_value(terms, &value);
                    parts.push(terms.and(same, inside));
                }
                terms.any(parts)
            }
        }
    }

    /// True if all members of a set are in another one, if both are there.
    pub(super) fn subset(&mut self, there: Truth, a: &[(Value, Truth)], b: &[(Value, Truth)]) -> Truth {
        let terms = self.terms();
        let mut parts = vec![there];
        for (_, left, right) in aligned(a, b) {
            parts.push(terms.implies(left, right));
        }
        terms.all(parts)
    }

    /// Union, intersection or difference; there if both sets are.
    pub(super) fn set_operation(&mut self, op: Op, left: &TermValue, right: &TermValue) -> TermValue {
        let terms = self.terms();
        let there = terms.and(left.present, right.present);
        let (Body::Set(a), Body::Set(b)) = (&left.body, &right.body) else { return TermValue::absent() };
        let mut members = BTreeMap::new();
        for (value, in_left, in_right) in aligned(a, b) {
            let inside = match op {
                Op::Union => terms.or(in_left, in_right),
                Op::Intersect => terms.and(in_left, in_right),
                _ => {
                    let outside = terms.not(in_right);
                    terms.and(in_left, outside)
                }
            };
            members.insert(value.clone(), inside);
        }
        TermValue::set(members).only_if(terms, there)
    }

    /// The number of members of a set.
    pub(super) fn size(&mut self, set: &Expr) -> TermValue {
        let set = self.value(set);
        let Body::Set(members) = &set.body else { return TermValue::absent() };
        let terms = self.terms();
        let (one, mut size) = (terms.int(1), terms.int(0));
        let zero = size;
        for (_, inside) in members.iter() {
            let counted = terms.ite_number(*inside, one, zero);
            size = terms.add(size, counted);
        }
        TermValue { present: set.present, body: Body::Int(size) }
    }

    /// Folds of the values for all members of a set.
    pub(super) fn folded(&mut self, fold: Fold, local: LocalId, set: &Expr, body: &Expr) -> TermValue {
        let set = self.value(set);
        let zero = TermValue::there(Body::Int(self.terms().int(0)));
        let mut result = if fold == Fold::Sum { zero.clone() } else { TermValue::absent() };
        for (value, inside) in set.members(self.terms()) {
            if !self.terms().goes_on() {
                break;
            }
            if inside == Terms::NO {
                continue;
            }
            let member = TermValue::constant(self.terms(), &value);
            let value = self.within(local, member, |inner| inner.value(body));
            if fold == Fold::Sum {
                let summand = TermValue::select(self.terms(), inside, &value, &zero);
                result = self.arithmetic(Op::Add, &result, &summand);
                continue;
            }
            let terms = self.terms();
            let value = value.only_if(terms, inside);
            let better = match fold {
                Fold::Least => value.before(terms, &result),
                _ => result.before(terms, &value),
            };
            // `none` comes before everything, but is not what is looked for.
            let first = terms.not(result.present);
            let better = terms.or(first, better);
            let better = terms.and(better, value.present);
            result = TermValue::select(terms, better, &value, &result);
        }
        result
    }
}
