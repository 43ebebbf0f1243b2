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
mod frames;
pub mod initial;
mod parts;
pub mod select;
pub mod symbolic;
mod transition;

pub use check::{Checked, Lengths, MOST_STEPS, Vacuity, check, exists, reachable, vacuity};
pub use clauses::{clauses, obligation};
pub use encode::Encoder;
pub use forms::{Form, Forms};
pub use frames::{Frame, Overflow, Unrolling};
pub use parts::Part;
pub use symbolic::Symbolic;
pub use transition::Transition;
