//! The kinds by their causes that occur in classes.

use super::kinds::CausalKind;
use super::pattern::{ArgumentParts, CausePattern};
use super::tree::CausalTree;
use super::way::Way;
use crate::facts::atom::Atoms;
use crate::lassos::result::Infinite;
use crate::results::result::{Class, Classification, Finite, TraceKind};
use lang::model::{LassoFormula, Model, TraceFormula};
use lang::trace::{Lasso, Trace};

/// Traces that are in classes and have causes.
pub trait Caused: TraceKind {
    /// True if the trace of a way satisfies a constraint.
    fn is_in(way: &Way, constraint: &Self::Constraint, about: (&Model, &Atoms)) -> bool;
    /// True if a violating trace has the steps of a pattern.
    fn contains(trace: &Self::Trace, pattern: &CausePattern, about: (&Model, &ArgumentParts)) -> bool;
}

impl Caused for Finite {
    fn is_in(way: &Way, constraint: &Self::Constraint, (model, atoms): (&Model, &Atoms)) -> bool {
        constraint.matches(model, atoms, &way.trace.moments).is_some()
    }

    fn contains(trace: &Trace, pattern: &CausePattern, (model, parts): (&Model, &ArgumentParts)) -> bool {
        let read = |pattern: &CausePattern| TraceFormula::read(model, &pattern.formula(model, parts)).ok();
        let formula = read(&pattern.clone().readable(&|pattern| read(pattern).is_some()));
        formula.is_some_and(|formula| formula.matches(model, &trace.moments).is_some())
    }
}

impl Caused for Infinite {
    fn is_in(way: &Way, constraint: &Self::Constraint, (model, atoms): (&Model, &Atoms)) -> bool {
        way.as_lasso().is_some_and(|lasso| constraint.holds(model, atoms, &lasso))
    }

    fn contains(lasso: &Lasso, pattern: &CausePattern, (model, parts): (&Model, &ArgumentParts)) -> bool {
        let formula = LassoFormula::read(model, &pattern.recurrence(model, parts));
        formula.is_ok_and(|formula| formula.holds(model, &lasso.trace.moments, lasso.start))
    }
}

impl CausalTree {
    /// For each class of a result the numbers, from 1, of the kinds of which a trace, of the kind itself or of a variant, is in the class or in an
    /// image of it; if there are none, of those whose steps its representative has.
    pub fn in_classes<K: Caused>(
        &self,
        model: &Model,
        parts: &ArgumentParts,
        result: &Classification<K>,
    ) -> Vec<Vec<usize>> {
        fn ways(kind: &CausalKind) -> impl Iterator<Item = &Way> {
            kind.with_variants().flat_map(|part| &part.ways)
        }
        let numbers = |is_meant: &dyn Fn(&CausalKind) -> bool| -> Vec<usize> {
            (1..).zip(&self.kinds).filter(|(_, kind)| is_meant(kind)).map(|(number, _)| number).collect()
        };
        let in_class = |class: &Class<K>| {
            let has = |way: &Way| {
                class.with_images().any(|class| K::is_in(way, &class.constraint, (model, &result.atoms)))
            };
            let contains = |way: &Way| {
                let pattern = way.told(self.narrowed_from.is_some());
                K::contains(&class.representative, pattern, (model, parts))
            };
            let shown = numbers(&|kind| ways(kind).any(has));
            if shown.is_empty() { numbers(&|kind| ways(kind).any(contains)) } else { shown }
        };
        result.classes.iter().map(in_class).collect()
    }
}
