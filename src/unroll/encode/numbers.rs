//! Order and arithmetic on one-hot numbers: a literal for each value.

use super::Encoder;
use crate::model::expr::Expr;
use crate::model::value::Value;
use crate::sat::{Circuit, Lit};
use crate::unroll::symbolic::{Symbolic as S, disjunctions};
use std::collections::BTreeMap;

impl Encoder<'_> {
    /// `a < b` or `a <= b` on scalars; false if one of them is `none`.
    pub(super) fn ordered(&mut self, left: &[(Value, Lit)], right: &[(Value, Lit)], or_equal: bool) -> Lit {
        let mut parts = Vec::new();
        // `above` states that b is at least the current value; it is built from the largest value down.
        let mut above = self.circuit.no();
        let mut rest = right.iter().rev().filter(|(v, _)| *v != Value::None).peekable();
        for (value, lit) in left.iter().rev().filter(|(v, _)| *v != Value::None) {
            while let Some((_, l)) = rest.next_if(|(v, _)| v > value || (or_equal && v == value)) {
                above = self.circuit.or(above, *l);
            }
            parts.push(self.circuit.and(*lit, above));
        }
        self.circuit.any(&parts)
    }

    pub(super) fn map_int(&mut self, e: &Expr, f: impl Fn(i64) -> Option<i64>) -> S {
        let mut values: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (value, lit) in self.value(e).as_scalar() {
            let image = match value {
                Value::Int(n) => f(n).map_or(Value::None, Value::Int),
                _ => Value::None,
            };
            values.entry(image).or_default().push(lit);
        }
        S::Scalar(disjunctions(self.circuit, values))
    }

    pub(super) fn arithmetic(&mut self, a: &Expr, b: &Expr, f: impl Fn(i64, i64) -> i64) -> S {
        let (left, right) = (self.value(a).as_scalar(), self.value(b).as_scalar());
        S::Scalar(self.combined(&left, &right, f))
    }

    /// The results of an operation on two numbers; `none` if one of them is.
    pub(super) fn combined(
        &mut self,
        left: &[(Value, Lit)],
        right: &[(Value, Lit)],
        f: impl Fn(i64, i64) -> i64,
    ) -> Vec<(Value, Lit)> {
        let mut values: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (x, l) in left {
            for (y, r) in right {
                if !self.circuit.goes_on() {
                    return Vec::new();
                }
                let image = match (x, y) {
                    (Value::Int(x), Value::Int(y)) => Value::Int(f(*x, *y)),
                    _ => Value::None,
                };
                values.entry(image).or_default().push(self.circuit.and(*l, *r));
            }
        }
        disjunctions(self.circuit, values)
    }
}

/// The least of the values whose literals hold, or the greatest one: several may hold, and `none` is the result if none
/// does and the result is `optional`.
pub(super) fn extreme(
    c: &mut Circuit,
    mut found: Vec<(Value, Lit)>,
    greatest: bool,
    optional: bool,
) -> Vec<(Value, Lit)> {
    if greatest {
        found.reverse();
    }
    let mut no_better = c.yes();
    for (_, lit) in &mut found {
        let first = c.and(no_better, *lit);
        no_better = c.and(no_better, !*lit);
        *lit = first;
    }
    if optional {
        found.push((Value::None, no_better));
    }
    found.retain(|(_, lit)| *lit != c.no());
    found.sort();
    found
}

/// The number of literals that hold: a literal for each possible number.
pub(super) fn count(c: &mut Circuit, lits: &[Lit]) -> Vec<(Value, Lit)> {
    let mut counts = vec![c.yes()];
    for &l in lits {
        let mut next = Vec::with_capacity(counts.len() + 1);
        for n in 0..=counts.len() {
            if !c.goes_on() {
                return Vec::new();
            }
            let stay = if n < counts.len() { c.and(counts[n], !l) } else { c.no() };
            let step = if n > 0 { c.and(counts[n - 1], l) } else { c.no() };
            next.push(c.or(stay, step));
        }
        counts = next;
    }
    let list = counts.into_iter().enumerate().map(|(n, l)| (Value::Int(n as i64), l));
    list.filter(|(_, l)| *l != c.no()).collect()
}
