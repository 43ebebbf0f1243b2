//! What a classification is asked for, and what it found: values only.

pub mod options;
pub mod result;
pub mod statistics;
