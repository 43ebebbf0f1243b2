//! What a program does: structural operational rules over hashed terms, and the system that they generate.

mod generate;
mod next;
mod normal;
mod parallel;
mod rows;
mod rules;
mod step;
mod term;

pub use generate::{Generated, Generation, Meaning, Options, StopReason, generate};
