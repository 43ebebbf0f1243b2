//! Calls of definitions and predicates, which are checked once as declared and inlined where used.

use super::collections::BuiltIn;
use super::enabled;
use super::entity::Entity;
use super::events::WrittenStep;
use super::foreign;
use super::relations::{assignable, within, within_declared};
use super::tall::Whole;
use super::types::{OPEN, clipped, coerce, poisoned};
use super::{
    CheckProgress, Checker, DefDecl, ExprScope, NameBinding, ReadAccess, Reported, Typed, or_poison,
};
use crate::model::Local;
use crate::model::expr::{Expr, ExprKind, LocalId};
use crate::model::types::Type;
use crate::syntax::ast::{self, AstExpr, AstExprKind, AstParam, AstTypeKind, Ident};
use kit::diagnostics::{Diagnostic, Span};

impl<'a> Checker<'a> {
    pub(super) fn call(
        &mut self,
        scope: &mut ExprScope,
        path: &'a [Ident],
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let Some(last) = path.last() else { return Err(Reported) };
        let unit = self.called_unit(scope, path)?;
        if path.len() == 1 && scope.local(&last.name).is_some() {
            let error =
                Diagnostic::error(last.span, format!("`{}` is a value and takes no arguments", last.name));
            return self.wrong(error);
        }
        if let Some(operation) = BuiltIn::of(&last.name)
            && path.len() == 1
            && self.entity(unit, &last.name).is_none()
        {
            return self.built_in(scope, operation, args, span);
        }
        match self.entity(unit, &last.name) {
            Some(Entity::Def(def)) if path.len() == 1 || !self.is_library(unit) => {
                self.call_definition(scope, def, args, span)
            }
            Some(Entity::Pred(pred)) => self.call_predicate(scope, pred, args, span),
            Some(Entity::Constructor(variant, index)) => {
                let id = self.constructor(variant, index)?;
                let message = format!("the fields of constructor `{}` are given by name", last.name);
                let help = format!("write `{}`", self.written_form(id));
                self.wrong(Diagnostic::error(span, message).with_help(help))
            }
            Some(Entity::Action(action)) if args.is_empty() => {
                self.event(scope, WrittenStep { action, given: &[] }, None, span)
            }
            Some(Entity::Action(action)) => self.unnamed_arguments(action, args, span),
            Some(other) => {
                let mut error = Diagnostic::error(
                    last.span,
                    format!("`{}` is {} and cannot be called", last.name, other.kind()),
                );
                if matches!(other, Entity::Type(_)) {
                    error = error.with_help(format!("a record is written `{}(field: value, …)`", last.name));
                }
                self.wrong(error)
            }
            None if path.len() == 1
                && last.name == "enabled"
                && !matches!(args, [label] if is_text(label)) =>
            {
                self.enabled(scope, args, span)
            }
            None if path.len() == 1 && ["min", "max"].contains(&last.name.as_str()) && args.len() > 1 => {
                self.extreme_of(scope, last.name == "max", args, span)
            }
            None => {
                // `login()` may be a misspelt step.
                let may_be_step = args.is_empty() && (scope.labels || scope.reads == ReadAccess::At);
                let callable = |e| match e {
                    Entity::Def(_) | Entity::Pred(_) => true,
                    Entity::Action(_) => may_be_step,
                    _ => false,
                };
                let there = ExprScope { unit, locals: Vec::new(), ..scope.clone() };
                let unknown =
                    self.unknown("definition or predicate", &last.name, last.span, &there, &callable);
                // String arguments occur only in formulas over explicit systems.
                args.iter().filter(|a| !is_text(a)).for_each(|a| _ = self.expr(scope, a));
                unknown
            }
        }
    }

    /// The file that a call is of: that of the expression, or what it imports.
    fn called_unit(&mut self, scope: &ExprScope, path: &'a [Ident]) -> Typed<usize> {
        let Some((last, aliases)) = path.split_last() else { return Err(Reported) };
        let mut unit = scope.unit;
        for (at, alias) in aliases.iter().enumerate() {
            let found = match at {
                0 => self.global(scope, &alias.name),
                _ => self.entity(unit, &alias.name),
            };
            match found {
                Some(Entity::Import(import)) => unit = self.imports[import].unit.ok_or(Reported)?,
                Some(_) => {
                    let error = Diagnostic::error(alias.span, format!("`{}` is not an import", alias.name));
                    let help = foreign::method(&last.name);
                    let help = help
                        .unwrap_or("only imported declarations are called with a dot: `alias.predicate(…)`");
                    return self.wrong(error.with_help(help));
                }
                None => {
                    let imports = |e| matches!(e, Entity::Import(_));
                    return self.unknown("import", &alias.name, alias.span, scope, &imports);
                }
            }
        }
        Ok(unit)
    }

    pub(super) fn right_number(&mut self, name: &str, params: usize, args: usize, span: Span) -> Typed<()> {
        if params == args {
            return Ok(());
        }
        let plural = if params == 1 { "argument" } else { "arguments" };
        let message = format!("`{name}` takes {params} {plural}, {args} given");
        self.wrong(Diagnostic::error(span, message))
    }

    /// Inlines a call of a definition.
    pub(super) fn call_definition(
        &mut self,
        scope: &mut ExprScope,
        def: usize,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let decl = self.defs[def].clone();
        let typed = args.iter().enumerate().map(|(at, arg)| {
            let ty = decl.params.get(at).map_or(OPEN, |param| self.resolve_quietly(decl.unit, param));
            self.expr_for(scope, arg, &ty)
        });
        let typed: Vec<Typed> = typed.collect();
        let name = &decl.name.name;
        self.right_number(name, decl.params.len(), args.len(), span)?;
        if !self.check_definition(def) {
            return Err(Reported);
        }
        let mut inner = ExprScope::new(decl.unit, ReadAccess::State);
        inner.labels = scope.labels;
        inner.known = scope.known.clone();
        let (mut given, mut inside, mut as_declared) = (Vec::new(), true, true);
        for ((param, arg), written) in decl.params.iter().zip(typed).zip(args) {
            let ty = self.resolve_quietly(decl.unit, param);
            let place = format!("`{}` of `{name}`", param.name.name);
            let arg = self.fitting(scope, arg?, &ty, written, &place)?;
            inside &= within(&self.types, &arg.ty, &ty, true);
            as_declared &= arg.ty.is_option() == ty.is_option();
            given.push((&param.name, arg));
        }
        let args: Vec<&Expr> = given.iter().map(|(_, arg)| arg).collect();
        if let Some(named) = self.call_by_name(scope, def, &args, inside && as_declared, span) {
            return self.read_here(scope, named?);
        }
        let declared = self.silently(|c| c.resolve_type(decl.unit, decl.ty, name)).0;
        let lets = self.bind_arguments(&mut inner, given);
        let (body, failed) = self.silently(|c| c.expr_for(&mut inner, decl.body, &declared));
        if self.given_up {
            return Err(Reported);
        }
        let Some(body) = body.ok().filter(|body| !failed && assignable(&self.types, &body.ty, &declared))
        else {
            let asked = if self.silent > 0 { self.asked_in_step } else { self.asked_in_step.take() };
            if let Some(asked) = asked {
                return self.wrong(enabled::refusal(span).with_related(asked, "asked here"));
            }
            let message = format!("`{name}` cannot be called with these arguments");
            let error = Diagnostic::error(span, message);
            return self.wrong(error.with_note("an integer argument is outside the declared range"));
        };
        let body = Expr::with_names(&lets, coerce(body, &declared));
        let body = Expr { span, ..self.folded(body) };
        let body = if inside { clipped(body, &declared) } else { body };
        self.read_here(scope, body)
    }

    /// A value over the state; an error where the state cannot be read.
    pub(super) fn read_here(&mut self, scope: &ExprScope, value: Expr) -> Typed {
        if matches!(scope.reads, ReadAccess::Constants | ReadAccess::Positions) && self.reads_state(&value) {
            let text = self.text(value.span);
            return self.read(scope, value, &text);
        }
        Ok(value)
    }

    /// Binds arguments to parameters; returns the names that have to be put around the body afterwards.
    pub(super) fn bind_arguments(
        &mut self,
        inner: &mut ExprScope,
        given: Vec<(&'a Ident, Expr)>,
    ) -> Vec<(LocalId, Expr)> {
        let mut lets = Vec::new();
        for (name, arg) in given {
            let binding = NameBinding::of(self.named(arg, &mut lets));
            inner.locals.push((name.name.clone(), binding));
        }
        lets
    }

    /// The type of a parameter whose declaration was checked before.
    pub(super) fn resolve_quietly(&mut self, unit: usize, param: &'a AstParam) -> Type {
        self.silently(|c| c.resolve_type(unit, &param.ty, &param.name.name)).0
    }

    /// True if a definition is free of errors; checks it as declared on first use.
    pub(super) fn check_definition(&mut self, def: usize) -> bool {
        if matches!(self.defs[def].good, CheckProgress::Todo) {
            self.unchecked_below(def).into_iter().for_each(|def| self.check_declared(def));
        }
        match self.defs[def].good {
            CheckProgress::Done(good) => good,
            CheckProgress::Doing if self.in_step => {
                let span = self.defs[def].name.span;
                self.unsilenced(|c| c.report(enabled::refusal(span)));
                false
            }
            CheckProgress::Doing => {
                let span = self.defs[def].name.span;
                self.report_cycle("definition", &self.defs[def].name.name.clone(), span);
                false
            }
            CheckProgress::Todo => false,
        }
    }

    /// Checks a definition as declared.
    fn check_declared(&mut self, def: usize) {
        let decl = self.defs[def].clone();
        self.defs[def].good = CheckProgress::Doing;
        self.checking.push(decl.name.name.clone());
        let in_step = std::mem::take(&mut self.in_step);
        let whole = self.inside;
        let around = self.start_noting();
        let checked = self.unsilenced(|c| {
            let before = c.errors();
            let mut scope = ExprScope::new(decl.unit, ReadAccess::State);
            scope.labels = c.is_library(decl.unit);
            scope.unlimited = true;
            let mut params = Vec::new();
            for param in decl.params {
                let ty = c.resolve_type(decl.unit, &param.ty, &param.name.name);
                params.push(c.bind_parameter(&mut scope, param, ty).local);
            }
            let ty = c.resolve_type(decl.unit, decl.ty, &decl.name.name);
            c.inside = Some(Whole { since: c.locals, is_definition: true });
            let body = c.expr_for(&mut scope, decl.body, &ty);
            let body = body.and_then(|body| c.staying_inside(body, &ty, &decl));
            let place = format!("`{}`", decl.name.name);
            let body = body.and_then(|body| c.fitting(&scope, body, &ty, decl.body, &place));
            (params, body, ty, c.errors() == before)
        });
        let (params, body, ty, good) = checked;
        let good = good && body.is_ok();
        let body = or_poison(body, decl.body.span);
        self.finish_noting(def, params, (&body, &ty), around);
        self.checking.pop();
        (self.in_step, self.inside) = (in_step, whole);
        self.defs[def].good = CheckProgress::Done(good);
    }

    /// The body of a definition; reports an error if it may be an integer outside of the declared range.
    fn staying_inside(&mut self, body: Expr, declared: &Type, decl: &DefDecl<'a>) -> Typed {
        let body = coerce(body, declared);
        if poisoned(declared)
            || !assignable(&self.types, &body.ty, declared)
            || within_declared(&self.types, &body.ty, declared)
        {
            return Ok(body);
        }
        let (name, found, declared) = (&decl.name.name, self.show(&body.ty), self.show(declared));
        let message = format!("`{name}` is {declared}, but the values of its body are {found}");
        let help = "declare that type, or exclude the others: `if … then … else …`, `min`, `max`";
        self.wrong(Diagnostic::error(decl.body.span, message).with_help(help))
    }

    pub(super) fn is_library(&self, unit: usize) -> bool {
        self.units[unit].kind == ast::FileKind::Library
    }

    /// Binds a parameter; reports an error if the name is bound already.
    pub(super) fn bind_parameter(&mut self, scope: &mut ExprScope, param: &AstParam, ty: Type) -> Local {
        if scope.local(&param.name.name).is_some() {
            let message = format!("parameter `{}` is declared twice", param.name.name);
            self.report(Diagnostic::error(param.name.span, message));
        } else {
            self.warn_shadowed(scope, &param.name);
        }
        let local = self.fresh();
        let name = param.name.name.clone();
        scope.locals.push((name.clone(), NameBinding::Local(local, ty.clone())));
        Local { name, local, ty }
    }

    pub(super) fn report_cycle(&mut self, what: &str, name: &str, span: Span) {
        let from = self.checking.iter().rposition(|n| n == name).unwrap_or(0);
        let mut way: Vec<&str> = self.checking[from..].iter().map(String::as_str).collect();
        way.push(name);
        let message = format!("{what} `{name}` is recursive: {}", way.join(" → "));
        let error = Diagnostic::error(span, message).with_help("recursion is not supported");
        self.unsilenced(|c| c.report(error));
    }

    /// Inlines a call of a predicate.
    fn call_predicate(
        &mut self,
        scope: &mut ExprScope,
        pred: usize,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let decl = self.preds[pred].clone();
        let name = &decl.name.name;
        if scope.reads != ReadAccess::Positions {
            let error = Diagnostic::error(span, format!("predicate `{name}` cannot be used here"));
            let help = "predicates can only be used in predicates and vocabularies; elsewhere, use a `def`";
            return self.wrong(error.with_help(help));
        }
        self.right_number(name, decl.params.len(), args.len(), span)?;
        let (params, _) = self.check_predicate(pred).ok_or(Reported)?;
        let mut inner = ExprScope::new(decl.unit, ReadAccess::Positions);
        inner.labels = true;
        let mut given = Vec::new();
        for ((param, written), declared) in params.iter().zip(args).zip(decl.params) {
            let arg = self.expr_for(scope, written, &param.ty)?;
            if param.ty == Type::Pos {
                if arg.ty != Type::Pos || !matches!(arg.kind, ExprKind::Local(_)) {
                    let text = self.text(written.span);
                    let message = format!("`{text}` is not a position parameter");
                    let error = Diagnostic::error(written.span, message);
                    let place = self.line(declared.name.span);
                    let note = format!("`{}` of `{name}` is a position ({place})", param.name);
                    return self.wrong(error.with_note(note));
                }
                given.push((&declared.name, arg));
                continue;
            }
            let place = format!("`{}` of `{name}`", param.name);
            let arg = self.fitting(scope, arg, &param.ty, written, &place)?;
            given.push((&declared.name, arg));
        }
        let lets = self.bind_arguments(&mut inner, given);
        let (body, failed) = self.silently(|c| c.bool(&mut inner, decl.body));
        if self.given_up {
            return Err(Reported);
        }
        let Some(body) = body.ok().filter(|_| !failed) else {
            let error = Diagnostic::error(span, format!("`{name}` cannot be called with these arguments"));
            return self.wrong(error.with_note("an integer argument is outside the declared range"));
        };
        Ok(Expr { span, ..Expr::with_names(&lets, body) })
    }

    /// The parameters and the body of a predicate, if it is free of errors; checks it as declared on first use.
    pub(super) fn check_predicate(&mut self, pred: usize) -> Option<(Vec<Local>, Expr)> {
        match &self.preds[pred].checked {
            CheckProgress::Done(checked) => return checked.clone(),
            CheckProgress::Doing => {
                let name = self.preds[pred].name;
                self.report_cycle("predicate", &name.name, name.span);
                return None;
            }
            CheckProgress::Todo => {}
        }
        let decl = self.preds[pred].clone();
        self.preds[pred].checked = CheckProgress::Doing;
        self.checking.push(decl.name.name.clone());
        let checked = self.unsilenced(|c| {
            let before = c.errors();
            let mut scope = ExprScope::new(decl.unit, ReadAccess::Positions);
            scope.labels = true;
            scope.unlimited = true;
            let mut params = Vec::new();
            for param in decl.params {
                let ty = match &param.ty.kind {
                    AstTypeKind::Name(name) if name == "pos" => Type::Pos,
                    _ => c.resolve_type(decl.unit, &param.ty, &param.name.name),
                };
                params.push(c.bind_parameter(&mut scope, param, ty));
            }
            let body = c.bool(&mut scope, decl.body);
            body.ok().filter(|_| c.errors() == before).map(|body| (params, super::finished(body)))
        });
        self.checking.pop();
        self.preds[pred].checked = CheckProgress::Done(checked.clone());
        checked
    }
}

/// True if an argument is a label of an explicit system.
fn is_text(e: &AstExpr) -> bool {
    matches!(e.kind, AstExprKind::Text(_))
}
