//! Engines side by side: the first answer is the result. Verdict, depth and trace are those of any engine; only the evidence depends on the
//! engine that is first.

use super::invariant::{InvariantOptions, InvariantQuestion, InvariantResult};
use crate::prove::{self, InvariantDecision, InvariantMethod, ProofEffort, Unproved};
use kit::budget::{Budget, Exhausted, Observer, Progress, helper, thread_time};
use lang::model::Model;
use lang::model::expr::Expr;
use solvers::sat::Backend;
use solvers::unroll::BoundedResult;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{self, Scope};
use std::time::Duration;

/// The time of listing states before decision diagrams begin beside it.
const LISTING_ALONE: Duration = Duration::from_millis(100);

/// The processor time of the proof search before the other engines start: most models need less.
const ALONE: Duration = Duration::from_millis(500);

/// The longest time of the proof search before the other engines start.
const LONGEST_ALONE: Duration = Duration::from_secs(3);

/// The longest time to wait for the listing of few states, which ends by itself.
const LISTING: Duration = Duration::from_secs(2);

/// The most memory of the process, in bytes, while listing states and decision diagrams go on.
const MEMORY: u64 = 2 << 30;

/// The longest time for decision diagrams, which seldom end after a longer one.
const DIAGRAMS: Duration = Duration::from_secs(20);

/// The engines that work on one question, and their findings.
struct Race<'a> {
    question: InvariantQuestion<'a>,
    /// The limits of all engines, which are given up once there is a result.
    budget: Budget,
    /// No trace violates the invariant in fewer steps.
    excluded: AtomicUsize,
    state: Mutex<RaceState>,
    changed: Condvar,
}

/// The findings so far.
#[derive(Default)]
struct RaceState {
    /// True once few states are listed, or tried to be.
    few_are_listed: bool,
    /// True once the other engines may start.
    others_start: bool,
    result: Option<InvariantResult>,
    /// A number of steps after which the invariant is violated.
    violated: Option<usize>,
    /// True if no trace up to the bound violates the invariant.
    holds_up_to_bound: bool,
    /// The limit that ended the proof search.
    why: Option<Exhausted>,
}

/// Proves an invariant, or finds a shortest counterexample.
///
/// ```
/// use cladist::budget::Budget;
/// use cladist::decide;
///
/// let model = cladist::model::load("../../specs/mutex.sts".as_ref(), &[]).model.expect("no mistakes");
/// let invariant = model.properties.iter().find_map(|property| property.invariant()).expect("an invariant");
/// let decided = decide::invariant(&model, invariant, &Default::default(), &Budget::unlimited(), &mut ());
/// assert!(matches!(decided, decide::InvariantResult::Proved(_) | decide::InvariantResult::Violated(_)));
/// ```
///
/// # Panics
/// If the bounded check does not find the violation that the proof search has found, which is a bug in one of them.
pub fn invariant(
    model: &Model,
    invariant: &Expr,
    options: &InvariantOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> InvariantResult {
    let question = InvariantQuestion { model, invariant, options: *options };
    match options.way == InvariantMethod::Auto && has_threads(budget) {
        true => side_by_side(question, budget, observer),
        false => question.one_by_one(budget, observer),
    }
}

/// True if several engines may work at the same time. Where processor time is limited, only one thread notices the end.
fn has_threads(budget: &Budget) -> bool {
    budget.threads() > 1 && !budget.limits_work()
}

/// Decides an invariant by affine relations or listing, if the states are few, else by k-induction and IC3, decision diagrams, bounded search and
/// a longer listing.
fn side_by_side(
    question: InvariantQuestion<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> InvariantResult {
    let race = Race::new(question, budget);
    thread::scope(|scope| {
        race.beside(scope, LISTING_ALONE, Race::diagrams);
        race.beside(scope, LISTING + LONGEST_ALONE, |race| drop(race.search(&mut ())));
        race.beside(scope, LISTING + LONGEST_ALONE, Race::list);
        race.list_few();
        let is_open = |state: &RaceState| state.result.is_none() && state.violated.is_none();
        if is_open(&race.state()) {
            race.prove(observer);
        }
        race.tell(|state| state.others_start = true);
    });
    let depth = race.excluded.load(Ordering::Relaxed);
    let RaceState { result, violated, holds_up_to_bound, why, .. } = race.into_state();
    match (result, violated, why) {
        (Some(result), ..) => result,
        (None, Some(steps), _) => question.shortest(steps, budget, observer),
        (None, None, _) if holds_up_to_bound => InvariantResult::HoldsUpToBound,
        (None, None, Some(why)) => InvariantResult::Undecided { why, depth },
        (None, None, None) => unreachable!("the proof search ends with a result or at a limit"),
    }
}

/// Searches for a violation of up to `bound` steps, as [`solvers::unroll::check`] does, and beside that with decision diagrams.
pub fn bounded(
    model: &Model,
    invariant: &Expr,
    bound: usize,
    backend: Backend,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> BoundedResult {
    let options = InvariantOptions { bound: Some(bound), backend, ..InvariantOptions::default() };
    let question = InvariantQuestion { model, invariant, options };
    if !has_threads(budget) {
        return question.search(bound, budget, observer);
    }
    let race = Race::new(question, budget);
    let searched = thread::scope(|scope| {
        race.beside(scope, LONGEST_ALONE, |race| {
            match race.by(InvariantMethod::Diagrams, &race.budget.at_most_work(DIAGRAMS)) {
                InvariantDecision::Holds(_) => race.decide(InvariantResult::HoldsUpToBound),
                InvariantDecision::Violated { steps, .. } if steps > bound => {
                    race.decide(InvariantResult::HoldsUpToBound);
                }
                other => race.take(other),
            }
        });
        let searched = race.search(observer);
        race.budget.give_up();
        race.tell(|state| state.others_start = true);
        searched
    });
    match race.into_state().result {
        Some(InvariantResult::Violated(trace)) => BoundedResult::Violated(trace),
        Some(InvariantResult::HoldsUpToBound) => BoundedResult::Holds,
        _ => searched,
    }
}

impl<'a> Race<'a> {
    fn new(question: InvariantQuestion<'a>, budget: &Budget) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self { question, budget: budget.unless_given_up(), excluded: AtomicUsize::new(0), state, changed }
    }

    fn into_state(self) -> RaceState {
        self.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn state(&self) -> MutexGuard<'_, RaceState> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits for a stage of the race; false if there is a result.
    fn waits(&self, longest: Duration, is_there: impl Fn(&RaceState) -> bool) -> bool {
        let state = self.state();
        let still = |state: &mut RaceState| state.result.is_none() && !is_there(state);
        let waiting = self.changed.wait_timeout_while(state, longest, still);
        let (state, _) = waiting.unwrap_or_else(|poisoned| poisoned.into_inner());
        state.result.is_none()
    }

    /// Starts an engine in a thread: once others may start, or after the longest time. Without a thread, the other engines have to do.
    fn beside<'s, 'e>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        longest: Duration,
        engine: impl FnOnce(&Self) + Send + 's,
    ) {
        let start = move || self.waits(longest, |state| state.others_start).then(|| engine(self));
        let _ = helper().spawn_scoped(scope, start);
    }

    /// Changes the state of the race, and wakes the engines that wait.
    fn tell(&self, change: impl FnOnce(&mut RaceState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Ends the race with a result, if it is the first.
    fn decide(&self, result: InvariantResult) {
        self.tell(|state| _ = state.result.get_or_insert(result));
        self.budget.give_up();
    }

    /// Takes the decision of an engine.
    fn take(&self, decision: InvariantDecision) {
        match decision {
            InvariantDecision::Holds(evidence) => self.decide(InvariantResult::Proved(evidence)),
            InvariantDecision::Violated { trace: Some(trace), .. } => {
                self.decide(InvariantResult::Violated(trace));
            }
            InvariantDecision::Violated { steps, trace: None } => {
                let known = &mut self.state().violated;
                *known = Some(known.map_or(steps, |known| known.min(steps)));
            }
            InvariantDecision::Unknown { depth, .. } => _ = self.excluded.fetch_max(depth, Ordering::Relaxed),
        }
    }

    /// Looks for affine relations, and lists the states if they are few.
    fn list_few(&self) {
        let InvariantQuestion { model, invariant, options } = self.question;
        match prove::soon(model, invariant, options.reduction, &self.budget) {
            Ok(decision) => self.take(decision),
            Err(known) => _ = self.excluded.fetch_max(known, Ordering::Relaxed),
        }
        self.tell(|state| state.few_are_listed = true);
    }

    /// Tries k-induction and IC3.
    fn prove(&self, observer: &mut dyn Observer) {
        let InvariantQuestion { model, invariant, options } = self.question;
        let mut observer = RaceObserver::new(self, observer);
        let effort = ProofEffort { backend: options.backend, budget: &self.budget, observer: &mut observer };
        let decision = prove::symbolic(model, invariant, InvariantMethod::Auto, effort);
        if let InvariantDecision::Unknown { why: Unproved::Budget(why), .. } = &decision {
            self.state().why = Some(*why);
        }
        self.take(decision);
    }

    /// Searches up to the bound, if there is one.
    fn search(&self, observer: &mut dyn Observer) -> BoundedResult {
        let bound = self.question.options.bound.unwrap_or(usize::MAX);
        let found = self.question.search(bound, &self.budget, &mut RaceObserver::new(self, observer));
        match &found {
            BoundedResult::Holds => self.state().holds_up_to_bound = true,
            BoundedResult::Violated(trace) => self.decide(InvariantResult::Violated(trace.clone())),
            BoundedResult::Undecided { depth, .. } => _ = self.excluded.fetch_max(*depth, Ordering::Relaxed),
        }
        found
    }

    /// Tries decision diagrams. Their proof waits for the listing of few states, which tells more.
    fn diagrams(&self) {
        let decision = self.by(InvariantMethod::Diagrams, &self.budget.at_most_work(DIAGRAMS));
        let waits = matches!(decision, InvariantDecision::Holds(_));
        if !waits || self.waits(LISTING, |state| state.few_are_listed) {
            self.take(decision);
        }
    }

    /// Lists all states.
    fn list(&self) {
        self.take(self.by(InvariantMethod::Explicit, &self.budget.clone().with_threads(NonZeroUsize::MIN)));
    }

    /// Tries a way that takes much memory.
    fn by(&self, way: InvariantMethod, budget: &Budget) -> InvariantDecision {
        let InvariantQuestion { model, invariant, options } = self.question;
        let budget = budget.at_most_memory(MEMORY);
        let effort = ProofEffort { backend: options.backend, budget: &budget, observer: &mut () };
        prove::decide(model, invariant, way, options.reduction, effort)
    }
}

/// The observer of an engine, which tells the others the number of excluded steps.
struct RaceObserver<'r> {
    race: &'r Race<'r>,
    observer: &'r mut dyn Observer,
    /// The processor time of this thread at which other engines may start.
    opens_at: Option<Duration>,
}

impl<'r> RaceObserver<'r> {
    fn new(race: &'r Race<'r>, observer: &'r mut dyn Observer) -> Self {
        Self { race, observer, opens_at: thread_time().map(|start| start + ALONE) }
    }
}

impl Observer for RaceObserver<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.race.excluded.fetch_max(progress.depth, Ordering::Relaxed);
        if self.opens_at.is_some_and(|end| thread_time().is_some_and(|used| used >= end)) {
            self.opens_at = None;
            self.race.tell(|state| state.others_start = true);
        }
        self.observer.progress(progress);
    }

    fn excluded(&self) -> usize {
        self.race.excluded.load(Ordering::Relaxed)
    }
}
