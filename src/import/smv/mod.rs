//! Models in SMV, the language of NuSMV and nuXmv: translates a file to the specification language.
//!
//! The language is that of R. Cavada et al., *NuSMV 2.6 User Manual*, without words, reals and processes. No
//! other module depends on SMV: the text is read like any other.

mod build;
mod elaborate;
mod evaluate;
mod load;
mod print;
mod scopes;
mod step;
mod symbols;
mod system;
mod term;
pub mod text;
mod write;

pub use crate::written::Refused;
pub use load::{import_file, import_text, is_smv, load};
