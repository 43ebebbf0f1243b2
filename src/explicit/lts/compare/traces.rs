//! Traces that only one of two systems has.

use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::{LabelId, Labels};
use crate::lts::subsets::SubsetTable;
use kit::budget::{Budget, Exhausted};
use rustc_hash::FxHashSet;

/// A sequence of visible labels that one of two systems can do, with invisible steps between, and the other cannot.
#[derive(Debug, Clone)]
pub struct DistinguishingTrace {
    /// Its labels.
    pub steps: Vec<LabelId>,
    /// Their names.
    pub labels: Labels,
    /// True if it is the first system that can do it.
    pub of_first: bool,
}

impl DistinguishingTrace {
    /// True if a system, whose labels may have other numbers, can perform the trace from its initial state.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn is_of(&self, lts: &Lts, budget: &Budget) -> Result<bool, Exhausted> {
        let mut sets = SubsetTable::new(lts, budget);
        let mut states = sets.closed(vec![lts.initial()])?;
        for &step in &self.steps {
            let Some(label) = lts.labels().find(self.labels.get(step)) else { return Ok(false) };
            let after = states.iter().flat_map(|&state| lts.out(state)).filter(|step| step.0 == label);
            states = sets.closed(after.map(|(_, to)| to).collect())?;
        }
        Ok(!states.is_empty())
    }
}

/// A shortest trace that one of two states has and the other has not; `None` if they have the same traces. Sets of states that the
/// same traces lead to are made as they are needed, of which there can be exponentially many.
///
/// # Errors
/// If the budget is exhausted.
pub fn different_trace(
    lts: &Lts,
    states: [StateId; 2],
    budget: &Budget,
) -> Result<Option<DistinguishingTrace>, Exhausted> {
    let mut sets = SubsetTable::new(lts, budget);
    let [first, second] = states;
    let pair = (sets.set(vec![first])?, sets.set(vec![second])?);
    let mut nodes = vec![SetPair { pair, entry: None }];
    let mut seen = FxHashSet::from_iter([pair]);
    let mut at = 0;
    while let Some(&SetPair { pair: (one, other), .. }) = nodes.get(at) {
        let (ones, others) = (sets.after(one)?, sets.after(other)?);
        let label_of = |steps: &[(LabelId, u32)], at: usize| steps.get(at).map(|step| step.0);
        for index in 0..ones.len().max(others.len()) {
            sets.clock.tick()?;
            let (left, right) = (label_of(&ones, index), label_of(&others, index));
            if left != right {
                // The lesser of the two labels is missing on the other side.
                let of_first = right.is_none_or(|right| left.is_some_and(|left| left < right));
                let last = if of_first { left } else { right };
                let steps = path(&nodes, at).into_iter().chain(last).collect();
                return Ok(Some(DistinguishingTrace { steps, labels: lts.labels().clone(), of_first }));
            }
            let (label, pair) = (ones[index].0, (ones[index].1, others[index].1));
            if pair.0 != pair.1 && seen.insert(pair) {
                nodes.push(SetPair { pair, entry: Some((at, label)) });
            }
        }
        at += 1;
    }
    Ok(None)
}

/// Two sets that the same trace leads to.
struct SetPair {
    pair: (u32, u32),
    /// The node before, and the label that leads here.
    entry: Option<(usize, LabelId)>,
}

/// The labels that lead to a node.
fn path(nodes: &[SetPair], mut at: usize) -> Vec<LabelId> {
    let mut steps = Vec::new();
    while let Some((before, label)) = nodes[at].entry {
        steps.push(label);
        at = before;
    }
    steps.reverse();
    steps
}
