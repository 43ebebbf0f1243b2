//! Arithmetic. As in the reference semantics, results outside 64 bits become the nearest number that is not.

use super::Translator;
use crate::smt::symbolic::{Body, TermValue};
use crate::smt::term::{Number, TermRange, Terms};
use lang::model::expr::Op;

impl Translator<'_> {
    /// An operation on two numbers; `none` if one of them is, or is no number, or for a division by zero.
    pub(super) fn arithmetic(&mut self, op: Op, left: &TermValue, right: &TermValue) -> TermValue {
        let (Some(a), Some(b)) = (left.number(), right.number()) else { return TermValue::absent() };
        let there = self.terms().and(left.present, right.present);
        let terms = self.terms();
        let result = match op {
            Op::Add => terms.add(a, b),
            Op::Sub => terms.sub(a, b),
            Op::Mul => self.product(a, b),
            _ => return self.divided(op, a, b).only_if(&mut self.script.terms, there),
        };
        let result = self.saturated(result);
        TermValue { present: there, body: Body::Int(result) }
    }

    /// A product. One of two small numbers that are no constants is told apart, which keeps the script linear.
    fn product(&mut self, a: Number, b: Number) -> Number {
        const SMALL: i128 = 64;
        let terms = self.terms();
        let width = |terms: &Terms, n| terms.range(n).hi - terms.range(n).lo;
        let (a, b) = if width(terms, a) <= width(terms, b) { (a, b) } else { (b, a) };
        if terms.value(a).is_some() || width(terms, a) >= SMALL {
            return terms.mul(a, b);
        }
        let mut result = None;
        for n in terms.range(a).values() {
            let factor = terms.int(n);
            let product = terms.mul(factor, b);
            result = Some(match result {
                None => product,
                Some(others) => {
                    let here = terms.equal(a, factor);
                    terms.ite_number(here, product, others)
                }
            });
        }
        result.unwrap_or(a)
    }

    /// Division or remainder. Only constants divide, so that there are few cases.
    fn divided(&mut self, op: Op, a: Number, b: Number) -> TermValue {
        let mut result = TermValue::absent();
        for divisor in self.terms().range(b).values() {
            if !self.terms().goes_on() {
                break;
            }
            let constant = self.terms().int(divisor);
            let here = self.terms().equal(b, constant);
            let case = match i64::try_from(divisor.abs()) {
                Ok(size) if size > 0 => {
                    let division = self.script.divide(a, size);
                    let number = match op {
                        Op::Mod => division.remainder,
                        _ if divisor > 0 => division.quotient,
                        // Euclid's division, whose remainder is never negative.
                        _ => {
                            let zero = self.terms().int(0);
                            let negated = self.terms().sub(zero, division.quotient);
                            self.saturated(negated)
                        }
                    };
                    TermValue::there(Body::Int(number))
                }
                _ => TermValue::absent(),
            };
            result = TermValue::select(self.terms(), here, &case, &result);
        }
        result
    }

    fn saturated(&mut self, number: Number) -> Number {
        self.terms().clamped(number, TermRange { lo: i64::MIN.into(), hi: i64::MAX.into() })
    }
}
