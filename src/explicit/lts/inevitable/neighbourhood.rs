//! Neighbourhoods, the states at which a choice decides whether the actions occur, and the sizes of the tagged system.

use super::analysis::{InevitabilityAnalysis, NeighbourhoodEntry};
use crate::lts::facts::nearest;
use crate::lts::graph::StateId;
use crate::lts::safety::Neighbourhood;
use kit::budget::{Budget, Clock, Exhausted};

/// The neighbourhoods, those nearest to the initial state first, at most `limit` of them.
///
/// # Errors
/// If the budget is exhausted.
pub fn neighbourhoods(
    analysis: &InevitabilityAnalysis<'_>,
    entered: NeighbourhoodEntry,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Neighbourhood<StateId>>, Exhausted> {
    let found = nearest(
        analysis.lts.initial(),
        |state, steps| steps.extend(analysis.lts.out(state)),
        |state| analysis.neighbourhood(state, entered).is_some(),
        limit,
        budget,
    )?;
    let described = found.into_iter().map(|(place, path)| Neighbourhood {
        place,
        path,
        incoming: analysis.incoming(place).collect(),
        outgoing: analysis.tagged(place).collect(),
    });
    Ok(described.collect())
}

/// Sizes of the reachable part of the tagged system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InevitabilitySizes {
    /// Correct transitions: all traces through them contain the actions.
    pub correct: usize,
    /// Incorrect transitions: no trace through them contains the actions.
    pub incorrect: usize,
    /// Neutral transitions: all others.
    pub neutral: usize,
    /// States that are neighbourhoods.
    pub neighbourhoods: usize,
    /// Neighbourhoods by kind, see [`InevitabilityAnalysis::neighbourhood`].
    pub neighbourhood_kinds: [usize; 4],
}

impl InevitabilitySizes {
    /// Counts in one pass over the states.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        analysis: &InevitabilityAnalysis<'_>,
        entered: NeighbourhoodEntry,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "states counted");
        let mut tags = [0; 3];
        let mut counts = Self::default();
        for state in analysis.reached() {
            clock.tick()?;
            analysis.tagged(state).for_each(|step| tags[step.tag as usize] += 1);
            if let Some(kind) = analysis.neighbourhood(state, entered) {
                counts.neighbourhoods += 1;
                counts.neighbourhood_kinds[kind] += 1;
            }
        }
        [counts.correct, counts.incorrect, counts.neutral] = tags;
        Ok(counts)
    }
}
