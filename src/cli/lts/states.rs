//! The states of models: their values, and what can become of them.

use super::command_error::CommandError;
use super::shared_args::InvariantArgs;
use crate::cli::refusal::UsageError;
use crate::cli::settings;
use cladist::budget::{Budget, Limited};
use cladist::diagnostics::Diagnostic;
use cladist::explore::{Labelling, StateSpace, with_fates};
use cladist::lts::Lts;
use cladist::lts::decisive::Fates;
use cladist::model::eval::eval_state;
use cladist::model::expr::Expr;
use cladist::model::value::Moment;
use cladist::model::{Environment, Model, Observable, Property};

/// A property of a model, and what can become of its states.
pub struct StateProperty {
    pub name: String,
    /// The steps of the environment, if there is one.
    pub environment: Option<Vec<String>>,
    pub fates: Fates,
}

/// A question about the states of a model.
#[derive(Clone, Copy)]
pub struct StateQuery<'a> {
    /// An invariant, if what can become of them is asked.
    pub asked: Option<&'a InvariantArgs>,
    /// Whose values are asked.
    pub shown: &'a [Observable],
}

/// The values of expressions in each state: `leader={1}`.
pub fn values(
    model: &Model,
    space: &StateSpace<'_>,
    shown: &[Observable],
    budget: &Budget,
) -> Limited<Vec<Vec<String>>> {
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    let of_state = |number: usize| {
        budget.check()?;
        let moment = Moment { label: None, state: space.state(number) };
        let value = |of: &Observable| model.types.show_value(&eval_state(model, &of.expr, &moment));
        Ok(shown.iter().map(|of| format!("{}={}", of.text, value(of))).collect())
    };
    (0..space.len()).map(of_state).collect()
}

/// The invariant of a model that a command names, and the environment.
pub struct NamedInvariant<'m> {
    pub property: &'m Property,
    /// The invariant that every state should satisfy.
    pub invariant: &'m Expr,
    /// The steps of the environment, if there is one.
    pub environment: Option<Environment>,
}

impl<'m> NamedInvariant<'m> {
    pub fn new(model: &'m Model, args: &InvariantArgs) -> Result<Self, UsageError> {
        let refuse =
            |diagnostic| UsageError { diagnostics: vec![diagnostic], sources: model.sources.clone() };
        let (property, invariant) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
        let environment = args.environment.as_deref().map(|text| Environment::parse(model, text));
        let environment = environment.transpose().map_err(|unknown| {
            refuse(Diagnostic::error_without_place(unknown.message).with_help(unknown.help))
        })?;
        let environment = environment.or_else(|| model.environment.clone());
        Ok(Self { property, invariant, environment })
    }

    /// The system, and the fates of its states.
    pub fn decide(
        self,
        file: &str,
        model: &'m Model,
        space: StateSpace<'m>,
        labelling: &Labelling,
        budget: &Budget,
    ) -> Result<(Lts, StateProperty), CommandError> {
        let ended = |why| CommandError::exhausted(&format!("analysing {file}"), why, budget);
        let environment = self.environment.as_ref();
        let decided =
            with_fates(model, space, self.invariant, environment, labelling, budget).map_err(ended)?;
        let (lts, fates) = decided.ok_or_else(|| {
            let message = "steps of the environment and other steps have the same label";
            let help = "leave --no-arguments and --visible out";
            Diagnostic::error_without_place(message).with_help(help)
        })?;
        let environment = environment.map(|environment| environment.names(model));
        Ok((lts, StateProperty { name: self.property.name.clone(), environment, fates }))
    }
}
