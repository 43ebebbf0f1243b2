//! Values that cannot be computed, and the meter of the work that computes them. A single state can have any number of transitions, and a
//! function any number of steps, so work is counted where it is done.

use kit::budget::{Budget, Exhausted};
use kit::diagnostics::Span;
use std::cell::Cell;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessFailure {
    pub span: Span,
    /// One clause without a full stop, for a diagnostic.
    pub message: String,
    /// The reason, which decides how it is reported.
    pub cause: FailureCause,
}

impl std::fmt::Display for ProcessFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProcessFailure {}

/// The reason for a [`ProcessFailure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCause {
    /// There is no such value: a mistake of the text.
    Undefined,
    /// A fixed limit on the size of values or the length of computations was exceeded.
    TooMuch,
    /// The limit on time or memory was reached.
    Budget(Exhausted),
}

impl ProcessFailure {
    /// A failure because there is no such value.
    pub fn undefined(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::Undefined }
    }

    /// A failure because a fixed limit was exceeded.
    pub fn too_much(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::TooMuch }
    }
}

/// Units of work between two checks: a few milliseconds, a few megabytes.
const BETWEEN: usize = 1 << 17;

/// Counts work, and checks the budget from time to time.
#[derive(Debug)]
pub(super) struct WorkMeter {
    budget: Budget,
    left: Cell<usize>,
}

impl WorkMeter {
    /// A meter for computations within `budget`.
    pub fn new(budget: Budget) -> Self {
        Self { budget, left: Cell::new(BETWEEN) }
    }

    /// Notes work at a place: values built, steps taken, combinations tried.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn spend(&self, work: usize, span: Span) -> Result<(), ProcessFailure> {
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
                Err(ProcessFailure { span, message, cause: FailureCause::Budget(why) })
            }
        }
    }
}
