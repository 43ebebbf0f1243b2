//! The self-check beside what else follows the search. It has a solver of its own and needs nothing but the claims, so that it can have a
//! thread of its own as well.

use crate::budget::{Budget, Limited, helper};
use crate::classify::self_check::{Claims, check};
use crate::classify::statistics::Statistics;
use crate::sat::Setup;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// What came of the self-check.
pub struct Checked {
    /// The solver that did it, or what ended it before it was done.
    pub by: Limited<String>,
    /// What it took.
    pub took: Statistics,
}

/// A self-check that was begun.
pub enum Checking<'scope> {
    /// It is done.
    Done(Checked),
    /// It is done in another thread.
    Beside(ScopedJoinHandle<'scope, Checked>),
}

impl<'scope> Checking<'scope> {
    /// Checks claims, for so long at most: in another thread, where the budget has one and limits no processor time, and otherwise at once.
    pub fn begin<'m: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        claims: Claims<'m>,
        setup: Setup,
        patience: Option<Duration>,
        budget: &Budget,
    ) -> Self {
        let limits = patience.map_or_else(|| budget.clone(), |patience| budget.at_most(patience));
        // Shared, because what no thread can be started for is done by this one.
        let claims = Arc::new(Mutex::new(claims));
        let check = move || {
            let claims = claims.lock().unwrap_or_else(PoisonError::into_inner);
            let mut took = Statistics::default();
            Checked { by: check(&claims, setup, &mut took, &limits), took }
        };
        if budget.threads() > 1
            && !budget.limits_work()
            && let Ok(thread) = helper().spawn_scoped(scope, check.clone())
        {
            return Self::Beside(thread);
        }
        Self::Done(check())
    }

    /// What came of it.
    ///
    /// # Panics
    /// If a claim is wrong: that is a bug in this program.
    pub fn end(self) -> Checked {
        match self {
            Self::Done(checked) => checked,
            Self::Beside(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        }
    }
}
