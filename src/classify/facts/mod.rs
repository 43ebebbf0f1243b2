//! Statements about a trace: atoms, facts, constraints, their collection from a counterexample, and their texts.

pub mod absences;
pub mod as_formula;
pub mod atom;
pub mod collect;
pub mod constraint;
pub mod fact;
pub mod formula;
pub mod grounding;
pub mod index;
pub mod lifting;
pub mod memoised_trace;
pub mod permuted;
pub mod phrase;
pub mod places;
pub mod problem;
pub mod restates;
pub mod restore;
pub mod statements;
