//! Encoding of records, sets, maps and quantifiers.

use super::numbers::{count, extreme};
use super::{Encoder, optional_truth};
use crate::sat::Lit;
use crate::unroll::symbolic::{Symbolic as S, disjunctions, union_of};
use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op, Quantifier};
use lang::model::types::{RecordId, Type};
use lang::model::value::Value;
use std::collections::BTreeMap;

/// A set that may be absent.
pub(super) struct EncodedSet {
    /// The literal for its presence.
    present: Lit,
    /// The possible members, each with the literal for being one.
    members: Vec<(Value, Lit)>,
    element: Type,
}

impl Encoder<'_> {
    /// Encodes a record expression, or one with replaced fields.
    pub(super) fn record(&mut self, expr: &Expr) -> S {
        let types = self.types();
        match &expr.kind {
            ExprKind::Record(parts) => {
                let fields = parts.iter().map(|p| self.value(p)).collect();
                let Type::Record(id) = expr.ty.inner() else { unreachable!("a record has a record type") };
                let present = self.circuit.yes();
                let fields = self.as_declared(*id, fields);
                S::Record { present, id: *id, fields }
            }
            ExprKind::With(base, changes) => {
                let S::Record { present, id, mut fields } = self.value(base) else {
                    return S::constant(self.circuit, types, &Value::None, &expr.ty);
                };
                for (index, change) in changes {
                    let value = optional_truth(self.value(change), &types.record(id).fields[*index].1);
                    fields[*index] = value.guarded(self.circuit, present);
                }
                S::Record { present, id, fields }
            }
            _ => unreachable!("only records are asked for"),
        }
    }

    /// Encodes a set or map expression, or the size of a set.
    pub(super) fn collection(&mut self, expr: &Expr) -> S {
        let types = self.types();
        match &expr.kind {
            ExprKind::SetLiteral(parts) => {
                let mut members: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
                for part in parts {
                    let cases = in_range(self.value(part), &part.ty).cases(self.circuit);
                    for (value, lit) in cases.into_iter().filter(|(v, _)| *v != Value::None) {
                        members.entry(value).or_default().push(lit);
                    }
                }
                S::Set { present: self.circuit.yes(), members: disjunctions(self.circuit, members) }
            }
            ExprKind::Filter { local, set, cond } => {
                let EncodedSet { present, members, element } = self.set(set);
                let mut kept = Vec::new();
                for (value, lit) in members {
                    if !self.circuit.goes_on() {
                        break;
                    }
                    let member = S::constant(self.circuit, types, &value, &element);
                    let holds = self.within(*local, member, |e| e.truth(cond));
                    let lit = self.circuit.and(lit, holds);
                    if lit != self.circuit.no() {
                        kept.push((value, lit));
                    }
                }
                S::Set { present, members: kept }
            }
            ExprKind::MapOf { local, body } => {
                let Type::Map(key, value_type) = &expr.ty else { unreachable!("a map has a map type") };
                let mut entries = Vec::new();
                for k in types.values(key) {
                    if !self.circuit.goes_on() {
                        break;
                    }
                    let bound = S::constant(self.circuit, types, &k, key);
                    let value = self.within(*local, bound, |e| e.value(body));
                    entries.push((k, optional_truth(value, value_type)));
                }
                S::Map { present: self.circuit.yes(), entries }
            }
            ExprKind::Size(set) => {
                let EncodedSet { present, members, .. } = self.set(set);
                let lits: Vec<Lit> = members.into_iter().map(|(_, l)| l).collect();
                S::Scalar(count(self.circuit, &lits)).below(self.circuit, present)
            }
            _ => unreachable!("only sets, maps and sizes are asked for"),
        }
    }

    /// Encodes a quantifier over the members of a set.
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        set: &Expr,
        body: &Expr,
    ) -> Lit {
        let types = self.types();
        let EncodedSet { members, element, .. } = self.set(set);
        let mut parts = Vec::new();
        for (value, lit) in members {
            if !self.circuit.goes_on() {
                return self.circuit.no();
            }
            let member = S::constant(self.circuit, types, &value, &element);
            let holds = self.within(local, member, |e| e.truth(body));
            parts.push(match quantifier {
                Quantifier::Forall => self.circuit.or(!lit, holds),
                Quantifier::Exists => self.circuit.and(lit, holds),
            });
        }
        match quantifier {
            Quantifier::Forall => self.circuit.all(&parts),
            Quantifier::Exists => self.circuit.any(&parts),
        }
    }

    /// Encodes what is made of the values for all members of a set.
    pub(super) fn folded(&mut self, fold: Fold, local: LocalId, set: &Expr, body: &Expr, ty: &Type) -> S {
        let types = self.types();
        let EncodedSet { members, element, .. } = self.set(set);
        let yes = self.circuit.yes();
        let zero = S::Scalar(vec![(Value::Int(0), yes)]);
        let nothing = S::Scalar(vec![(Value::None, yes)]);
        let mut sum = zero.clone();
        let mut found: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        // The best of those that are bits.
        let mut best: Option<S> = None;
        for (value, lit) in members {
            if !self.circuit.goes_on() {
                return S::Scalar(Vec::new());
            }
            let member = S::constant(self.circuit, types, &value, &element);
            let of_member = self.within(local, member, |e| e.value(body));
            if fold == Fold::Sum {
                // Who is no member adds nothing.
                let summand = S::select(self.circuit, &[(lit, of_member), (!lit, zero.clone())], false);
                sum = self.arithmetic(Op::Add, &sum, &summand);
            } else if let S::Binary(_) = of_member {
                let candidate = S::select(self.circuit, &[(lit, of_member), (!lit, nothing.clone())], false);
                best = Some(match best {
                    None => candidate,
                    Some(best) => self.better(&best, &candidate, fold == Fold::Greatest),
                });
            } else {
                let cases = of_member.as_scalar(self.circuit).into_iter();
                for (value, l) in cases.filter(|(v, _)| *v != Value::None) {
                    found.entry(value).or_default().push(self.circuit.and(lit, l));
                }
            }
        }
        if fold == Fold::Sum {
            return sum;
        }
        let found = disjunctions(self.circuit, found);
        let Some(best) = best else {
            return S::Scalar(extreme(self.circuit, found, fold == Fold::Greatest, ty.is_option()));
        };
        let best = if found.is_empty() {
            best
        } else {
            let listed = S::Scalar(extreme(self.circuit, found, fold == Fold::Greatest, true));
            self.better(&best, &listed, fold == Fold::Greatest)
        };
        match best {
            // There is always a member.
            S::Binary(number) if !ty.is_option() => S::Binary(number.without_none(self.circuit)),
            best => best,
        }
    }

    /// True if a set is a subset of another one; false unless both are present.
    pub(super) fn subset(&mut self, a: &Expr, b: &Expr) -> Lit {
        let EncodedSet { present: p, members: left, .. } = self.set(a);
        let EncodedSet { present: q, members: right, .. } = self.set(b);
        let mut parts = vec![p, q];
        for (l, r) in union_of(self.circuit, &left, &right).into_values() {
            parts.push(self.circuit.or(!l, r));
        }
        self.circuit.all(&parts)
    }

    /// Union, intersection or difference; present if both sets are.
    pub(super) fn set_operation(&mut self, op: Op, a: &Expr, b: &Expr) -> S {
        let EncodedSet { present: p, members: left, .. } = self.set(a);
        let EncodedSet { present: q, members: right, .. } = self.set(b);
        let present = self.circuit.and(p, q);
        let mut members = Vec::new();
        for (value, (l, r)) in union_of(self.circuit, &left, &right) {
            let lit = match op {
                Op::Union => self.circuit.or(l, r),
                Op::Intersect => self.circuit.and(l, r),
                _ => self.circuit.and(l, !r),
            };
            let lit = self.circuit.and(present, lit);
            if lit != self.circuit.no() {
                members.push((value, lit));
            }
        }
        S::Set { present, members }
    }

    /// True if a value is one of those that a set literal lists, if this one or one of them is an integer as bits.
    pub(super) fn one_of(&mut self, element: &S, set: &Expr) -> Option<Lit> {
        let ExprKind::SetLiteral(parts) = &set.kind else { return None };
        let parts: Vec<S> = parts.iter().map(|part| self.value(part)).collect();
        let binary = |value: &S| matches!(value, S::Binary(_));
        if !binary(element) && !parts.iter().any(binary) {
            return None;
        }
        let equal: Vec<Lit> = parts.iter().map(|part| part.equal(self.circuit, element)).collect();
        let (any, some) = (self.circuit.any(&equal), element.is_some(self.circuit));
        Some(self.circuit.and(any, some))
    }

    /// True if a value is a member of a set.
    pub fn member(&mut self, element: &S, set: &Expr) -> Lit {
        let mut parts = Vec::new();
        for (value, lit) in self.set(set).members {
            let same = element.is_value(self.circuit, &value);
            parts.push(self.circuit.and(same, lit));
        }
        self.circuit.any(&parts)
    }

    pub(super) fn set(&mut self, expr: &Expr) -> EncodedSet {
        let Type::Set(element) = expr.ty.inner() else { unreachable!("a set has a set type") };
        match self.value(expr) {
            S::Set { present, members } => EncodedSet { present, members, element: (**element).clone() },
            _ => EncodedSet { present: self.circuit.no(), members: Vec::new(), element: (**element).clone() },
        }
    }

    /// Converts truth values in optional fields to optional ones.
    fn as_declared(&self, id: RecordId, fields: Vec<S>) -> Vec<S> {
        let decl = self.model.types.record(id);
        fields.into_iter().zip(&decl.fields).map(|(f, (_, ty))| optional_truth(f, ty)).collect()
    }
}

/// An integer as bits of which only the values of its type matter: elsewhere, it is in a branch that is not taken.
fn in_range(value: S, ty: &Type) -> S {
    match (value, ty.inner()) {
        (S::Binary(number), Type::Int { lo, hi }) => S::Binary(number.within(*lo, *hi)),
        (value, _) => value,
    }
}
