//! The steps that belong to the environment.

use super::entity::Entity;
use super::{Checker, ExprScope, ReadAccess};
use crate::model::expr::ExprKind;
use crate::model::{ActionSteps, ArgumentValue, Environment, Local};
use crate::syntax::ast::{AstActionSteps, AstExpr, Ident, ItemKind};
use kit::diagnostics::Diagnostic;

impl<'a> Checker<'a> {
    /// Checks the declarations of environments; `None` if there are none.
    pub(super) fn check_environment(&mut self, unit: usize) -> Option<Environment> {
        let tree = self.units[unit].tree;
        let declared = tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Environment(steps) => Some(steps),
            _ => None,
        });
        let declared: Vec<&'a Vec<AstActionSteps>> = declared.collect();
        if declared.is_empty() {
            return None;
        }
        let help = "an environment is made of actions";
        let steps = declared.into_iter().flatten().filter_map(|steps| self.action_steps(unit, steps, help));
        Some(Environment { steps: steps.collect() })
    }

    /// The steps of an action; `help` is what to say of something that is none.
    pub(super) fn action_steps(
        &mut self,
        unit: usize,
        written: &'a AstActionSteps,
        help: &str,
    ) -> Option<ActionSteps> {
        let scope = ExprScope::new(unit, ReadAccess::Constants);
        let Ident { name, span } = &written.action;
        let action = match self.entity(unit, name) {
            Some(Entity::Action(action)) => action,
            Some(other) => {
                let error = Diagnostic::error(*span, format!("`{name}` is {}, not an action", other.kind()));
                return self.wrong(error.with_help(help)).ok();
            }
            None => {
                return self.unknown("action", name, *span, &scope, &|e| matches!(e, Entity::Action(_))).ok();
            }
        };
        let params = self.action_params(action);
        let mut with: Vec<ArgumentValue> = Vec::new();
        for (param, value) in &written.with {
            let found = self.environment_argument(unit, name, &params, param, value)?;
            if with.iter().any(|known| known.param == found.param) {
                let message = format!("`{}` is given twice", param.name);
                return self
                    .wrong(Diagnostic::error(param.span, message).with_help("give it one value"))
                    .ok();
            }
            with.push(found);
        }
        Some(ActionSteps { action, with })
    }

    fn environment_argument(
        &mut self,
        unit: usize,
        action: &str,
        params: &[Local],
        name: &Ident,
        written: &'a AstExpr,
    ) -> Option<ArgumentValue> {
        let param = self.parameter_named(action, params, name).ok()?;
        let scope = ExprScope::new(unit, ReadAccess::Constants);
        let place = format!("parameter `{}`", name.name);
        match self.constant_value(scope, &params[param].ty, written, &place).ok()?.kind {
            ExprKind::Const(value) => Some(ArgumentValue { param, value }),
            _ => None,
        }
    }
}
