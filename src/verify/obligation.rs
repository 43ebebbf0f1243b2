//! Obligations: what has to be so if a result is right.

use crate::smt::TraceQuestion;

/// Something that has to be so if a result is right.
#[derive(Debug, Clone)]
pub struct Obligation {
    /// Its name, of letters, digits and hyphens: `class-1-sufficient`.
    pub name: String,
    /// What it means, one sentence without a full stop.
    pub claim: String,
    /// How it is decided.
    pub task: Task,
}

/// How an obligation is decided.
#[derive(Debug, Clone)]
pub enum Task {
    /// There are no such traces: the script of the question has to be unsatisfiable.
    Ask(Box<TraceQuestion>),
    /// A script that somebody else wrote has to be unsatisfiable.
    Written,
    /// It was evaluated by the reference semantics; an error says why it is not so.
    Evaluated(Result<(), String>),
    /// It cannot be decided from the result, for this reason.
    Open(String),
}

impl Obligation {
    pub(super) fn new(name: impl Into<String>, claim: impl Into<String>, task: Task) -> Self {
        Self { name: name.into(), claim: claim.into(), task }
    }

    pub(super) fn evaluated(
        name: impl Into<String>,
        claim: impl Into<String>,
        result: Result<(), String>,
    ) -> Self {
        Self::new(name, claim, Task::Evaluated(result))
    }

    pub(super) fn ask(name: impl Into<String>, claim: impl Into<String>, question: TraceQuestion) -> Self {
        Self::new(name, claim, Task::Ask(Box::new(question)))
    }

    pub(super) fn open(name: impl Into<String>, claim: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(name, claim, Task::Open(why.into()))
    }
}
