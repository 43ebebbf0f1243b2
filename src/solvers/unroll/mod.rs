//! Unrolling of the transition relation into SAT, and bounded model checking.

pub mod binary;
mod check;
mod clauses;
mod consequences;
mod encode;
#[doc(hidden)]
pub mod fault;
mod first;
mod forms;
mod frame;
mod frames;
pub mod initial;
mod lengths;
mod parts;
pub mod select;
pub mod symbolic;
mod transition;

pub use check::{BoundedResult, Vacuity, check, exists, reachable, vacuity};
pub use clauses::{clauses, obligation};
pub use encode::Encoder;
pub use forms::{IntegerForm, IntegerForms};
pub use frame::{Frame, Overflow};
pub use frames::Unrolling;
pub use lengths::{Lengths, MOST_STEPS};
pub use parts::PairedLeaf;
pub use symbolic::Symbolic;
pub use transition::Transition;
