//! Steps of a model as decision diagrams: the gates of one step from any state, read one label after the other. Labels
//! that write the same parts of a state are merged; a [`Relation`] does not mention the parts that its labels leave
//! unchanged.
//!
//! [`OneStep`] encodes a step and further gates over the state before it; [`Gates`] is the result, without any solver.
//! A [`Reader`] turns gates into diagrams, [`conjuncts`] returns the conditions of a step with one label, and [`Steps`]
//! collects relations.
//!
//! [`Relation`]: kit::diagram::Relation

pub mod gates;
pub mod order;
pub mod reader;
mod steps;

pub use gates::{Gates, OneStep};
pub use order::{Order, arranged};
pub use reader::Reader;
pub use steps::{Conjuncts, Steps, conjuncts, label_groups, variables_of};
