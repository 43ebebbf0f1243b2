//! Steps of a model as decision diagrams: the gates of one step from any state, read one label after the other. Labels
//! that write the same parts of a state are merged; a [`Relation`] does not mention the parts that its labels leave
//! unchanged.
//!
//! [`OneStep`] encodes a step and further gates over the state before it; [`StepCircuit`] is the result, without any solver.
//! A [`LiteralReader`] turns gates into diagrams, [`conjuncts`] returns the conditions of a step with one label, and [`StepRelations`]
//! collects relations.
//!
//! [`Relation`]: kit::diagram::Relation

pub mod gates;
pub mod order;
pub mod reader;
mod steps;
mod system;

pub use gates::{OneStep, StepCircuit};
pub use order::{VariableOrder, arranged};
pub use reader::LiteralReader;
pub use steps::{Conjuncts, StepRelations, conjuncts, label_groups, variables_of};
pub use system::{DiagramLimit, DiagramState, KeptDiagram, SymbolicSystem};
