//! Tests of single modules of `cladist-solvers`.

mod sat_dimacs;
mod sat_refutation;
mod sat_simulation;
#[cfg(unix)]
mod smt_solver;
#[cfg(feature = "z3")]
mod smt_solver_library;
mod smt_solver_values;
mod unroll_initial;
mod unroll_select;
