//! Predicates by themselves, without a property: their examples, and whether they tell traces apart.

pub mod example;
pub mod readings;
pub mod step;
pub mod trivial;
