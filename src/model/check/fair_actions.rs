//! Fairness of actions.

use super::entity::Entity;
use super::{Binding, Checker, Reads, Scope};
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::Expr;
use crate::model::value::Value;
use crate::model::{ActionFairness, Local};
use crate::syntax::ast::{Ident, ItemKind};

/// There are no more conditions than this, each with its own values of the parameters.
const MOST: usize = 32;

impl Checker<'_> {
    /// Checks the conditions `fairness action a(p);`: one for each value of the parameters that are named.
    pub(super) fn check_action_fairness(&mut self, unit: usize) -> Vec<ActionFairness> {
        let tree = self.units[unit].tree;
        let mut list = Vec::new();
        for item in &tree.items {
            if let ItemKind::ActionFairness { strong, action, by } = &item.kind {
                list.extend(self.fair_action(unit, *strong, action, by, item.span).unwrap_or_default());
            }
        }
        list
    }

    /// The conditions of one declaration; `None` after an error.
    fn fair_action(
        &mut self,
        unit: usize,
        strong: bool,
        name: &Ident,
        by: &[Ident],
        span: Span,
    ) -> Option<Vec<ActionFairness>> {
        let Some(Entity::Action(action)) = self.entity(unit, &name.name) else {
            let scope = Scope::new(unit, Reads::State);
            self.unknown("action", &name.name, name.span, &scope, &|e| matches!(e, Entity::Action(_)));
            return None;
        };
        let params = self.action_params(action);
        let mut named: Vec<Option<Binding>> = vec![None; params.len()];
        for ident in by {
            let param = self.asked_parameter(action, &params, ident, &named)?;
            named[param] = Some(Binding::Alias(Expr::bool(true, span)));
        }
        let named: Vec<bool> = named.iter().map(Option::is_some).collect();
        let mut all: Vec<Vec<Option<Value>>> = vec![Vec::new()];
        for (param, named) in params.iter().zip(named) {
            if !named {
                all.iter_mut().for_each(|arguments| arguments.push(None));
                continue;
            }
            if self.types.cardinality(&param.ty).saturating_mul(all.len() as u64) > MOST as u64 {
                let message = format!("`{}` has too many values for a condition each", param.name);
                let help = format!("name fewer parameters: there are at most {MOST} conditions");
                self.report(Diagnostic::error(span, message).with_help(help));
                return None;
            }
            let values = self.types.values(&param.ty);
            let with = |arguments: &Vec<Option<Value>>, value: &Value| {
                arguments.iter().cloned().chain([Some(value.clone())]).collect()
            };
            all = all.iter().flat_map(|arguments| values.iter().map(move |v| with(arguments, v))).collect();
        }
        let condition = |arguments| self.fair_steps(strong, (action, &name.name), &params, arguments, span);
        all.into_iter().map(condition).collect()
    }

    /// The condition about the steps with these arguments; `None` after an error.
    fn fair_steps(
        &mut self,
        strong: bool,
        (action, name): (usize, &str),
        params: &[Local],
        arguments: Vec<Option<Value>>,
        span: Span,
    ) -> Option<ActionFairness> {
        let bind = |(param, value): (&Local, &Option<Value>)| {
            value.as_ref().map(|value| Binding::Alias(Expr::element(value.clone(), &param.ty, span)))
        };
        let bound: Vec<Option<Binding>> = params.iter().zip(&arguments).map(bind).collect();
        let enabled = self.some_step(name, action, params, &bound, span)?;
        Some(ActionFairness { action, arguments, enabled: super::finished(enabled), strong })
    }
}
