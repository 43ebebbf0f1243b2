//! What came of obligations.

use super::{Obligation, Task};
use solvers::smt_solver::SmtAnswer;

/// An obligation and what came of it.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The obligation.
    pub obligation: Obligation,
    /// What the solvers said, if they were asked.
    pub answers: Vec<Answered>,
}

/// What a solver said.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The command that started it.
    pub solver: String,
    /// Its answer, or why there is none.
    pub answer: Result<SmtAnswer, String>,
    /// The seconds that it took.
    pub seconds: f64,
}

/// How an obligation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is so.
    Confirmed,
    /// It is not so: the result is wrong, for this reason.
    Refused(String),
    /// Nobody gave an answer, for this reason.
    Undecided(String),
}

/// How a result as a whole stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Everything that has to be so is.
    Accepted,
    /// Something is not so.
    Refused,
    /// Nothing that was decided is wrong, and not everything was decided.
    Undecided,
}

impl Settled {
    /// How it stands. A single solver that finds a trace where there is to be none refuses it.
    pub fn standing(&self) -> Standing {
        match &self.obligation.task {
            Task::Evaluated(Ok(())) => Standing::Confirmed,
            Task::Evaluated(Err(why)) => Standing::Refused(why.clone()),
            Task::Open(why) => Standing::Undecided(why.clone()),
            Task::Ask(_) | Task::Written => self.of_answers(),
        }
    }

    fn of_answers(&self) -> Standing {
        if let Some(found) = self.answers.iter().find(|said| matches!(said.answer, Ok(SmtAnswer::Sat))) {
            return Standing::Refused(format!("{} finds such a trace", found.solver));
        }
        let open = self.answers.iter().find_map(|said| match &said.answer {
            Ok(SmtAnswer::Unsat) => None,
            Ok(_) => Some(format!("{} gave up", said.solver)),
            Err(why) => Some(format!("{}: {why}", said.solver)),
        });
        match open {
            Some(why) => Standing::Undecided(why),
            None if self.answers.is_empty() => Standing::Undecided("no solver was asked".into()),
            None => Standing::Confirmed,
        }
    }
}

/// How a result stands, given what came of all obligations.
pub fn decision(settled: &[Settled]) -> Decision {
    let standings: Vec<Standing> = settled.iter().map(Settled::standing).collect();
    if standings.iter().any(|standing| matches!(standing, Standing::Refused(_))) {
        return Decision::Refused;
    }
    match standings.iter().all(|standing| *standing == Standing::Confirmed) && !standings.is_empty() {
        true => Decision::Accepted,
        false => Decision::Undecided,
    }
}
