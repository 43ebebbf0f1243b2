//! Copies of the state, step by step, as SAT variables; and the bounded check.

mod check;

pub use check::{Checked, Vacuity, check, vacuity};
