//! Neighbourhoods: the states at which a choice decides whether the actions occur.

use super::analysis::{Analysis, Entered, Step};
use crate::lts::graph::StateId;
use crate::lts::labels::LabelId;
use crate::lts::nearest::nearest;
use kit::budget::{Budget, Exhausted};

/// A state that is a neighbourhood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The state.
    pub state: StateId,
    /// The kind, see [`Analysis::neighbourhood`].
    pub kind: usize,
    /// A shortest path to it.
    pub path: Vec<LabelId>,
    /// The transitions from reachable states to it.
    pub incoming: Vec<Step>,
    /// The transitions that leave it.
    pub outgoing: Vec<Step>,
}

/// The neighbourhoods, those nearest to the initial state first, at most `limit` of them.
///
/// # Errors
/// If the budget is exhausted.
pub fn neighbourhoods(
    analysis: &Analysis<'_>,
    entered: Entered,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Neighbourhood>, Exhausted> {
    let kind = |state: StateId| analysis.neighbourhood(state, entered);
    let found = nearest(
        analysis.lts.initial(),
        |state, steps| steps.extend(analysis.lts.out(state)),
        |state| kind(state).is_some(),
        limit,
        budget,
    )?;
    let described = found.into_iter().filter_map(|(state, path)| {
        Some(Neighbourhood {
            state,
            kind: kind(state)?,
            path,
            incoming: analysis.incoming(state).collect(),
            outgoing: analysis.tagged(state).collect(),
        })
    });
    Ok(described.collect())
}
