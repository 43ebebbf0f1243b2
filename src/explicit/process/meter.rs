//! Work between two checks of the budget. A single state can have any number of transitions, and a function any number of
//! steps, so work is counted where it is done.

use super::failure::{Failure, FailureCause};
use kit::budget::Budget;
use kit::diagnostics::Span;
use std::cell::Cell;

/// Units of work between two checks: a few milliseconds, a few megabytes.
const BETWEEN: usize = 1 << 17;

/// Counts work, and checks the budget from time to time.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    left: Cell<usize>,
}

impl Meter {
    /// A meter for computations within `budget`.
    pub fn new(budget: Budget) -> Self {
        Self { budget, left: Cell::new(BETWEEN) }
    }

    /// Notes work at a place: values built, steps taken, combinations tried.
    ///
    /// # Errors
    /// If the budget is exhausted.
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
                // From now on every call fails.
                self.left.set(0);
                let message = "the time or memory limit was reached here".to_owned();
                Err(Failure { span, message, cause: FailureCause::Budget(why) })
            }
        }
    }
}
