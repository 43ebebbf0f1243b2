//! A small model with all of its traces, and the smallest hitting sets over them.

use crate::all_traces::all_traces;
use cladist::classify::{Atoms, Constraint};
use cladist::model::{Model, eval};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use std::collections::BTreeSet;

/// A trace of the right length.
pub struct Enumerated {
    pub trace: Trace,
    /// Whether it violates the first property somewhere.
    pub violates: bool,
}

/// The traces of a model up to a bound, or of an exact length.
pub struct Case {
    pub model: Model,
    pub lengths: Lengths,
    /// Every trace.
    pub all: Vec<Enumerated>,
    /// Those that count: up to their first violation, unless their length is given.
    pub violating: Vec<Trace>,
}

impl Case {
    pub fn of(model: Model, lengths: Lengths) -> Self {
        let mut traces = all_traces(&model, lengths.bound(), 200_000).expect("random models are small");
        traces.retain(|trace| lengths.all().contains(&trace.len()));
        let invariant = model.properties[0].invariant().expect("an invariant").clone();
        let first = |trace: &Trace| eval::first_violation(&model, &invariant, &trace.moments);
        let ends = |trace: &&Trace| first(trace).is_some_and(|at| lengths.whole(at.steps()) == trace.len());
        let violating = traces.iter().filter(ends).cloned().collect();
        let all =
            traces.into_iter().map(|trace| Enumerated { violates: first(&trace).is_some(), trace }).collect();
        Self { model, lengths, all, violating }
    }

    pub fn has(&self, atoms: &Atoms, constraint: &Constraint, trace: &Trace) -> bool {
        constraint.matches(&self.model, atoms, &trace.moments).is_some()
    }

    /// Whether every trace that satisfies the constraint violates the property.
    pub fn suffices(&self, atoms: &Atoms, constraint: &Constraint) -> bool {
        self.all.iter().all(|found| found.violates || !self.has(atoms, constraint, &found.trace))
    }
}

/// Whether so many of the things are enough to have one in each set.
pub fn enough<T: Ord>(sets: &[&BTreeSet<T>], count: usize) -> bool {
    match sets.first() {
        None => true,
        Some(_) if count == 0 => false,
        Some(first) => first.iter().any(|thing| {
            let rest: Vec<&BTreeSet<T>> = sets.iter().copied().filter(|set| !set.contains(thing)).collect();
            enough(&rest, count - 1)
        }),
    }
}
