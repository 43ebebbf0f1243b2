//! Regular checks of the budget in long computations.

use kit::budget::{Budget, Exhausted};

/// Units of work between two checks of the budget: some tens of microseconds.
const INTERVAL: usize = 1 << 14;

/// Counts units of work, such as edges followed, and polls the budget at intervals.
pub(super) struct WorkPoll<'a> {
    budget: &'a Budget,
    left: usize,
}

impl<'a> WorkPoll<'a> {
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, left: INTERVAL }
    }

    /// Accounts for the next `work` units.
    ///
    /// # Errors
    /// If the budget has ended.
    #[inline]
    pub fn spend(&mut self, work: usize) -> Result<(), Exhausted> {
        if self.left > work {
            self.left -= work;
            return Ok(());
        }
        self.left = INTERVAL;
        self.budget.check()
    }
}
