//! The places of a state that an expression reads: variables, or parts of them.

use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::value::Value;

/// A variable or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatePlace {
    variable: VarId,
    path: Vec<PlaceSelector>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum PlaceSelector {
    Field(usize),
    /// An entry of a map; `None` if the key is not a constant.
    Entry(Option<Value>),
}

/// Returns the places of the state that an expression reads.
pub fn read_by(expr: &Expr) -> Vec<StatePlace> {
    let mut places = Vec::new();
    add(&mut places, expr);
    places
}

fn add(places: &mut Vec<StatePlace>, expr: &Expr) {
    match place(expr) {
        Some(place) => {
            places.push(place);
            add_keys(places, expr);
        }
        None => expr.children().into_iter().for_each(|child| add(places, child)),
    }
}

/// Adds the places read by keys inside a place.
fn add_keys(places: &mut Vec<StatePlace>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Field(base, _) => add_keys(places, base),
        ExprKind::Index(base, key) => {
            add_keys(places, base);
            add(places, key);
        }
        _ => {}
    }
}

/// Returns the place denoted by an expression; `None` for other expressions.
pub fn place(expr: &Expr) -> Option<StatePlace> {
    let (base, step) = match &expr.kind {
        ExprKind::Var(variable) => return Some(StatePlace { variable: *variable, path: Vec::new() }),
        ExprKind::Field(base, field) => (base, PlaceSelector::Field(*field)),
        ExprKind::Index(base, key) => match &key.kind {
            ExprKind::Const(key) => (base, PlaceSelector::Entry(Some(key.clone()))),
            _ => (base, PlaceSelector::Entry(None)),
        },
        _ => return None,
    };
    let mut place = place(base)?;
    place.path.push(step);
    Some(place)
}

impl StatePlace {
    /// True if the two can have something in common: one is the other or a part of it.
    pub fn overlaps(&self, other: &StatePlace) -> bool {
        let meet = |(a, b): (&PlaceSelector, &PlaceSelector)| match (a, b) {
            (PlaceSelector::Entry(Some(a)), PlaceSelector::Entry(Some(b))) => a == b,
            (PlaceSelector::Entry(_), PlaceSelector::Entry(_)) => true,
            (a, b) => a == b,
        };
        self.variable == other.variable && self.path.iter().zip(&other.path).all(meet)
    }
}
