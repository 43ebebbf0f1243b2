//! The problem to classify: a model and one of its invariants.

use lang::model::eval::Scope;
use lang::model::expr::Expr;
use lang::model::value::State;
use lang::model::{Model, Property};

/// A model with the state formula that all of its reachable states should satisfy.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'m> {
    /// The model.
    pub model: &'m Model,
    /// A boolean expression over one state of the model.
    pub invariant: &'m Expr,
}

impl<'m> Problem<'m> {
    /// Combines a model and a state formula.
    pub fn new(model: &'m Model, invariant: &'m Expr) -> Self {
        Self { model, invariant }
    }

    /// Returns the problem of a property of the model; `None` if the property is temporal.
    pub fn of_property(model: &'m Model, property: &'m Property) -> Option<Self> {
        property.invariant().map(|invariant| Self { model, invariant })
    }

    /// Returns the problem of the first invariant that the model declares; `None` if it declares none.
    pub fn first(model: &'m Model) -> Option<Self> {
        model.properties.iter().find_map(|property| Self::of_property(model, property))
    }

    /// True if a state violates the invariant, by the reference semantics.
    pub(crate) fn is_violated_in(&self, state: &State) -> bool {
        !Scope::new(self.model).with_state(state).holds(self.invariant)
    }
}
