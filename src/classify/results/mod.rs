//! Options and results of a classification: values only.

pub mod options;
pub mod result;
pub mod statistics;
