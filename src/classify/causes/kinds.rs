//! Kinds of violation: irreducible traces in which the last step breaks the property for the same reasons.

use super::pattern::Pattern;
use super::replay::shorter_violation;
use super::way::Way;
use crate::facts::problem::Problem;

/// A kind of violation.
#[derive(Debug, Clone)]
pub struct CausalKind {
    /// The step that breaks the property, and the deciding ones.
    pub deciding: Pattern,
    /// Its irreducible traces, one of each pattern, the shortest first.
    pub ways: Vec<Way>,
    /// Kinds with more steps: those with a last step of the same action whose deciding steps contain those of this one, and those of which every trace
    /// has a violation of this kind among its own steps.
    pub variants: Vec<CausalKind>,
    /// True if its steps in another order are another kind, because a constant of the model tells them apart.
    pub in_this_order: bool,
}

/// The kinds of irreducible traces, in the order in which they first occur.
pub fn kinds(problem: Problem<'_>, found: Vec<Way>) -> Vec<CausalKind> {
    let mut kinds: Vec<CausalKind> = Vec::new();
    for way in found {
        match kinds.iter_mut().find(|kind| kind.deciding.is_same(&way.deciding)) {
            Some(kind) => kind.ways.push(way),
            None => kinds.push(CausalKind::of(way)),
        }
    }
    without_variants(without_detours(problem, kinds))
}

/// Gathers the kinds of which every trace has a shorter violation among its own steps below the kind of that one.
fn without_detours(problem: Problem<'_>, kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let shorter = |way: &Way| Some(way.actions()[shorter_violation(problem, &way.trace)?]);
        let shorter: Option<Vec<usize>> = kind.ways.iter().map(shorter).collect();
        let breaking = shorter.and_then(|actions| actions.first().copied());
        let is_host = |other: &&mut CausalKind| {
            breaking.is_some()
                && breaking == other.breaking_action()
                && other.deciding.is_in(&kind.ways[0].pattern)
        };
        match kept.iter_mut().find(is_host) {
            Some(host) => host.variants.push(kind),
            None => kept.push(kind),
        }
    }
    kept
}

/// Gathers the kinds whose deciding steps contain those of a kind with fewer steps, and with a last step of the same action, below that one.
fn without_variants(kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let contains = |other: &&mut CausalKind| {
            other.steps() < kind.steps()
                && other.breaking_action() == kind.breaking_action()
                && other.deciding.is_in(&kind.deciding)
        };
        match kept.iter_mut().find(contains) {
            Some(other) => {
                let mut kind = kind;
                let own = std::mem::take(&mut kind.variants);
                other.variants.extend([kind].into_iter().chain(own));
            }
            None => kept.push(kind),
        }
    }
    kept
}

impl CausalKind {
    /// The kind of one trace.
    pub fn of(way: Way) -> Self {
        Self { deciding: way.deciding.clone(), ways: vec![way], variants: Vec::new(), in_this_order: false }
    }

    /// The action of its last step; `None` for a violation in an initial state.
    pub fn breaking_action(&self) -> Option<usize> {
        self.deciding.steps.first().map(|step| step.action)
    }

    /// The number of steps of its shortest traces.
    pub fn steps(&self) -> usize {
        self.ways[0].trace.len()
    }

    /// The kind and its variants.
    pub fn with_variants(&self) -> impl Iterator<Item = &CausalKind> {
        std::iter::once(self).chain(&self.variants)
    }
}
