//! Structural operational semantics over hash-consed terms, and the transition system that it generates.

mod generate;
mod next;
mod normal;
mod parallel;
mod rows;
mod rules;
mod step;
mod term;

pub use generate::{Generated, Generation, Meaning, Options, StopReason, generate};
