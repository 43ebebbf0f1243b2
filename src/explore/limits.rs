//! How long a search may go on.

use crate::budget::Budget;

/// How long a search goes on.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most tries for the choices of one action with one list of arguments, and for the first states.
    pub tries: usize,
    pub budget: &'a Budget,
}
