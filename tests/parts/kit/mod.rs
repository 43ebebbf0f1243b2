//! Tests of single modules of `cladist-kit`.

mod budget_units;
mod diagnostics_escape;
mod diagnostics_first;
mod diagnostics_nearest;
mod diagnostics_render;
mod diagnostics_text_file;
mod diagram;
mod proof_formula;
mod proof_lrat;
mod random;
