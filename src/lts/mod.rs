//! Explicit labelled transition systems: reading and writing them, and what leads into a violation.
//!
//! A property `[R] false` forbids the traces that a regular formula describes. Its automaton ([`property`])
//! runs along the system, and [`safety`] says of every transition whether a violation can still be avoided
//! after it. Nothing here knows models or solvers.

pub mod aut;
mod bisimulation;
mod bits;
mod components;
pub mod dot;
mod facts;
mod graph;
pub mod inevitable;
mod labels;
pub mod property;
pub mod safety;

pub use bisimulation::{Quotient, quotient};
pub use bits::Bits;
pub use components::{Components, components};
pub use facts::{Facts, facts, reachable};
pub use graph::{Builder, Lts, Rows};
pub use labels::Labels;
