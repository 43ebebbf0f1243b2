//! Labels for traces that have none, such as those of other programs.

use super::limits::{DEFAULT_SEARCH_LIMIT, TooMany};
use super::successors::successors;
use lang::model::Model;
use lang::model::value::Moment;

/// The reason why a trace has no labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unlabelled {
    /// No action leads from this state to the next one.
    NoStep(usize),
    /// There are too many steps from a state to list.
    TooMany(TooMany),
}

impl std::fmt::Display for Unlabelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoStep(from) => {
                write!(f, "no step of the model leads from state {from} to state {}", from + 1)
            }
            Self::TooMany(too_many) => too_many.fmt(f),
        }
    }
}

impl std::error::Error for Unlabelled {}

/// Gives each step without a label the first label, by action and arguments, with which the model has that step.
///
/// # Errors
/// If there is no such step, or there are too many to list.
pub fn find_labels(model: &Model, moments: &mut [Moment]) -> Result<(), Unlabelled> {
    for at in 1..moments.len() {
        if moments[at].label.is_some() {
            continue;
        }
        let steps =
            successors(model, &moments[at - 1].state, DEFAULT_SEARCH_LIMIT).map_err(Unlabelled::TooMany)?;
        let step = steps.into_iter().find(|(_, after)| *after == moments[at].state);
        let (label, _) = step.ok_or(Unlabelled::NoStep(at - 1))?;
        moments[at].label = Some(label);
    }
    Ok(())
}
