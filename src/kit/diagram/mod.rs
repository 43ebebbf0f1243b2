//! Reduced ordered decision diagrams with natural-number terminals and a branch for each value of a variable: functions
//! of many variables with few values each, whose equal parts are shared. In the literature these are multi-terminal
//! multi-valued diagrams (MTBDDs or ADDs, with MDD branching). Independent of models.
//!
//! A diagram whose terminals are 0 and 1 is a condition. [`Diagrams`] holds all nodes; a [`Relation`] is a transition
//! relation that maps numbers at states to numbers at their successors ([`Diagrams::image`]).

mod apply;
mod image;
mod store;

pub use image::{Relation, WrittenVariables};
pub use store::{Diagram, DiagramStopped, Diagrams};
