//! A fault that tests put into the encoding, to see who notices.

use crate::sat::Lit;
use std::cell::Cell;

thread_local! {
    static FORGOTTEN: Cell<Option<usize>> = const { Cell::new(None) };
}

/// As long as this lives, the clause that a step takes one of the actions lacks one of them, on this thread.
#[derive(Debug)]
pub struct Forgetting(());

impl Forgetting {
    /// Leaves out the action with this index.
    pub fn action(index: usize) -> Self {
        FORGOTTEN.set(Some(index));
        Self(())
    }
}

impl Drop for Forgetting {
    fn drop(&mut self) {
        FORGOTTEN.set(None);
    }
}

/// Takes the forgotten action out of the clause.
pub(super) fn forget(clause: &mut Vec<Lit>) {
    if let Some(index) = FORGOTTEN.get().filter(|index| *index < clause.len()) {
        clause.remove(index);
    }
}
