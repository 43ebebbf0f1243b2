//! Arithmetic on bits: ripple-carry adders, shift-and-add multiplication, long division by constants.

use super::sums::NumberOrigin;
use super::{BinaryInteger, IntegerRange};
use crate::sat::{Circuit, Lit};

impl BinaryInteger {
    /// The sum of the bits, or the difference.
    pub(super) fn added(&self, c: &mut Circuit, other: &Self, minus: bool) -> Self {
        let (a, b) = (
            [self.range.lo, self.range.hi].map(i128::from),
            [other.range.lo, other.range.hi].map(i128::from),
        );
        let range = if minus {
            IntegerRange::of_wide(a[0] - b[1], a[1] - b[0])
        } else {
            IntegerRange::of_wide(a[0] + b[0], a[1] + b[1])
        };
        let width = range.width();
        let carry = if minus { c.yes() } else { c.no() };
        let other_bits: Vec<Lit> =
            other.resized(width).into_iter().map(|bit| if minus { !bit } else { bit }).collect();
        let bits = add(c, &self.resized(width), &other_bits, carry);
        self.with_result(c, other, bits, range)
    }

    /// The negation.
    #[must_use]
    pub fn negated(&self, c: &mut Circuit) -> Self {
        let zero = Self::constant(c, 0);
        zero.minus(c, self)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, c: &mut Circuit, other: &Self) -> Self {
        let (a, b) = (self.range, other.range);
        let corners = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
            .map(|(x, y)| i128::from(x) * i128::from(y));
        let [p, q, r, s] = corners;
        let range = IntegerRange::of_wide(p.min(q).min(r).min(s), p.max(q).max(r).max(s));
        let width = range.width();
        // Constant bits cost nothing, those of a negative constant are many.
        let (factor, by) = if self.open(c) < other.open(c) { (other, self) } else { (self, other) };
        if by.range.lo == by.range.hi && by.range.lo < 0 && by.range.lo > i64::MIN {
            let positive = Self { there: by.there, none: by.none, ..Self::constant(c, -by.range.lo) };
            let product = factor.times(c, &positive);
            return product.negated(c);
        }
        let factor_bits = factor.resized(width);
        let mut sum = vec![c.no(); width];
        for (shift, by) in by.resized(width).into_iter().enumerate() {
            if by == c.no() {
                continue;
            }
            let shifted = (0..width).map(|index| match index.checked_sub(shift) {
                Some(from) => c.and(by, factor_bits[from]),
                None => c.no(),
            });
            let shifted: Vec<Lit> = shifted.collect();
            let carry = c.no();
            sum = add(c, &sum, &shifted, carry);
        }
        self.with_result(c, other, sum, range)
    }

    /// The quotient by a positive constant, rounded towards minus infinity, and the remainder, which is never negative.
    #[must_use]
    pub fn divided(&self, c: &mut Circuit, by: i64) -> (Self, Self) {
        debug_assert!(by > 0);
        let IntegerRange { lo, hi } = self.range;
        let quotients = IntegerRange { lo: lo.div_euclid(by), hi: hi.div_euclid(by) };
        let remainders = if quotients.lo == quotients.hi {
            IntegerRange { lo: lo.rem_euclid(by), hi: hi.rem_euclid(by) }
        } else {
            IntegerRange { lo: 0, hi: by - 1 }
        };
        let (quotient, remainder) = if by.count_ones() == 1 {
            let shift = by.trailing_zeros() as usize;
            let quotient = (0..quotients.width()).map(|index| self.bit(index + shift)).collect();
            let mut remainder: Vec<Lit> = (0..shift).map(|index| self.bit(index)).collect();
            remainder.push(c.no());
            (quotient, remainder)
        } else {
            self.long_division(c, by, quotients)
        };
        let sized = |c: &Circuit, mut bits: Vec<Lit>, range: IntegerRange| {
            let sign = bits.last().copied().unwrap_or(c.no());
            bits.resize(range.width(), sign);
            bits
        };
        let (quotient, remainder) = (sized(c, quotient, quotients), sized(c, remainder, remainders));
        (self.with_result(c, self, quotient, quotients), self.with_result(c, self, remainder, remainders))
    }

    /// The bits of quotient and remainder, each with a sign.
    fn long_division(&self, c: &mut Circuit, by: i64, quotients: IntegerRange) -> (Vec<Lit>, Vec<Lit>) {
        // A multiple of the divisor is added, so that nothing is negative.
        let add_to_quotient = quotients.lo.min(0).unsigned_abs();
        let offset = i128::from(add_to_quotient) * i128::from(by);
        let greatest = i128::from(self.range.hi) + offset;
        let width = 128 - greatest.max(0).leading_zeros() as usize + 1;
        let constant = |c: &Circuit, n: i128, width: usize| -> Vec<Lit> {
            (0..width).map(|bit| if n >> bit & 1 == 1 { c.yes() } else { c.no() }).collect()
        };
        let carry = c.no();
        let dividend = add(c, &self.resized(width), &constant(c, offset, width), carry);
        let steps = width - 1;
        // Twice a remainder, plus one, is less than twice the divisor.
        let partial = 64 - by.leading_zeros() as usize + 1;
        let (divisor, mut remainder) = (constant(c, !i128::from(by), partial + 1), vec![c.no(); partial]);
        let mut quotient = vec![c.no(); steps];
        for step in (0..steps).rev() {
            remainder.insert(0, dividend[step]);
            remainder.truncate(partial);
            let mut wide = remainder.clone();
            wide.push(c.no());
            let carry = c.yes();
            let less = add(c, &wide, &divisor, carry);
            let fits = !less[partial];
            quotient[step] = fits;
            for (bit, reduced) in remainder.iter_mut().zip(less) {
                *bit = c.ite(fits, reduced, *bit);
            }
        }
        remainder.push(c.no());
        quotient.push(c.no());
        let width = quotients.width().max(quotient.len());
        quotient.resize(width, c.no());
        let carry = c.no();
        let offset = constant(c, -i128::from(add_to_quotient), width);
        (add(c, &quotient, &offset, carry), remainder)
    }

    /// How many bits are no constants.
    pub(super) fn open(&self, c: &Circuit) -> usize {
        self.bits.iter().filter(|bit| **bit != c.yes() && **bit != c.no()).count()
    }

    /// The result of an operation on this one and another one: `none` if one of them is.
    fn with_result(&self, c: &mut Circuit, other: &Self, bits: Vec<Lit>, range: IntegerRange) -> Self {
        let there = c.and(self.there, other.there);
        let bits = if there == c.yes() { bits } else { bits.iter().map(|&bit| c.and(there, bit)).collect() };
        Self { there, none: c.or(self.none, other.none), bits, range, origin: NumberOrigin::Bits }
    }
}

/// The sum of two integers of the same width and a carry, cut off to that width.
fn add(c: &mut Circuit, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let mut sum = Vec::with_capacity(a.len());
    for (index, (&x, &y)) in a.iter().zip(b).enumerate() {
        let differ = c.xor(x, y);
        sum.push(c.xor(differ, carry));
        if index + 1 < a.len() {
            carry = c.ite(differ, carry, x);
        }
    }
    sum
}
