//! Obligations: conditions that must hold if a result is right.

use kit::budget::{Budget, Exhausted};
use lang::model::Model;
use solvers::smt::{LassoQuestion, Theory, TraceQuestion, lasso_script, trace_script};

/// A condition that must hold if a result is right.
#[derive(Debug, Clone)]
pub struct Obligation {
    /// Its name, of letters, digits and hyphens: `class-1-sufficient`.
    pub name: String,
    /// The claim, one sentence without a full stop.
    pub claim: String,
    /// The way it is decided.
    pub task: Task,
}

/// The way an obligation is decided.
#[derive(Debug, Clone)]
pub enum Task {
    /// The script of a question must be unsatisfiable: there are no such traces.
    Ask(Box<Question>),
    /// A script of another program must be unsatisfiable.
    Written,
    /// The reference semantics has evaluated it; an error is the reason why it fails.
    Evaluated(Result<(), String>),
    /// The result does not decide it, for this reason.
    Open(String),
}

/// A question whose answer must be that there are no such traces.
#[derive(Debug, Clone)]
pub enum Question {
    /// A question about finite traces.
    Trace(TraceQuestion),
    /// A question about infinite traces.
    Lasso(LassoQuestion),
}

impl Question {
    /// Returns the question as a script that is satisfiable iff there is such a trace.
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
