//! The self-check beside the search and beside what else follows it. It has a solver of its own and needs nothing but the claims, so that
//! it can have a thread of its own as well.
//!
//! To prove that no counterexample is left takes the search long, and the self-check as long once more. Where there is a thread for it, it
//! begins as soon as nothing has been found for a while, in case that is all. If something else comes, it is given up. What is found does
//! not depend on it.

use crate::facts::constraint::Constraint;
use crate::oracles::self_check::{Finding, SelfCheckClaims};
use crate::results::statistics::Statistics;
use kit::budget::{Budget, Exhausted, Limited, helper, resident_bytes};
use solvers::sat::Setup;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// After a question in vain, it waits for this part of the time that the search has taken up to then. With less, runs that find one class
/// after the other take more processor time; with more, runs that have found everything take longer.
const IN_VAIN: f64 = 0.5;

/// The result of the self-check.
pub struct SelfCheckResult {
    /// The solver that did it, or what ended it before it was done.
    pub by: Limited<String>,
    /// Its statistics.
    pub took: Statistics,
}

/// A solver's verdict on claims, with its statistics.
type ClaimAnswer = (Limited<Finding>, Statistics);

/// A self-check that was begun.
pub enum Checking<'scope> {
    /// It is done.
    Done(ClaimAnswer),
    /// It is done in another thread.
    Beside(ScopedJoinHandle<'scope, ClaimAnswer>),
}

impl<'scope> Checking<'scope> {
    /// Checks claims, for so long at most: in another thread, where the budget has one and limits no processor time, and otherwise at once.
    pub fn begin<'m: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        claims: SelfCheckClaims<'m>,
        setup: Setup,
        patience: Option<Duration>,
        budget: &Budget,
    ) -> Self {
        let limits = patience.map_or_else(|| budget.clone(), |patience| budget.at_most(patience));
        // Shared, because what no thread can be started for is done by this one.
        let claims = Arc::new(Mutex::new(claims));
        let check = move || {
            let claims = claims.lock().unwrap_or_else(PoisonError::into_inner);
            answer(&claims, setup, &limits)
        };
        if is_for_threads(budget)
            && let Ok(thread) = helper().spawn_scoped(scope, check.clone())
        {
            return Self::Beside(thread);
        }
        Self::Done(check())
    }

    /// Ends the check.
    ///
    /// # Panics
    /// If a claim is wrong: that is a bug in this program.
    pub fn end(self) -> SelfCheckResult {
        let (finding, took) = match self {
            Self::Done(answer) => answer,
            Self::Beside(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        };
        let by = finding.map(|finding| match finding {
            Finding::Right(solver) => solver,
            Finding::Wrong(why) => panic!("self-check: {why}"),
        });
        SelfCheckResult { by, took }
    }
}

/// A self-check that begins before the search ends.
pub struct SpeculativeCheck<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    begun: Option<PendingCheck<'scope>>,
}

/// A check that has begun: its claims, thread and limits.
struct PendingCheck<'scope> {
    classes: Vec<Constraint>,
    thread: ScopedJoinHandle<'scope, ClaimAnswer>,
    budget: Budget,
    /// Wakes the thread, which waits for a while before it begins.
    wake: Sender<()>,
}

impl<'scope, 'env> SpeculativeCheck<'scope, 'env> {
    /// None yet.
    pub fn new(scope: &'scope Scope<'scope, 'env>) -> Self {
        Self { scope, begun: None }
    }

    /// Where threads of a self-check belong.
    pub fn scope(&self) -> &'scope Scope<'scope, 'env> {
        self.scope
    }

    /// Something was found: what is checked is not all.
    pub fn give_up(&mut self) {
        self.begun.take().into_iter().for_each(|begun| begun.budget.give_up());
    }

    /// True if none was begun, and there is a thread for one, and memory for as much as is in use again.
    pub fn is_possible(&self, budget: &Budget) -> bool {
        let has_room = || resident_bytes().is_none_or(|used| budget.exhausted_by(used).is_none());
        self.begun.is_none() && is_for_threads(budget) && has_room()
    }

    /// Checks claims that are right if nothing else is found, unless something is found soon. The search has taken so many seconds
    /// up to now.
    pub fn begin<'m: 'scope>(
        &mut self,
        claims: SelfCheckClaims<'m>,
        setup: Setup,
        seconds: f64,
        budget: &Budget,
    ) {
        let classes = constraints(&claims);
        let budget = budget.unless_given_up();
        let limits = budget.clone();
        let (wake, woken) = channel();
        let patience = Duration::from_secs_f64(IN_VAIN * seconds);
        let check = move || match woken.recv_timeout(patience) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => answer(&claims, setup, &limits),
            Err(RecvTimeoutError::Disconnected) => (Err(Exhausted::Interrupt), Statistics::default()),
        };
        // If no thread can be started, the check is done at the end.
        let thread = helper().spawn_scoped(self.scope, check).ok();
        self.begun = thread.map(|thread| PendingCheck { classes, thread, budget, wake });
    }

    /// The self-check of these claims, if it is theirs that was begun; any other one is given up.
    pub fn of(mut self, claims: Option<&SelfCheckClaims<'_>>) -> Option<Checking<'scope>> {
        let begun =
            self.begun.take_if(|begun| claims.is_some_and(|c| c.complete && constraints(c) == begun.classes));
        begun.map(|begun| {
            // It need not wait any longer.
            let _ = begun.wake.send(());
            Checking::Beside(begun.thread)
        })
    }
}

impl Drop for SpeculativeCheck<'_, '_> {
    /// Nobody waits for what is not wanted any more, even if the search ends in a panic.
    fn drop(&mut self) {
        self.give_up();
    }
}

/// True if there is a thread for it. Where processor time is limited, another thread's time would not count.
fn is_for_threads(budget: &Budget) -> bool {
    budget.threads() > 1 && !budget.limits_work()
}

fn answer(claims: &SelfCheckClaims<'_>, setup: Setup, budget: &Budget) -> ClaimAnswer {
    let mut took = Statistics::default();
    (claims.check(setup, &mut took, budget), took)
}

fn constraints(claims: &SelfCheckClaims<'_>) -> Vec<Constraint> {
    claims.classes.iter().map(|claim| claim.constraint.clone()).collect()
}
