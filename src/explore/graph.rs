//! The reachable part of a model as a graph whose nodes and steps are numbers.

use super::reachable::reachable_until;
use super::reached::{Edge, Reachable};
use super::stop::Stop;
use crate::budget::Budget;
use crate::model::Model;
use crate::model::value::{Label, Moment, State};
use rustc_hash::FxHashMap;

/// A state with the step that led to it: what a trace has at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// The label, as an index into [`Graph::labels`]; `None` where a trace starts.
    pub label: Option<u32>,
    /// The state, as an index into [`Graph::states`].
    pub state: u32,
}

/// All reachable states with all their steps. Different labels between the same states are different
/// steps.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The states; initial ones first.
    pub states: Vec<State>,
    /// The least number of steps to each of them, ascending.
    pub depths: Vec<usize>,
    /// The labels, each once.
    pub labels: Vec<Label>,
    /// What a trace can have at a position, each once; those at position 0 first.
    pub arrivals: Vec<Arrival>,
    /// How many of them are at position 0.
    pub initial: usize,
    /// For each state where one step leads to, as indices into [`Graph::arrivals`].
    pub steps: Vec<Vec<u32>>,
}

impl Graph {
    /// Explores at most `limit` states, and nothing after a state where `ends` says so.
    ///
    /// # Errors
    /// If there are more, or the choices in one state are too many, or the budget ends.
    pub fn explore(
        model: &Model,
        limit: usize,
        budget: &Budget,
        ends: &mut dyn FnMut(&State) -> bool,
    ) -> Result<Self, Stop> {
        let limit = limit.min(u32::MAX as usize);
        let reached = reachable_until(model, limit, budget, ends);
        match reached.stopped {
            Some(why) => Err(why),
            None => Ok(Self::of(reached)),
        }
    }

    /// Everything that an exploration reached.
    pub fn of(reached: Reachable) -> Self {
        let initial = reached.initial;
        let mut arrivals: Vec<Arrival> =
            (0..initial as u32).map(|state| Arrival { label: None, state }).collect();
        let mut labels: Vec<Label> = Vec::new();
        let mut label_numbers: FxHashMap<Label, u32> = FxHashMap::default();
        let mut numbers: FxHashMap<Arrival, u32> = FxHashMap::default();
        let mut steps = vec![Vec::new(); reached.states.len()];
        for Edge { from, label, to } in reached.edges {
            let label = *label_numbers.entry(label).or_insert_with_key(|label| {
                labels.push(label.clone());
                labels.len() as u32 - 1
            });
            let arrival = Arrival { label: Some(label), state: to as u32 };
            let number = *numbers.entry(arrival).or_insert_with(|| {
                arrivals.push(arrival);
                arrivals.len() as u32 - 1
            });
            steps[from].push(number);
        }
        Self { states: reached.states, depths: reached.depths, labels, arrivals, initial, steps }
    }

    /// The state of an arrival.
    pub fn state_of(&self, arrival: u32) -> usize {
        self.arrivals[arrival as usize].state as usize
    }

    /// An arrival as the reference semantics sees it.
    pub fn moment(&self, arrival: u32) -> Moment {
        let Arrival { label, state } = self.arrivals[arrival as usize];
        let label = label.map(|l| self.labels[l as usize].clone());
        Moment { label, state: self.states[state as usize].clone() }
    }

    /// The least number of steps to a state that is `wanted`, if there is one.
    pub fn depth_of(&self, wanted: &mut dyn FnMut(&State) -> bool) -> Option<usize> {
        self.states.iter().position(wanted).map(|state| self.depths[state])
    }

    /// How many steps there are.
    pub fn step_count(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }
}
