//! Predicates without a property: their examples, and those that hold in no trace or in every trace.

pub mod example;
pub mod readings;
pub mod step;
pub mod trivial;
