//! Process texts, written in a subset of LNT: their semantics, and the bugs in them.

pub mod bugs;
mod check;
mod eval;
mod failure;
pub mod program;
pub mod semantics;
mod text;
mod value;
mod values;

pub use check::{LoadedText, load, load_text};
