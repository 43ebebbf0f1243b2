//! Results verified by z3, each script once.

use cladist::budget::Budget;
use cladist::model::Model;
use cladist::smt::Theory;
use cladist::smt_solver::{SmtAnswer, SmtSolver};
use cladist::verify::{SettledObligation, SolverAnswer, Stored, Task, obligations};
use std::collections::HashMap;
use std::time::Duration;

/// The time for writing a script, and for its answer. Nothing that was not changed takes so long.
const LIMIT: Duration = Duration::from_secs(20);

/// A solver with what it said before.
pub struct Verifier {
    solver: SmtSolver,
    said: HashMap<String, Result<SmtAnswer, String>>,
}

impl Verifier {
    /// With z3; `None`, and a word about it, if that is not installed.
    pub fn new() -> Option<Self> {
        let solver = SmtSolver::usual();
        if solver.is_none() {
            eprintln!("skipped: z3 is not in PATH");
        }
        Some(Self { solver: solver?, said: HashMap::new() })
    }

    /// What comes of the obligations of a result. No solver is asked where one of them is not so.
    pub fn settled(&mut self, model: &Model, stored: &Stored) -> Vec<SettledObligation> {
        let all = obligations(model, stored);
        let is_wrong = all.iter().any(|one| matches!(one.task, Task::Evaluated(Err(_))));
        all.into_iter()
            .map(|obligation| {
                let answers = match &obligation.task {
                    Task::Ask(question) if !is_wrong => {
                        // A bound that was changed can be a very large one.
                        let budget = Budget::unlimited().with_timeout(LIMIT);
                        let script = question.script(model, Theory::Bv, &budget);
                        let answer = script.map_err(|why| format!("{why:?}"));
                        vec![self.answered(answer)]
                    }
                    _ => Vec::new(),
                };
                SettledObligation { obligation, answers }
            })
            .collect()
    }

    fn answered(&mut self, script: Result<String, String>) -> SolverAnswer {
        let (solver, said) = (&self.solver, &mut self.said);
        let answer = script.and_then(|script| {
            let ask = |script: &String| {
                let budget = Budget::unlimited().with_timeout(LIMIT);
                solver.ask(script, &budget).map_err(|why| why.to_string())
            };
            said.entry(script).or_insert_with_key(ask).clone()
        });
        SolverAnswer { solver: solver.name(), answer, seconds: 0.0 }
    }
}
