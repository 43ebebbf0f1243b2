//! Cheapest paths.

use super::cases::Cases;
use crate::lts::graph::StateId;
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of a path: compared lexicographically, added componentwise.
pub type PathCost = [u64; 3];

/// The cost of a step between two nodes.
pub type StepCost<'a> = &'a dyn Fn(StateId, StateId) -> PathCost;

/// A path: the labels, and the node after each; it begins at the node that is named with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostPath {
    /// The nodes, one more than labels.
    pub nodes: Vec<StateId>,
    /// The labels.
    pub labels: Vec<LabelId>,
}

impl CostPath {
    /// This path, and then one that begins where it ends.
    pub fn then(mut self, other: CostPath) -> Self {
        self.nodes.extend(other.nodes.into_iter().skip(1));
        self.labels.extend(other.labels);
        self
    }
}

/// The cost of a node, and the node before it with the label between them.
type KnownCost = (PathCost, Option<(MarkedNode, LabelId)>);

/// A node that was reached without, or after, meeting a node of some set: `node * 2 + met`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MarkedNode(u32);

impl MarkedNode {
    fn new(node: StateId, met: bool) -> Self {
        Self(node.to_u32() * 2 + u32::from(met))
    }

    fn node(self) -> StateId {
        StateId::from_u32(self.0 / 2)
    }

    fn met(self) -> bool {
        self.0 % 2 == 1
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The cheapest paths from one node to all others. Nodes occur twice: reached without meeting a node of some set,
/// and having met one.
pub struct Cheapest {
    best: Vec<Option<KnownCost>>,
}

impl Cheapest {
    /// Finds them; `cost` is that of a step between two nodes.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        cases: &Cases,
        from: StateId,
        cost: StepCost<'_>,
        meets: &dyn Fn(StateId) -> bool,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "steps of the search for the cheapest path");
        clock.room(cases.len() * 2 * (size_of::<Option<KnownCost>>() + 1))?;
        let mut best: Vec<Option<KnownCost>> = vec![None; cases.len() * 2];
        let mut done = vec![false; cases.len() * 2];
        let start = MarkedNode::new(from, meets(from));
        best[start.index()] = Some(([0; 3], None));
        let mut open = BinaryHeap::from([Reverse(([0; 3], start))]);
        while let Some(Reverse((so_far, at))) = open.pop() {
            clock.tick()?;
            if std::mem::replace(&mut done[at.index()], true) {
                continue;
            }
            for (label, to) in cases.after(at.node()) {
                let step = cost(at.node(), to);
                let total: PathCost = std::array::from_fn(|part| so_far[part] + step[part]);
                let next = MarkedNode::new(to, at.met() || meets(to));
                let slot = &mut best[next.index()];
                if slot.as_ref().is_none_or(|(known, _)| total < *known) {
                    *slot = Some((total, Some((at, label))));
                    open.push(Reverse((total, next)));
                }
            }
        }
        Ok(Self { best })
    }

    /// The cost of reaching a node on a path that has, or has not, met a node of the set.
    pub fn cost(&self, node: StateId, met: bool) -> Option<PathCost> {
        self.best[MarkedNode::new(node, met).index()].map(|(cost, _)| cost)
    }

    /// The lesser of both costs.
    pub fn least(&self, node: StateId) -> Option<(PathCost, bool)> {
        [false, true].into_iter().filter_map(|met| Some((self.cost(node, met)?, met))).min()
    }

    pub fn path(&self, node: StateId, met: bool) -> CostPath {
        let mut at = MarkedNode::new(node, met);
        let mut path = CostPath { nodes: vec![node], labels: Vec::new() };
        while let Some((_, Some((before, label)))) = self.best[at.index()] {
            path.labels.push(label);
            path.nodes.push(before.node());
            at = before;
        }
        path.nodes.reverse();
        path.labels.reverse();
        path
    }
}
