//! Fates of the states of a model: lost, safe or open.

use super::describe::describe;
use super::limits::{DEFAULT_SEARCH_LIMIT, Stop};
use super::space::{ExplorationCourse, StateSpace};
use super::state_space::{Labelling, state_space, state_space_with};
use explicit::lts::decisive::{Fates, StateFate, without_losing};
use explicit::lts::{Bits, Lts, StateId};
use kit::budget::{Budget, Exhausted};
use lang::model::expr::Expr;
use lang::model::fates::FateFormulas;
use lang::model::value::State;
use lang::model::{Environment, Model, Position};
use lang::trace::Trace;

/// All reachable states of a model with their fates for one of its invariants.
#[derive(Debug, Clone)]
pub struct ListedFates {
    /// The states.
    pub states: Vec<State>,
    /// Their steps, labelled with actions and arguments; states have the same numbers, possibly followed by one more,
    /// from which steps lead to several initial ones.
    pub lts: Lts,
    /// The fates of the states.
    pub fates: Fates,
}

/// A decisive step of a trace, with the alternatives that do not lose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisivePlace {
    /// The position that the step leads to.
    pub position: Position,
    /// The alternative steps that do not lose, safe ones first.
    pub right: Vec<RightStep>,
    /// True if omitting the step would not lose either, because there is an environment.
    pub may_rest: bool,
}

/// A step that does not lose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RightStep {
    /// Its label: `swallow(n=3,i=1)`.
    pub label: String,
    /// The worst fate that it leads to: safe or open.
    pub leads_to: StateFate,
}

/// Returns the state space that was explored, and the fates of its states; `None` if steps of the environment and other
/// steps have the same label.
///
/// # Errors
/// If the budget is exhausted.
pub fn with_fates(
    model: &Model,
    space: StateSpace<'_>,
    invariant: &Expr,
    environment: Option<&Environment>,
    labelling: &Labelling,
    budget: &Budget,
) -> Result<Option<(Lts, Fates)>, Exhausted> {
    let violating = space.violating(invariant, budget)?;
    let (lts, its) = match environment {
        None => (state_space(model, space, labelling, budget)?, None),
        Some(environment) => match state_space_with(model, space, labelling, environment, budget)? {
            Some((lts, its)) => (lts, Some(its)),
            None => return Ok(None),
        },
    };
    let fates = Fates::new(&lts, violating, its.as_ref(), budget)?;
    Ok(Some((lts, fates)))
}

impl ListedFates {
    /// Lists at most `limit` states. The environment is that of the model, if `environment` is not given.
    ///
    /// # Errors
    /// If there are more states, or too many choices in one state, or the budget ends.
    pub fn new(
        model: &Model,
        invariant: &Expr,
        environment: Option<&Environment>,
        limit: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut space = StateSpace::new(model);
        let choices = limit.max(DEFAULT_SEARCH_LIMIT);
        space.explore(ExplorationCourse { choices, ..ExplorationCourse::states(limit, budget) });
        if let Some(why) = space.stopped.take() {
            return Err(why);
        }
        let states: Vec<State> = (0..space.len()).map(|number| space.state(number)).collect();
        let labelling = Labelling { arguments: true, visible: vec![true; model.actions.len()] };
        let environment = environment.or(model.environment.as_ref());
        let decided = with_fates(model, space, invariant, environment, &labelling, budget);
        let (lts, fates) = decided.map_err(Stop::Budget)?.unwrap_or_else(|| {
            unreachable!("labels with all arguments are distinct");
        });
        Ok(Self { states, lts, fates })
    }

    /// Returns the alternatives to the step to a position; `None` if that step is not decisive.
    pub fn decisive_place(&self, trace: &Trace, position: Position) -> Option<DecisivePlace> {
        let number = |at: Position| {
            let state = &trace.moments.get(at.index())?.state;
            self.states.iter().position(|known| known == state).map(StateId::new)
        };
        let (before, after) = (number(position.previous()?)?, number(position)?);
        if !self.fates.is_decisive(before, after) {
            return None;
        }
        let right = without_losing(&self.lts, &self.fates, before).into_iter().map(|other| RightStep {
            label: self.lts.labels().text(other.label).into_owned(),
            leads_to: other.fate,
        });
        Some(DecisivePlace { position, right: right.collect(), may_rest: self.fates.has_environment() })
    }

    /// Returns formulas of the lost and the safe states, which are exact for all reachable states.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn formulas(&self, model: &Model, budget: &Budget) -> Result<FateFormulas, Exhausted> {
        let of = |fate: StateFate| {
            let mut wanted = Bits::new(self.states.len());
            for state in 0..self.states.len() {
                if self.fates.of(StateId::new(state)) == fate {
                    wanted.insert(state);
                }
            }
            describe(model, &self.states, &wanted, budget)
        };
        Ok(FateFormulas { lost: of(StateFate::Lost)?, safe: of(StateFate::Safe)? })
    }
}
