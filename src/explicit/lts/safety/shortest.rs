//! Shortest counterexamples, and among these the most readable one.

use super::analysis::SafetyAnalysis;
use super::product::{PositionSet, ProductPosition};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;

/// The positions around which an abstraction keeps the actions of a counterexample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Neighbourhoods (FSEN 2017).
    #[default]
    Neighbourhoods,
    /// Faulty states (FormaliSE 2022).
    FaultyStates,
}

impl Keep {
    fn chooses(self, analysis: &SafetyAnalysis<'_>, position: ProductPosition) -> bool {
        match self {
            Keep::Neighbourhoods => analysis.is_neighbourhood(position),
            Keep::FaultyStates => analysis.is_violable(position) && analysis.is_faulty(position),
        }
    }
}

/// A counterexample up to its first violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortestViolation {
    /// The positions, one more than labels.
    pub positions: Vec<ProductPosition>,
    /// The labels.
    pub labels: Vec<LabelId>,
    /// The indices of the labels that the abstraction keeps.
    pub kept: Vec<usize>,
    /// The number of such positions on it.
    pub decisions: usize,
}

/// A suffix of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    kept: usize,
    /// `None` at the end.
    next: Option<SuffixStep>,
}

/// The step with which a suffix begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SuffixStep {
    label: LabelId,
    position: ProductPosition,
    /// Which of that position's rests comes then.
    shown: bool,
}

/// The best suffix without positions around which actions are kept, and the best one with such positions.
type Rests = [Option<Rest>; 2];

/// A shortest counterexample; `None` if the property holds. Among the shortest ones, it is one whose
/// abstraction keeps the fewest actions, but at least one where possible; ties are broken by the order of labels in the
/// file.
///
/// # Errors
/// If the budget is exhausted.
pub fn shortest(
    analysis: &SafetyAnalysis<'_>,
    keep: Keep,
    budget: &Budget,
) -> Result<Option<ShortestViolation>, Exhausted> {
    if analysis.holds() {
        return Ok(None);
    }
    let mut clock = Clock::new(budget, "positions on shortest counterexamples");
    let levels = levels(analysis, &mut clock)?;
    let ways = ways(analysis, keep, &levels, &mut clock)?;
    Ok(first(analysis, keep, &ways))
}

/// For each level, from the last one back, the positions on shortest counterexamples with their best suffixes.
fn ways(
    analysis: &SafetyAnalysis<'_>,
    keep: Keep,
    levels: &[Vec<ProductPosition>],
    clock: &mut Clock<'_>,
) -> Result<Vec<FxHashMap<ProductPosition, Rests>>, Exhausted> {
    let product = &analysis.product;
    let decides = |p: ProductPosition| keep.chooses(analysis, p);
    let mut ways: Vec<FxHashMap<ProductPosition, Rests>> = vec![FxHashMap::default()];
    let last = &levels[levels.len() - 1];
    for &position in last.iter().filter(|&&p| product.is_bad(p)) {
        let mut rests = [None, None];
        rests[usize::from(decides(position))] = Some(Rest { kept: 0, next: None });
        ways[0].insert(position, rests);
    }
    let mut level_set = PositionSet::none_of(product);
    for level in levels.iter().rev().skip(1) {
        level.iter().for_each(|&p| _ = level_set.insert(p));
        let mut here: FxHashMap<ProductPosition, Rests> = FxHashMap::default();
        for (&position, rests) in &ways[ways.len() - 1] {
            clock.tick()?;
            let after = decides(position);
            for (label, before) in product.before(position).filter(|&(_, b)| level_set.has(b)) {
                clock.room_in(&here)?;
                let own = decides(before);
                let best = here.entry(before).or_default();
                for (shown, rest) in [false, true].into_iter().zip(rests) {
                    let Some(rest) = rest else { continue };
                    let kept = rest.kept + usize::from(own || after);
                    let candidate = Rest { kept, next: Some(SuffixStep { label, position, shown }) };
                    let slot = &mut best[usize::from(own || shown)];
                    *slot = Some(slot.map_or(candidate, |known| known.min(candidate)));
                }
            }
        }
        level.iter().for_each(|&p| level_set.remove(p));
        ways.push(here);
    }
    Ok(ways)
}

/// The best counterexample from these suffixes, which are given from the last level back.
fn first(
    analysis: &SafetyAnalysis<'_>,
    keep: Keep,
    ways: &[FxHashMap<ProductPosition, Rests>],
) -> Option<ShortestViolation> {
    let product = &analysis.product;
    let decides = |p: ProductPosition| keep.chooses(analysis, p);
    let mut found = ShortestViolation { positions: vec![], labels: vec![], kept: vec![], decisions: 0 };
    let mut at = product.initial();
    let mut shown = ways[ways.len() - 1].get(&at)?[1].is_some();
    for way in ways.iter().rev() {
        let rest = way.get(&at)?[usize::from(shown)]?;
        found.positions.push(at);
        found.decisions += usize::from(decides(at));
        if let Some(next) = rest.next {
            if decides(at) || decides(next.position) {
                found.kept.push(found.labels.len());
            }
            found.labels.push(next.label);
            (at, shown) = (next.position, next.shown);
        }
    }
    Some(found)
}

/// The violable positions by their distance from the start, up to the first bad one.
fn levels(
    analysis: &SafetyAnalysis<'_>,
    clock: &mut Clock<'_>,
) -> Result<Vec<Vec<ProductPosition>>, Exhausted> {
    let product = &analysis.product;
    let mut seen = PositionSet::none_of(product);
    seen.insert(product.initial());
    let mut levels = vec![vec![product.initial()]];
    loop {
        let level = &levels[levels.len() - 1];
        if level.is_empty() || level.iter().any(|&p| product.is_bad(p)) {
            return Ok(levels);
        }
        let mut next = Vec::new();
        for &position in level {
            clock.tick()?;
            let after = product.after(position).map(|(_, after)| after);
            next.extend(after.filter(|&p| analysis.is_violable(p) && seen.insert(p)));
        }
        levels.push(next);
    }
}
