//! Explicit labelled transition systems: reading and writing them, and the analysis of counterexamples.
//!
//! A property `[R] false` forbids the traces that a regular formula describes. Its automaton ([`property`])
//! runs in parallel with the system, and [`safety`] tags every transition by whether a violation can still be avoided
//! after it; for a property of states, [`decisive`] says so of the states. [`inevitable`] does the same for actions that every trace should contain, [`strategy`] chooses among
//! counterexamples, and [`drawing`] draws them. This module knows neither models nor solvers.

pub mod aut;
mod bisimulation;
pub mod bits;
mod branching;
pub mod bugs;
pub mod compare;
mod components;
pub mod decisive;
pub mod dot;
pub mod drawing;
mod facts;
pub mod fsm;
pub mod graph;
pub mod inevitable;
pub mod labels;
pub mod partition;
pub mod property;
mod relabel;
pub mod safety;
pub mod sequence;
pub mod strategy;
mod subsets;
mod weak;

pub use bisimulation::{Quotient, quotient, strong_quotient};
pub use bits::Bits;
pub use branching::branching_quotient;
pub use components::{Components, components, components_of};
pub use facts::{Facts, facts, reachable};
pub use graph::{Lts, LtsBuilder, LtsTransition, StateId, TransitionRows};
pub use labels::{LabelId, Labels};
pub use relabel::{Relabelling, relabel};
pub use sequence::{LabelSequence, MOST_ACTIONS, Sequence};
pub use subsets::trace_quotient;
pub use weak::weak_quotient;
