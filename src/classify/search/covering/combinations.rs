//! Which classes of a cover occur together.

use super::cover_search::{CoverOracle, Demand};
use crate::facts::index::CandidateId;
use crate::results::result::Combination;
use kit::budget::Exhausted;

/// The most combinations that are looked for.
const MOST: usize = 64;

/// The combinations that occur.
pub struct Combinations<T> {
    /// Those that were found, shortest traces first.
    pub found: Vec<Combination<T>>,
    /// True if these are all.
    pub all: bool,
    /// The limit that ended the search.
    pub ended: Option<Exhausted>,
}

impl<T> Default for Combinations<T> {
    /// None was looked for.
    fn default() -> Self {
        Self { found: Vec::new(), all: false, ended: None }
    }
}

/// The sets of these things that happen together in violating traces, each with a shortest such trace. No violation comes before `least`
/// steps.
pub fn occurring<Q: CoverOracle>(
    questions: &mut Q,
    things: &[CandidateId],
    mut least: usize,
) -> Combinations<Q::Trace> {
    let mut result = Combinations::default();
    // Something of the cover happens.
    let mut demands = vec![Demand::AnyOf(things.iter().map(|&id| Demand::In(id)).collect())];
    while result.found.len() < MOST {
        let trace = match questions.first_from(least, &demands) {
            Ok(Some(trace)) => trace,
            Ok(None) => {
                result.all = true;
                break;
            }
            Err(why) => {
                result.ended = Some(why);
                break;
            }
        };
        least = questions.steps(&trace);
        let in_trace = |id: CandidateId| questions.happens(id, &trace);
        let differs = |&id: &CandidateId| if in_trace(id) { Demand::Outside(id) } else { Demand::In(id) };
        demands.push(Demand::AnyOf(things.iter().map(differs).collect()));
        let classes: Vec<usize> = (0..things.len()).filter(|&class| in_trace(things[class])).collect();
        debug_assert!(result.found.iter().all(|known| known.classes != classes), "found again: {classes:?}");
        result.found.push(Combination { classes, trace });
    }
    result
}
