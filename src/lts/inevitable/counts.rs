//! How much of everything there is.

use super::analysis::{Analysis, Entered};
use crate::budget::{Budget, Exhausted};
use crate::lts::clock::Clock;

/// Sizes of the tagged system; only what can be reached counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Transitions that only traces with all actions pass.
    pub correct: usize,
    /// Transitions that only traces without all actions pass.
    pub incorrect: usize,
    /// All others.
    pub neutral: usize,
    /// States with a neighbourhood.
    pub neighbourhoods: usize,
    /// By kind, see [`Analysis::neighbourhood`].
    pub neighbourhood_kinds: [usize; 4],
}

impl Counts {
    /// Counts in one pass over the states.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(analysis: &Analysis<'_>, entered: Entered, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "states counted");
        let mut tags = [0; 3];
        let mut counts = Self::default();
        for state in analysis.reached() {
            clock.tick()?;
            analysis.tagged(state).for_each(|(.., tag)| tags[tag as usize] += 1);
            if let Some(kind) = analysis.neighbourhood(state, entered) {
                counts.neighbourhoods += 1;
                counts.neighbourhood_kinds[kind] += 1;
            }
        }
        [counts.correct, counts.incorrect, counts.neutral] = tags;
        Ok(counts)
    }
}
