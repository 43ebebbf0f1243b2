//! Arguments of predicates in vocabularies: observables, constants, and any values.

use super::fold::is_constant;
use super::relations::within;
use super::types::{LIMIT, poisoned};
use super::{Checker, ExprScope, ReadAccess, Reported, Typed, finished};
use crate::model::expr::{Expr, ExprKind, VarId};
use crate::model::types::Type;
use crate::model::{Local, Observable, Predicate, PredicateArgument};
use crate::syntax::ast::{AstExpr, AstExprKind};
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_u32;

/// The possible arguments for a parameter of a predicate.
struct ArgumentChoices<'a> {
    /// The name that was written for any value: it stands for the same one wherever it is written.
    variable: Option<&'a str>,
    choices: Vec<PredicateArgument>,
}

impl ArgumentChoices<'_> {
    fn position() -> Self {
        Self { variable: None, choices: vec![PredicateArgument::Position] }
    }
}

impl<'a> Checker<'a> {
    /// The arguments of a predicate, in every way that is meant.
    pub(super) fn readings(
        &mut self,
        unit: usize,
        predicate: &Predicate,
        args: Option<&'a [AstExpr]>,
        span: Span,
    ) -> Typed<Vec<Vec<PredicateArgument>>> {
        let choices = match args {
            Some(args) => self.written_arguments(unit, predicate, args, span)?,
            None => self.fitting_arguments(predicate, span)?,
        };
        let product = choices.iter().fold(1u64, |n, c| n.saturating_mul(c.choices.len() as u64));
        if product > LIMIT {
            let message = format!("`{}` has too many readings", predicate.name);
            let error = Diagnostic::error(span, message);
            return self.wrong(error.with_help("name the observables it is about: `pred(x, y)`"));
        }
        let rows = choices.iter().map(|c| &c.choices).multi_cartesian_product();
        let agree = |row: &Vec<&PredicateArgument>| {
            let named = |n: usize| choices[n].variable.map(|name| (name, row[n]));
            let bound: Vec<_> = (0..row.len()).filter_map(named).collect();
            bound.iter().array_combinations().all(|[(a, x), (b, y)]| a != b || x == y)
        };
        Ok(rows.filter(agree).map(|row| row.into_iter().cloned().collect()).collect())
    }

    /// The arguments of a predicate of which the vocabulary says no more than its name.
    fn fitting_arguments(&mut self, predicate: &Predicate, span: Span) -> Typed<Vec<ArgumentChoices<'a>>> {
        let mut passed = Vec::new();
        for param in &predicate.params {
            if param.ty == Type::Pos {
                passed.push(ArgumentChoices::position());
                continue;
            }
            let found = self.observables_of_type(&param.ty, span);
            if found.is_empty() {
                return self.nothing_fits(predicate, param, span);
            }
            passed.push(ArgumentChoices {
                variable: None,
                choices: found.into_iter().map(PredicateArgument::Observed).collect(),
            });
        }
        Ok(passed)
    }

    fn nothing_fits<T>(&mut self, predicate: &Predicate, param: &Local, span: Span) -> Typed<T> {
        let ty = self.show(&param.ty);
        let message =
            format!("no variable or part of a variable has type {ty}, which `{}` needs", predicate.name);
        let error = Diagnostic::error(span, message);
        let optional = self.observables_of_type(&param.ty.clone().optional(), span);
        let params = value_params(predicate).map(|p| p.name.as_str()).join(", ");
        let open = format!("`{}({params})` leaves it open", predicate.name);
        let help = match listed(&optional) {
            Some(names) if !param.ty.is_option() => {
                format!("{open}; for {names}, declare the parameter as `{}: option {ty}`", param.name)
            }
            _ => format!("{open}; otherwise pass an observable or a value for `{}`", param.name),
        };
        self.wrong(error.with_help(help))
    }

    /// The arguments of a predicate as written: with an argument for every parameter, or for those of values only.
    fn written_arguments(
        &mut self,
        unit: usize,
        predicate: &Predicate,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed<Vec<ArgumentChoices<'a>>> {
        let values = value_params(predicate).count();
        let positions_too = args.len() == predicate.params.len() && args.len() > values;
        if args.len() != values && !positions_too {
            let error = self.wrong_number(predicate, args.len(), span);
            return self.wrong(error);
        }
        let mut passed = Vec::new();
        let mut positions: Vec<&str> = Vec::new();
        let mut args = args.iter();
        let mut next = || args.next().ok_or(Reported);
        for param in &predicate.params {
            if param.ty != Type::Pos {
                passed.push(self.written_value(unit, predicate, param, next()?)?);
                continue;
            }
            if positions_too {
                let written = next()?;
                match &written.kind {
                    AstExprKind::Name(name)
                        if self.entity(unit, name).is_none() && !positions.contains(&name.as_str()) =>
                    {
                        positions.push(name);
                    }
                    _ => {
                        let message = format!("`{}` of `{}` is a position", param.name, predicate.name);
                        let help = "facts choose positions: give each a new name, or leave all of them out";
                        return self.wrong(Diagnostic::error(written.span, message).with_help(help));
                    }
                }
            }
            passed.push(ArgumentChoices::position());
        }
        let fixed =
            |p: &ArgumentChoices<'_>| p.choices.iter().all(|a| matches!(a, PredicateArgument::Value { .. }));
        if passed.iter().all(fixed) {
            let message = format!("this does not depend on the trace: `{}` has no position", predicate.name);
            return self.wrong(Diagnostic::error(span, message).with_help("pass an observable"));
        }
        Ok(passed)
    }

    /// The argument for a value: an observable, a constant, or any value if it is a name that the model does not have.
    fn written_value(
        &mut self,
        unit: usize,
        predicate: &Predicate,
        param: &Local,
        written: &'a AstExpr,
    ) -> Typed<ArgumentChoices<'a>> {
        if let AstExprKind::Name(name) = &written.kind
            && self.is_variable(unit, name, param)
        {
            let ty = param.ty.inner();
            if !matches!(ty, Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Record(_))
                || self.types.cardinality(ty) > LIMIT
            {
                let message = format!("`{name}` would stand for too many values of type {}", self.show(ty));
                return self.wrong(
                    Diagnostic::error(written.span, message).with_help("pass an observable or a value"),
                );
            }
            let argument = |value| PredicateArgument::Value {
                value: Expr::constant(value, ty.clone(), Span::default()),
                any: true,
            };
            let choices = self.types.values(ty).into_iter().map(argument).collect();
            return Ok(ArgumentChoices { variable: Some(name), choices });
        }
        let mut scope = ExprScope::new(unit, ReadAccess::State);
        scope.labels = true;
        scope.before = true;
        let typed = self.expr_for(&mut scope, written, &param.ty)?;
        if !within(&self.types, &typed.ty, &param.ty, true) {
            let (found, ty) = (self.show(&typed.ty), self.show(&param.ty));
            let message = format!("`{}` of `{}` is {ty}, not {found}", param.name, predicate.name);
            let mut error = Diagnostic::error(written.span, message);
            if within(&self.types, typed.ty.inner(), &param.ty, true) {
                let help = format!("declare the parameter as `{}: option {ty}`", param.name);
                error = error.with_help(help);
            }
            return self.wrong(error);
        }
        let typed = self.reshaped(typed, &param.ty);
        let argument = if is_constant(&typed) {
            PredicateArgument::Value { value: finished(typed), any: false }
        } else {
            PredicateArgument::Observed(self.as_observable(written, typed))
        };
        Ok(ArgumentChoices { variable: None, choices: vec![argument] })
    }

    /// True if a name stands for any value: the model does not have it, and it is no misspelt name of the model.
    fn is_variable(&self, unit: usize, name: &str, param: &Local) -> bool {
        if self.entity(unit, name).is_some() || name == "action" {
            return false;
        }
        let known = self.units[unit].names.keys().map(String::as_str);
        name == param.name || nearest(name, known).is_none()
    }

    /// The error for a predicate with too few or too many values.
    fn wrong_number(&self, predicate: &Predicate, given: usize, span: Span) -> Diagnostic {
        let name = &predicate.name;
        let values: Vec<&Local> = value_params(predicate).collect();
        let plural = if values.len() == 1 { "" } else { "s" };
        let message = format!("`{name}` has {} value parameter{plural}, {given} given", values.len());
        let names: Vec<&str> = values.iter().map(|p| p.name.as_str()).collect();
        let types = values.iter().map(|p| format!("{}: {}", p.name, self.show(&p.ty)));
        let types = types.collect::<Vec<_>>().join(", ");
        let help = match names.as_slice() {
            [] => format!("write `{name}`: positions are not passed here; facts choose them"),
            names => {
                let positions = if given > names.len() { "; positions are not passed here" } else { "" };
                format!(
                    "write `{name}({})` with {types}, or `{name}` for all that fit{positions}",
                    names.join(", ")
                )
            }
        };
        Diagnostic::error(span, message).with_help(help)
    }

    /// All variables and parts of variables of exactly this type.
    fn observables_of_type(&mut self, ty: &Type, span: Span) -> Vec<Observable> {
        let mut found = Vec::new();
        for index in 0..self.vars.len() {
            let var_type = self.var_type(index);
            let text = self.var_name(index);
            let expr = Expr { kind: ExprKind::Var(VarId(to_u32(index))), ty: var_type, span };
            if poisoned(&expr.ty) {
                continue;
            }
            found.extend(Observable { text, expr, span }.parts_of_type(&self.types, ty));
        }
        found
    }
}

/// The parameters of a predicate that are no positions.
fn value_params(predicate: &Predicate) -> impl Iterator<Item = &Local> {
    predicate.params.iter().filter(|p| p.ty != Type::Pos)
}

/// The first few observables: `x, y[Bob], …`
fn listed(observables: &[Observable]) -> Option<String> {
    const ENOUGH: usize = 4;
    let names: Vec<&str> = observables.iter().take(ENOUGH).map(|o| o.text.as_str()).collect();
    let more = if observables.len() > ENOUGH { ", …" } else { "" };
    (!names.is_empty()).then(|| format!("{}{more}", names.join(", ")))
}
