//! `check` of branching-time properties.

use super::args::CheckArgs;
use super::ctl::{conditions, doubts};
use super::linear::Decided;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::ctl::{expression_text, formula_of_model};
use cladist::decide::{self, Basis, Branching, BranchingOptions, NoDecision};
use cladist::model::expr::Formula;
use cladist::model::{Model, Remembering};
use cladist::report::PropertyOutcome;

/// Decides a formula, as `cladist ctl` does; `name` is that of the property.
pub fn decide(
    args: &CheckArgs,
    model: &Model,
    (name, body): (&str, &Formula),
    budget: &Budget,
) -> Result<Decided, UsageError> {
    let mut remembering = Remembering::new(model);
    let conditions = conditions(&args.fairness, Some(name), &mut remembering)?;
    let formula =
        formula_of_model(body, &conditions, |e, named| expression_text(&model.sources, model, e, named));
    let options = BranchingOptions { backend: args.engine.solver.backend(), ..BranchingOptions::default() };
    let only = |outcome| Decided { outcome, notices: Vec::new() };
    Ok(match decide::branching(&remembering.model, &formula, &options, budget) {
        Ok(Branching { verdict, basis, doubts: found, .. }) => Decided {
            outcome: PropertyOutcome::Branching { verdict, basis },
            notices: doubts(&found, &formula.formula, !conditions.strong.is_empty()),
        },
        // The command warns that every property holds then.
        Err(NoDecision::NoInitialState) => only(PropertyOutcome::Branching {
            verdict: cladist::ctl::CtlVerdict::Holds,
            basis: Basis::States { states: 0, transitions: 0 },
        }),
        Err(NoDecision::Exhausted { why, .. }) => only(PropertyOutcome::Undecided { why, depth: 0 }),
    })
}
