//! Models of other tools, read as models of the specification language: AIGER, NuSMV, Quint, security protocols of Scyther.
//!
//! An importer parses its text with [`kit::parsing`], reports mistakes as diagnostics, and prints a text that [`lang::model::load_text`]
//! accepts; its steps keep names that readers of the original recognise. Knows no engine.
#![forbid(unsafe_code)]

pub mod aiger;
pub mod protocol;
pub mod quint;
pub mod smv;
