//! Copies of the state, step by step, as SAT variables; and the bounded check.

mod check;
mod consequences;
mod encode;
mod frames;
mod initial;
mod select;
mod symbolic;

pub use check::{Checked, Vacuity, check, vacuity};
pub use encode::Encoder;
pub use frames::{Frame, Unrolling};
pub use symbolic::Symbolic;
