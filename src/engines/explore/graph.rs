//! The reachable part of a model as a graph whose nodes and steps are numbers.

use super::limits::{DEFAULT_SEARCH_LIMIT, Stop};
use super::reached::{Reachable, ReachedEdge};
use super::space::{ExplorationCourse, StateSpace};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use lang::model::Model;
use lang::model::expr::Expr;
use lang::model::value::{Label, Moment, State};
use rustc_hash::FxHashMap;

/// A state with the step that led to it: the content of a trace at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// The label, as an index into [`Graph::labels`]; `None` where a trace starts.
    pub label: Option<u32>,
    /// The state, as an index into [`Graph::states`].
    pub state: u32,
}

/// All reachable states with all their steps. Steps between the same states with different labels are different.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The states; initial ones first.
    pub states: Vec<State>,
    /// The least number of steps to each of them, ascending.
    pub depths: Vec<usize>,
    /// The labels, each once.
    pub labels: Vec<Label>,
    /// The arrivals, each once; those at position 0 first.
    pub arrivals: Vec<Arrival>,
    /// The number of arrivals at position 0.
    pub initial: usize,
    /// The targets of the steps of each state, as indices into [`Graph::arrivals`].
    pub steps: Vec<Vec<u32>>,
}

impl Graph {
    /// Explores at most `limit` states; states that violate `until` get no steps.
    ///
    /// # Errors
    /// If there are more states, or too many choices in one state, or the budget ends.
    pub fn explore(model: &Model, until: Option<&Expr>, limit: usize, budget: &Budget) -> Result<Self, Stop> {
        Self::explored(model, ExplorationCourse { ends: until, ..ExplorationCourse::states(limit, budget) })
    }

    /// Explores at most `limit` states, up to the given number of steps from the initial ones; the states at that
    /// distance get no steps.
    ///
    /// # Errors
    /// If there are more states, or too many choices in one state, or the budget ends.
    pub fn explore_up_to(model: &Model, steps: usize, limit: usize, budget: &Budget) -> Result<Self, Stop> {
        Self::explored(model, ExplorationCourse { steps, ..ExplorationCourse::states(limit, budget) })
    }

    fn explored<'m>(model: &'m Model, course: ExplorationCourse<'_, 'm>) -> Result<Self, Stop> {
        let states = course.states.min(u32::MAX as usize);
        let choices = states.max(DEFAULT_SEARCH_LIMIT);
        let budget = course.budget;
        let mut space = StateSpace::new(model);
        space.explore(ExplorationCourse { states, choices, ..course });
        match space.stopped.take() {
            Some(why) => Err(why),
            None => Self::of_space(space, budget).map_err(Stop::Budget),
        }
    }

    fn of_space(space: StateSpace<'_>, budget: &Budget) -> Result<Self, Exhausted> {
        let count = space.len();
        let steps = (0..space.explored).flat_map(|from| {
            let steps = space.starts[from] as usize..space.starts[from + 1] as usize;
            let (labels, targets) = (&space.step_labels, &space.step_targets);
            let arrival =
                move |step: usize| (from, Arrival { label: Some(labels[step]), state: targets[step] });
            steps.map(arrival)
        });
        let (arrivals, steps) = arrivals(space.initial, count, steps, budget)?;
        Ok(Self {
            states: (0..count).map(|number| space.state(number)).collect(),
            depths: (0..count).map(|number| space.depth(number)).collect(),
            arrivals,
            initial: space.initial,
            steps,
            labels: space.labels,
        })
    }

    /// Returns everything that an exploration reached.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn of(reached: Reachable, budget: &Budget) -> Result<Self, Exhausted> {
        let mut labels: Vec<Label> = Vec::new();
        let mut numbers: FxHashMap<Label, u32> = FxHashMap::default();
        let steps = reached.edges.into_iter().map(|ReachedEdge { from, label, to }| {
            let label = *numbers.entry(label).or_insert_with_key(|label| {
                labels.push(label.clone());
                to_u32(labels.len()) - 1
            });
            (from, Arrival { label: Some(label), state: to_u32(to) })
        });
        let (arrivals, steps) = arrivals(reached.initial, reached.states.len(), steps, budget)?;
        let Reachable { states, depths, initial, .. } = reached;
        Ok(Self { states, depths, labels, arrivals, initial, steps })
    }

    /// Returns the state of an arrival.
    pub fn state_of(&self, arrival: u32) -> usize {
        self.arrivals[arrival as usize].state as usize
    }

    /// Returns an arrival as the reference semantics represents it.
    pub fn moment(&self, arrival: u32) -> Moment {
        let Arrival { label, state } = self.arrivals[arrival as usize];
        let label = label.map(|l| self.labels[l as usize].clone());
        Moment { label, state: self.states[state as usize].clone() }
    }

    /// Returns the least number of steps to a `wanted` state, if there is one.
    pub fn depth_of(&self, wanted: &mut dyn FnMut(&State) -> bool) -> Option<usize> {
        self.states.iter().position(wanted).map(|state| self.depths[state])
    }

    /// Returns the number of steps.
    pub fn step_count(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }
}

/// Returns each arrival once, and for each state the targets of its steps, from the steps with their source states.
fn arrivals(
    initial: usize,
    states: usize,
    steps: impl Iterator<Item = (usize, Arrival)>,
    budget: &Budget,
) -> Result<(Vec<Arrival>, Vec<Vec<u32>>), Exhausted> {
    let mut clock = Clock::new(budget, "steps listed");
    let first = |state: u32| Arrival { label: None, state };
    let mut arrivals: Vec<Arrival> = (0..to_u32(initial)).map(first).collect();
    let mut numbers: FxHashMap<Arrival, u32> = FxHashMap::default();
    let mut lists = vec![Vec::new(); states];
    for (from, arrival) in steps {
        clock.tick()?;
        clock.room_in(&numbers)?;
        let number = *numbers.entry(arrival).or_insert_with(|| {
            arrivals.push(arrival);
            to_u32(arrivals.len()) - 1
        });
        lists[from].push(number);
    }
    Ok((arrivals, lists))
}
