#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Links the solver. First, because linkers that read libraries once find it after the crates that use it then.
extern crate cladist_cadical_cpp as _;

#[doc(inline)]
pub use classify::vocabulary;
#[doc(inline)]
pub use engines::{ctl, decide, explore, ltl, prove, relations, symmetry};
#[doc(inline)]
pub use explicit::{lts, mucalc, process};
#[doc(inline)]
pub use import::{aiger, btor2, limits, promela, protocol, quint, readers, smv, tla};
#[doc(inline)]
pub use kit::{budget, diagnostics, diagram, number, parsing, proof, random};
#[doc(inline)]
pub use lang::{model, syntax, trace};
#[doc(inline)]
pub use report::batch;
#[doc(inline)]
pub use solvers::{sat, smt, smt_solver, unroll};
pub use {classify, report, verify};
