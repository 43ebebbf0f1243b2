//! Conditions on lassos.

use super::constraint::LassoConstraint;
use crate::facts::atom::Atoms;
use crate::oracles::condition::TraceCondition;
use lang::model::value::State;
use lang::model::{Model, Position};
use lang::trace::Lasso;

/// A condition on a lasso.
pub type LassoCondition = TraceCondition<LassoConstraint, LassoForm>;

/// A form of a lasso.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LassoForm {
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

impl LassoForm {
    /// True if a lasso has the form.
    fn is_of(&self, lasso: &Lasso) -> bool {
        match self {
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

/// True if a lasso meets a condition, by the reference semantics.
pub fn meets((model, atoms): (&Model, &Atoms), lasso: &Lasso, condition: &LassoCondition) -> bool {
    let has = |constraint: &LassoConstraint| constraint.holds(model, atoms, lasso);
    condition.is_met(&has, &|form: &LassoForm| form.is_of(lasso))
}
