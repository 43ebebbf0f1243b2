//! What Cladist has that needs no solver: readers of models, process texts and graphs of states, what models mean, and
//! what can be found out by going through states.
//!
//! A package of its own only so that it is built apart; `cladist` has every module under the same name.
#![forbid(unsafe_code)]

pub mod aiger;
pub mod budget;
pub mod diagnostics;
pub mod diagram;
pub mod explore;
mod index;
pub mod lts;
pub mod model;
pub mod mucalc;
pub mod parsing;
pub mod process;
pub mod proof;
pub mod protocol;
pub mod quint;
pub mod random;
pub mod smv;
pub mod syntax;
pub mod trace;
