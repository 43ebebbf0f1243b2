//! Kinds of violation: irreducible traces in which the last step breaks the property for the same reasons.

use super::enumeration::{Irreducible, deciding};
use super::pattern::{ArgumentParts, Pattern, labels};
use super::reasons::Reasons;
use super::replay::shorter_violation;
use crate::facts::problem::Problem;

/// A kind of violation.
#[derive(Debug, Clone)]
pub struct CausalKind {
    /// The step that breaks the property, and then those that make it a violation.
    pub deciding: Pattern,
    /// Its irreducible traces, one of each pattern, the shortest first.
    pub ways: Vec<Way>,
    /// Kinds with more steps: those with a last step of the same action whose deciding steps contain those of this one, and those of which every trace
    /// has a violation of this kind among its own steps.
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
        let deciding = deciding(problem, parts, &irreducible.trace, &reasons);
        let way = Way { irreducible, reasons };
        match kinds.iter_mut().find(|kind| kind.deciding.is_same(&deciding)) {
            Some(kind) => kind.ways.push(way),
            None => kinds.push(CausalKind {
                deciding,
                ways: vec![way],
                variants: Vec::new(),
                in_this_order: false,
            }),
        }
    }
    without_variants(without_detours(problem, kinds))
}

/// Gathers the kinds of which every trace has a shorter violation among its own steps below the kind of that one.
fn without_detours(problem: Problem<'_>, kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let last_action = |way: &Way| Some(way.actions()[shorter_violation(problem, &way.irreducible.trace)?]);
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let shorter: Option<Vec<usize>> = kind.ways.iter().map(last_action).collect();
        let pattern = &kind.ways[0].irreducible.pattern;
        let is_host = |other: &&mut CausalKind| {
            let action = other.deciding.steps.first().map(|step| step.action);
            action == shorter.as_ref().map(|actions| actions[0]) && other.deciding.is_in(pattern)
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
            other.steps() < kind.steps() && other.breaks_like(&kind) && other.deciding.is_in(&kind.deciding)
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

impl Way {
    /// The actions of its steps.
    pub fn actions(&self) -> Vec<usize> {
        labels(&self.irreducible.trace).iter().map(|label| label.action).collect()
    }

    /// The actions of its deciding steps, in the order of the trace.
    pub fn deciding_actions(&self) -> Vec<usize> {
        let actions = self.actions();
        self.reasons.deciding().into_iter().map(|step| actions[step]).collect()
    }
}

impl CausalKind {
    /// True if the last steps of both are of the same action.
    pub fn breaks_like(&self, other: &CausalKind) -> bool {
        let action = |kind: &CausalKind| kind.deciding.steps.first().map(|step| step.action);
        action(self) == action(other)
    }

    /// The number of steps of its shortest traces.
    pub fn steps(&self) -> usize {
        self.ways[0].irreducible.trace.len()
    }

    /// The kind and its variants.
    pub fn with_variants(&self) -> impl Iterator<Item = &CausalKind> {
        std::iter::once(self).chain(&self.variants)
    }
}
