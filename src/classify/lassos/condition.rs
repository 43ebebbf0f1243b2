//! Conditions on lassos.

use super::constraint::LassoConstraint;
use crate::facts::atom::Atoms;
use lang::model::value::State;
use lang::model::{Model, Position};
use lang::trace::Lasso;

/// A condition on a lasso.
#[derive(Debug, Clone)]
pub enum LassoCondition {
    /// It satisfies the constraint.
    In(LassoConstraint),
    /// It does not.
    Outside(LassoConstraint),
    /// It meets at least one of these.
    AnyOf(Vec<LassoCondition>),
    /// It takes exactly these actions, and its loop begins at this position.
    Takes {
        /// The actions, as many as it has steps.
        actions: Vec<usize>,
        /// The beginning of the loop.
        start: Position,
    },
    /// It begins with these states, which are not more than it has positions.
    Begins(Vec<State>),
}

impl LassoCondition {
    /// True if a lasso meets the condition, by the reference semantics.
    pub fn is_met(&self, of: (&Model, &Atoms), lasso: &Lasso) -> bool {
        match self {
            Self::In(constraint) => constraint.holds(of.0, of.1, lasso),
            Self::Outside(constraint) => !constraint.holds(of.0, of.1, lasso),
            Self::AnyOf(conditions) => conditions.iter().any(|condition| condition.is_met(of, lasso)),
            Self::Takes { actions, start } => {
                lasso.start == *start
                    && lasso.trace.labels().map(|label| label.action).eq(actions.iter().copied())
            }
            Self::Begins(states) => {
                let own = lasso.trace.moments.iter().map(|moment| &moment.state);
                own.take(states.len()).eq(states)
            }
        }
    }
}
