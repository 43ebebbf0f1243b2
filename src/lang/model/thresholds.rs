//! The numbers that facts and invariants about integers are made of: those that a model compares integers with, and those that it
//! adds to them.

use super::expr::{Expr, ExprKind, Op};
use super::value::Value;
use super::{Model, UpdateValue};
use std::collections::{BTreeMap, BTreeSet};

/// A number c as a border: `x < c` on one side, `x >= c` on the other; or `x <= c` and `x > c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threshold {
    /// c.
    pub number: i64,
    /// True if c is on the lower side, as in `x <= c`.
    pub inclusive: bool,
}

impl Threshold {
    /// The greatest integer on the lower side.
    pub fn last_below(self) -> i64 {
        if self.inclusive { self.number } else { self.number.saturating_sub(1) }
    }

    /// True if an integer is on the lower side.
    pub fn is_below(self, value: i64) -> bool {
        value <= self.last_below()
    }

    /// How the language compares an integer with the number: `<` or `<=` on the lower side, `>=` or `>` on the upper one.
    pub fn sign(self, below: bool) -> &'static str {
        match (below, self.inclusive) {
            (true, false) => "<",
            (true, true) => "<=",
            (false, false) => ">=",
            (false, true) => ">",
        }
    }

    /// True if both sides have integers from `lo` to `hi`.
    pub fn divides(self, lo: i64, hi: i64) -> bool {
        (lo..hi).contains(&self.last_below())
    }
}

/// The numbers of a model.
#[derive(Debug, Clone, Default)]
pub struct ModelNumbers {
    /// Borders in ascending order, each as the model writes it where it is met first. An equation with a number has two.
    pub thresholds: Vec<Threshold>,
    /// Those of them that an inequality has.
    pub ordered: Vec<Threshold>,
    /// The numbers that integers are compared with, in ascending order.
    pub compared: Vec<i64>,
    /// The numbers that are added or subtracted: positive numbers in ascending order.
    pub steps: Vec<i64>,
}

impl ModelNumbers {
    /// Reads all formulas of a model, its properties first. Definitions and constants are inlined there, so `x < LIMIT` has the
    /// value of `LIMIT`.
    pub fn of(model: &Model) -> Self {
        let mut found = ThresholdUse::default();
        model.properties.iter().filter_map(|property| property.invariant()).for_each(|e| found.read(e));
        model.init.iter().for_each(|e| found.read(e));
        model.assumptions.iter().for_each(|assumption| found.read(&assumption.expr));
        for action in &model.actions {
            action.requires.iter().chain(&action.constraints).for_each(|e| found.read(e));
            for update in &action.updates {
                update.guard.iter().for_each(|e| found.read(e));
                let (UpdateValue::Is(value) | UpdateValue::In(value)) = &update.value;
                found.read(value);
            }
        }
        Self {
            ordered: found.borders.values().filter(|border| border.ordered).map(|b| b.threshold).collect(),
            thresholds: found.borders.into_values().map(|border| border.threshold).collect(),
            compared: found.compared.into_iter().collect(),
            steps: found.steps.into_iter().collect(),
        }
    }
}

#[derive(Default)]
struct ThresholdUse {
    /// By the greatest integer below.
    borders: BTreeMap<i64, Border>,
    compared: BTreeSet<i64>,
    steps: BTreeSet<i64>,
}

struct Border {
    threshold: Threshold,
    /// True if an inequality has it, and not only an equation.
    ordered: bool,
}

impl ThresholdUse {
    fn read(&mut self, formula: &Expr) {
        formula.walk(&mut |e| {
            let ExprKind::Binary(op, a, b) = &e.kind else { return };
            let (number, on_the_left) = match (&a.kind, &b.kind) {
                (_, ExprKind::Const(Value::Int(c))) => (*c, false),
                (ExprKind::Const(Value::Int(c)), _) => (*c, true),
                _ => return,
            };
            match op {
                Op::Eq => {
                    self.border(number, false, false);
                    self.border(number, true, false);
                }
                // c < x is the other side of x <= c.
                Op::Lt => self.border(number, on_the_left, true),
                Op::Le => self.border(number, !on_the_left, true),
                Op::Add | Op::Sub if number != 0 && number != i64::MIN => _ = self.steps.insert(number.abs()),
                _ => {}
            }
        });
    }

    fn border(&mut self, number: i64, inclusive: bool, ordered: bool) {
        let threshold = Threshold { number, inclusive };
        let known = self.borders.entry(threshold.last_below()).or_insert(Border { threshold, ordered });
        known.ordered |= ordered;
        self.compared.insert(number);
    }
}
