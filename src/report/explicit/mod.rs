//! Analyses of explicit systems, and properties of branching time.

pub mod ctl;
pub mod lts;
