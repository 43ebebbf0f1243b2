//! Functions as those see them who call them as statements.

use crate::process::program::TypeId;
use crate::process::text::tree::Mode;

/// A function, for those who call it as a statement.
#[derive(Debug, Clone)]
pub(super) struct Called {
    /// The name in upper case.
    pub key: String,
    /// The index in the program.
    pub index: usize,
    /// The types of the parameters, and which way their values go.
    pub parameters: Vec<(TypeId, Mode)>,
    /// The type of the result, if there is one.
    pub result: Option<TypeId>,
}
