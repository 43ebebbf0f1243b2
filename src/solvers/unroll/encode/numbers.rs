//! Order and arithmetic on numbers: on pairs of values where both have a literal for each value, otherwise on bits.

use super::Encoder;
use crate::sat::{Circuit, Lit};
use crate::unroll::binary::BinaryInteger;
use crate::unroll::symbolic::{Symbolic as S, disjunctions};
use kit::number::to_i64;
use lang::model::eval::operator_value;
use lang::model::expr::{Expr, Op};
use lang::model::value::Value;
use std::collections::BTreeMap;

/// Pairs of values of which at most so many are listed, to compute with them one by one.
const MOST_PAIRS: usize = 4096;

impl Encoder<'_> {
    /// `a < b` or `a <= b` on scalars; false if one of them is `none`.
    pub(super) fn ordered(&mut self, left: &S, right: &S, or_equal: bool) -> Lit {
        if let (S::Binary(_), _) | (_, S::Binary(_)) = (left, right) {
            let (left, right) = (left.as_binary(self.circuit, true), right.as_binary(self.circuit, true));
            return match (left, right) {
                (Some(left), Some(right)) => left.ordered(self.circuit, &right, or_equal),
                _ => self.circuit.no(),
            };
        }
        let (left, right) = (left.as_scalar(self.circuit), right.as_scalar(self.circuit));
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

    /// `-e`.
    pub(super) fn negation(&mut self, e: &Expr) -> S {
        let list = match self.value(e) {
            S::Binary(number) => return S::Binary(number.negated(self.circuit)),
            other => other.as_scalar(self.circuit),
        };
        let negated = |(value, lit): (Value, Lit)| match value {
            Value::Int(n) => (Value::Int(n.saturating_neg()), lit),
            _ => (Value::None, lit),
        };
        let mut list: Vec<(Value, Lit)> = list.into_iter().map(negated).collect();
        list.sort();
        S::Scalar(list)
    }

    /// An operation on two integers; `none` if one of them is.
    pub(super) fn arithmetic(&mut self, op: Op, left: &S, right: &S) -> S {
        if let (S::Scalar(left), S::Scalar(right)) = (left, right)
            && left.len().saturating_mul(right.len()) <= MOST_PAIRS
        {
            let of_pair = |x: i64, y: i64| match operator_value(op, &Value::Int(x), &Value::Int(y)) {
                Value::Int(n) => n,
                _ => 0,
            };
            return S::Scalar(self.combined(left, right, of_pair));
        }
        let operands = (left.as_binary(self.circuit, true), right.as_binary(self.circuit, true));
        let (Some(a), Some(b)) = operands else { return S::Scalar(vec![(Value::None, self.circuit.yes())]) };
        S::Binary(match op {
            Op::Add => a.plus(self.circuit, &b),
            Op::Sub => a.minus(self.circuit, &b),
            Op::Mul => a.times(self.circuit, &b),
            _ => return self.divided(op, &a, right),
        })
    }

    /// The quotient or the remainder; the divisor is a positive constant, perhaps one of a few.
    fn divided(&mut self, op: Op, dividend: &BinaryInteger, divisor: &S) -> S {
        let mut cases = Vec::new();
        for (value, lit) in divisor.as_scalar(self.circuit) {
            let result = match value {
                Value::Int(by) if by > 0 => {
                    let (quotient, remainder) = dividend.divided(self.circuit, by);
                    if op == Op::Div { quotient } else { remainder }
                }
                _ => BinaryInteger::absent(self.circuit),
            };
            cases.push((lit, S::Binary(result)));
        }
        S::select(self.circuit, &cases, false)
    }

    /// The results of an operation on all pairs of values; `none` if one of them is.
    fn combined(
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

    /// The less or the greater of two integers, of which each may be `none`; `none` if both are.
    pub(super) fn better(&mut self, found: &S, other: &S, greatest: bool) -> S {
        let (less, more) = if greatest { (found, other) } else { (other, found) };
        let before = self.ordered(less, more, false);
        let (here, there) = (other.is_some(self.circuit), found.is_some(self.circuit));
        let first = self.circuit.and(here, !there);
        let replaces = self.circuit.or(before, first);
        S::select(self.circuit, &[(replaces, other.clone()), (!replaces, found.clone())], false)
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
    let list = counts.into_iter().enumerate().map(|(n, l)| (Value::Int(to_i64(n)), l));
    list.filter(|(_, l)| *l != c.no()).collect()
}
