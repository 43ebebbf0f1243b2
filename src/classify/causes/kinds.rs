//! Kinds of violation: irreducible traces in which the last step breaks the property for the same reasons.

use super::enumeration::Irreducible;
use super::pattern::{ArgumentParts, Pattern, Steps, labels};
use super::reasons::Reasons;
use crate::facts::problem::Problem;
use itertools::Itertools;
use lang::model::value::Label;

/// A kind of violation.
#[derive(Debug, Clone)]
pub struct CausalKind {
    /// The step that breaks the property, and then those that make it a violation.
    pub deciding: Pattern,
    /// Its irreducible traces, one of each pattern, the shortest first.
    pub ways: Vec<Way>,
    /// Kinds with more steps whose deciding steps contain those of this one.
    pub variants: Vec<CausalKind>,
    /// True if its steps in another order are another kind, because a constant of the model tells them apart.
    pub in_this_order: bool,
}

/// An irreducible trace with the reasons of its steps.
#[derive(Debug, Clone)]
pub struct Way {
    /// The trace.
    pub irreducible: Irreducible,
    /// The reasons.
    pub reasons: Reasons,
}

/// The kinds of irreducible traces, in the order in which they first occur.
pub fn kinds(problem: Problem<'_>, parts: &ArgumentParts, found: Vec<Irreducible>) -> Vec<CausalKind> {
    let mut kinds: Vec<CausalKind> = Vec::new();
    for irreducible in found {
        let reasons = Reasons::new(problem, &irreducible.trace);
        let deciding = deciding(problem, parts, &irreducible, &reasons);
        let way = Way { irreducible, reasons };
        match kinds.iter_mut().find(|kind| kind.deciding == deciding) {
            Some(kind) => kind.ways.push(way),
            None => kinds.push(CausalKind {
                deciding,
                ways: vec![way],
                variants: Vec::new(),
                in_this_order: false,
            }),
        }
    }
    without_variants(parts, kinds)
}

/// Gathers the kinds whose deciding steps contain those of a kind with fewer steps below that one.
fn without_variants(parts: &ArgumentParts, kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let contains = |other: &&mut CausalKind| {
            other.steps() < kind.steps() && other.deciding.is_in(parts, &kind.deciding_labels())
        };
        match kept.iter_mut().find(contains) {
            Some(other) => other.variants.push(kind),
            None => kept.push(kind),
        }
    }
    kept
}

impl Way {
    /// The pattern of some of its steps, by their numbers from 0.
    pub fn pattern_of(&self, problem: Problem<'_>, parts: &ArgumentParts, chosen: &[usize]) -> Pattern {
        Steps::new(problem, parts, &self.irreducible.trace).pattern_of(problem, parts, chosen)
    }
}

impl CausalKind {
    /// The number of steps of its shortest traces.
    pub fn steps(&self) -> usize {
        self.ways[0].irreducible.trace.len()
    }

    /// The kind and its variants.
    pub fn with_variants(&self) -> impl Iterator<Item = &CausalKind> {
        std::iter::once(self).chain(&self.variants)
    }

    /// True if the deciding steps of two kinds are of the same actions, with the same individuals, or fewer in one of them.
    pub fn is_like(&self, other: &CausalKind, parts: &ArgumentParts) -> bool {
        self.deciding.has_actions_of(&other.deciding)
            && (self.deciding.is_in(parts, &other.deciding_labels())
                || other.deciding.is_in(parts, &self.deciding_labels()))
    }

    /// The labels of the last step, and of those that decide, in its first trace.
    fn deciding_labels(&self) -> Vec<&Label> {
        let Way { irreducible, reasons } = &self.ways[0];
        let labels = labels(&irreducible.trace);
        labels
            .last()
            .copied()
            .into_iter()
            .chain(reasons.deciding().into_iter().map(|step| labels[step]))
            .collect()
    }
}

/// The last step and those that decide: of all orders of these the one that makes the least pattern.
fn deciding(problem: Problem<'_>, parts: &ArgumentParts, of: &Irreducible, reasons: &Reasons) -> Pattern {
    let steps = Steps::new(problem, parts, &of.trace);
    let deciding = reasons.deciding();
    let last = of.trace.len().checked_sub(1);
    let orders = deciding.iter().copied().permutations(deciding.len());
    let patterns = orders.map(|order| {
        let chosen: Vec<usize> = last.into_iter().chain(order).collect();
        steps.pattern_of(problem, parts, &chosen)
    });
    patterns.min_by(|a, b| a.steps.cmp(&b.steps)).expect("there is an order")
}
