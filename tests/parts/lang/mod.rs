//! Tests of single modules of `cladist-lang`.

mod model_check_foreign;
mod model_permutation;
mod model_root;
mod model_text;
mod syntax;
