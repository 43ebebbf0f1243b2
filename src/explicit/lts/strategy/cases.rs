//! All counterexamples as a graph.

use super::violations::ViolationPlaces;
use crate::lts::bits::Bits;
use crate::lts::facts::spread;
use crate::lts::graph::{Lts, LtsBuilder, LtsTransition, StateId};
use crate::lts::labels::LabelId;
use crate::lts::sequence::LabelSequence;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// The places of counterexamples, each with the length of the matched prefix of the user's pattern; nodes are numbered
/// from 0, the initial one. An end is reachable from each node.
#[derive(Debug)]
pub struct Cases {
    /// The steps between nodes; labels are numbered as in the system.
    pub graph: Lts,
    /// The place of each node.
    pub places: Vec<usize>,
    /// The nodes where a counterexample can end.
    pub ends: Bits,
    /// Faulty nodes: transitions with different tags leave them.
    pub faulty: Bits,
    /// Nodes around which the abstraction keeps actions.
    pub kept: Bits,
    /// Nodes with a neighbourhood after the complete pattern.
    pub neighbourhoods: Bits,
    /// The number of transitions that leave each node, including those out of the graph.
    pub choices: Vec<u32>,
}

impl Cases {
    /// The counterexamples that contain the actions of a pattern in their order; `None` if there are none.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        violations: &impl ViolationPlaces,
        pattern: &LabelSequence,
        budget: &Budget,
    ) -> Result<Option<Self>, Exhausted> {
        let Some(initial) = violations.initial() else { return Ok(None) };
        let mut clock = Clock::new(budget, "places of counterexamples found");
        let mut nodes = vec![(initial, 0)];
        let mut numbers = FxHashMap::from_iter([((initial, 0), StateId::FIRST)]);
        let mut builder = LtsBuilder::new();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < nodes.len() {
            clock.tick()?;
            let (place, matched) = nodes[at];
            violations.after(place, &mut found);
            for (label, to) in found.drain(..) {
                clock.room_in(&numbers)?;
                let node = (to, pattern.forward(label, matched));
                let number = *numbers.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    StateId::new(nodes.len() - 1)
                });
                builder.add(StateId::new(at), label, number);
            }
            at += 1;
        }
        drop(numbers);
        let graph = builder.finish_within(StateId::FIRST, to_u32(nodes.len()), budget)?;
        let is_end =
            |&(place, matched): &(usize, usize)| matched == pattern.len() && violations.is_end(place);
        let ends: Vec<StateId> = graph.state_ids().filter(|&n| is_end(&nodes[n.index()])).collect();
        let mut useful = Bits::new(graph.states());
        spread(&graph.backward_within(budget)?, &mut useful, ends, &mut clock)?;
        if !useful.has(0) {
            return Ok(None);
        }
        Self::among(violations, pattern, &graph, &nodes, &useful, &mut clock).map(Some)
    }

    /// Removes the nodes from which no end is reachable.
    fn among(
        violations: &impl ViolationPlaces,
        pattern: &LabelSequence,
        graph: &Lts,
        nodes: &[(usize, usize)],
        useful: &Bits,
        clock: &mut Clock<'_>,
    ) -> Result<Self, Exhausted> {
        clock.next("places of counterexamples kept");
        let mut numbers: Vec<Option<StateId>> = vec![None; graph.states()];
        useful.iter().enumerate().for_each(|(number, node)| numbers[node] = Some(StateId::new(number)));
        let mut builder = LtsBuilder::new();
        for LtsTransition { from, label, to } in graph.all_transitions() {
            clock.tick()?;
            if let (Some(from), Some(to)) = (numbers[from.index()], numbers[to.index()]) {
                builder.add(from, label, to);
            }
        }
        let kept_nodes: Vec<(usize, usize)> = useful.iter().map(|node| nodes[node]).collect();
        let count = kept_nodes.len();
        let mut all = |holds: &dyn Fn(usize, usize) -> bool| {
            let mut set = Bits::new(count);
            for (number, &(place, matched)) in kept_nodes.iter().enumerate() {
                clock.tick()?;
                if holds(place, matched) {
                    set.insert(number);
                }
            }
            Ok(set)
        };
        let complete = pattern.len();
        Ok(Self {
            ends: all(&|place, matched| matched == complete && violations.is_end(place))?,
            faulty: all(&|place, _| violations.is_faulty(place))?,
            kept: all(&|place, _| violations.is_kept(place))?,
            neighbourhoods: all(&|place, matched| matched == complete && violations.is_neighbourhood(place))?,
            choices: kept_nodes.iter().map(|&(place, _)| to_u32(violations.choices(place).len())).collect(),
            places: kept_nodes.into_iter().map(|(place, _)| place).collect(),
            graph: builder.finish(StateId::FIRST, to_u32(count)),
        })
    }

    /// The steps from a node: label and node.
    pub fn after(&self, node: StateId) -> impl ExactSizeIterator<Item = (LabelId, StateId)> + Clone {
        self.graph.out(node)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Always false: node 0 exists.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
