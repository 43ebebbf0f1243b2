//! `enabled(action)` as a formula over the current state: some step of the action exists.
//!
//! The action is translated anew, with what is given for its parameters; the parameters left open, the members that
//! `x' in S` chooses and the new values of variables without a frame condition are quantified. What constraints and
//! assumptions say of the next state is said of the values that variables get.

use super::components::dotted;
use super::entity::Entity;
use super::fold::constant_bool;
use super::places::exclusive;
use super::types::{LIMIT, coerce, poisoned};
use super::{Checker, ExprScope, NameBinding, ReadAccess, Reported, Typed, finished, poison};
use crate::model::check::names::help_on_name;
use crate::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier, VarId};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::model::{Local, PathStep, UpdateValue};
use crate::syntax::ast::{AstExpr, AstExprKind, Ident};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// The action that is asked about, with the arguments as written.
struct EnabledQuery<'a> {
    name: String,
    span: Span,
    given: &'a [(Ident, AstExpr)],
}

/// An assignment with the value that its place gets.
struct PlannedWrite {
    guard: Option<Expr>,
    var: VarId,
    path: Vec<PathStep>,
    ty: Type,
    value: Expr,
    /// The enclosing branches of `if` statements.
    branches: Vec<(usize, bool)>,
}

/// A name for a value that some step has to have.
struct WitnessChoice {
    local: LocalId,
    /// The set that the value is from.
    set: Expr,
    /// The condition on the value.
    fits: Expr,
}

impl<'a> Checker<'a> {
    /// `enabled(a)`, `enabled(a(p: v))`.
    pub(super) fn enabled(&mut self, scope: &mut ExprScope, args: &'a [AstExpr], span: Span) -> Typed {
        let (asked, action) = self.asked_action(scope, args, span)?;
        self.note_asked(span);
        if self.in_step {
            self.asked_in_step = Some(span);
            return self.wrong(refusal(span));
        }
        let params = self.action_params(action);
        let mut lets = Vec::new();
        let mut inside = Expr::bool(true, span);
        let mut bound: Vec<Option<NameBinding>> = vec![None; params.len()];
        for (name, written) in asked.given {
            let param = self.asked_parameter(action, &params, name, &bound)?;
            let ty = &params[param].ty;
            let typed = self.expr_for(scope, written, ty)?;
            let typed = self.fitting(scope, typed, ty, written, &format!("parameter `{}`", name.name))?;
            let typed = self.reshaped(typed, ty);
            let binding = NameBinding::of(self.named(typed.clone(), &mut lets));
            let fits = self.fits(&typed, ty);
            inside = self.both(inside, fits);
            bound[param] = Some(binding);
        }
        let formula = self.some_step(&asked.name, action, &params, &bound, span)?;
        let formula = self.both(inside, Expr::with_names(&lets, formula));
        let formula = Expr { span, ..self.folded(formula) };
        self.read_here(scope, formula)
    }

    /// The formula over the current state that some step of an action exists, with the arguments that are bound.
    pub(super) fn some_step(
        &mut self,
        name: &str,
        action: usize,
        params: &[Local],
        bound: &[Option<NameBinding>],
        span: Span,
    ) -> Typed<Expr> {
        self.in_step = true;
        let (formula, _) = self.silently(|c| c.for_some_arguments(action, params, bound, Vec::new(), span));
        self.in_step = false;
        match formula {
            Ok(formula) if !poisoned(&formula.ty) => Ok(formula),
            // Errors in the action by itself are reported there.
            Ok(_) => {
                let message = format!("action `{name}` is not well formed with these arguments");
                let error = Diagnostic::error(span, message);
                self.deferred.push(error.with_note("an integer argument is outside the declared range"));
                Err(Reported)
            }
            Err(error) => self.wrong(error),
        }
    }

    fn asked_action(
        &mut self,
        scope: &ExprScope,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed<(EnabledQuery<'a>, usize)> {
        const HELP: &str = "write `enabled(a)`, or `enabled(a(p: v))` with some of its arguments";
        let asked = match args {
            [AstExpr { kind: AstExprKind::Record { name, fields }, .. }] => {
                EnabledQuery { name: name.name.clone(), span: name.span, given: fields }
            }
            [only] if dotted(only).is_some() => {
                EnabledQuery { name: dotted(only).unwrap_or_default(), span: only.span, given: &[] }
            }
            [AstExpr { kind: AstExprKind::Call { path, .. }, .. }]
                if path.len() == 1
                    && matches!(self.entity(scope.unit, &path[0].name), Some(Entity::Action(_))) =>
            {
                let error = Diagnostic::error(span, "the arguments of an action are given by name");
                return self.wrong(error.with_help(format!("write `enabled({}(p: v))`", path[0].name)));
            }
            _ => {
                let error = Diagnostic::error(span, "`enabled` is about one action");
                return self.wrong(error.with_help(HELP));
            }
        };
        match self.entity(scope.unit, &asked.name) {
            Some(Entity::Action(action)) if scope.local(&asked.name).is_none() => Ok((asked, action)),
            Some(_) | None if scope.local(&asked.name).is_some() => {
                let message = format!("`{}` is a bound name, not an action", asked.name);
                self.wrong(Diagnostic::error(asked.span, message).with_help(HELP))
            }
            Some(other) => {
                let message = format!("`{}` is {}, not an action", asked.name, other.kind());
                self.wrong(Diagnostic::error(asked.span, message).with_help(HELP))
            }
            None => {
                self.unknown("action", &asked.name, asked.span, scope, &|e| matches!(e, Entity::Action(_)))
            }
        }
    }

    /// The parameter of a given argument.
    pub(super) fn asked_parameter(
        &mut self,
        action: usize,
        params: &[Local],
        name: &Ident,
        bound: &[Option<NameBinding>],
    ) -> Typed<usize> {
        let action = self.action_name(action);
        let param = self.parameter_named(&action, params, name)?;
        if bound[param].is_some() {
            let message = format!("`{}` is given twice", name.name);
            return self.wrong(Diagnostic::error(name.span, message).with_help("give it one value"));
        }
        Ok(param)
    }

    /// The parameter of an action that has a name.
    pub(super) fn parameter_named(&mut self, action: &str, params: &[Local], name: &Ident) -> Typed<usize> {
        if let Some(param) = params.iter().position(|param| param.name == name.name) {
            return Ok(param);
        }
        let message = format!("action `{action}` has no parameter `{}`", name.name);
        let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let help = help_on_name(&name.name, &names, "parameters");
        self.wrong(Diagnostic::error(name.span, message).with_help(help))
    }

    /// True if there is a step with some values of the parameters that are left open.
    fn for_some_arguments(
        &mut self,
        action: usize,
        params: &[Local],
        given: &[Option<NameBinding>],
        mut bound: Vec<(String, NameBinding)>,
        span: Span,
    ) -> Result<Expr, Diagnostic> {
        let Some(param) = params.get(bound.len()) else { return self.possible(action, bound, span) };
        if let Some(binding) = &given[bound.len()] {
            bound.push((param.name.clone(), binding.clone()));
            return self.for_some_arguments(action, params, given, bound, span);
        }
        let mut alternatives = Vec::new();
        if param.ty.is_option() {
            let none = Expr::constant(Value::None, param.ty.clone(), span);
            let mut bound = bound.clone();
            bound.push((param.name.clone(), NameBinding::Alias(none)));
            alternatives.push(self.for_some_arguments(action, params, given, bound, span)?);
        }
        let local = self.fresh();
        let ty = param.ty.inner().clone();
        if self.types.cardinality(&ty) > LIMIT {
            let name = self.actions[action].name.name.clone();
            let message = format!("`enabled({name})` would try too many values of `{}`", param.name);
            let error = Diagnostic::error(span, message).with_help(format!(
                "say which: `enabled({name}({}: …))`; at most {LIMIT} values are tried",
                param.name
            ));
            return Err(error);
        }
        bound.push((param.name.clone(), NameBinding::Local(local, ty.clone())));
        let formula = self.for_some_arguments(action, params, given, bound, span)?;
        let values = self.all_values(&ty, span);
        alternatives.push(self.for_some(local, values, formula));
        let or = |a: Expr, b: Expr| match poisoned(&a.ty) || poisoned(&b.ty) {
            true => poison(span),
            false => self.folded(Expr::binary_bool(Op::Or, a, b)),
        };
        Ok(alternatives.into_iter().reduce(or).unwrap_or(poison(span)))
    }

    /// The formula that something is true of a member of a set that is not empty.
    fn for_some(&self, local: LocalId, set: Expr, body: Expr) -> Expr {
        let nonempty = matches!(&set.kind, ExprKind::Const(Value::Set(members)) if !members.is_empty());
        if poisoned(&body.ty) || nonempty && !body.reads_local(local) {
            return body;
        }
        let span = body.span;
        let (set, body) = (Box::new(set), Box::new(body));
        let kind = ExprKind::Quant { quantifier: Quantifier::Exists, local, set, body };
        self.folded(Expr { kind, ty: Type::Bool, span })
    }

    /// True if there is a step with these arguments.
    fn possible(
        &mut self,
        action: usize,
        bound: Vec<(String, NameBinding)>,
        span: Span,
    ) -> Result<Expr, Diagnostic> {
        let unit = self.actions[action].unit;
        let mut scope = ExprScope::new(unit, ReadAccess::State);
        scope.locals = bound;
        let errors = self.silent_errors;
        let body = self.action_body(&mut scope, action);
        if self.silent_errors > errors {
            return Ok(poison(span));
        }
        let mut formula = body.requires.into_iter().fold(Expr::bool(true, span), |all, e| self.both(all, e));
        let (mut written, mut choices) = (Vec::new(), Vec::new());
        for assignment in body.assignments {
            let update = assignment.update;
            let guard = update.guard.map(finished);
            if guard.as_ref().and_then(constant_bool) == Some(false) {
                continue;
            }
            let guard = guard.filter(|guard| constant_bool(guard).is_none());
            let mut fits = self.place_exists(update.var, &update.path, span);
            let value = match update.value {
                UpdateValue::Is(value) => {
                    let value = finished(value);
                    let value_fits = self.fits(&value, &update.ty);
                    fits = self.both(fits, value_fits);
                    value
                }
                UpdateValue::In(set) => {
                    let (choice, value) = self.choice(finished(set), guard.as_ref(), &update.ty);
                    choices.push(choice);
                    value
                }
            };
            let fits = guard.iter().fold(fits, |fits, guard| self.implied(guard, fits));
            formula = self.both(formula, fits);
            let (var, path, ty, branches) = (update.var, update.path, update.ty, assignment.branches);
            written.push(PlannedWrite { guard, var, path, ty, value, branches });
        }
        let constraints = body.constraints.into_iter().map(finished).collect();
        let after = self.after(action, &written, &body.modifies, constraints, &mut choices, span)?;
        let chosen = choices.into_iter().rev().fold(after, |after, choice| {
            let demanded = self.both(choice.fits, after);
            self.for_some(choice.local, choice.set, demanded)
        });
        Ok(self.both(formula, chosen))
    }

    /// The formula that every key of a path is a key of its map.
    fn place_exists(&mut self, var: VarId, path: &[PathStep], span: Span) -> Expr {
        let mut ty = self.var_type(var.0 as usize);
        let mut all = Expr::bool(true, span);
        for step in path {
            ty = match (step, &ty) {
                (PathStep::Index(key), Type::Map(keys, value)) => {
                    let (keys, value) = (keys.clone(), value.as_ref().clone());
                    let fits = self.fits(key, &keys);
                    all = self.both(all, fits);
                    value
                }
                (PathStep::Field(field), Type::Record(id)) => self.types.record(*id).fields[*field].1.clone(),
                _ => return poison(span),
            };
        }
        all
    }

    /// The choice of a member of a set for a place. Where the assignment does not take place, some value is chosen
    /// that nothing depends on.
    fn choice(&mut self, set: Expr, guard: Option<&Expr>, place: &Type) -> (WitnessChoice, Expr) {
        let (local, span) = (self.fresh(), set.span);
        let element = match &set.ty {
            Type::Set(element) => element.as_ref().clone(),
            _ => place.inner().clone(),
        };
        let value = Expr { kind: ExprKind::Local(local), ty: element.clone(), span };
        let fits = self.fits(&value, place);
        let Some(guard) = guard else { return (WitnessChoice { local, set, fits }, value) };
        let any = self.types.values(&element).into_iter().take(1).collect();
        let any = Expr::constant(Value::Set(any), set.ty.clone(), span);
        let ty = set.ty.clone();
        let kind = ExprKind::If(Box::new(guard.clone()), Box::new(set), Box::new(any));
        let (set, fits) = (self.folded(Expr { kind, ty, span }), self.implied(guard, fits));
        (WitnessChoice { local, set, fits }, value)
    }

    /// The condition on the state after the step: places that are assigned twice get one value, and constraints and
    /// assumptions hold. Adds the new values that are left open and matter for this to the choices.
    fn after(
        &mut self,
        action: usize,
        written: &[PlannedWrite],
        modifies: &[VarId],
        constraints: Vec<Expr>,
        choices: &mut Vec<WitnessChoice>,
        span: Span,
    ) -> Result<Expr, Diagnostic> {
        let agreed = self.agreements(written, span);
        let touched = |var: VarId| modifies.contains(&var) || written.iter().any(|w| w.var == var);
        let mut conditions: Vec<(Expr, bool)> = constraints.into_iter().map(|e| (e, true)).collect();
        for (expr, step) in self.assumed() {
            let concerned = expr.any(&|e| matches!(e.kind, ExprKind::Var(var) if touched(var)));
            if step || concerned {
                conditions.push((expr, step));
            }
        }
        let read = |var: VarId| {
            conditions.iter().any(|(expr, step)| {
                expr.any(&|e| match e.kind {
                    ExprKind::Next(v) => *step && v == var,
                    ExprKind::Var(v) => !*step && v == var,
                    _ => false,
                })
            })
        };
        let (mut lets, mut news) = (Vec::new(), FxHashMap::default());
        let variables: Vec<VarId> = (0..to_u32(self.vars.len())).map(VarId).collect();
        for var in variables.into_iter().filter(|var| touched(*var) && read(*var)) {
            let ty = self.var_type(var.0 as usize);
            let mut value = Expr { kind: ExprKind::Var(var), ty: ty.clone(), span };
            if modifies.contains(&var) {
                if self.types.cardinality(&ty) > LIMIT {
                    return Err(self.too_open(action, var, span));
                }
                let local = self.fresh();
                let (set, fits) = (self.all_values(&ty, span), Expr::bool(true, span));
                choices.insert(0, WitnessChoice { local, set, fits });
                value.kind = ExprKind::Local(local);
            }
            for write in written.iter().filter(|write| write.var == var) {
                value = self.after_write(value, write, &mut lets);
            }
            news.insert(var, value);
        }
        let conditions = conditions.into_iter().fold(Expr::bool(true, span), |all, (mut expr, step)| {
            expr.walk_mut(&mut |e| match e.kind {
                ExprKind::Next(var) if step => match news.get(&var) {
                    Some(new) => e.kind = new.kind.clone(),
                    None => e.kind = ExprKind::Var(var),
                },
                ExprKind::Var(var) if !step => {
                    if let Some(new) = news.get(&var) {
                        e.kind = new.kind.clone();
                    }
                }
                _ => {}
            });
            self.both(all, expr)
        });
        let conditions = self.folded(Expr::with_names(&lets, conditions));
        Ok(self.both(agreed, conditions))
    }

    fn too_open(&self, action: usize, var: VarId, span: Span) -> Diagnostic {
        let (action, decl) = (&self.actions[action], &self.vars[var.0 as usize]);
        let (name, var) = (&action.name.name, &decl.name.name);
        let message =
            format!("`enabled({name})` would try too many values of `{var}`, which `{name}` modifies");
        let error = Diagnostic::error(span, message).with_related(action.name.span, "declared here");
        error.with_help(format!("assign `{var}`, or give it a type with at most {LIMIT} values"))
    }

    /// The formula that assignments to places that may be the same one agree where they are.
    fn agreements(&mut self, written: &[PlannedWrite], span: Span) -> Expr {
        let mut all = Expr::bool(true, span);
        for (index, later) in written.iter().enumerate() {
            for earlier in &written[..index] {
                let comparable = earlier.var == later.var && earlier.path.len() == later.path.len();
                if !comparable || exclusive(&earlier.branches, &later.branches) {
                    continue;
                }
                let mut same = Expr::bool(true, span);
                for pair in earlier.path.iter().zip(&later.path) {
                    let equal = match pair {
                        (PathStep::Index(a), PathStep::Index(b)) => {
                            self.folded(Expr::binary_bool(Op::Eq, a.clone(), b.clone()))
                        }
                        (PathStep::Field(a), PathStep::Field(b)) => Expr::bool(a == b, span),
                        _ => Expr::bool(false, span),
                    };
                    same = self.both(same, equal);
                }
                for guard in earlier.guard.iter().chain(&later.guard) {
                    same = self.both(same, guard.clone());
                }
                let agree = Expr::binary_bool(Op::Eq, earlier.value.clone(), later.value.clone());
                let agree = self.folded(agree);
                let agree = self.implied(&same, agree);
                all = self.both(all, agree);
            }
        }
        all
    }

    /// The value of a variable after one more assignment to it or a place in it, as a name for it.
    fn after_write(&mut self, before: Expr, write: &PlannedWrite, lets: &mut Vec<(LocalId, Expr)>) -> Expr {
        let span = before.span;
        let ty = before.ty.clone();
        let value = coerce(write.value.clone(), &write.ty);
        let mut after = self.replaced(before.clone(), &write.path, value);
        let guard = write.guard.clone().unwrap_or(Expr::bool(true, span));
        // Also where there is no condition: the type says which values are optional.
        let parts = (Box::new(guard), Box::new(after), Box::new(before));
        after = Expr { kind: ExprKind::If(parts.0, parts.1, parts.2), ty: ty.clone(), span };
        let local = self.fresh();
        lets.push((local, after));
        Expr { kind: ExprKind::Local(local), ty, span }
    }

    /// A value in which the value at a place is replaced.
    fn replaced(&mut self, base: Expr, path: &[PathStep], value: Expr) -> Expr {
        let (ty, span) = (base.ty.clone(), base.span);
        let Some((step, rest)) = path.split_first() else { return value };
        match (step, &ty) {
            (PathStep::Field(field), Type::Record(id)) => {
                let of = self.types.record(*id).fields[*field].1.clone();
                let part = Expr { kind: ExprKind::Field(Box::new(base.clone()), *field), ty: of, span };
                let part = self.replaced(part, rest, value);
                Expr { kind: ExprKind::With(Box::new(base), vec![(*field, part)]), ty, span }
            }
            (PathStep::Index(key), Type::Map(keys, entry)) => {
                let (local, entry) = (self.fresh(), entry.as_ref().clone());
                let here = Expr { kind: ExprKind::Local(local), ty: keys.as_ref().clone(), span };
                let kind = ExprKind::Index(Box::new(base), Box::new(here.clone()));
                let old = Expr { kind, ty: entry.clone(), span };
                let new = Box::new(self.replaced(old.clone(), rest, value));
                let cond = Box::new(Expr::binary_bool(Op::Eq, here, key.clone()));
                let body = Expr { kind: ExprKind::If(cond, new, Box::new(old)), ty: entry, span };
                Expr { kind: ExprKind::MapOf { local, body: Box::new(body) }, ty, span }
            }
            _ => poison(span),
        }
    }

    /// The assumptions, with whether each is about steps.
    fn assumed(&mut self) -> Vec<(Expr, bool)> {
        if let Some(known) = &self.assumed {
            return known.clone();
        }
        let list: Vec<(Expr, bool)> =
            self.check_assumptions(0).into_iter().map(|a| (a.expr, a.step)).collect();
        self.assumed = Some(list.clone());
        list
    }
}

/// The error for `enabled` where steps are defined.
pub(super) fn refusal(span: Span) -> Diagnostic {
    let message = "which steps exist cannot depend on which steps are enabled";
    let help = "`enabled` cannot be read in actions and assumptions: repeat the conditions of the action, as a `def` for both";
    Diagnostic::error(span, message).with_help(help)
}
