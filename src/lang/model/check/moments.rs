//! Values at positions of traces, before a step, and between two positions: `e@t`, `pre(e)@t`, `never e between t1 and t2`,
//! `e established by a()@t1 before t2`.

use super::components::dotted;
use super::entity::Entity;
use super::{Checker, ExprScope, NameBinding, ReadAccess, Typed};
use crate::model::Local;
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, BinaryOp};
use kit::diagnostics::{Diagnostic, Span};

/// The name of the operation that reads the state before a step.
pub(super) const BEFORE: &str = "pre";

impl<'a> Checker<'a> {
    /// `e@t`
    pub(super) fn at(
        &mut self,
        scope: &mut ExprScope,
        inner: &'a AstExpr,
        position: &'a AstExpr,
        span: Span,
    ) -> Typed {
        match scope.reads {
            ReadAccess::Positions => {}
            ReadAccess::At => {
                let error = Diagnostic::error(span, "`@` cannot stand inside `@` or `never`");
                return self.wrong(error.with_help(
                    "apply `@` to each part separately; all of `never e between t1 and t2` is read between t1 and t2",
                ));
            }
            _ => {
                let error = Diagnostic::error(span, "`@` needs a position, but there is none here");
                return self.wrong(
                    error.with_help("only predicates have positions: their parameters of type `pos`"),
                );
            }
        }
        let at = self.position(scope, inner, position)?;
        if let Some(event) = self.event_of(scope, inner) {
            return self.event(scope, event, Some(at), span);
        }
        if let Some(name) = dotted(inner)
            && let (None, Some(Entity::Action(action))) = (scope.local(&name), self.entity(scope.unit, &name))
        {
            return self.action_at(action, position, span);
        }
        let read = self.read_at(scope, at, span, |c, scope| c.expr(scope, inner))?;
        if read.ty == Type::Pos {
            return self.wrong(Diagnostic::error(inner.span, "a position cannot be read with `@`"));
        }
        Ok(read)
    }

    /// Checks something that is read at a position.
    pub(super) fn read_at(
        &mut self,
        scope: &mut ExprScope,
        at: LocalId,
        span: Span,
        check: impl FnOnce(&mut Self, &mut ExprScope) -> Typed,
    ) -> Typed {
        let known = scope.known.len();
        scope.know_at(at);
        let value = self.read_somewhere(scope, check);
        scope.known.truncate(known);
        let value = value?;
        Ok(if value.ty == Type::Pos { value } else { Expr { span, ..value.at(at) } })
    }

    /// Checks something that is read at some position.
    fn read_somewhere(
        &mut self,
        scope: &mut ExprScope,
        check: impl FnOnce(&mut Self, &mut ExprScope) -> Typed,
    ) -> Typed {
        let (labels, reads) = (scope.labels, scope.reads);
        scope.reads = ReadAccess::At;
        scope.labels = true;
        let whole = self.inside.take();
        let value = check(self, scope);
        self.inside = whole;
        scope.reads = reads;
        scope.labels = labels;
        value
    }

    /// The position after `@`; reports an error if it is none.
    fn position(&mut self, scope: &ExprScope, inner: &AstExpr, position: &AstExpr) -> Typed<LocalId> {
        let at = match &position.kind {
            AstExprKind::Name(name) => match scope.local(name) {
                Some(NameBinding::Local(local, Type::Pos)) => Some(*local),
                Some(_) => None,
                None if self.entity(scope.unit, name).is_some() => None,
                None => return self.unknown("position", name, position.span, scope, &|_| false),
            },
            _ => None,
        };
        if let Some(at) = at {
            return Ok(at);
        }
        let text = self.text(position.span);
        let error = Diagnostic::error(position.span, format!("`{text}` is not a position parameter"));
        self.wrong(error.with_help(self.position_help(scope, inner, position)))
    }

    /// Help for what is no position after `@`.
    fn position_help(&self, scope: &ExprScope, inner: &AstExpr, position: &AstExpr) -> String {
        let AstExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, by) = &position.kind else {
            return "`@` is followed by the name of a parameter of type `pos`".into();
        };
        let (base, read) = (self.text(base.span), self.text(inner.span));
        let before = *op == BinaryOp::Sub && by.kind == AstExprKind::Int(1);
        let other = ["t1", "t2", "t3", "t4"].into_iter().find(|name| scope.local(name).is_none());
        let other = other.unwrap_or("u");
        let sign = if *op == BinaryOp::Sub { '-' } else { '+' };
        let apart = format!(
            "add a parameter `{other}: pos`, and say `{other} = {base} {sign} {}`",
            self.text(by.span)
        );
        match before {
            true => format!("`pre({read})@{base}` is its value in the state before; for its step, {apart}"),
            false => apart,
        }
    }

    /// Reports an action that is read like a value: `put@t`.
    fn action_at(&mut self, action: usize, position: &AstExpr, span: Span) -> Typed {
        let (name, at) = (self.action_name(action), self.text(position.span));
        let params = self.action_params(action);
        let error = Diagnostic::error(span, format!("`{name}` is an action, not a value"));
        let help = match params.first() {
            Some(Local { name: param, .. }) => format!(
                "`{name}()@{at}` is a step of it, `{name}({param}: …)@{at}` one with this argument, and \
                 `{name}.{param}@{at}` is the argument"
            ),
            None => format!("`{name}()@{at}` says that the step that led to `{at}` is one of it"),
        };
        self.wrong(error.with_help(help))
    }

    /// `pre(e)`: the value of an expression in the state before the step that led here.
    pub(super) fn before_step(&mut self, scope: &mut ExprScope, value: &'a AstExpr, span: Span) -> Typed {
        self.may_read_before(scope, value, span)?;
        // Names for parts of this state are no names for parts of the one before.
        let mut lets = Vec::new();
        let around = scope.locals.clone();
        for (_, binding) in &mut scope.locals {
            if let NameBinding::Alias(of) = binding
                && of.reads_state()
            {
                let local = self.fresh();
                lets.push((local, of.clone()));
                *binding = NameBinding::Local(local, of.ty.clone());
            }
        }
        let known = scope.know_before();
        let whole = self.inside.take();
        let typed = self.expr(scope, value);
        self.inside = whole;
        scope.known = known;
        scope.locals = around;
        let typed = typed?;
        if typed.ty == Type::Pos {
            return self.wrong(Diagnostic::error(value.span, "a position has no value before a step"));
        }
        Ok(Expr::with_names(&lets, Expr { span, ..typed.before() }))
    }

    /// Reports an error if the state before cannot be read here.
    fn may_read_before(&mut self, scope: &ExprScope, value: &AstExpr, span: Span) -> Typed<()> {
        let text = self.text(value.span);
        let (message, help) = match scope.reads {
            ReadAccess::At => return Ok(()),
            ReadAccess::State if scope.before => return Ok(()),
            ReadAccess::Positions => {
                let position = scope.position().unwrap_or("t");
                (
                    format!("`{BEFORE}({text})` is read without a position"),
                    format!(
                        "`{BEFORE}({text})@{position}` reads it in the state before position `{position}`"
                    ),
                )
            }
            _ => (
                format!("`{BEFORE}({text})` cannot be read here"),
                match scope.labels {
                    true => "the state before a step is read in predicates and vocabularies".to_owned(),
                    false => format!(
                        "the state before a step is read in predicates, `{BEFORE}({text})@t`, and vocabularies; in actions, `{text}` is the value before \
                         the step and `{text}'` the value after it"
                    ),
                },
            ),
        };
        self.wrong(Diagnostic::error(span, message).with_help(help))
    }

    /// `never e between t1 and t2`, `never e before t`
    pub(super) fn never(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        (after, before): (Option<&'a AstExpr>, &'a AstExpr),
        span: Span,
    ) -> Typed {
        let linear = format!("; in `ltl` properties, write `always not ({})`", self.text(value.span));
        self.may_read_stretch(scope, ("never", &linear), span)?;
        let after = after.map(|after| self.position(scope, value, after)).transpose()?;
        let before = self.position(scope, value, before)?;
        let value = self.read_somewhere(scope, |c, scope| c.bool(scope, value))?;
        Ok(Expr { kind: ExprKind::Never { value: Box::new(value), after, before }, ty: Type::Bool, span })
    }

    /// Reports an error if something cannot be said of the positions between two here.
    fn may_read_stretch(
        &mut self,
        scope: &ExprScope,
        (word, elsewhere): (&str, &str),
        span: Span,
    ) -> Typed<()> {
        let (message, help) = match scope.reads {
            ReadAccess::Positions => return Ok(()),
            ReadAccess::At => (
                format!("`{word}` cannot stand inside `@` or `never`"),
                "it says itself at which positions it is read: join formulas by `and`, `or` and `not`".into(),
            ),
            _ => (
                format!("`{word}` is about positions, but there are none here"),
                format!("only predicates have positions: their parameters of type `pos`{elsewhere}"),
            ),
        };
        self.wrong(Diagnostic::error(span, message).with_help(help))
    }

    /// `e established by a()@t1 before t2`
    pub(super) fn established(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        (by, before): (&'a AstExpr, &'a AstExpr),
        span: Span,
    ) -> Typed {
        self.may_read_stretch(scope, ("established by", ""), span)?;
        let AstExprKind::At(_, at) = &by.kind else {
            let text = self.text(by.span);
            let error = Diagnostic::error(by.span, format!("`{text}` is not a step at a position"));
            let help = match self.event_of(scope, by) {
                Some(_) => format!("add its position: `{text}@t1`"),
                None => {
                    "write a step with its position, `action()@t1`; join several such formulas by `or`".into()
                }
            };
            return self.wrong(error.with_help(help));
        };
        let mut placed = None;
        value.walk(&mut |part| {
            if let AstExprKind::At(inner, _) = &part.kind {
                placed = placed.or(Some((part.span, inner.span)));
            }
        });
        if let Some((span, inner)) = placed {
            let error = Diagnostic::error(span, "the condition of `established by` is read without `@`");
            let help =
                format!("write `{}`: it is read after that step and before the other one", self.text(inner));
            return self.wrong(error.with_help(help));
        }
        let (after, before) = (self.position(scope, by, at)?, self.position(scope, value, before)?);
        let step = self.bool(scope, by)?;
        let holds = self.read_somewhere(scope, |c, scope| c.bool(scope, value))?;
        let was = self.read_at(scope, after, span, |c, scope| c.before_step(scope, value, span))?;
        let ended = ExprKind::Never { value: Box::new(holds.clone().negated()), after: Some(after), before };
        let place = |local: LocalId| Expr { kind: ExprKind::Local(local), ty: Type::Pos, span };
        let no = Expr::constant(Value::Bool(false), Type::Bool.optional(), span);
        let parts = vec![
            step,
            Expr::binary_bool(Op::Lt, place(after), place(before)),
            Expr::binary_bool(Op::Eq, was, no),
            Expr { span, ..holds.at(after) },
            Expr { kind: ended, ty: Type::Bool, span },
        ];
        Ok(Expr::all(parts, span))
    }
}
