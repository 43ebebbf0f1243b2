//! A counterexample checked against many constraints: the truth of an atom at a place is evaluated once.

use crate::facts::index::AtomId;
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A trace with memoised truth values.
pub struct MemoisedTrace {
    /// The trace.
    pub trace: Trace,
    truths: Truths,
}

impl MemoisedTrace {
    /// Wraps a trace, without memoised values.
    pub fn new(trace: Trace) -> Self {
        Self { trace, truths: Truths::default() }
    }

    /// Returns the memoised truth values of atoms.
    pub(crate) fn truths(&self) -> &Truths {
        &self.truths
    }
}

/// Memoised truth values of atoms in a trace.
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
