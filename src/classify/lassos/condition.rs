//! What is demanded of lassos.

use super::constraint::LassoConstraint;
use crate::facts::atom::Atoms;
use lang::model::Model;
use lang::model::value::State;
use lang::trace::Lasso;

/// What is demanded of a lasso.
#[derive(Debug, Clone)]
pub enum Condition {
    /// It satisfies the constraint.
    In(LassoConstraint),
    /// It does not.
    Outside(LassoConstraint),
    /// It meets at least one of these.
    AnyOf(Vec<Condition>),
    /// It begins with these states, which are not more than it has positions.
    Begins(Vec<State>),
}

impl Condition {
    /// Whether a lasso meets it, by the reference semantics.
    pub fn is_met(&self, of: (&Model, &Atoms), lasso: &Lasso) -> bool {
        match self {
            Self::In(constraint) => constraint.holds(of.0, of.1, lasso),
            Self::Outside(constraint) => !constraint.holds(of.0, of.1, lasso),
            Self::AnyOf(conditions) => conditions.iter().any(|condition| condition.is_met(of, lasso)),
            Self::Begins(states) => {
                let own = lasso.trace.moments.iter().map(|moment| &moment.state);
                own.take(states.len()).eq(states)
            }
        }
    }
}
