//! Decision diagrams with natural numbers at their ends: functions of many variables with few values each, of which
//! equal parts are kept once. Knows nothing of models.
//!
//! A diagram whose ends are 0 and 1 is a condition. [`Diagrams`] holds them all; [`Relation`]s say how numbers at
//! states become numbers at the states one step later.

mod apply;
mod image;
mod store;
#[cfg(test)]
mod tests;

pub use image::{Relation, Written};
pub use store::{Diagram, Diagrams, Stopped};
