//! Fairness of actions.

use super::components::dotted;
use super::entity::Entity;
use super::{CheckedInContext, Checker, Context, ExprScope, NameBinding, ReadAccess, check_in_context};
use crate::model::expr::Expr;
use crate::model::value::Value;
use crate::model::{ActionFairness, Local};
use crate::syntax::ast::{AstExpr, AstExprKind, Ident, ItemKind};
use kit::diagnostics::{Diagnostic, Span};

/// There are no more conditions than this, each with its own values of the parameters.
const MOST: usize = 32;

/// Checks a condition of fairness in the scope of a model: of an action, `a` or `a(p)`, or else, unless it is to be strong, a state formula.
pub(in crate::model) fn check_given_fairness<'a>(
    context: Context<'a>,
    expr: &'a AstExpr,
    is_strong: bool,
) -> CheckedInContext<(Vec<Expr>, Vec<ActionFairness>)> {
    check_in_context(context, |checker, unit| match action_named(expr) {
        Some((action, by)) if is_strong || checker.is_action(unit, &action) => {
            Some((Vec::new(), checker.fair_action(unit, is_strong, &action, &by, expr.span)?))
        }
        None if is_strong => {
            let error = Diagnostic::error(expr.span, "strong fairness is about an action");
            checker.report(error.with_help("write `a`, or `a(p)` for each value of its parameter p"));
            None
        }
        _ => Some((vec![checker.state_formula(unit, expr)], Vec::new())),
    })
}

/// The action and the parameters that `a` or `a(p)` names, if it is one.
fn action_named(expr: &AstExpr) -> Option<(Ident, Vec<Ident>)> {
    let named = |name: String, span: Span| Ident { name, span };
    match &expr.kind {
        AstExprKind::Call { path, args } => {
            let name = path.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(".");
            let by = args.iter().map(|arg| match &arg.kind {
                AstExprKind::Name(name) => Some(named(name.clone(), arg.span)),
                _ => None,
            });
            Some((named(name, path.first()?.span), by.collect::<Option<_>>()?))
        }
        _ => Some((named(dotted(expr)?, expr.span), Vec::new())),
    }
}

impl<'a> Checker<'a> {
    fn is_action(&self, unit: usize, action: &Ident) -> bool {
        matches!(self.entity(unit, &action.name), Some(Entity::Action(_)))
    }

    /// Checks a condition `fairness e;`; `None` if it names an action, which is an error.
    pub(super) fn fair_state(&mut self, unit: usize, e: &'a AstExpr) -> Option<Expr> {
        let named = action_named(e).filter(|(action, _)| self.is_action(unit, action));
        if named.is_none() {
            return Some(self.state_formula(unit, e));
        }
        let text = self.text(e.span);
        let error = Diagnostic::error(e.span, format!("`{text}` is an action, not a condition on states"));
        let help = format!(
            "to say that it is taken again and again if it stays enabled, write `fairness action {text};`"
        );
        self.wrong(error.with_help(help)).ok()
    }

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
            let scope = ExprScope::new(unit, ReadAccess::State);
            return self
                .unknown("action", &name.name, name.span, &scope, &|e| matches!(e, Entity::Action(_)))
                .ok();
        };
        let params = self.action_params(action);
        let mut named: Vec<Option<NameBinding>> = vec![None; params.len()];
        for ident in by {
            let param = self.asked_parameter(action, &params, ident, &named).ok()?;
            named[param] = Some(NameBinding::Alias(Expr::bool(true, span)));
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
                return self.wrong(Diagnostic::error(span, message).with_help(help)).ok();
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
            value.as_ref().map(|value| NameBinding::Alias(Expr::element(value.clone(), &param.ty, span)))
        };
        let bound: Vec<Option<NameBinding>> = params.iter().zip(&arguments).map(bind).collect();
        let enabled = self.some_step(name, action, params, &bound, span).ok()?;
        Some(ActionFairness { action, arguments, enabled: super::finished(enabled), strong })
    }
}
