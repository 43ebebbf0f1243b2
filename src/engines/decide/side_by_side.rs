//! Engines side by side: the first answer is the result. Verdict, depth and trace are those of any engine; only the evidence depends on the
//! engine that is first.

use super::invariant::{InvariantOptions, InvariantResult, shortest};
use crate::prove::{self, InvariantDecision, InvariantMethod, ProofEffort, Unproved};
use kit::budget::{Budget, Exhausted, Observer, Progress, helper, thread_time};
use lang::model::Model;
use lang::model::expr::Expr;
use solvers::unroll::{self, BoundedResult, Lengths};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// The processor time of the proof search before the other engines start: most models need less.
const ALONE: Duration = Duration::from_millis(500);

/// The longest time before the other engines start.
const LONGEST_ALONE: Duration = Duration::from_secs(3);

/// The most memory of the process, in bytes, while listing states and decision diagrams go on.
const MEMORY: u64 = 2 << 30;

/// The longest time for decision diagrams, which seldom end after a longer one.
const DIAGRAMS: Duration = Duration::from_secs(20);

/// The engines that work on one question, and their findings.
struct Race<'a> {
    model: &'a Model,
    invariant: &'a Expr,
    options: InvariantOptions,
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
    /// True once the other engines may start.
    is_open: bool,
    result: Option<InvariantResult>,
    /// A number of steps after which the invariant is violated.
    violated: Option<usize>,
    /// True if no trace up to the bound violates the invariant.
    holds_up_to_bound: bool,
    /// The limit that ended the proof search.
    why: Option<Exhausted>,
}

/// Decides an invariant, which is not violated in fewer than `known` steps, by k-induction and IC3, bounded search, listing states and decision
/// diagrams.
pub fn side_by_side(
    model: &Model,
    invariant: &Expr,
    options: InvariantOptions,
    known: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> InvariantResult {
    let race = Race {
        model,
        invariant,
        options,
        budget: budget.unless_given_up(),
        excluded: AtomicUsize::new(known),
        state: Mutex::default(),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for engine in [Race::search, Race::diagrams, Race::list] {
            let race = &race;
            // Without a thread, the other engines have to do.
            let _ = helper().spawn_scoped(scope, move || {
                if race.waits() {
                    engine(race);
                }
            });
        }
        race.prove(observer);
        race.open();
    });
    let Race { excluded, state, .. } = race;
    let RaceState { result, violated, holds_up_to_bound, why, .. } =
        state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let depth = excluded.into_inner();
    match (result, violated) {
        (Some(result), _) => result,
        (None, Some(steps)) => shortest(model, invariant, steps, options.backend, budget, observer),
        (None, None) if holds_up_to_bound => InvariantResult::HoldsUpToBound,
        (None, None) => {
            InvariantResult::Undecided { why: why.or(budget.exhausted()).unwrap_or(Exhausted::Memory), depth }
        }
    }
}

impl Race<'_> {
    fn state(&self) -> MutexGuard<'_, RaceState> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits until the other engines may start; false if there is a result.
    fn waits(&self) -> bool {
        let state = self.state();
        let waiting = self.changed.wait_timeout_while(state, LONGEST_ALONE, |state| !state.is_open);
        let (state, _) = waiting.unwrap_or_else(|poisoned| poisoned.into_inner());
        state.result.is_none()
    }

    fn open(&self) {
        self.state().is_open = true;
        self.changed.notify_all();
    }

    /// Ends the race with a result, if it is the first.
    fn decide(&self, result: InvariantResult) {
        self.state().result.get_or_insert(result);
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

    /// k-induction and IC3.
    fn prove(&self, observer: &mut dyn Observer) {
        let start = thread_time();
        let mut observer = RaceObserver { race: self, observer, opens_at: start.map(|start| start + ALONE) };
        let effort =
            ProofEffort { backend: self.options.backend, budget: &self.budget, observer: &mut observer };
        let decision = prove::symbolic(self.model, self.invariant, InvariantMethod::Auto, effort);
        if let InvariantDecision::Unknown { why: Unproved::Budget(why), .. } = &decision {
            self.state().why = Some(*why);
        }
        self.take(decision);
    }

    /// Bounded search.
    fn search(&self) {
        let mut observer = RaceObserver { race: self, observer: &mut (), opens_at: None };
        let lengths = Lengths::UpTo(self.options.bound.unwrap_or(usize::MAX));
        let backend = self.options.backend;
        match unroll::check(self.model, self.invariant, lengths, backend, &self.budget, &mut observer) {
            BoundedResult::Holds => self.state().holds_up_to_bound = true,
            BoundedResult::Violated(trace) => self.decide(InvariantResult::Violated(trace)),
            BoundedResult::Undecided { depth, .. } => _ = self.excluded.fetch_max(depth, Ordering::Relaxed),
        }
    }

    fn diagrams(&self) {
        self.by(InvariantMethod::Diagrams, &self.budget.at_most_work(DIAGRAMS));
    }

    fn list(&self) {
        self.by(InvariantMethod::Explicit, &self.budget.clone().with_threads(NonZeroUsize::MIN));
    }

    /// A way that takes much memory.
    fn by(&self, way: InvariantMethod, budget: &Budget) {
        let budget = budget.at_most_memory(MEMORY);
        let effort = ProofEffort { backend: self.options.backend, budget: &budget, observer: &mut () };
        self.take(prove::decide(self.model, self.invariant, way, self.options.reduction, effort));
    }
}

/// Tells the other engines how many steps are excluded.
struct RaceObserver<'r> {
    race: &'r Race<'r>,
    observer: &'r mut dyn Observer,
    /// The processor time of this thread at which the other engines may start.
    opens_at: Option<Duration>,
}

impl Observer for RaceObserver<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.race.excluded.fetch_max(progress.depth, Ordering::Relaxed);
        if self.opens_at.is_some_and(|end| thread_time().is_some_and(|used| used >= end)) {
            self.opens_at = None;
            self.race.open();
        }
        self.observer.progress(progress);
    }

    fn excluded(&self) -> usize {
        self.race.excluded.load(Ordering::Relaxed)
    }
}
