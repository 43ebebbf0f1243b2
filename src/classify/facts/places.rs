//! Which places of a state an expression reads: variables, or parts of them.

use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::value::Value;

/// A variable or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    variable: VarId,
    path: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Step {
    Field(usize),
    /// An entry of a map; `None` where the key is not a constant.
    Entry(Option<Value>),
}

/// What an expression reads.
#[derive(Debug, Default)]
pub struct Reading {
    /// Places of the state.
    pub places: Vec<Place>,
    /// Whether the label of a step is read.
    pub labels: bool,
}

impl Reading {
    /// What an expression reads.
    pub fn of(expr: &Expr) -> Self {
        let mut reading = Self::default();
        reading.add(expr);
        reading
    }

    fn add(&mut self, expr: &Expr) {
        self.labels |= matches!(expr.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. });
        match place(expr) {
            Some(place) => {
                self.places.push(place);
                self.add_keys(expr);
            }
            None => expr.children().into_iter().for_each(|child| self.add(child)),
        }
    }

    /// What the keys inside of a place read.
    fn add_keys(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Field(base, _) => self.add_keys(base),
            ExprKind::Index(base, key) => {
                self.add_keys(base);
                self.add(key);
            }
            _ => {}
        }
    }
}

/// The place that an expression is; nothing if it is none.
pub fn place(expr: &Expr) -> Option<Place> {
    let (base, step) = match &expr.kind {
        ExprKind::Var(variable) => return Some(Place { variable: *variable, path: Vec::new() }),
        ExprKind::Field(base, field) => (base, Step::Field(*field)),
        ExprKind::Index(base, key) => match &key.kind {
            ExprKind::Const(key) => (base, Step::Entry(Some(key.clone()))),
            _ => (base, Step::Entry(None)),
        },
        _ => return None,
    };
    let mut place = place(base)?;
    place.path.push(step);
    Some(place)
}

impl Place {
    /// Whether the two can have something in common: one is the other or a part of it.
    pub fn overlaps(&self, other: &Place) -> bool {
        let meet = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Entry(Some(a)), Step::Entry(Some(b))) => a == b,
            (Step::Entry(_), Step::Entry(_)) => true,
            (a, b) => a == b,
        };
        self.variable == other.variable && self.path.iter().zip(&other.path).all(meet)
    }
}
