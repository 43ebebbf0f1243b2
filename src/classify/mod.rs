//! From a violated property to the few kinds of violation there are (Algorithms 1–4 of the
//! classification paper).

mod constraint;
mod fact;
mod result;

pub use constraint::Constraint;
pub use fact::{Atom, Fact, FactKind, Origin};
pub use result::{Class, Classification, Seconds, Statistics, TooWeak, Verdict, Why};

use crate::budget::{Budget, Observer};
use crate::model::expr::Expr;
use crate::model::{Model, PredicateId, Vocabulary};
use crate::sat::Backend;

/// What the user can choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// Traces of up to this many steps are considered.
    pub bound: usize,
    /// First classify the counterexamples that satisfy this predicate at some positions.
    pub start_with: Option<PredicateId>,
    /// Keep classes that the others cover, marked as redundant.
    pub keep_redundant: bool,
    /// Stop after this many classes.
    pub max_classes: Option<usize>,
    /// The solver.
    pub backend: Backend,
    /// The solver of the final self-check, always a fresh instance.
    pub check_backend: Backend,
}

/// Classifies all traces of up to `options.bound` steps that violate the invariant.
#[allow(unused_variables)]
pub fn classify(
    model: &Model,
    invariant: &Expr,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    unimplemented!()
}
