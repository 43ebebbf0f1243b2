//! The outcomes of obligations.

use super::{Obligation, Task};
use solvers::smt_solver::SmtAnswer;

/// An obligation with its outcome.
#[derive(Debug, Clone)]
pub struct SettledObligation {
    /// The obligation.
    pub obligation: Obligation,
    /// The answers of the solvers, if they were asked.
    pub answers: Vec<SolverAnswer>,
}

/// The answer of a solver.
#[derive(Debug, Clone)]
pub struct SolverAnswer {
    /// The command that started it.
    pub solver: String,
    /// Its answer, or the reason why there is none.
    pub answer: Result<SmtAnswer, String>,
    /// The time taken, in seconds.
    pub seconds: f64,
}

/// The outcome of an obligation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObligationOutcome {
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

impl SettledObligation {
    /// Returns its outcome. A single solver that finds a trace where there must be none refuses it.
    pub fn standing(&self) -> ObligationOutcome {
        match &self.obligation.task {
            Task::Evaluated(Ok(())) => ObligationOutcome::Confirmed,
            Task::Evaluated(Err(why)) => ObligationOutcome::Refused(why.clone()),
            Task::Open(why) => ObligationOutcome::Undecided(why.clone()),
            Task::Ask(_) | Task::Written => self.of_answers(),
        }
    }

    fn of_answers(&self) -> ObligationOutcome {
        if let Some(found) = self.answers.iter().find(|said| matches!(said.answer, Ok(SmtAnswer::Sat))) {
            return ObligationOutcome::Refused(format!("{} finds such a trace", found.solver));
        }
        let open = self.answers.iter().find_map(|said| match &said.answer {
            Ok(SmtAnswer::Unsat) => None,
            Ok(_) => Some(format!("{} gave up", said.solver)),
            Err(why) => Some(format!("{}: {why}", said.solver)),
        });
        match open {
            Some(why) => ObligationOutcome::Undecided(why),
            None if self.answers.is_empty() => ObligationOutcome::Undecided("no solver was asked".into()),
            None => ObligationOutcome::Confirmed,
        }
    }
}

/// Returns the outcome of a result, given those of all obligations.
pub fn decision(settled: &[SettledObligation]) -> Decision {
    let standings: Vec<ObligationOutcome> = settled.iter().map(SettledObligation::standing).collect();
    if standings.iter().any(|standing| matches!(standing, ObligationOutcome::Refused(_))) {
        return Decision::Refused;
    }
    match standings.iter().all(|standing| *standing == ObligationOutcome::Confirmed) && !standings.is_empty()
    {
        true => Decision::Accepted,
        false => Decision::Undecided,
    }
}
