//! Long computations look at the budget now and then.

use kit::budget::{Budget, Exhausted};

/// Units of work between two looks at the budget: some tens of microseconds.
const INTERVAL: usize = 1 << 14;

/// Counts units of work, such as edges looked at, and polls the budget at intervals.
pub(super) struct Pace<'a> {
    budget: &'a Budget,
    left: usize,
}

impl<'a> Pace<'a> {
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, left: INTERVAL }
    }

    /// So much more work is about to be done.
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
        self.budget.exhausted().map_or(Ok(()), Err)
    }
}
