//! What was found: states, steps between them, and their shape.

use super::definition;
use super::goal::Goal;
use super::structure::Structure;
use explicit::lts::StateId;
use rustc_hash::FxHashMap;

/// The shape of a counterexample or witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A finite path on which no state comes twice.
    Path,
    /// A path that comes back to the state with this index, and goes round for ever.
    Lasso(usize),
    /// States and steps that are no such path.
    Subgraph,
}

/// A part of a system that shows a goal at its first state, state 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness<S> {
    /// Whether it is a path, a lasso or a subgraph.
    pub shape: Shape,
    /// The states, each once; those of a path in its order.
    pub states: Vec<S>,
    /// The steps, from and to as indices into the states, ascending.
    pub edges: Vec<(usize, usize)>,
}

impl<S> Witness<S> {
    /// A path, or a lasso back to a state.
    pub fn path(states: Vec<S>, back: Option<usize>) -> Self {
        let last = states.len() - 1;
        let mut edges: Vec<(usize, usize)> = (0..last).map(|at| (at, at + 1)).collect();
        edges.extend(back.map(|to| (last, to)));
        Self { shape: back.map_or(Shape::Path, Shape::Lasso), states, edges }
    }

    /// Any states and steps between them; equal states become one.
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
        Self { shape: Shape::Subgraph, states: distinct, edges }
    }

    /// Renames the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> Witness<T> {
        Witness { shape: self.shape, states: self.states.into_iter().map(name).collect(), edges: self.edges }
    }

    /// The states and steps as a system of their own, whose initial state is the first.
    pub fn structure(&self) -> Structure {
        Structure::small(self.states.len(), &self.edges)
    }

    /// Whether it shows the goal by its own steps: decided by the definition of the operators, not by how it was
    /// found. `fact` says whether a fact of the goal, by its number, holds in a state. Quadratic in the number of states for a
    /// subgraph, linear for a path.
    pub fn shows(&self, goal: &Goal, mut fact: impl FnMut(usize, &S) -> bool) -> bool {
        let labels: Vec<Vec<bool>> = (0..goal.facts.len())
            .map(|number| self.states.iter().map(|state| fact(number, state)).collect())
            .collect();
        let truth = match self.shape {
            Shape::Path => definition::evaluate_on_path(&goal.formula, self.states.len(), None, &labels),
            Shape::Lasso(to) => {
                definition::evaluate_on_path(&goal.formula, self.states.len(), Some(to), &labels)
            }
            Shape::Subgraph => definition::evaluate(&goal.formula, &self.structure(), &labels),
        };
        truth[goal.formula.root.index()][0]
    }
}

impl Witness<StateId> {
    /// A subgraph of a listed system: a state, and steps that can be reached from it.
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
        Self { shape: Shape::Subgraph, states, edges }
    }

    /// Whether it is a part of a system: it begins in an initial state, and all its steps are steps there.
    pub fn is_part_of(&self, system: &Structure) -> bool {
        let leads = |&(from, to): &(usize, usize)| {
            let (from, to) = (self.states[from], self.states[to]);
            system.after(from).any(|after| after == to)
        };
        system.initial.contains(&self.states[0]) && self.edges.iter().all(leads)
    }
}
