//! How much is done between two looks at the budget: a single state can have any number of steps, and a function can do
//! any number of them.

use super::failure::{Failure, FailureCause};
use crate::budget::Budget;
use crate::diagnostics::Span;
use std::cell::Cell;

/// So much work is done between two looks: some milliseconds, some megabytes.
const BETWEEN: usize = 1 << 17;

/// Counts work, and looks at the budget from time to time.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    left: Cell<usize>,
}

impl Meter {
    /// For computations within a budget.
    pub fn new(budget: Budget) -> Self {
        Self { budget, left: Cell::new(BETWEEN) }
    }

    /// Notes work at a place: values made, steps done, combinations looked at.
    ///
    /// # Errors
    /// If the budget has ended.
    pub fn spend(&self, work: usize, span: Span) -> Result<(), Failure> {
        if let Some(left) = self.left.get().checked_sub(work) {
            self.left.set(left);
            return Ok(());
        }
        match self.budget.exhausted() {
            None => {
                self.left.set(BETWEEN);
                Ok(())
            }
            Some(why) => {
                // Nothing is done any more, not even a little.
                self.left.set(0);
                let message = "the time or memory limit was reached here".to_owned();
                Err(Failure { span, message, cause: FailureCause::Budget(why) })
            }
        }
    }
}
