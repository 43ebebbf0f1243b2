//! Causal trees: as text, JSON, a page and a graph.

pub mod dot;
pub mod json;
pub mod page;
pub mod predicates;
pub mod summary;
pub mod text;
pub mod words;

use crate::shared::request::{DisplayOptions, GivenFairness};
use classify::causes::pattern::ArgumentParts;
use classify::causes::question::CausalProblem;
use kit::budget::Budget;
use kit::diagnostics::Diagnostic;
use lang::model::Property;

/// The request for a causal tree.
#[derive(Debug)]
pub struct CausalRequest<'a> {
    /// The model with the property.
    pub problem: CausalProblem<'a>,
    /// The parts of arguments of the model.
    pub parts: &'a ArgumentParts,
    /// The greatest number of steps.
    pub bound: usize,
    /// The property.
    pub property: &'a Property,
    /// Of infinite traces, the conditions of fairness that the user gave.
    pub given: GivenFairness<'a>,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// Warnings about the input.
    pub warnings: &'a [Diagnostic],
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: &'a str,
    /// The display of traces; a full one has the reasons of all steps.
    pub display: DisplayOptions,
    /// True if the defences were decided without a limit of their own.
    pub awaits_defences: bool,
    /// The limits; names of attacks are left out when they are reached.
    pub budget: &'a Budget,
}
