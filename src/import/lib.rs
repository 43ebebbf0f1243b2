//! Models of other tools, read as models of the specification language: AIGER, BTOR2, NuSMV, Quint, Spin, TLC, security protocols of Scyther.
//!
//! An importer reads its file (`smv`, `promela`, `tla` and `protocol` with [`kit::parsing`], `quint` JSON, `aiger` bytes), reports mistakes as diagnostics, and
//! prints a text that [`lang::model::load_written`] accepts; its steps keep names that readers of the original recognise. The smallest to begin
//! from is [`aiger`]. Knows no engine.
#![forbid(unsafe_code)]

pub mod aiger;
pub mod btor2;
pub mod limits;
pub mod promela;
pub mod protocol;
pub mod quint;
pub mod readers;
pub mod smv;
pub mod tla;
mod written;

pub use written::Refused;
