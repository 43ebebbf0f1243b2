//! Terms: what is left to do. Equal terms are one.

use crate::process::program::{CodeId, Slot};
use crate::process::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a term.
pub type TermId = u32;
/// The variables of a process.
pub type Env = Rc<[Option<Value>]>;
/// The gates of a process: for each of its places the gate of the system, or a hidden one.
pub type Gates = Rc<[u32]>;

/// What is left to do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Nothing, for ever.
    Stop,
    /// Nothing: what comes afterwards can go on.
    Done(Env),
    /// A piece of code that does something itself: an action, a choice, a loop.
    Code(CodeId, Env, Gates),
    /// A term, and then a piece of code.
    Sequence(TermId, CodeId, Gates),
    /// A turn of a loop.
    Loop(TermId, CodeId, Gates),
    /// The body of a process, and then the caller with these variables.
    Return(TermId, Env),
    /// The branches of a parallel composition, which began with these variables.
    Par(CodeId, Rc<[TermId]>, Env, Gates),
    /// A term with a gate that is not seen outside.
    Hide(TermId, u32),
    /// A term that a piece of code can interrupt.
    Disrupt(TermId, CodeId, Env, Gates),
}

/// All terms so far.
#[derive(Debug, Default)]
pub struct Terms {
    all: Vec<Term>,
    numbers: FxHashMap<Term, TermId>,
}

impl Terms {
    /// The number of a term, a new one if it was not there yet.
    pub fn intern(&mut self, term: Term) -> TermId {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let number = self.all.len() as TermId;
        self.all.push(term.clone());
        self.numbers.insert(term, number);
        number
    }

    /// A term; cheap.
    pub fn get(&self, number: TermId) -> Term {
        self.all[number as usize].clone()
    }

    /// The variables with which a term is done, if it is.
    pub fn done(&self, number: TermId) -> Option<Env> {
        match &self.all[number as usize] {
            Term::Done(env) => Some(env.clone()),
            _ => None,
        }
    }
}

/// Only these variables, which are in ascending order.
pub fn masked(env: &Env, kept: &[Slot]) -> Env {
    let is_kept = |at: usize| kept.binary_search(&(at as Slot)).is_ok();
    if env.iter().enumerate().all(|(at, value)| value.is_none() || is_kept(at)) {
        return env.clone();
    }
    env.iter().enumerate().map(|(at, value)| value.clone().filter(|_| is_kept(at))).collect()
}

/// The variables with some of them changed.
pub fn with(env: &Env, changes: impl IntoIterator<Item = (Slot, Value)>) -> Env {
    let mut env = env.to_vec();
    changes.into_iter().for_each(|(slot, value)| env[slot as usize] = Some(value));
    env.into()
}
