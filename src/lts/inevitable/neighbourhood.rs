//! Neighbourhoods: the states at which a choice decides whether the actions occur.

use super::analysis::{Analysis, Entered};
use crate::budget::{Budget, Exhausted};
use crate::lts::nearest::nearest;
use crate::lts::safety::Tag;

/// A transition of a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The label.
    pub label: u32,
    /// The state at the other end.
    pub state: u32,
    /// Its tag.
    pub tag: Tag,
}

/// A state that is a neighbourhood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The state.
    pub state: u32,
    /// Its kind, see [`Analysis::neighbourhood`].
    pub kind: usize,
    /// A shortest path to it.
    pub path: Vec<u32>,
    /// Its incoming transitions.
    pub incoming: Vec<Step>,
    /// Its outgoing transitions.
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
    let kind = |state: u32| analysis.neighbourhood(state, entered);
    let found = nearest(
        analysis.lts.initial(),
        |state, steps| steps.extend(analysis.lts.out(state)),
        |state| kind(state).is_some(),
        limit,
        budget,
    )?;
    let step = |(label, state, tag)| Step { label, state, tag };
    let described = found.into_iter().filter_map(|(state, path)| {
        Some(Neighbourhood {
            state,
            kind: kind(state)?,
            path,
            incoming: analysis.incoming(state).map(step).collect(),
            outgoing: analysis.tagged(state).map(step).collect(),
        })
    });
    Ok(described.collect())
}
