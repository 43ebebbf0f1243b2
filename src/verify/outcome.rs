//! The outcomes of obligations.

use super::{Obligation, Task};
use solvers::smt_solver::SmtAnswer;

/// An obligation with its outcome.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The obligation.
    pub obligation: Obligation,
    /// The answers of the solvers, if they were asked.
    pub answers: Vec<Answered>,
}

/// The answer of a solver.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The command that started it.
    pub solver: String,
    /// Its answer, or the reason why there is none.
    pub answer: Result<SmtAnswer, String>,
    /// The time taken, in seconds.
    pub seconds: f64,
}

/// The outcome of an obligation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The obligation holds.
    Confirmed,
    /// The obligation fails: the result is wrong, for this reason.
    Refused(String),
    /// There is no answer, for this reason.
    Undecided(String),
}

/// The outcome of a result as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// All obligations hold.
    Accepted,
    /// Some obligation fails.
    Refused,
    /// No decided obligation fails, and not all were decided.
    Undecided,
}

impl Settled {
    /// Returns its outcome. A single solver that finds a trace where there must be none refuses it.
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

/// Returns the outcome of a result, given those of all obligations.
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
