//! Maps and sets that are given by an expression, asked for one entry or one member: nothing else of them is encoded.
//!
//! Libraries are told of a model by maps over all values of a type, of which their predicates ask for one at a time.

use super::{Encoder, optional_truth};
use crate::sat::Lit;
use crate::unroll::symbolic::Symbolic as S;
use lang::model::expr::{Expr, ExprKind};
use lang::model::types::Type;
use lang::model::value::Value;

impl Encoder<'_> {
    /// The entry of a map that is given by an expression, if its keys are constants.
    pub(super) fn entry(&mut self, expr: &Expr) -> Option<S> {
        let ExprKind::Index(base, _) = &expr.kind else { return None };
        last_step(base, 1)?;
        let value = self.reduced(expr, &mut Vec::new(), &mut |encoder, body| encoder.value(body));
        value.map(|value| optional_truth(value, &expr.ty))
    }

    /// True if a value is a member of a set that is given by a condition, if the value is a constant.
    pub(super) fn filtered_member(&mut self, element: &S, set: &Expr) -> Option<Lit> {
        if last_step(set, 0) != Some(LastReduction::Filter) || self.constant(element).is_none() {
            return None;
        }
        self.reduced(set, &mut Vec::new(), &mut |encoder, body| {
            let ExprKind::Filter { local, set, cond } = &body.kind else {
                unreachable!("it was examined");
            };
            let of_set = encoder.member(element, set);
            if of_set == encoder.circuit.no() {
                return of_set;
            }
            let holds = encoder.within(*local, element.clone(), |e| e.truth(cond));
            encoder.circuit.and(of_set, holds)
        })
    }

    /// An expression once its keys are put into the maps that they are keys of; `None` if one of them is no constant.
    fn reduced<R>(
        &mut self,
        expr: &Expr,
        keys: &mut Vec<S>,
        then: &mut dyn FnMut(&mut Self, &Expr) -> R,
    ) -> Option<R> {
        match &expr.kind {
            ExprKind::Let { bindings, body } => self.within_all(bindings, |e| e.reduced(body, keys, then)),
            ExprKind::Index(base, key) if last_step(base, 1).is_some() => {
                let Type::Map(of, _) = base.ty.inner() else { return None };
                let value = self.value(key);
                let known = self.constant(&value)?;
                if key.ty.is_option() || !self.types().contains(of, known) {
                    return None;
                }
                keys.push(value);
                self.reduced(base, keys, then)
            }
            ExprKind::MapOf { local, body } if !keys.is_empty() => {
                let key = keys.pop()?;
                self.within(*local, key, |e| e.reduced(body, keys, then))
            }
            _ => keys.is_empty().then(|| then(self, expr)),
        }
    }

    /// The value, if it is a constant number or a constant of an enumeration.
    fn constant<'s>(&self, value: &'s S) -> Option<&'s Value> {
        match value {
            S::Scalar(list) => match &list[..] {
                [(value @ (Value::Int(_) | Value::Enum(..)), lit)] if *lit == self.circuit.yes() => {
                    Some(value)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The form of an expression once keys are put into maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastReduction {
    /// A set given by a condition.
    Filter,
    /// Anything else.
    Other,
}

/// The rest of an expression with so many keys; `None` if it is no map that is given by an expression.
fn last_step(expr: &Expr, keys: usize) -> Option<LastReduction> {
    match &expr.kind {
        ExprKind::Let { body, .. } => last_step(body, keys),
        ExprKind::Index(base, _) if keys > 0 || last_step(base, 1).is_some() => last_step(base, keys + 1),
        ExprKind::MapOf { body, .. } if keys > 0 => last_step(body, keys - 1),
        ExprKind::Filter { .. } if keys == 0 => Some(LastReduction::Filter),
        _ => (keys == 0).then_some(LastReduction::Other),
    }
}
