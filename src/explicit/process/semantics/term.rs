//! Process terms: the behaviour that remains. Equal terms are shared (hash consing).

use crate::process::program::{CodeId, GateId, Slot};
use crate::process::value::ProcessValue;
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Identifies a term; equal terms have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// The values of the variables of a process; `None` for those that have none, or whose value is not needed any more.
pub type ProcessEnv = Rc<[Option<ProcessValue>]>;
/// The gates of a process: for each formal gate the gate of the system, or a hidden one.
pub type ActualGates = Rc<[GateId]>;

/// The behaviour that remains.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BehaviourTerm {
    /// Inaction.
    Stop,
    /// Successful termination.
    Done(ProcessEnv),
    /// Code that starts with an action, a choice or a loop.
    Code(CodeId, ProcessEnv, ActualGates),
    /// Sequential composition of a term and code.
    Sequence(TermId, CodeId, ActualGates),
    /// The rest of the current iteration of a loop, and the loop.
    Loop(TermId, CodeId, ActualGates),
    /// The body of a called process, and the variables of the caller; the code is the call.
    Return(TermId, ProcessEnv, CodeId),
    /// Parallel composition: the branches, and the variables at its start.
    Par(CodeId, Rc<[TermId]>, ProcessEnv, ActualGates),
    Hide(TermId, GateId),
    /// Disabling: a term that code can interrupt.
    Disrupt(TermId, CodeId, ProcessEnv, ActualGates),
}

#[derive(Debug, Default)]
pub struct TermTable {
    all: Vec<BehaviourTerm>,
    numbers: FxHashMap<BehaviourTerm, TermId>,
}

impl TermTable {
    /// The identifier of a term, which is added if it is new.
    pub fn intern(&mut self, term: BehaviourTerm) -> TermId {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let number = TermId(to_u32(self.all.len()));
        self.all.push(term.clone());
        self.numbers.insert(term, number);
        number
    }

    /// A term; its parts are shared, so that this copies little.
    pub fn get(&self, number: TermId) -> BehaviourTerm {
        self.all[number.0 as usize].clone()
    }

    /// The variables with which a term has terminated, if it has.
    pub fn done(&self, number: TermId) -> Option<ProcessEnv> {
        match &self.all[number.0 as usize] {
            BehaviourTerm::Done(env) => Some(env.clone()),
            _ => None,
        }
    }
}

/// Forgets all values but those of `kept`, which is in ascending order.
pub fn masked(env: &ProcessEnv, kept: &[Slot]) -> ProcessEnv {
    let is_kept = |at: usize| kept.binary_search(&Slot::new(at)).is_ok();
    if env.iter().enumerate().all(|(at, value)| value.is_none() || is_kept(at)) {
        return env.clone();
    }
    env.iter().enumerate().map(|(at, value)| value.clone().filter(|_| is_kept(at))).collect()
}

/// The variables after some assignments.
pub fn with(env: &ProcessEnv, changes: impl IntoIterator<Item = (Slot, ProcessValue)>) -> ProcessEnv {
    let mut env = env.to_vec();
    changes.into_iter().for_each(|(slot, value)| env[slot.index()] = Some(value));
    env.into()
}
