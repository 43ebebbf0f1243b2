//! The variables that a dummy leaves unchanged: those that decide if a state violates an invariant.

use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::{Action, Environment, Model, PathStep, UpdateValue};
use std::collections::BTreeSet;

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
