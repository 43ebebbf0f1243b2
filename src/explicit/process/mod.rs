//! Process texts, written in a subset of LNT: their semantics, and the bugs in them.

pub mod bugs;
mod check;
pub mod eval;
pub mod failure;
pub mod program;
pub mod semantics;
pub mod text;
pub mod value;
mod values;

pub use check::{Loaded, load, load_text};
