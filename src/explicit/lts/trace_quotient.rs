//! The smallest deterministic system with the same traces.

use super::bisimulation::quotient;
use super::branching::branching_quotient;
use super::graph::{Builder, Lts, StateId};
use super::subsets::Sets;
use kit::budget::{Budget, Exhausted};

/// The smallest deterministic system without invisible steps that has the traces of a system: sequences of visible labels, with any
/// number of invisible steps between. Its states are sets of states of the system, of which there can be exponentially many.
///
/// # Errors
/// If the budget is exhausted.
pub fn trace_quotient(lts: &Lts, budget: &Budget) -> Result<Lts, Exhausted> {
    // Branching bisimilar states have the same traces.
    let small = branching_quotient(lts, budget)?.lts;
    let mut sets = Sets::new(&small, budget);
    let mut builder = Builder::with_labels(small.labels().clone());
    sets.set(vec![small.initial()])?;
    let mut at = 0;
    while at < sets.len() {
        for &(label, to) in sets.after(at as u32)?.iter() {
            builder.add(StateId::new(at), label, StateId::from_u32(to));
        }
        at += 1;
    }
    let deterministic = builder.finish_within(StateId::FIRST, at as u32, budget)?;
    Ok(quotient(&deterministic, budget)?.lts)
}
