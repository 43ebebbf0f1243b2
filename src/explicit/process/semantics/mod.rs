//! Structural operational semantics over hash-consed terms, and the transition system that it generates.

mod composed;
mod generate;
mod next;
mod normal;
mod parallel;
mod parts;
mod rules;
mod step;
mod term;

pub use composed::generate_by_parts;
pub use generate::{GenerateOptions, GeneratedLabel, GeneratedSystem, Generation, StopReason, generate};
