//! Witnesses: states, steps between them, and their shape.

use super::definition;
use super::goal::CtlGoal;
use super::structure::Structure;
use explicit::lts::StateId;
use rustc_hash::FxHashMap;

/// The shape of a counterexample or witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WitnessShape {
    /// A finite path without repeated states.
    Path,
    /// A path that returns to the state with this index, and repeats this loop for ever.
    Lasso(usize),
    /// States and steps that form neither.
    Subgraph,
}

/// A part of a system that shows a goal at state 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness<S> {
    /// The shape: a path, a lasso or a subgraph.
    pub shape: WitnessShape,
    /// The states, each once; those of a path in its order.
    pub states: Vec<S>,
    /// The steps, from and to as indices into the states, ascending.
    pub edges: Vec<(usize, usize)>,
}

impl<S> Witness<S> {
    /// Creates a path, or a lasso back to a state.
    pub fn path(states: Vec<S>, back: Option<usize>) -> Self {
        let last = states.len() - 1;
        let mut edges: Vec<(usize, usize)> = (0..last).map(|at| (at, at + 1)).collect();
        edges.extend(back.map(|to| (last, to)));
        Self { shape: back.map_or(WitnessShape::Path, WitnessShape::Lasso), states, edges }
    }

    /// Creates a subgraph of any states and steps between them; equal states become one.
    pub fn subgraph(states: Vec<S>, edges: impl IntoIterator<Item = (usize, usize)>) -> Self
    where
        S: PartialEq,
    {
        let mut distinct: Vec<S> = Vec::new();
        let mut number = Vec::with_capacity(states.len());
        for state in states {
            number.push(distinct.iter().position(|s| *s == state).unwrap_or(distinct.len()));
            if number.last() == Some(&distinct.len()) {
                distinct.push(state);
            }
        }
        let mut edges: Vec<(usize, usize)> =
            edges.into_iter().map(|(from, to)| (number[from], number[to])).collect();
        edges.sort_unstable();
        edges.dedup();
        Self { shape: WitnessShape::Subgraph, states: distinct, edges }
    }

    /// Renames the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> Witness<T> {
        Witness { shape: self.shape, states: self.states.into_iter().map(name).collect(), edges: self.edges }
    }

    /// Returns the states and steps as a system of their own, whose initial state is state 0.
    pub fn structure(&self) -> Structure {
        Structure::small(self.states.len(), &self.edges)
    }

    /// True if it shows the goal by its own steps, by the definition of the operators, independently of the search.
    /// `fact` evaluates a fact of the goal, by its number, in a state. Quadratic in the number of states for a
    /// subgraph, linear for a path.
    pub fn shows(&self, goal: &CtlGoal, mut fact: impl FnMut(usize, &S) -> bool) -> bool {
        let labels: Vec<Vec<bool>> = (0..goal.facts.len())
            .map(|number| self.states.iter().map(|state| fact(number, state)).collect())
            .collect();
        let truth = match self.shape {
            WitnessShape::Path => {
                definition::evaluate_on_path(&goal.formula, self.states.len(), None, &labels)
            }
            WitnessShape::Lasso(to) => {
                definition::evaluate_on_path(&goal.formula, self.states.len(), Some(to), &labels)
            }
            WitnessShape::Subgraph => definition::evaluate(&goal.formula, &self.structure(), &labels),
        };
        truth[goal.formula.root.index()][0]
    }
}

impl Witness<StateId> {
    /// Creates a subgraph of a listed system: a state, and steps reachable from it.
    pub fn of_steps(first: StateId, steps: impl IntoIterator<Item = (StateId, StateId)>) -> Self {
        let mut states = vec![first];
        let mut numbers = FxHashMap::from_iter([(first, 0)]);
        let mut number = |state: StateId| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let mut edges: Vec<(usize, usize)> =
            steps.into_iter().map(|(from, to)| (number(from), number(to))).collect();
        edges.sort_unstable();
        edges.dedup();
        Self { shape: WitnessShape::Subgraph, states, edges }
    }

    /// True if it is a part of a system: it begins in an initial state, and all its steps are steps there.
    pub fn is_part_of(&self, system: &Structure) -> bool {
        let leads = |&(from, to): &(usize, usize)| {
            let (from, to) = (self.states[from], self.states[to]);
            system.after(from).any(|after| after == to)
        };
        system.initial.contains(&self.states[0]) && self.edges.iter().all(leads)
    }
}
