//! Obligations: what has to be so if a result is right.

use kit::budget::{Budget, Exhausted};
use lang::model::Model;
use solvers::smt::{LassoQuestion, Theory, TraceQuestion, lasso_script, trace_script};

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
    Ask(Box<Question>),
    /// A script that somebody else wrote has to be unsatisfiable.
    Written,
    /// It was evaluated by the reference semantics; an error says why it is not so.
    Evaluated(Result<(), String>),
    /// It cannot be decided from the result, for this reason.
    Open(String),
}

/// A question to which the answer has to be that there are no such traces.
#[derive(Debug, Clone)]
pub enum Question {
    /// About finite traces.
    Trace(TraceQuestion),
    /// About infinite traces.
    Lasso(LassoQuestion),
}

impl Question {
    /// The question as a script that is satisfiable iff there is such a trace.
    ///
    /// # Errors
    /// If the budget is exhausted before the script is complete.
    pub fn script(&self, model: &Model, theory: Theory, budget: &Budget) -> Result<String, Exhausted> {
        match self {
            Self::Trace(question) => trace_script(model, question, theory, budget),
            Self::Lasso(question) => lasso_script(model, question, theory, budget),
        }
    }
}

impl From<TraceQuestion> for Question {
    fn from(question: TraceQuestion) -> Self {
        Self::Trace(question)
    }
}

impl From<LassoQuestion> for Question {
    fn from(question: LassoQuestion) -> Self {
        Self::Lasso(question)
    }
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

    pub(super) fn ask(
        name: impl Into<String>,
        claim: impl Into<String>,
        question: impl Into<Question>,
    ) -> Self {
        Self::new(name, claim, Task::Ask(Box::new(question.into())))
    }

    pub(super) fn open(name: impl Into<String>, claim: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(name, claim, Task::Open(why.into()))
    }
}
