//! `--fair`, `--strongly-fair` and `--ignore-fairness`: the fairness conditions of infinite traces.

use super::refusal::UsageError;
use cladist::diagnostics::Diagnostic;
use cladist::ltl::Fairness;
use cladist::model::Model;
use cladist::report::GivenFairness;
use clap::Args;

/// The fairness conditions of infinite traces.
#[derive(Debug, Args)]
pub struct FairnessArgs {
    /// Assume weak fairness of an action `a` or `a(p)`, or that a condition holds infinitely often
    ///
    /// As with `fairness action a(p);` in the model: steps that stay possible from some point on are taken, for each value
    /// of the parameter p. Anything else is a condition on states, as in `fairness e;`.
    #[arg(long, value_name = "WHAT")]
    pub fair: Vec<String>,
    /// Assume strong fairness of an action `a` or `a(p)`
    #[arg(long, value_name = "ACTION")]
    pub strongly_fair: Vec<String>,
    /// Ignore the fairness conditions of the model
    #[arg(long)]
    pub ignore_fairness: bool,
}

impl FairnessArgs {
    /// Returns the conditions of infinite traces.
    ///
    /// # Errors
    /// If a given text is not a condition.
    pub fn conditions(&self, model: &Model) -> Result<Vec<Fairness>, UsageError> {
        Fairness::demanded(model, self.ignore_fairness, &self.fair, &self.strongly_fair)
            .map_err(|wrong| UsageError { diagnostics: wrong.diagnostics, sources: wrong.sources })
    }

    /// Returns the given conditions, for a result.
    pub fn given(&self) -> GivenFairness<'_> {
        let Self { fair, strongly_fair, ignore_fairness } = self;
        GivenFairness { ignored: *ignore_fairness, fair, strongly_fair }
    }

    /// Refuses all of these options for commands without questions about infinite traces.
    ///
    /// # Errors
    /// If some option was given.
    pub fn refuse(&self) -> Result<(), Diagnostic> {
        let given = [
            (!self.fair.is_empty(), "--fair"),
            (!self.strongly_fair.is_empty(), "--strongly-fair"),
            (self.ignore_fairness, "--ignore-fairness"),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect();
        let verb = if given.len() == 1 { "has" } else { "have" };
        match given.as_slice() {
            [] => Ok(()),
            names => Err(Diagnostic::error_without_place(format!(
                "{} {verb} no effect on invariants",
                names.join(" and ")
            ))
            .with_help("leave it out, or name a property of ltl with -p")),
        }
    }
}
