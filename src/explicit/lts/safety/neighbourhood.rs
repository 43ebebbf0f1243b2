//! Neighbourhoods: the positions where a wrong choice is possible, with the right ones; and the sizes of a tagged system.

use super::analysis::{SafetyAnalysis, TaggedStep};
use super::product::ProductPosition;
use crate::lts::facts::nearest;
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};

/// A position with a neighbourhood ([`SafetyAnalysis::is_neighbourhood`]), or a state that is one
/// ([`crate::lts::inevitable::InevitabilityAnalysis::neighbourhood`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood<P = ProductPosition> {
    /// The position or state.
    pub place: P,
    /// A shortest path to it.
    pub path: Vec<LabelId>,
    /// The transitions that lead to it: of the counterexample LTS, or from reachable states.
    pub incoming: Vec<TaggedStep<P>>,
    /// The transitions that leave it, including those out of the counterexample LTS.
    pub outgoing: Vec<TaggedStep<P>>,
}

/// The neighbourhoods, those nearest to the initial state first, at most `limit` of them.
///
/// # Errors
/// If the budget is exhausted.
pub fn neighbourhoods(
    analysis: &SafetyAnalysis<'_>,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Neighbourhood>, Exhausted> {
    let product = &analysis.product;
    if analysis.holds() {
        return Ok(Vec::new());
    }
    let found = nearest(
        product.initial(),
        |position, steps| steps.extend(product.after(position).filter(|&(_, p)| analysis.is_violable(p))),
        |position| analysis.is_neighbourhood(position),
        limit,
        budget,
    )?;
    let described = found.into_iter().map(|(place, path)| {
        let tag = analysis.tag(place);
        let incoming = product.before(place).filter(|&(_, before)| analysis.is_violable(before));
        Neighbourhood {
            place,
            path,
            incoming: incoming.map(|(label, end)| TaggedStep { label, end, tag }).collect(),
            outgoing: analysis.tagged(place).collect(),
        }
    });
    Ok(described.collect())
}

/// Sizes of the tagged system. Transitions count once for each position they leave, and only in the
/// counterexample LTS and at its border, as in CLEAR's results: what follows a correct transition is correct anyway.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Correct transitions, which leave the counterexample LTS.
    pub correct: usize,
    /// Incorrect transitions.
    pub incorrect: usize,
    /// Neutral transitions.
    pub neutral: usize,
    /// Transitions that follow a correct one.
    pub beyond: usize,
    /// Faulty states: positions left by transitions with different tags.
    pub faulty: usize,
    /// Faulty states by their tags: correct and neutral; incorrect and neutral; correct and incorrect; all three.
    pub faulty_kinds: [usize; 4],
    /// Neighbourhoods ([`SafetyAnalysis::is_neighbourhood`]).
    pub neighbourhoods: usize,
    /// States of the system that have a neighbourhood.
    pub frontier: usize,
    /// States of the counterexample LTS.
    pub counterexample_states: usize,
    /// Transitions of the counterexample LTS.
    pub counterexample_transitions: usize,
}

/// The kind of a faulty state (0 to 3, see [`Counts::faulty_kinds`]) with these tags; `None` if it is none.
pub fn faulty_kind(tags: [bool; 3]) -> Option<usize> {
    let [correct, incorrect, neutral] = tags;
    match (correct, incorrect, neutral) {
        (true, false, true) => Some(0),
        (false, true, true) => Some(1),
        (true, true, false) => Some(2),
        (true, true, true) => Some(3),
        _ => None,
    }
}

impl Counts {
    /// Counts in one pass over the positions.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(analysis: &SafetyAnalysis<'_>, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "positions counted");
        let mut counts = Self::default();
        // Positions of one state follow each other.
        let mut last_frontier = None;
        for position in analysis.reached() {
            clock.tick()?;
            if !analysis.is_violable(position) {
                counts.beyond += analysis.product.after(position).count();
                continue;
            }
            counts.counterexample_states += 1;
            let mut tags = [0; 3];
            analysis.tagged(position).for_each(|step| tags[step.tag as usize] += 1);
            let [correct, incorrect, neutral] = tags;
            counts.correct += correct;
            counts.incorrect += incorrect;
            counts.neutral += neutral;
            if let Some(kind) = faulty_kind(analysis.tags(position)) {
                counts.faulty += 1;
                counts.faulty_kinds[kind] += 1;
            }
            if analysis.is_neighbourhood(position) {
                counts.neighbourhoods += 1;
                let state = Some(analysis.product.parts(position).0);
                counts.frontier += usize::from(state != last_frontier);
                last_frontier = state;
            }
        }
        counts.counterexample_transitions = counts.incorrect + counts.neutral;
        Ok(counts)
    }
}
