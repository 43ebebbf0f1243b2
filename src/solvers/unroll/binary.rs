//! Integers as bits (the log encoding, in two's complement), for ranges with too many values for a literal each.
//!
//! Literals such as `x = v` and `x <= v` are gates over the bits, made when they are asked for; the circuit shares equal
//! gates, so each is made once. Every operation knows the exact range of its result and uses as few bits as that takes.
//! Results outside of 64 bits wrap around; the checker admits no expression whose value could be there.

mod arithmetic;
mod sums;

use crate::sat::{Circuit, Lit};
use lang::model::value::Value;
use std::fmt;
use std::sync::Arc;
use sums::NumberOrigin;

/// An integer, or `none`, or (below an absent composite) nothing.
#[derive(Clone)]
pub struct BinaryInteger {
    /// True if it is an integer; false for `none` and below an absent composite.
    pub there: Lit,
    /// True if it is `none`; false below an absent composite.
    pub none: Lit,
    /// Two's complement, the least bit first and the sign last. All are false where there is no integer.
    bits: Vec<Lit>,
    /// Where it is an integer, it lies in this range.
    range: IntegerRange,
    origin: NumberOrigin,
}

/// Integers with the same literals are the same, wherever they come from.
impl PartialEq for BinaryInteger {
    fn eq(&self, other: &Self) -> bool {
        let said = |number: &Self| (number.there, number.none, number.range);
        said(self) == said(other) && self.bits == other.bits
    }
}

impl fmt::Debug for BinaryInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { there, none, bits, range, origin: _ } = self;
        write!(f, "{}..{} {bits:?} if {there:?}, none if {none:?}", range.lo, range.hi)
    }
}

/// The integers from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerRange {
    /// The least one.
    pub lo: i64,
    /// The greatest one.
    pub hi: i64,
}

impl IntegerRange {
    /// The number of bits in two's complement, sign included.
    fn width(self) -> usize {
        let of = |n: i64| 65 - if n < 0 { !n } else { n }.leading_zeros() as usize;
        of(self.lo).max(of(self.hi))
    }

    fn contains(self, n: i64) -> bool {
        self.lo <= n && n <= self.hi
    }

    /// The range of integers that may not fit into 64 bits.
    fn of_wide(lo: i128, hi: i128) -> Self {
        match (i64::try_from(lo), i64::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Self { lo, hi },
            _ => Self { lo: i64::MIN, hi: i64::MAX },
        }
    }

    /// The least range that contains both.
    fn joined(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

impl BinaryInteger {
    /// Two's complement, the least bit first and the sign last.
    pub fn bits(&self) -> &[Lit] {
        &self.bits
    }

    /// A constant.
    pub fn constant(c: &Circuit, n: i64) -> Self {
        let range = IntegerRange { lo: n, hi: n };
        let bits = (0..range.width()).map(|bit| if n >> bit & 1 == 1 { c.yes() } else { c.no() }).collect();
        Self { there: c.yes(), none: c.no(), bits, range, origin: NumberOrigin::Bits }
    }

    /// `none`.
    pub fn absent(c: &Circuit) -> Self {
        let range = IntegerRange { lo: 0, hi: 0 };
        Self { there: c.no(), none: c.yes(), bits: vec![c.no()], range, origin: NumberOrigin::Bits }
    }

    /// The integer as a list of values with a literal each, of which at most one holds; `sure` if always one does. `None`
    /// if the list has values that are no integers.
    pub fn of_list(c: &mut Circuit, list: &[(Value, Lit)], sure: bool) -> Option<Self> {
        let mut none = c.no();
        let mut numbers: Vec<(i64, Lit)> = Vec::with_capacity(list.len());
        for (value, lit) in list {
            match value {
                Value::None => none = *lit,
                Value::Int(n) => numbers.push((*n, *lit)),
                _ => return None,
            }
        }
        let lo = numbers.iter().map(|(n, _)| *n).min().unwrap_or(0);
        let hi = numbers.iter().map(|(n, _)| *n).max().unwrap_or(0);
        let range = IntegerRange { lo, hi };
        let there = if sure {
            !none
        } else {
            let lits: Vec<Lit> = numbers.iter().map(|(_, lit)| *lit).collect();
            c.any(&lits)
        };
        let mut bits = Vec::new();
        for bit in 0..range.width() {
            if numbers.iter().all(|(n, _)| n >> bit & 1 == 1) {
                bits.push(if numbers.is_empty() { c.no() } else { there });
                continue;
            }
            let lits: Vec<Lit> =
                numbers.iter().filter(|(n, _)| n >> bit & 1 == 1).map(|(_, lit)| *lit).collect();
            bits.push(c.any(&lits));
        }
        Some(Self { there, none, bits, range, origin: NumberOrigin::Bits })
    }

    /// Any integer of the range, or `none` if `optional`, where `present` holds; nothing elsewhere.
    pub fn fresh(c: &mut Circuit, lo: i64, hi: i64, optional: bool, present: Lit) -> Self {
        let (there, none) = if optional {
            let there = below(c, present);
            (there, c.and(present, !there))
        } else {
            (present, c.no())
        };
        let range = IntegerRange { lo, hi };
        let mut bits: Vec<Lit> = (1..range.width()).map(|_| below(c, there)).collect();
        bits.push(if lo >= 0 {
            c.no()
        } else if hi < 0 {
            there
        } else {
            below(c, there)
        });
        // The numbers of the bits; the range is smaller.
        let free = 1_i128 << (range.width() - 1);
        let all = IntegerRange::of_wide(if lo >= 0 { 0 } else { -free }, if hi < 0 { -1 } else { free - 1 });
        let number = Self { there, none, bits, range: all, origin: NumberOrigin::Bits };
        if all.hi > hi {
            let below = number.at_most(c, hi);
            c.add_clause(&[!there, below]);
        }
        if all.lo < lo {
            let beneath = number.at_most(c, lo - 1);
            c.add_clause(&[!there, !beneath]);
        }
        Self { range, ..number }
    }

    /// The range that it lies in.
    pub fn range(&self) -> IntegerRange {
        self.range
    }

    /// True if an integer is in its range.
    pub fn could_be(&self, n: i64) -> bool {
        self.range.contains(n)
    }

    /// The bits that can differ between the values of its range, the least one first.
    pub fn open_bits(&self) -> impl Iterator<Item = (usize, Lit)> {
        let signed = self.range.lo < 0 && self.range.hi >= 0;
        let count = self.bits.len() - usize::from(!signed);
        self.bits[..count].iter().copied().enumerate()
    }

    /// The bits but the sign, the least one first.
    pub fn unsigned_bits(&self) -> impl Iterator<Item = Lit> {
        self.bits[..self.bits.len() - 1].iter().copied()
    }

    /// The bit with this index; that of the sign for those above.
    pub fn bit(&self, index: usize) -> Lit {
        self.bits[index.min(self.bits.len() - 1)]
    }

    /// The sign: whether it is negative.
    pub fn sign(&self) -> Lit {
        self.bits[self.bits.len() - 1]
    }

    /// The bits, sign-extended or cut off.
    fn resized(&self, width: usize) -> Vec<Lit> {
        (0..width).map(|index| self.bit(index)).collect()
    }

    /// The integer if it is known to lie between these bounds.
    #[must_use]
    pub fn within(&self, lo: i64, hi: i64) -> Self {
        let range = IntegerRange { lo: self.range.lo.max(lo), hi: self.range.hi.min(hi) };
        if range.lo > range.hi {
            return Self { range: IntegerRange { lo: 0, hi: 0 }, ..self.clone() };
        }
        Self { bits: self.resized(range.width()), range, ..self.clone() }
    }

    /// True if it is this integer.
    pub fn is(&self, c: &mut Circuit, n: i64) -> Lit {
        if !self.range.contains(n) {
            return c.no();
        }
        let mut parts: Vec<Lit> = self
            .bits
            .iter()
            .enumerate()
            .map(|(bit, &lit)| if n >> bit & 1 == 1 { lit } else { !lit })
            .collect();
        parts.push(self.there);
        c.all(&parts)
    }

    /// True if it is an integer, and at most this one.
    pub fn at_most(&self, c: &mut Circuit, n: i64) -> Lit {
        let bound = Self::constant(c, n);
        self.ordered(c, &bound, true)
    }

    /// True if it is equal to another one; `none` is equal to itself only.
    pub fn equal(&self, c: &mut Circuit, other: &Self) -> Lit {
        let apart = self.range.hi < other.range.lo || other.range.hi < self.range.lo;
        let both_absent = c.and(self.none, other.none);
        if apart {
            return both_absent;
        }
        let width = self.bits.len().max(other.bits.len());
        let mut parts = vec![self.there, other.there];
        for index in 0..width {
            parts.push(c.iff(self.bit(index), other.bit(index)));
        }
        let same = c.all(&parts);
        c.or(same, both_absent)
    }

    /// True if it is less than another one, or also equal to it; false if one of them is no integer.
    pub fn ordered(&self, c: &mut Circuit, other: &Self, or_equal: bool) -> Lit {
        let both = c.and(self.there, other.there);
        let (a, b) = (self.range, other.range);
        if a.hi < b.lo || (or_equal && a.hi <= b.lo) {
            return both;
        }
        if a.lo > b.hi || (!or_equal && a.lo >= b.hi) {
            return c.no();
        }
        let width = self.bits.len().max(other.bits.len());
        let mut less = if or_equal { c.yes() } else { c.no() };
        for index in 0..width - 1 {
            let (x, y) = (self.bit(index), other.bit(index));
            let differ = c.xor(x, y);
            less = c.ite(differ, y, less);
        }
        // The one that is negative is less.
        let differ = c.xor(self.sign(), other.sign());
        less = c.ite(differ, self.sign(), less);
        c.and(both, less)
    }

    /// This one if `keep` holds; nothing elsewhere.
    #[must_use]
    pub fn guarded(&self, c: &mut Circuit, keep: Lit) -> Self {
        let bits = self.bits.iter().map(|&bit| c.and(keep, bit)).collect();
        let (there, none) = (c.and(keep, self.there), c.and(keep, self.none));
        Self { there, none, bits, range: self.range, origin: NumberOrigin::Bits }
    }

    /// A part of a composite that is present if `present` holds: `none` elsewhere.
    #[must_use]
    pub fn below(&self, c: &mut Circuit, present: Lit) -> Self {
        Self { none: c.or(self.none, !present), ..self.clone() }
    }

    /// This one, where it is known to be an integer.
    #[must_use]
    pub fn without_none(&self, c: &Circuit) -> Self {
        Self { none: c.no(), ..self.clone() }
    }

    /// The one of several whose literal holds; the literals exclude each other. Nothing if none holds.
    pub fn select(c: &mut Circuit, cases: &[(Lit, Self)]) -> Self {
        let one = |c: &mut Circuit, of: &dyn Fn(&Self) -> Lit| -> Lit {
            if let [(p, a), (q, b)] = cases
                && *p == !*q
            {
                return c.ite(*p, of(a), of(b));
            }
            let parts: Vec<Lit> = cases.iter().map(|(sel, number)| c.and(*sel, of(number))).collect();
            c.any(&parts)
        };
        let range = cases.iter().map(|(_, number)| number.range).reduce(IntegerRange::joined);
        let range = range.unwrap_or(IntegerRange { lo: 0, hi: 0 });
        let bits = (0..range.width()).map(|index| one(c, &|number| number.bit(index))).collect();
        let there = one(c, &|number| number.there);
        Self { there, none: one(c, &|number| number.none), bits, range, origin: NumberOrigin::Bits }
    }

    /// A selection where it is known that one of the literals holds and that there is something in each case.
    pub fn select_one(c: &mut Circuit, cases: &[(Lit, Self)]) -> Self {
        if let [(_, first), rest @ ..] = cases
            && rest.iter().all(|(_, number)| number == first)
        {
            return first.clone();
        }
        let total = cases.iter().all(|(_, number)| number.there == c.yes());
        let selected = Self::select(c, cases);
        if total {
            Self { there: c.yes(), none: c.no(), ..selected }.selected_from(c, cases.to_vec())
        } else {
            selected
        }
    }

    /// The integer, which is known to be selected from these; one of the literals holds.
    #[must_use]
    pub fn selected_from(self, c: &Circuit, cases: Vec<(Lit, Self)>) -> Self {
        if self.there != c.yes() || cases.iter().any(|(_, number)| number.there != c.yes()) {
            return self;
        }
        Self { origin: NumberOrigin::Selected(Arc::new(cases)), ..self }
    }

    /// This one where it matters only in what follows from `present`, as with arguments of an action: an integer anywhere.
    #[must_use]
    pub fn assumed_present(&self, c: &Circuit) -> Self {
        if self.none == c.no() { Self { there: c.yes(), ..self.clone() } } else { self.clone() }
    }

    /// All integers of its range and `none`, each with the literal that it is this one; cut short once the budget of the circuit
    /// is exhausted.
    pub fn listed(&self, c: &mut Circuit) -> Vec<(Value, Lit)> {
        let mut list = Vec::new();
        if self.none != c.no() {
            list.push((Value::None, self.none));
        }
        for n in self.range.lo..=self.range.hi {
            if !c.goes_on() {
                break;
            }
            let lit = self.is(c, n);
            if lit != c.no() {
                list.push((Value::Int(n), lit));
            }
        }
        list
    }

    /// The value where literals hold as `holds` says.
    pub fn value_where(&self, holds: &impl Fn(Lit) -> bool) -> Value {
        if !holds(self.there) {
            return Value::None;
        }
        let sign = if holds(self.sign()) { -1 } else { 0 };
        let ones = self.bits.iter().enumerate().filter(|(_, bit)| holds(**bit));
        let mask = if self.bits.len() < 64 { (1 << self.bits.len()) - 1 } else { -1 };
        Value::Int(sign & !mask | ones.fold(0, |n, (bit, _)| n | 1_i64 << bit))
    }
}

/// A fresh literal that holds only where another one does.
fn below(c: &mut Circuit, present: Lit) -> Lit {
    let lit = c.fresh();
    if present != c.yes() {
        c.add_clause(&[!lit, present]);
    }
    lit
}
