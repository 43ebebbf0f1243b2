//! A counterexample that is asked about many constraints: what an atom says of it is evaluated once.

use crate::facts::index::AtomId;
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A trace, with what is known of it.
pub struct Example {
    /// The trace.
    pub trace: Trace,
    truths: Truths,
}

impl Example {
    /// A trace of which nothing is known yet.
    pub fn new(trace: Trace) -> Self {
        Self { trace, truths: Truths::default() }
    }

    /// What atoms are known to say of it.
    pub(crate) fn truths(&self) -> &Truths {
        &self.truths
    }
}

/// Where atoms were found to hold in a trace, and where not.
#[derive(Default)]
pub(crate) struct Truths {
    known: RefCell<FxHashMap<(AtomId, u64), bool>>,
}

impl Truths {
    /// True if an atom holds at a place, which is a number for its positions and individuals, if these have one.
    pub fn holds(&self, atom: AtomId, place: Option<u64>, evaluate: impl FnOnce() -> bool) -> bool {
        let Some(place) = place else { return evaluate() };
        if let Some(&known) = self.known.borrow().get(&(atom, place)) {
            return known;
        }
        let holds = evaluate();
        self.known.borrow_mut().insert((atom, place), holds);
        holds
    }
}
