//! Local constraints: every part other than orders and absences reads a single position.

use crate::facts::atom::reads_label;
use crate::facts::fact::{OrderRelation, Stretch};
use crate::facts::index::PositionVar;
use lang::model::expr::{Expr, LocalId};
use lang::model::value::{Moment, Value};
use lang::model::{Model, eval};

/// A predicate of one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// The truth value, over one position parameter.
    pub expr: Expr,
    /// The position parameter.
    pub at: LocalId,
}

/// A part of a local constraint.
#[derive(Debug, Clone, PartialEq)]
pub enum LocalFact {
    /// A letter holds at a position variable.
    Holds {
        /// The letter.
        letter: Letter,
        /// Where it holds.
        at: PositionVar,
    },
    /// A letter holds nowhere in a stretch.
    Absent {
        /// The letter.
        letter: Letter,
        /// The kind of stretch.
        stretch: Stretch,
        /// The position variables that bound the stretch.
        positions: Vec<PositionVar>,
    },
    /// The order of two position variables.
    Order {
        /// The relation: before, or adjacent.
        order: OrderRelation,
        /// The earlier one.
        first: PositionVar,
        /// The later one.
        second: PositionVar,
    },
}

/// A constraint whose parts, other than orders and absences, read one position each.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalConstraint {
    /// The number of position variables.
    pub positions: usize,
    /// The parts; all of them must hold.
    pub facts: Vec<LocalFact>,
    /// For each position variable of the original constraint, the variable that stands for it here.
    pub places: Vec<PositionVar>,
}

impl Letter {
    /// Creates a letter over a position parameter. The parameter is renamed to one shared by all letters of a
    /// model, so that equal formulas give equal letters.
    pub fn new(model: &Model, mut expr: Expr, param: LocalId) -> Self {
        let at = LocalId(model.locals);
        expr.rename_local(param, at);
        Self { expr, at }
    }

    /// True if it is true of a moment, by the reference semantics.
    pub fn holds(&self, model: &Model, moment: &Moment) -> bool {
        let trace = std::slice::from_ref(moment);
        eval::eval_trace(model, &self.expr, trace, &[(self.at, Value::Int(0))]).is_true()
    }

    /// Returns the letter's index in `letters`; a new letter is added.
    pub fn number_in(&self, letters: &mut Vec<Self>) -> usize {
        letters.iter().position(|letter| letter == self).unwrap_or_else(|| {
            letters.push(self.clone());
            letters.len() - 1
        })
    }

    /// True if it reads the label of the step that leads to the moment.
    pub fn reads_label(&self) -> bool {
        reads_label(&self.expr)
    }
}

impl LocalFact {
    /// Calls `change` on each position variable.
    pub fn each_position(&mut self, change: &mut dyn FnMut(&mut PositionVar)) {
        match self {
            Self::Holds { at, .. } => change(at),
            Self::Absent { positions, .. } => positions.iter_mut().for_each(change),
            Self::Order { first, second, .. } => {
                change(first);
                change(second);
            }
        }
    }
}

impl LocalConstraint {
    /// True if some part is an absence. Without any, a trace that goes on stays in the class.
    pub fn has_absences(&self) -> bool {
        self.facts.iter().any(|fact| matches!(fact, LocalFact::Absent { .. }))
    }

    /// Iterates over the pairs of position variables in this order.
    pub fn ordered(&self, wanted: OrderRelation) -> impl Iterator<Item = (PositionVar, PositionVar)> {
        self.facts.iter().filter_map(move |fact| match fact {
            LocalFact::Order { order, first, second } if *order == wanted => Some((*first, *second)),
            _ => None,
        })
    }

    /// Iterates over the letters that must hold at a position variable.
    pub fn letters_at(&self, variable: PositionVar) -> impl Iterator<Item = &Letter> {
        self.facts.iter().filter_map(move |fact| match fact {
            LocalFact::Holds { letter, at } if *at == variable => Some(letter),
            _ => None,
        })
    }
}
