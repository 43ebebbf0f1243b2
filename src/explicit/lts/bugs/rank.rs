//! The ranking of bugs: numbers of violating traces, and probabilities.

use super::marked::{Marked, MarkedLabel};
use crate::lts::LabelId;
use crate::lts::safety::{AnalysisError, ProductPosition, SafetyAnalysis};
use kit::budget::Budget;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The frequency of a bug.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rank {
    /// The number of traces up to a length that end with their first violation, made by this occurrence. Traces are
    /// sequences of labels.
    pub traces: BigUint,
    /// The length up to which sets of states were followed; less than requested if there were too many.
    pub up_to: usize,
    /// The probability that a run has a violation of which this is the first one, if all transitions of a state are
    /// equally probable.
    pub probability: f64,
}

/// The maximum number of sets of states at one length.
const MOST_SETS: usize = 50_000;

/// The iteration stops when the remaining probability mass is below this.
const PRECISION: f64 = 1e-12;

const MOST_TURNS: usize = 1_000_000;

/// For each occurrence how often it makes a first violation in the system without dummies.
pub fn ranks(
    marked: &Marked,
    original: &SafetyAnalysis<'_>,
    longest: usize,
    budget: &Budget,
) -> Result<Vec<Rank>, AnalysisError> {
    let mut ranks = vec![Rank::default(); marked.occurrences.len()];
    // The choice of an initial state is no step of a trace.
    let extra = usize::from(original.product.lts.chooses_start());
    count_traces(marked, original, longest.saturating_add(extra), budget, &mut ranks)?;
    ranks.iter_mut().for_each(|rank| rank.up_to -= extra);
    probabilities(marked, original, budget, &mut ranks)?;
    Ok(ranks)
}

/// The occurrences that take part in a label, by their places.
fn occurrences_of(marked: &Marked, label: LabelId) -> Vec<usize> {
    match &marked.meanings[label.index()] {
        MarkedLabel::Actions { who, .. } => who.iter().map(|id| id.index()).collect(),
        MarkedLabel::Environment { .. } | MarkedLabel::Dummy(_) | MarkedLabel::Fails => Vec::new(),
    }
}

/// Runs with equal labels are one trace, so sets of positions are followed, length by length.
fn count_traces(
    marked: &Marked,
    original: &SafetyAnalysis<'_>,
    longest: usize,
    budget: &Budget,
    ranks: &mut [Rank],
) -> Result<(), AnalysisError> {
    let product = &original.product;
    let mut sets: FxHashMap<Vec<ProductPosition>, BigUint> = FxHashMap::default();
    if !product.is_bad(product.initial()) {
        sets.insert(vec![product.initial()], BigUint::from(1u8));
    }
    let mut length = 0;
    while length < longest && !sets.is_empty() && sets.len() <= MOST_SETS {
        if let Some(why) = budget.exhausted() {
            return Err(AnalysisError::Exhausted(why));
        }
        length += 1;
        let mut longer: FxHashMap<Vec<ProductPosition>, BigUint> = FxHashMap::default();
        for (set, number) in sets {
            let mut after: BTreeMap<LabelId, Vec<(LabelId, ProductPosition)>> = BTreeMap::new();
            for position in set {
                for (label, to) in product.after(position).filter(|&(_, to)| original.is_violable(to)) {
                    after.entry(marked.name_of[label.index()]).or_default().push((label, to));
                }
            }
            for steps in after.into_values() {
                // All positions of a set have the same state of the automaton, and so have those after a label.
                if product.is_bad(steps[0].1) {
                    let mut makers: Vec<usize> =
                        steps.iter().flat_map(|&(label, _)| occurrences_of(marked, label)).collect();
                    makers.sort_unstable();
                    makers.dedup();
                    makers.into_iter().for_each(|maker| ranks[maker].traces += &number);
                    continue;
                }
                let mut next: Vec<ProductPosition> = steps.into_iter().map(|(_, to)| to).collect();
                next.sort_unstable();
                next.dedup();
                *longer.entry(next).or_default() += &number;
            }
        }
        sets = longer;
    }
    let up_to = if sets.is_empty() { longest } else { length };
    ranks.iter_mut().for_each(|rank| rank.up_to = up_to);
    Ok(())
}

/// Follows a run step by step through what can still be violated, until almost nothing is left of it there.
fn probabilities(
    marked: &Marked,
    original: &SafetyAnalysis<'_>,
    budget: &Budget,
    ranks: &mut [Rank],
) -> Result<(), AnalysisError> {
    let product = &original.product;
    let positions: Vec<ProductPosition> = original.violable().filter(|&p| !product.is_bad(p)).collect();
    let number: FxHashMap<ProductPosition, usize> = positions.iter().copied().zip(0..).collect();
    let Some(&start) = number.get(&product.initial()) else { return Ok(()) };
    // For each position its share, where it goes on, and who makes a violation.
    let mut inner: Vec<Vec<usize>> = Vec::with_capacity(positions.len());
    let mut makers: Vec<Vec<usize>> = Vec::with_capacity(positions.len());
    let mut share = Vec::with_capacity(positions.len());
    for &position in &positions {
        let steps: Vec<(LabelId, ProductPosition)> = product.after(position).collect();
        share.push(1.0 / steps.len() as f64);
        inner.push(steps.iter().filter_map(|(_, to)| number.get(to).copied()).collect());
        let bad = steps.iter().filter(|&&(_, to)| product.is_bad(to));
        makers.push(bad.flat_map(|&(label, _)| occurrences_of(marked, label)).collect());
    }
    let mut here = vec![0.0; positions.len()];
    here[start] = 1.0;
    let mut left = 1.0;
    let mut turns = 0;
    while left > PRECISION && turns < MOST_TURNS {
        turns += 1;
        if turns.is_multiple_of(64)
            && let Some(why) = budget.exhausted()
        {
            return Err(AnalysisError::Exhausted(why));
        }
        let mut next = vec![0.0; positions.len()];
        for (at, &mass) in here.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            let part = mass * share[at];
            makers[at].iter().for_each(|&maker| ranks[maker].probability += part);
            inner[at].iter().for_each(|&to| next[to] += part);
        }
        here = next;
        left = here.iter().sum();
    }
    Ok(())
}
