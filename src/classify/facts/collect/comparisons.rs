//! Facts that compare integers: with the numbers of the model, with each other, and with each other plus a
//! constant of the model.
//!
//! Weaker facts about a value come first: `x >= 0` before `x >= 10`. As minimisation prefers to keep earlier
//! facts, a class says no more of a number than necessary.

use super::{AtomKey, Collector, MembershipTest, PlacedAtom, Says, read_at};
use crate::facts::atom::{Atom, AtomOrigin};
use crate::facts::index::AtomId;
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::types::Type;
use lang::model::value::{Moment, Value};
use lang::model::{Observable, Position, Threshold};

/// The greatest number of thresholds on each side of a value, the nearest ones, in its facts.
const MOST_NEAREST: usize = 8;

impl Collector<'_> {
    /// Adds, for each position, the sides of the model's thresholds on which an integer is. If `equal`, facts
    /// about equality exist as well.
    pub(super) fn sides(
        &mut self,
        item: usize,
        of: &Observable,
        equal: bool,
        trace: &[Moment],
        placed: &mut Vec<PlacedAtom>,
    ) {
        let thresholds = self.thresholds_of(of);
        for (at, value) in Position::all(trace.len()).zip(self.read(of, trace)) {
            let Value::Int(value) = value else { continue };
            // For a number that the model only compares by equality, equality is enough.
            let thresholds: Vec<Threshold> = thresholds
                .iter()
                .filter(|t| t.number != value || !equal || self.numbers.ordered.contains(t))
                .copied()
                .collect();
            let above: Vec<Threshold> = thresholds.iter().filter(|t| !t.is_below(value)).copied().collect();
            let below: Vec<Threshold> =
                thresholds.iter().rev().filter(|t| t.is_below(value)).copied().collect();
            for (side, is_below) in [(above, false), (below, true)] {
                for threshold in side.iter().skip(side.len().saturating_sub(MOST_NEAREST)) {
                    let atom = self.side_atom(item, of, *threshold, is_below);
                    placed.push(PlacedAtom { atom, positions: vec![at] });
                }
            }
        }
    }

    /// Adds the positions where an integer is a number that the model compares integers with.
    pub(super) fn known_values(
        &mut self,
        item: usize,
        of: &Observable,
        trace: &[Moment],
        placed: &mut Vec<PlacedAtom>,
    ) {
        for (at, value) in Position::all(trace.len()).zip(self.read(of, trace)) {
            let is_known = match &value {
                Value::Int(number) => self.numbers.compared.binary_search(number).is_ok(),
                _ => true,
            };
            if is_known {
                let atom = self.constant_atom(item, of, value, MembershipTest::Equal);
                placed.push(PlacedAtom { atom, positions: vec![at] });
            }
        }
    }

    /// Adds the pairs of positions where one integer is less than another, or no greater.
    pub(super) fn less(
        &mut self,
        [left, right]: [&Observable; 2],
        item: usize,
        trace: &[Moment],
        placed: &mut Vec<PlacedAtom>,
    ) {
        let (at_left, at_right) = (self.read(left, trace), self.read(right, trace));
        let mut add = |swapped: bool, [a, b]: [&[Value]; 2]| {
            for strict in [false, true] {
                let atom = self.less_atom(item, left, right, strict, swapped);
                for (i, x, j, y) in pairs(a, b) {
                    let says_something = left.text != right.text || i != j;
                    if says_something && (x < y || x == y && !strict) {
                        placed.push(PlacedAtom { atom, positions: vec![i, j] });
                    }
                }
            }
        };
        add(false, [&at_left, &at_right]);
        if left.text != right.text {
            add(true, [&at_right, &at_left]);
        }
    }

    /// Adds the pairs of positions where one integer is another one plus or minus a constant that the model adds to integers.
    pub(super) fn shifted(
        &mut self,
        [left, right]: [&Observable; 2],
        item: usize,
        trace: &[Moment],
        placed: &mut Vec<PlacedAtom>,
    ) {
        let (at_left, at_right) = (self.read(left, trace), self.read(right, trace));
        for by in self.shifts(left, right) {
            let atom = self.shift_atom(item, left, right, by);
            for (i, x, j, y) in pairs(&at_left, &at_right) {
                if x.checked_add(by) == Some(y) {
                    placed.push(PlacedAtom { atom, positions: vec![i, j] });
                }
            }
        }
    }

    /// Returns all atoms about thresholds.
    pub(super) fn side_atoms(&mut self, item: usize, of: &Observable) -> Vec<AtomId> {
        let thresholds = self.thresholds_of(of);
        let sides = thresholds.into_iter().flat_map(|t| [(t, true), (t, false)]);
        sides.map(|(threshold, below)| self.side_atom(item, of, threshold, below)).collect()
    }

    /// Returns all equality atoms of an integer with many values.
    pub(super) fn known_value_atoms(&mut self, item: usize, of: &Observable) -> Vec<AtomId> {
        let Type::Int { lo, hi } = *of.expr.ty.inner() else { return Vec::new() };
        let known: Vec<i64> =
            self.numbers.compared.iter().copied().filter(|number| (lo..=hi).contains(number)).collect();
        let none = of.expr.ty.is_option().then_some(Value::None);
        let values = none.into_iter().chain(known.into_iter().map(Value::Int));
        values.map(|value| self.constant_atom(item, of, value, MembershipTest::Equal)).collect()
    }

    /// Returns all atoms by which one integer is less than another. An observable trivially is no greater than itself.
    pub(super) fn less_atoms(&mut self, item: usize, left: &Observable, right: &Observable) -> Vec<AtomId> {
        let kinds: &[(bool, bool)] = match left.text == right.text {
            true => &[(true, false)],
            false => &[(false, false), (true, false), (false, true), (true, true)],
        };
        kinds.iter().map(|&(strict, swapped)| self.less_atom(item, left, right, strict, swapped)).collect()
    }

    /// Returns all atoms by which one integer is another one plus a constant.
    pub(super) fn shift_atoms(&mut self, item: usize, left: &Observable, right: &Observable) -> Vec<AtomId> {
        self.shifts(left, right).into_iter().map(|by| self.shift_atom(item, left, right, by)).collect()
    }

    /// Returns the thresholds with values of the observable on both sides.
    fn thresholds_of(&self, of: &Observable) -> Vec<Threshold> {
        let Type::Int { lo, hi } = *of.expr.ty.inner() else { return Vec::new() };
        self.numbers.thresholds.iter().filter(|threshold| threshold.divides(lo, hi)).copied().collect()
    }

    /// Returns the differences between the right and the left observable. For one observable at two
    /// positions, one direction is enough.
    fn shifts(&self, left: &Observable, right: &Observable) -> Vec<i64> {
        let steps = self.numbers.steps.iter().take(MOST_NEAREST).copied();
        match left.text == right.text {
            true => steps.collect(),
            false => steps.flat_map(|step| [step, -step]).collect(),
        }
    }

    fn side_atom(&mut self, item: usize, of: &Observable, threshold: Threshold, below: bool) -> AtomId {
        self.atom_of(AtomKey { item, says: Says::Side(threshold, below) }, |collector| {
            let position = collector.fresh_local();
            let read = read_at(of, position);
            let Threshold { number, inclusive } = threshold;
            let constant = number_of(number, of);
            // The upper side of `x < c` is `c <= x`, and that of `x <= c` is `c < x`.
            let op = if below == inclusive { Op::Le } else { Op::Lt };
            let expr = match below {
                true => Expr::binary_bool(op, read, constant),
                false => Expr::binary_bool(op, constant, read),
            };
            let origin = AtomOrigin::Bounded { observable: of.text.as_str().into(), threshold, below };
            Atom::new(origin, item, vec![position], Vec::new(), expr)
        })
    }

    fn less_atom(
        &mut self,
        item: usize,
        left: &Observable,
        right: &Observable,
        strict: bool,
        swapped: bool,
    ) -> AtomId {
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        self.atom_of(AtomKey { item, says: Says::Less { strict, swapped } }, |collector| {
            let (i, j) = (collector.fresh_local(), collector.fresh_local());
            let op = if strict { Op::Lt } else { Op::Le };
            let expr = Expr::binary_bool(op, read_at(left, i), read_at(right, j));
            let (left, right) = (left.text.as_str().into(), right.text.as_str().into());
            Atom::new(AtomOrigin::Ordered { left, right, strict }, item, vec![i, j], Vec::new(), expr)
        })
    }

    fn shift_atom(&mut self, item: usize, left: &Observable, right: &Observable, by: i64) -> AtomId {
        self.atom_of(AtomKey { item, says: Says::Plus(by) }, |collector| {
            let (i, j) = (collector.fresh_local(), collector.fresh_local());
            let mut expr = Expr::binary_bool(Op::Eq, plus(left, read_at(left, i), by), read_at(right, j));
            if left.expr.ty.is_option() && right.expr.ty.is_option() {
                // `none + 1` is `none`.
                let kind = ExprKind::IsSome(Box::new(read_at(left, i)));
                let is_some = Expr { kind, ty: Type::Bool, span: left.span };
                expr = Expr::binary_bool(Op::And, expr, is_some);
            }
            let (left, right) = (left.text.as_str().into(), right.text.as_str().into());
            Atom::new(AtomOrigin::Shifted { left, right, by }, item, vec![i, j], Vec::new(), expr)
        })
    }
}

/// Returns the integers at any two positions, each after its position.
fn pairs(left: &[Value], right: &[Value]) -> Vec<(Position, i64, Position, i64)> {
    let integers = |values: &[Value]| -> Vec<(Position, i64)> {
        let integer = |(at, value): (Position, &Value)| match value {
            Value::Int(number) => Some((at, *number)),
            _ => None,
        };
        Position::all(values.len()).zip(values).filter_map(integer).collect()
    };
    let right = integers(right);
    integers(left).into_iter().flat_map(|(i, x)| right.iter().map(move |&(j, y)| (i, x, j, y))).collect()
}

/// Returns a number as an expression in place of an observable.
fn number_of(number: i64, of: &Observable) -> Expr {
    Expr::constant(Value::Int(number), Type::Int { lo: number, hi: number }, of.span)
}

/// Returns `read + by`, where `read` is the observable at a position.
fn plus(of: &Observable, read: Expr, by: i64) -> Expr {
    let Type::Int { lo, hi } = *of.expr.ty.inner() else { return read };
    let ty = Type::Int { lo: lo + by, hi: hi + by };
    let ty = if of.expr.ty.is_option() { ty.optional() } else { ty };
    let kind = ExprKind::Binary(Op::Add, Box::new(read), Box::new(number_of(by, of)));
    Expr { kind, ty, span: of.span }
}
