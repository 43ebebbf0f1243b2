//! The bugs of a model: the actions that violate a property, each of which can be corrected separately
//! ([`explicit::lts::bugs`]).
//!
//! An occurrence is an action as declared. Its dummy has the effect of the action, but hides it: for an invariant, the
//! variables that the property reads keep their values ([`kept`]); a property of labels does not see the label. With an
//! environment, a state from which the environment alone can violate the invariant counts as violating, and the
//! variables that decide that keep their values.

mod marking;
mod skippable;

use super::limits::Stop;
use super::space::StateSpace;
use explicit::lts::bugs::{Bugs, OriginalSize, count};
use explicit::lts::property::{AutomatonTooLarge, ForbiddenTraces};
use explicit::lts::safety::AnalysisError;
use kit::budget::Budget;
use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::{Action, Environment, Model, PathStep, UpdateValue};
use marking::ViolationMarking;
use skippable::{SkipCourse, Skippable};
use std::collections::BTreeSet;

/// The behaviour that a property forbids.
#[derive(Debug, Clone, Copy)]
pub enum Forbidden<'a> {
    /// Reaching a state that violates an invariant.
    States {
        /// The invariant.
        invariant: &'a Expr,
        /// The environment, whose steps are not to be corrected.
        environment: Option<&'a Environment>,
    },
    /// Completing a trace of labels that violates a property.
    Labels(&'a ForbiddenTraces),
}

/// The bugs of a model.
#[derive(Debug)]
pub struct ModelBugs {
    /// The bugs.
    pub bugs: Bugs,
    /// The reason why not all states reachable with dummies are known.
    pub stopped: Option<Stop>,
}

/// The reason why the bugs of a model cannot be counted.
#[derive(Debug)]
pub enum ModelBugsError {
    /// The states of the model itself cannot be listed.
    Stopped(Stop),
    /// The states cannot be analysed.
    Analysis(AnalysisError),
    /// The automaton of the property has too many states.
    Automaton,
}

impl std::fmt::Display for ModelBugsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stopped(Stop::States(limit)) => write!(f, "there are more than {limit} states"),
            Self::Stopped(Stop::Choices(too_many)) => too_many.fmt(f),
            Self::Stopped(Stop::Budget(why)) => why.fmt(f),
            Self::Analysis(error) => error.fmt(f),
            Self::Automaton => AutomatonTooLarge.fmt(f),
        }
    }
}

impl std::error::Error for ModelBugsError {}

impl From<Stop> for ModelBugsError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<kit::budget::Exhausted> for ModelBugsError {
    fn from(why: kit::budget::Exhausted) -> Self {
        Self::Analysis(AnalysisError::Exhausted(why))
    }
}

/// Counts the bugs of a model whose states were all explored, and their violating traces of up to `longest` steps.
///
/// With dummies there can be more states, and more actions that violate the invariant; exploration is therefore
/// repeated until no more are found. If there are more than `most_states` states, or the budget ends, the result is
/// that of the model without dummies. Each time, a fifth of the remaining time is reserved for the analysis.
///
/// # Errors
/// If the budget is exhausted, or the analysis would be too large.
pub fn model_bugs(
    model: &Model,
    space: &StateSpace<'_>,
    forbidden: Forbidden<'_>,
    most_states: usize,
    longest: usize,
    budget: &Budget,
) -> Result<ModelBugs, ModelBugsError> {
    let (invariant, environment) = match forbidden {
        Forbidden::States { invariant, environment } => (Some(invariant), environment),
        Forbidden::Labels(_) => (None, None),
    };
    let kept = invariant.map_or_else(Vec::new, |invariant| kept(model, invariant, environment));
    let explored = |skipped: &[bool], budget: &Budget| {
        let course = SkipCourse { invariant, environment, kept: &kept, skipped, states: most_states };
        Skippable::explore(model, space, course, budget)
    };
    let original = size(space);
    let mut skipped = vec![false; model.actions.len()];
    let mut known = ViolationMarking::new(model, explored(&skipped, budget)?, forbidden)?;
    let mut stopped = None;
    while !known.last.is_empty() && known.last.iter().any(|&action| !skipped[action]) {
        known.last.iter().for_each(|&action| skipped[action] = true);
        match explored(&skipped, &budget.all_but_one(5)) {
            Ok(listed) => known = ViolationMarking::new(model, listed, forbidden)?,
            Err(stop) => {
                stopped = Some(stop);
                break;
            }
        }
    }
    let marked = known.marked(model, original, stopped.is_some(), budget)?;
    let mut bugs = count(marked, longest, budget).map_err(ModelBugsError::Analysis)?;
    marking::without_marks(&mut bugs);
    Ok(ModelBugs { bugs, stopped })
}

/// Returns the size of the system of a model, without the state before several initial ones.
fn size(space: &StateSpace<'_>) -> OriginalSize {
    OriginalSize { states: space.len(), transitions: space.steps(), labels: space.labels.len() }
}

/// Returns the variables that an invariant reads and, with an environment, those that determine the effect of its
/// actions on them: the variables read by an action that changes one of them, and by assumptions.
pub fn kept(model: &Model, invariant: &Expr, environment: Option<&Environment>) -> Vec<VarId> {
    let mut kept = BTreeSet::new();
    read(invariant, &mut kept);
    if let Some(environment) = environment {
        let acting = |at: &usize| environment.steps.iter().any(|steps| steps.action == *at);
        let mut actions: Vec<&Action> =
            (0..model.actions.len()).filter(acting).map(|at| &model.actions[at]).collect();
        if !actions.is_empty() {
            model.assumptions.iter().for_each(|assumption| read(&assumption.expr, &mut kept));
        }
        while let Some(at) = actions.iter().position(|action| changes(action).any(|var| kept.contains(&var)))
        {
            reads(actions.swap_remove(at), &mut kept);
        }
    }
    kept.into_iter().collect()
}

/// Returns the variables that an action can change.
fn changes(action: &Action) -> impl Iterator<Item = VarId> {
    action.updates.iter().map(|update| update.var).chain(action.modifies.iter().copied())
}

/// Adds the variables that an action reads.
fn reads(action: &Action, into: &mut BTreeSet<VarId>) {
    action.requires.iter().chain(&action.constraints).for_each(|formula| read(formula, into));
    for update in &action.updates {
        update.guard.iter().for_each(|guard| read(guard, into));
        let keys = update.path.iter().filter_map(|step| match step {
            PathStep::Index(key) => Some(key),
            PathStep::Field(_) => None,
        });
        keys.for_each(|key| read(key, into));
        let (UpdateValue::Is(value) | UpdateValue::In(value)) = &update.value;
        read(value, into);
    }
}

/// Adds the variables that an expression reads.
fn read(expr: &Expr, into: &mut BTreeSet<VarId>) {
    expr.walk(&mut |part| {
        if let ExprKind::Var(var) | ExprKind::Next(var) = part.kind {
            into.insert(var);
        }
    });
}
