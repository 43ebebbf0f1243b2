//! Actions: translation of statements into requirements, assignments and constraints.

use super::entity::Entity;
use super::fold::constant_bool;
use super::places::GuardedAssignment;
use super::relations::assignable;
use super::types::{POISON, coerce, poisoned};
use super::{Checker, ExprScope, NameBinding, ReadAccess, both, finished, or_poison, type_of};
use crate::model::expr::{Expr, ExprKind, Op, VarId};
use crate::model::types::Type;
use crate::model::{Action, Local, Update, UpdateValue, Variable};
use crate::syntax::ast::{AstExpr, Ident, MatchArm, Stmt, StmtKind};
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// The translated statements of an action.
#[derive(Default)]
pub(super) struct ActionBody {
    pub(super) modifies: Vec<VarId>,
    pub(super) requires: Vec<Expr>,
    pub(super) constraints: Vec<Expr>,
    pub(super) assignments: Vec<GuardedAssignment>,
    /// The number of `if` statements so far.
    ifs: usize,
    /// The name of the action; `None` for an operation.
    action: Option<String>,
}

/// The context of a statement: the conditions of the enclosing `if`s.
#[derive(Default, Clone)]
pub(super) struct Guards {
    conditions: Vec<Expr>,
    branches: Vec<(usize, bool)>,
}

impl<'a> Checker<'a> {
    pub(super) fn action_params(&mut self, action: usize) -> Vec<Local> {
        if let Some(params) = &self.actions[action].params {
            return params.clone();
        }
        let (unit, written) = (self.actions[action].unit, self.actions[action].written);
        let params = self.unsilenced(|c| {
            let mut scope = ExprScope::new(unit, ReadAccess::State);
            let mut params = Vec::new();
            for param in written {
                let mut ty = c.resolve_type(unit, &param.ty, &param.name.name);
                let is_integer = matches!(ty.inner(), Type::Int { .. });
                if !is_integer && c.few_values(&ty, param.ty.span, "the parameter of an action").is_err() {
                    ty = POISON;
                }
                params.push(c.bind_parameter(&mut scope, param, ty));
            }
            params
        });
        self.actions[action].params = Some(params.clone());
        params
    }

    pub(super) fn check_actions(&mut self, unit: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        for index in (0..self.actions.len()).filter(|&index| self.actions[index].unit == unit).collect_vec() {
            let params = self.action_params(index);
            let mut scope = ExprScope::new(unit, ReadAccess::State);
            let locals = params.iter().map(|p| (p.name.clone(), NameBinding::Local(p.local, p.ty.clone())));
            scope.locals.extend(locals);
            self.in_step = true;
            let out = self.action_body(&mut scope, index);
            self.in_step = false;
            let name = self.action_name(index);
            self.check_overlaps(("action", &name), &out.assignments);
            self.assigned
                .extend(out.assignments.iter().map(|a| a.update.var).chain(out.modifies.iter().copied()));
            let taken =
                |a: &GuardedAssignment| a.update.guard.as_ref().and_then(constant_bool) != Some(false);
            let updates = out.assignments.into_iter().filter(taken).map(|a| {
                let guard = a.update.guard.filter(|g| constant_bool(g).is_none()).map(finished);
                let value = match a.update.value {
                    UpdateValue::Is(e) => UpdateValue::Is(finished(e)),
                    UpdateValue::In(e) => UpdateValue::In(finished(e)),
                };
                Update { guard, value, ..a.update }
            });
            actions.push(Action {
                name,
                doc: self.actions[index].doc.clone(),
                params,
                requires: out.requires.into_iter().map(finished).collect(),
                updates: updates.collect(),
                modifies: out.modifies,
                constraints: out.constraints.into_iter().map(finished).collect(),
                span: self.actions[index].name.span,
            });
        }
        actions
    }

    /// Translates the statements of an action, whose parameters are bound.
    pub(super) fn action_body(&mut self, scope: &mut ExprScope, action: usize) -> ActionBody {
        let mut out = ActionBody { action: Some(self.action_name(action)), ..ActionBody::default() };
        let (modifies, body) = (self.actions[action].modifies, self.actions[action].body);
        out.modifies = self.modified(scope, modifies);
        self.block(scope, body, &Guards::default(), &mut out);
        out
    }

    fn modified(&mut self, scope: &ExprScope, names: &'a [Ident]) -> Vec<VarId> {
        let mut list = Vec::new();
        for name in names {
            match self.entity(scope.unit, &name.name) {
                Some(Entity::Var(var)) if list.contains(&var) => {
                    let message = format!("`{}` is listed twice", name.name);
                    self.report(Diagnostic::error(name.span, message));
                }
                Some(Entity::Var(var)) => list.push(var),
                Some(other) => {
                    let message = format!("`{}` is {}, not a variable", name.name, other.kind());
                    self.report(Diagnostic::error(name.span, message));
                }
                None => {
                    let scope = ExprScope::new(scope.unit, ReadAccess::State);
                    let variables = |e| matches!(e, Entity::Var(_));
                    _ = self.unknown::<()>("variable", &name.name, name.span, &scope, &variables);
                }
            }
        }
        list
    }

    /// Translates the statements of a block; its `let`s end with it.
    pub(super) fn block(
        &mut self,
        scope: &mut ExprScope,
        stmts: &'a [Stmt],
        guards: &Guards,
        out: &mut ActionBody,
    ) {
        let (locals, lets, known) = (scope.locals.len(), scope.lets.len(), scope.known.len());
        for stmt in stmts {
            self.statement(scope, stmt, guards, out);
        }
        scope.known.truncate(known);
        scope.locals.truncate(locals);
        scope.lets.truncate(lets);
    }

    fn statement(&mut self, scope: &mut ExprScope, stmt: &'a Stmt, guards: &Guards, out: &mut ActionBody) {
        match &stmt.kind {
            StmtKind::Require(e) => {
                let Ok(required) = self.bool(scope, e) else { return };
                // There is no step where it does not hold.
                scope.learn_present(&required, true);
                let required = Expr::with_names(&scope.lets, required);
                out.requires.push(self.guarded(guards, required));
            }
            StmtKind::Constrain(formulas) => {
                scope.primes = true;
                for e in formulas {
                    if let Ok(formula) = self.bool(scope, e) {
                        let formula = Expr::with_names(&scope.lets, formula);
                        out.constraints.push(self.guarded(guards, formula));
                    }
                }
                scope.primes = false;
            }
            StmtKind::Assign { target, value } => {
                let place = self.place(scope, target);
                let expected = place.as_ref().map_or(POISON, |place| place.ty.clone());
                let typed = self.stored(scope, value, &expected);
                let Ok(place) = place else { return };
                let text = format!("`{}`", self.text(target.span).replace('\'', ""));
                // Where the value may be `none`, there may be such steps.
                let sure = out.action.as_ref().filter(|_| !type_of(&typed).is_option());
                let otherwise = match (sure, guards.conditions.is_empty()) {
                    (Some(action), true) => format!(", so action `{action}` has no step"),
                    (Some(action), false) => format!(", so action `{action}` has no step that does this"),
                    (None, _) => String::new(),
                };
                let typed = typed.and_then(|typed| {
                    let typed = self.fitting_or(scope, typed, &place.ty, value, (&text, &otherwise))?;
                    Ok(Expr::with_names(&scope.lets, self.reshaped(typed, &place.ty)))
                });
                let typed = or_poison(typed, value.span);
                self.assign(place, UpdateValue::Is(typed), target.span, stmt.span, guards, out);
            }
            StmtKind::Choose { target, set } => {
                let place = self.place(scope, target);
                let Ok(((typed, element), place)) = both(self.domain(scope, set), place) else { return };
                if !assignable(&self.types, &element, &place.ty) {
                    let (ty, found) = (self.show(&place.ty), self.show(&element));
                    let text = self.text(target.span).replace('\'', "");
                    let message = format!("`{text}` is {ty}, but this is a set of {found}");
                    self.report(Diagnostic::error(set.span, message));
                    return;
                }
                let typed = coerce(typed, &Self::set_type(place.ty.inner().clone()));
                let typed = self.members_of_type(typed, place.ty.inner());
                let typed = Expr::with_names(&scope.lets, typed);
                self.assign(place, UpdateValue::In(typed), target.span, stmt.span, guards, out);
            }
            StmtKind::If { cond, then, otherwise } => {
                let condition = or_poison(self.bool(scope, cond), cond.span);
                let known = scope.known.len();
                let mut rest = guards.clone();
                self.branch(scope, &condition, &mut rest, out, |c, s, inner, out| {
                    c.block(s, then, inner, out);
                });
                self.block(scope, otherwise, &rest, out);
                scope.known.truncate(known);
            }
            StmtKind::Match { value, arms } => {
                self.cases_of_statements(scope, value, arms, stmt.span, guards, out)
            }
            StmtKind::Let(bindings) => self.let_statement(scope, bindings),
            StmtKind::Call { operation, args } => {
                self.call_operation(scope, (operation, args), stmt.span, guards, out)
            }
            StmtKind::ForAll { var, domain, body } => self.for_all(scope, (var, domain, body), guards, out),
        }
    }

    /// The statements of a `forall`, for each value of its domain.
    fn for_all(
        &mut self,
        scope: &mut ExprScope,
        (var, domain, body): (&'a Ident, &'a AstExpr, &'a [Stmt]),
        guards: &Guards,
        out: &mut ActionBody,
    ) {
        let Ok((set, element)) = self.domain(scope, domain) else { return };
        let Some(members) = self.members_of(&set) else {
            let error = Diagnostic::error(domain.span, "the domain of a `forall` statement must be constant");
            let help = "range over a type, and put the statements into an `if`";
            self.report(error.with_help(help));
            return;
        };
        self.warn_shadowed(scope, var);
        let before = self.diagnostics.len();
        for member in members {
            let known = self.diagnostics.len();
            let binding = NameBinding::Alias(Expr::element(member, &element, var.span));
            scope.locals.push((var.name.clone(), binding));
            self.block(scope, body, guards, out);
            scope.locals.pop();
            // An error for one value usually recurs for all.
            let new = self.diagnostics.split_off(known);
            let told: Vec<Option<Span>> = self.diagnostics[before..].iter().map(|d| d.span).collect();
            self.diagnostics.extend(new.into_iter().filter(|d| !told.contains(&d.span)));
        }
    }

    /// A `match` whose cases are statements: each is under the condition that its pattern fits, and none before it.
    fn cases_of_statements(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        arms: &'a [MatchArm<Vec<Stmt>>],
        span: Span,
        guards: &Guards,
        out: &mut ActionBody,
    ) {
        let Ok(subject) = self.looked_at(scope, value, arms) else { return };
        let Ok(cases) = self.cases(scope, &subject, value, arms, span) else { return };
        let mut rest = guards.clone();
        let known = scope.known.len();
        for case in cases {
            self.branch(scope, &case.condition, &mut rest, out, |c, s, inner, out| {
                c.with_names(s, case.names, |c, s| c.block(s, case.body, inner, out));
            });
        }
        scope.known.truncate(known);
    }

    /// Translates what happens under a condition. Afterwards, `rest` and what is known of integers are those of what happens
    /// where it does not hold.
    fn branch(
        &mut self,
        scope: &mut ExprScope,
        condition: &Expr,
        rest: &mut Guards,
        out: &mut ActionBody,
        translate: impl FnOnce(&mut Self, &mut ExprScope, &Guards, &mut ActionBody),
    ) {
        let id = out.ifs;
        out.ifs += 1;
        let guard = Expr::with_names(&scope.lets, condition.clone());
        let mut inner = rest.clone();
        inner.conditions.push(guard.clone());
        inner.branches.push((id, true));
        let known = scope.known.len();
        scope.learn(condition, true);
        translate(self, scope, &inner, out);
        scope.known.truncate(known);
        rest.conditions.push(self.negation(guard));
        rest.branches.push((id, false));
        scope.learn(condition, false);
    }

    /// A formula that must hold only if the guards do.
    fn guarded(&self, guards: &Guards, formula: Expr) -> Expr {
        match self.conjunction_of(guards) {
            Some(guard) if !poisoned(&guard.ty) => {
                let span = formula.span;
                let otherwise = self.negation(guard);
                Expr { span, ..self.folded(Expr::binary_bool(Op::Or, otherwise, formula)) }
            }
            _ => formula,
        }
    }

    fn conjunction_of(&self, guards: &Guards) -> Option<Expr> {
        let all = guards.conditions.iter().cloned();
        all.reduce(|a, b| self.folded(Expr::binary_bool(Op::And, a, b)))
    }

    fn assign(
        &mut self,
        place: super::places::AssignedPlace,
        value: UpdateValue,
        target: Span,
        span: Span,
        guards: &Guards,
        out: &mut ActionBody,
    ) {
        let guard = self.conjunction_of(guards);
        let update = Update { guard, var: place.var, path: place.path, ty: place.ty, value, span };
        out.assignments.push(GuardedAssignment {
            update,
            branches: guards.branches.clone(),
            target,
            call: None,
        });
    }
}

/// Warnings about variables to which `init` gives a value and no action, in whatever branch, assigns another one. A value that `init` leaves
/// open is chosen once, and can be no constant. Parts of components may be there for their other importers.
pub(super) fn warnings(
    variables: &[Variable],
    init: &[Expr],
    assigned: &FxHashSet<VarId>,
) -> Vec<Diagnostic> {
    let mut given = FxHashSet::default();
    init.iter().for_each(|formula| collect_given(formula, &mut given));
    let warn = |(variable, index): (&Variable, u32)| {
        let is_fixed = given.contains(&VarId(index)) && !assigned.contains(&VarId(index));
        (is_fixed && !variable.name.contains('.')).then(|| {
            let message = format!("no action assigns `{}`, so it keeps its initial value", variable.name);
            let help = "assign it in an action, or declare it with `const`";
            Diagnostic::warning(variable.span, message).with_help(help)
        })
    };
    variables.iter().zip(0..).filter_map(warn).collect()
}

/// Collects the variables whose value a formula gives.
fn collect_given(formula: &Expr, given: &mut FxHashSet<VarId>) {
    match &formula.kind {
        ExprKind::Binary(Op::And, a, b) => [a, b].into_iter().for_each(|part| collect_given(part, given)),
        ExprKind::Binary(Op::Eq, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Var(id), other) | (other, ExprKind::Var(id))
                if matches!(other, ExprKind::Const(_)) =>
            {
                given.insert(*id);
            }
            _ => {}
        },
        ExprKind::Var(id) => drop(given.insert(*id)),
        ExprKind::Not(inner) => {
            if let ExprKind::Var(id) = inner.kind {
                given.insert(id);
            }
        }
        _ => {}
    }
}
