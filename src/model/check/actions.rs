//! Actions: translation of statements into requirements, assignments and constraints.

use super::entity::Entity;
use super::fold::constant_bool;
use super::let_in;
use super::operators::negation;
use super::places::Assignment;
use super::types::{POISON, assignable, coerce, poisoned};
use super::{Binding, Checker, Reads, Scope, finished};
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::{Expr, Op, VarId};
use crate::model::types::Type;
use crate::model::{Action, Local, Update, UpdateValue};
use crate::syntax::ast::{self, ItemKind, StmtKind};

/// The translated statements of an action.
#[derive(Default)]
pub(super) struct Body {
    pub(super) modifies: Vec<VarId>,
    pub(super) requires: Vec<Expr>,
    pub(super) constraints: Vec<Expr>,
    pub(super) assignments: Vec<Assignment>,
    /// The number of `if` statements so far.
    ifs: usize,
}

/// The context of a statement: the conditions of the enclosing `if`s.
#[derive(Default, Clone)]
struct Guards {
    conditions: Vec<Expr>,
    branches: Vec<(usize, bool)>,
}

impl<'a> Checker<'a> {
    /// The parameters of an action.
    pub(super) fn action_params(&mut self, action: usize) -> Vec<Local> {
        if let Some(params) = &self.actions[action].params {
            return params.clone();
        }
        let (unit, written) = (self.actions[action].unit, self.actions[action].written);
        let params = self.unsilenced(|c| {
            let mut scope = Scope::new(unit, Reads::State);
            let mut params = Vec::new();
            for param in written {
                let mut ty = c.resolve_type(unit, &param.ty, &param.name.name);
                let is_integer = matches!(ty.inner(), Type::Int { .. });
                if !is_integer && !c.few_values(&ty, param.ty.span, "the parameter of an action") {
                    ty = POISON;
                }
                params.push(c.bind_parameter(&mut scope, param, ty));
            }
            params
        });
        self.actions[action].params = Some(params.clone());
        params
    }

    /// Checks all actions of the model.
    pub(super) fn check_actions(&mut self, unit: usize) -> Vec<Action> {
        let tree = self.units[unit].tree;
        let mut actions = Vec::new();
        for item in &tree.items {
            let ItemKind::Action { name, .. } = &item.kind else { continue };
            // A second action with the same name was reported as an error.
            let index = actions.len();
            let params = self.action_params(index);
            let mut scope = Scope::new(unit, Reads::State);
            let locals = params.iter().map(|p| (p.name.clone(), Binding::Local(p.local, p.ty.clone())));
            scope.locals.extend(locals);
            self.in_step = true;
            let out = self.action_body(&mut scope, index);
            self.in_step = false;
            self.check_overlaps(&name.name, &out.assignments);
            let taken = |a: &Assignment| a.update.guard.as_ref().and_then(constant_bool) != Some(false);
            let updates = out.assignments.into_iter().filter(taken).map(|a| {
                let guard = a.update.guard.filter(|g| constant_bool(g).is_none()).map(finished);
                let value = match a.update.value {
                    UpdateValue::Is(e) => UpdateValue::Is(finished(e)),
                    UpdateValue::In(e) => UpdateValue::In(finished(e)),
                };
                Update { guard, value, ..a.update }
            });
            actions.push(Action {
                name: name.name.clone(),
                doc: item.doc.clone(),
                params,
                requires: out.requires.into_iter().map(finished).collect(),
                updates: updates.collect(),
                modifies: out.modifies,
                constraints: out.constraints.into_iter().map(finished).collect(),
                span: name.span,
            });
        }
        actions
    }

    /// Translates the statements of an action, whose parameters are bound.
    pub(super) fn action_body(&mut self, scope: &mut Scope, action: usize) -> Body {
        let mut out = Body::default();
        let actions = self.units[scope.unit].tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Action { modifies, body, .. } => Some((modifies, body)),
            _ => None,
        });
        if let Some((modifies, body)) = actions.into_iter().nth(action) {
            out.modifies = self.modified(scope, modifies);
            self.block(scope, body, &Guards::default(), &mut out);
        }
        out
    }

    fn modified(&mut self, scope: &Scope, names: &'a [ast::Ident]) -> Vec<VarId> {
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
                    let scope = Scope::new(scope.unit, Reads::State);
                    let variables = |e| matches!(e, Entity::Var(_));
                    self.unknown("variable", &name.name, name.span, &scope, &variables);
                }
            }
        }
        list
    }

    /// Translates the statements of a block; its `let`s end with it.
    fn block(&mut self, scope: &mut Scope, stmts: &'a [ast::Stmt], guards: &Guards, out: &mut Body) {
        let (locals, lets) = (scope.locals.len(), scope.lets.len());
        for stmt in stmts {
            self.statement(scope, stmt, guards, out);
        }
        scope.locals.truncate(locals);
        scope.lets.truncate(lets);
    }

    fn statement(&mut self, scope: &mut Scope, stmt: &'a ast::Stmt, guards: &Guards, out: &mut Body) {
        match &stmt.kind {
            StmtKind::Require(e) => {
                let required = self.bool(scope, e);
                let required = let_in::wrap(&scope.lets, required);
                out.requires.push(self.guarded(guards, required));
            }
            StmtKind::Constrain(formulas) => {
                scope.primes = true;
                for e in formulas {
                    let formula = self.bool(scope, e);
                    let formula = let_in::wrap(&scope.lets, formula);
                    out.constraints.push(self.guarded(guards, formula));
                }
                scope.primes = false;
            }
            StmtKind::Assign { target, value } => {
                let place = self.place(scope, target);
                let expected = place.as_ref().map_or(POISON, |place| place.ty.clone());
                let typed = self.expr_for(scope, value, &expected);
                let Some(place) = place else { return };
                let text = format!("`{}`", self.text(target.span).replace('\'', ""));
                let typed = self.fitting(scope, typed, &place.ty, value, &text);
                let typed = let_in::wrap(&scope.lets, typed);
                self.assign(place, UpdateValue::Is(typed), target.span, stmt.span, guards, out);
            }
            StmtKind::Choose { target, set } => {
                let place = self.place(scope, target);
                let (typed, element) = self.domain(scope, set);
                let Some(place) = place else { return };
                if !assignable(&element, &place.ty) {
                    let (ty, found) = (self.show(&place.ty), self.show(&element));
                    let text = self.text(target.span).replace('\'', "");
                    let message = format!("`{text}` is {ty}, but this is a set of {found}");
                    self.report(Diagnostic::error(set.span, message));
                    return;
                }
                let typed = coerce(typed, &Self::set_type(place.ty.inner().clone()));
                let typed = let_in::wrap(&scope.lets, typed);
                self.assign(place, UpdateValue::In(typed), target.span, stmt.span, guards, out);
            }
            StmtKind::If { cond, then, otherwise } => {
                let branches = [(true, then.as_slice()), (false, otherwise.as_slice())];
                self.if_statement(scope, cond, branches, guards, out);
            }
            StmtKind::Match { value, arms } => {
                self.cases_of_statements(scope, value, arms, stmt.span, guards, out)
            }
            StmtKind::Let(bindings) => self.let_statement(scope, bindings),
            StmtKind::ForAll { var, domain, body } => {
                let (set, element) = self.domain(scope, domain);
                if poisoned(&set.ty) {
                    return;
                }
                let Some(members) = self.members_of(&set) else {
                    let error =
                        Diagnostic::error(domain.span, "the domain of a `forall` statement must be constant");
                    let help = "range over a type, and put the statements into an `if`";
                    self.report(error.with_help(help));
                    return;
                };
                self.warn_shadowed(scope, var);
                let before = self.diagnostics.len();
                for member in members {
                    let known = self.diagnostics.len();
                    let binding = Binding::Alias(Expr::element(member, &element, var.span));
                    scope.locals.push((var.name.clone(), binding));
                    self.block(scope, body, guards, out);
                    scope.locals.pop();
                    // An error for one value usually recurs for all.
                    let new = self.diagnostics.split_off(known);
                    let told: Vec<Option<Span>> = self.diagnostics[before..].iter().map(|d| d.span).collect();
                    self.diagnostics.extend(new.into_iter().filter(|d| !told.contains(&d.span)));
                }
            }
        }
    }

    /// A `match` whose cases are statements: each is under the condition that its pattern fits, and none before it.
    fn cases_of_statements(
        &mut self,
        scope: &mut Scope,
        value: &'a ast::Expr,
        arms: &'a [ast::Arm<Vec<ast::Stmt>>],
        span: Span,
        guards: &Guards,
        out: &mut Body,
    ) {
        let subject = self.expr(scope, value);
        if poisoned(&subject.ty) {
            return;
        }
        let Some(cases) = self.cases(scope, &subject, value, arms, span) else { return };
        let mut rest = guards.clone();
        let known = scope.known.len();
        for case in cases {
            let id = out.ifs;
            out.ifs += 1;
            let mut inner = rest.clone();
            let earlier = scope.known.len();
            scope.learn(&case.condition, true);
            let condition = let_in::wrap(&scope.lets, case.condition.clone());
            if constant_bool(&condition) != Some(true) {
                inner.conditions.push(condition.clone());
                rest.conditions.push(negation(&self.folder, &self.types, condition));
            }
            inner.branches.push((id, true));
            rest.branches.push((id, false));
            self.with_names(scope, case.names, |c, s| c.block(s, case.body, &inner, out));
            scope.known.truncate(earlier);
            scope.learn(&case.condition, false);
        }
        scope.known.truncate(known);
    }

    /// An `if` statement.
    fn if_statement(
        &mut self,
        scope: &mut Scope,
        cond: &'a ast::Expr,
        branches: [(bool, &'a [ast::Stmt]); 2],
        guards: &Guards,
        out: &mut Body,
    ) {
        let condition = self.bool(scope, cond);
        let cond = let_in::wrap(&scope.lets, condition.clone());
        let id = out.ifs;
        out.ifs += 1;
        for (branch, stmts) in branches {
            let mut inner = guards.clone();
            let cond = if branch { cond.clone() } else { negation(&self.folder, &self.types, cond.clone()) };
            inner.conditions.push(cond);
            inner.branches.push((id, branch));
            let known = scope.known.len();
            scope.learn(&condition, branch);
            self.block(scope, stmts, &inner, out);
            scope.known.truncate(known);
        }
    }

    /// A formula that must hold only if the guards do.
    fn guarded(&self, guards: &Guards, formula: Expr) -> Expr {
        if poisoned(&formula.ty) {
            return formula;
        }
        match self.conjunction_of(guards) {
            Some(guard) if !poisoned(&guard.ty) => {
                let span = formula.span;
                let otherwise = negation(&self.folder, &self.types, guard);
                Expr { span, ..self.folder.fold(&self.types, Expr::binary_bool(Op::Or, otherwise, formula)) }
            }
            _ => formula,
        }
    }

    fn conjunction_of(&self, guards: &Guards) -> Option<Expr> {
        let all = guards.conditions.iter().cloned();
        all.reduce(|a, b| self.folder.fold(&self.types, Expr::binary_bool(Op::And, a, b)))
    }

    fn assign(
        &mut self,
        place: super::places::Place,
        value: UpdateValue,
        target: Span,
        span: Span,
        guards: &Guards,
        out: &mut Body,
    ) {
        let guard = self.conjunction_of(guards);
        let update = Update { guard, var: place.var, path: place.path, ty: place.ty, value, span };
        out.assignments.push(Assignment { update, branches: guards.branches.clone(), target });
    }
}
