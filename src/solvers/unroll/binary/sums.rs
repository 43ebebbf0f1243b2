//! Sums of which parts cancel out, before they become gates: (m - x) + (y + x) is m + y, and the sum of two integers that
//! are selected by the same literals is selected from the sums by these literals. Solvers take long to find that out from
//! adders.

use super::BinaryInteger;
use crate::sat::{Circuit, Lit};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The sum that makes an integer. It has this value wherever it is in its range; elsewhere its bits mean nothing.
#[derive(Clone, Default)]
pub(super) enum NumberOrigin {
    /// Nothing is known.
    #[default]
    Bits,
    Sum(Arc<LinearSum>),
    /// It is the one of several whose literal holds; exactly one does.
    Selected(Arc<Vec<(Lit, BinaryInteger)>>),
}

/// A sum of integers with factors, and of a constant.
#[derive(Clone, Default)]
pub(super) struct LinearSum {
    terms: Vec<LinearTerm>,
    constant: i64,
}

#[derive(Clone)]
struct LinearTerm {
    number: BinaryInteger,
    /// Not 0.
    factor: i64,
}

/// Sums with more terms than this are not looked at.
const MOST_TERMS: usize = 8;

/// The most sums that are looked at to simplify one.
const MOST_SUMS: usize = 256;

/// The most different sums that a sum of selected integers is selected from.
const MOST_CASES: usize = 2;

/// Sums of two integers that were looked at, by their bits and whether it is a difference; `None` if nothing was found.
type SumMemo = FxHashMap<(Vec<Lit>, Vec<Lit>, bool), Option<BinaryInteger>>;

impl LinearSum {
    /// The terms of an integer.
    fn of(c: &Circuit, number: &BinaryInteger) -> Self {
        if number.open(c) == 0 && number.range.lo == number.range.hi {
            return Self { terms: Vec::new(), constant: number.range.lo };
        }
        match &number.origin {
            NumberOrigin::Sum(sum) => Self::clone(sum),
            _ => Self { terms: vec![LinearTerm { number: number.clone(), factor: 1 }], constant: 0 },
        }
    }

    /// The sum, or the difference; `None` if it is too long or its numbers too large.
    fn plus(mut self, other: &Self, minus: bool) -> Option<Self> {
        let signed = |n: i64| if minus { n.checked_neg() } else { Some(n) };
        self.constant = self.constant.checked_add(signed(other.constant)?)?;
        for LinearTerm { number, factor } in &other.terms {
            let factor = signed(*factor)?;
            match self.terms.iter().position(|term| term.number == *number) {
                Some(at) => {
                    self.terms[at].factor = self.terms[at].factor.checked_add(factor)?;
                    if self.terms[at].factor == 0 {
                        self.terms.remove(at);
                    }
                }
                None => self.terms.push(LinearTerm { number: number.clone(), factor }),
            }
        }
        (self.terms.len() <= MOST_TERMS).then_some(self)
    }

    fn build(self, c: &mut Circuit, known: &mut SumMemo) -> BinaryInteger {
        let mut sum: Option<BinaryInteger> = None;
        if let Some((x, y, minus)) = self.pair() {
            sum = sum_of_selected(c, x, y, minus, known);
        }
        let found = sum.is_some();
        let mut terms: Vec<&LinearTerm> = self.terms.iter().filter(|_| !found).collect();
        terms.sort_by_key(|term| term.factor < 0);
        for LinearTerm { number, factor } in terms {
            let positive = BinaryInteger { origin: NumberOrigin::Bits, ..number.clone() };
            let by = BinaryInteger::constant(c, factor.saturating_abs());
            let positive = if *factor == 1 || *factor == -1 { positive } else { positive.times(c, &by) };
            sum = Some(match sum {
                None if *factor > 0 => positive,
                None => BinaryInteger::constant(c, 0).added(c, &positive, true),
                Some(sum) => sum.added(c, &positive, *factor < 0),
            });
        }
        let sum = sum.unwrap_or_else(|| BinaryInteger::constant(c, 0));
        let sum = if self.constant == 0 {
            sum
        } else {
            let constant = BinaryInteger::constant(c, self.constant);
            sum.added(c, &constant, false)
        };
        BinaryInteger { origin: NumberOrigin::Sum(Arc::new(self)), ..sum }
    }

    /// The two terms, if they are two, each taken once, the first one added and the second one perhaps subtracted.
    fn pair(&self) -> Option<(&BinaryInteger, &BinaryInteger, bool)> {
        match self.terms.as_slice() {
            [x, y] if x.factor == 1 && y.factor.abs() == 1 => Some((&x.number, &y.number, y.factor < 0)),
            [x, y] if x.factor == -1 && y.factor == 1 => Some((&y.number, &x.number, true)),
            _ => None,
        }
    }

    /// The only term, if there is nothing else.
    fn only(&self) -> Option<&BinaryInteger> {
        match self.terms.as_slice() {
            [term] if term.factor == 1 && self.constant == 0 => Some(&term.number),
            _ => None,
        }
    }
}

impl BinaryInteger {
    /// The sum.
    #[must_use]
    pub fn plus(&self, c: &mut Circuit, other: &Self) -> Self {
        self.simplified(c, other, false)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, c: &mut Circuit, other: &Self) -> Self {
        self.simplified(c, other, true)
    }

    fn simplified(&self, c: &mut Circuit, other: &Self, minus: bool) -> Self {
        if self.there != c.yes() || other.there != c.yes() {
            return self.added(c, other, minus);
        }
        let (left, right) = (LinearSum::of(c, self), LinearSum::of(c, other));
        let terms = left.terms.len() + right.terms.len();
        let Some(sum) = left.plus(&right, minus) else { return self.added(c, other, minus) };
        if let Some(only) = sum.only() {
            return only.clone();
        }
        let mut known = SumMemo::default();
        if sum.terms.len() < terms {
            return sum.build(c, &mut known);
        }
        if let Some((x, y, minus)) = sum.pair()
            && let Some(pushed) = sum_of_selected(c, x, y, minus, &mut known)
        {
            let constant = Self::constant(c, sum.constant);
            let number = if sum.constant == 0 { pushed } else { pushed.added(c, &constant, false) };
            return Self { origin: NumberOrigin::Sum(Arc::new(sum)), ..number };
        }
        Self { origin: NumberOrigin::Sum(Arc::new(sum)), ..self.added(c, other, minus) }
    }
}

/// The sum or difference of two integers that are selected by the same literals, if in all cases it comes to much the same.
fn sum_of_selected(
    c: &mut Circuit,
    x: &BinaryInteger,
    y: &BinaryInteger,
    minus: bool,
    known: &mut SumMemo,
) -> Option<BinaryInteger> {
    let (NumberOrigin::Selected(left), NumberOrigin::Selected(right)) = (&x.origin, &y.origin) else {
        return None;
    };
    let same = left.len() == right.len() && left.iter().zip(right.iter()).all(|(a, b)| a.0 == b.0);
    if !same {
        return None;
    }
    let key = (x.bits.clone(), y.bits.clone(), minus);
    if let Some(found) = known.get(&key) {
        return found.clone();
    }
    if known.len() >= MOST_SUMS || !c.goes_on() {
        return None;
    }
    known.insert(key.clone(), None);
    let mut cases: Vec<(Lit, BinaryInteger)> = Vec::new();
    let mut different: Vec<BinaryInteger> = Vec::new();
    for ((selected, a), (_, b)) in left.iter().zip(right.iter()) {
        let sum = LinearSum::of(c, a).plus(&LinearSum::of(c, b), minus)?;
        if sum.terms.len() > 2 {
            return None;
        }
        let sum = match sum.only() {
            Some(only) => only.clone(),
            None => sum.build(c, known),
        };
        if !different.contains(&sum) {
            different.push(sum.clone());
        }
        if different.len() > MOST_CASES {
            return None;
        }
        cases.push((*selected, sum));
    }
    let found = BinaryInteger::select_one(c, &cases);
    known.insert(key, Some(found.clone()));
    Some(found)
}
