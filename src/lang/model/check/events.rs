//! Steps as formulas: `put(m: p)@t`, whether the step that led to t is one of an action, with these arguments.

use super::entity::Entity;
use super::types::known;
use super::{Checker, ExprScope, ReadAccess, Typed};
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, Ident};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;

/// A step that is asked about, as written.
pub(super) struct WrittenStep<'a> {
    /// The index of the action.
    pub action: usize,
    /// Some of its parameters, each with the value that it has.
    pub given: &'a [(Ident, AstExpr)],
}

impl<'a> Checker<'a> {
    /// The step that an expression asks about: `put(m: p)`, or `put()` with any arguments.
    pub(super) fn event_of(&self, scope: &ExprScope, e: &'a AstExpr) -> Option<WrittenStep<'a>> {
        let (name, given): (_, &'a [_]) = match &e.kind {
            AstExprKind::Record { name, fields } => (name.name.clone(), fields),
            AstExprKind::Call { path, args } if args.is_empty() => {
                let path: Vec<&str> = path.iter().map(|part| part.name.as_str()).collect();
                (path.join("."), &[])
            }
            _ => return None,
        };
        match self.entity(scope.unit, &name) {
            Some(Entity::Action(action)) if scope.local(&name).is_none() => {
                Some(WrittenStep { action, given })
            }
            _ => None,
        }
    }

    /// The formula that the step that led to a state, or to a position, is one that is asked about.
    pub(super) fn event(
        &mut self,
        scope: &mut ExprScope,
        WrittenStep { action, given }: WrittenStep<'a>,
        at: Option<LocalId>,
        span: Span,
    ) -> Typed {
        if at.is_none() {
            self.may_read_steps(scope, span)?;
        }
        let read = |kind: ExprKind, ty: Type| {
            let value = Expr { kind, ty: ty.optional(), span };
            match at {
                Some(at) => value.at(at),
                None => value,
            }
        };
        let params = self.action_params(action);
        let mut bound = vec![None; params.len()];
        let mut parts = Vec::new();
        let mut says_action = false;
        for (name, written) in given {
            let param = self.asked_parameter(action, &params, name, &bound)?;
            let ty = &params[param].ty;
            let value = self.value_in_event(scope, written, ty, at)?;
            let ty = &known(ty.clone())?;
            if self.unify(ty, &value.ty).is_none() {
                let (found, wanted) = (self.described(&value, written), self.show(ty));
                let message = format!("parameter `{}` is {wanted}, not {found}", name.name);
                return self.wrong(Diagnostic::error(written.span, message));
            }
            bound[param] = Some(super::NameBinding::Alias(value.clone()));
            says_action |= !value.ty.is_option();
            let left = read(ExprKind::LabelArg { action, param }, ty.clone());
            let ty = left.ty.clone();
            let value = self.coerced(value, &ty);
            parts.push(self.folded(Expr { span, ..Expr::binary_bool(Op::Eq, left, value) }));
        }
        // An argument that has a value says which action was taken.
        if !says_action {
            let ty = Type::Enum(self.action_enum);
            let taken = Expr::constant(Value::Enum(self.action_enum, to_u32(action)), ty.clone(), span);
            let label = read(ExprKind::ActionLabel, ty);
            parts.insert(0, Expr { span, ..Expr::binary_bool(Op::Eq, label, taken) });
        }
        Ok(Expr { span, ..Expr::all(parts, span) })
    }

    /// The value that an argument is compared with: read where the step led, unless it says itself where it is read.
    fn value_in_event(
        &mut self,
        scope: &mut ExprScope,
        written: &'a AstExpr,
        ty: &Type,
        at: Option<LocalId>,
    ) -> Typed {
        let mut has_position = false;
        written.walk(&mut |part| has_position |= matches!(part.kind, AstExprKind::At(..)));
        match at {
            Some(at) if !has_position => {
                self.read_at(scope, at, written.span, |c, s| c.expr_for(s, written, ty))
            }
            _ => self.expr_for(scope, written, ty),
        }
    }

    /// Reports an error if the step that led to a state cannot be read here.
    fn may_read_steps(&mut self, scope: &ExprScope, span: Span) -> Typed<()> {
        let text = self.text(span);
        let error = if !scope.labels {
            let error = Diagnostic::error(span, format!("`{text}` is a step, which cannot be read here"));
            error.with_help(format!(
                "steps can only be read in predicates and vocabularies; `enabled({text})` asks whether there is such a step"
            ))
        } else if scope.reads == ReadAccess::Positions {
            let position = scope.position().unwrap_or("t");
            let error = Diagnostic::error(span, format!("`{text}` is read without a position"));
            error.with_help(format!("`{text}@{position}` is about the step that led to `{position}`"))
        } else {
            return Ok(());
        };
        self.wrong(error)
    }

    /// Reports positional arguments of an action.
    pub(super) fn unnamed_arguments(&mut self, action: usize, args: &'a [AstExpr], span: Span) -> Typed {
        let (name, params) = (self.action_name(action), self.action_params(action));
        let error = Diagnostic::error(span, "the arguments of an action are given by name");
        let given = params.iter().zip(args);
        let given: Vec<String> =
            given.map(|(param, arg)| format!("{}: {}", param.name, self.text(arg.span))).collect();
        self.wrong(error.with_help(format!("write `{name}({})`", given.join(", "))))
    }
}
