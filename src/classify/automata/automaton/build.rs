//! Builds the states and edges of the automaton of a local constraint, before states are merged.

use super::local::{LocalRequirements, MOST_POSITIONS, PlacedVariables};
use super::{Edge, NoAutomaton};
use crate::automata::letter::{Letter, LocalConstraint};
use rustc_hash::FxHashMap;

/// The greatest numbers of states and of edges before states are merged.
const MOST_RAW_STATES: usize = 20_000;
const MOST_RAW_EDGES: usize = 400_000;

/// A union of automata with unmerged states.
#[derive(Default)]
pub struct Raw {
    pub letters: Vec<Letter>,
    pub edges: Vec<Edge>,
    pub start: Vec<usize>,
    pub accepting: Vec<bool>,
}

impl Raw {
    pub fn add(&mut self, constraint: &LocalConstraint) -> Result<(), NoAutomaton> {
        if constraint.positions > MOST_POSITIONS {
            return Err(NoAutomaton::Size);
        }
        let local = LocalRequirements::of(constraint, &mut self.letters);
        let mut numbers: FxHashMap<PlacedVariables, usize> = FxHashMap::default();
        let mut states = vec![PlacedVariables::default()];
        let first = self.accepting.len();
        numbers.insert(PlacedVariables::default(), first);
        self.start.push(first);
        self.accepting.push(local.is_complete(PlacedVariables::default()));
        let mut done = 0;
        while let Some(&state) = states.get(done) {
            for (placed, conditions) in local.steps(state) {
                let to = *numbers.entry(placed).or_insert_with(|| {
                    states.push(placed);
                    self.accepting.push(local.is_complete(placed));
                    self.accepting.len() - 1
                });
                self.edges.push(Edge { from: first + done, to, conditions });
            }
            if self.accepting.len() > MOST_RAW_STATES || self.edges.len() > MOST_RAW_EDGES {
                return Err(NoAutomaton::Size);
            }
            done += 1;
        }
        Ok(())
    }
}
