//! Steps of a model as decision diagrams: the gates of one step from any state, read one label after the other. Labels that
//! write the same parts of a state are put together, and what a label does not write is not mentioned by its [`Relation`].
//!
//! [`OneStep`] encodes a step, and whatever else is asked of the state before it; [`Gates`] are the result, without any solver.
//! A [`Reader`] turns gates into diagrams, [`conjuncts`] says what a step with some label demands, and [`Steps`] collects relations.
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
