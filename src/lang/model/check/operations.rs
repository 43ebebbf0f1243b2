//! Operations: statements with a name and parameters, which are checked once as declared and inlined where they are called.

use super::actions::{ActionBody, Guards};
use super::entity::Entity;
use super::{CheckProgress, Checker, ExprScope, OperationDecl, ReadAccess, Reported, Typed};
use crate::syntax::ast::{AstExpr, Ident};
use kit::diagnostics::{Diagnostic, Span};

impl<'a> Checker<'a> {
    pub(super) fn check_operations(&mut self, unit: usize) {
        for index in 0..self.operations.len() {
            if self.operations[index].unit == unit {
                self.check_operation(index);
            }
        }
    }

    /// True if an operation is free of errors; checks it as declared on first use.
    fn check_operation(&mut self, operation: usize) -> bool {
        let decl = self.operations[operation].clone();
        match decl.good {
            CheckProgress::Done(good) => return good,
            CheckProgress::Doing => {
                self.report_cycle("operation", &decl.name.name, decl.name.span);
                return false;
            }
            CheckProgress::Todo => {}
        }
        self.operations[operation].good = CheckProgress::Doing;
        self.checking.push(decl.name.name.clone());
        let in_step = std::mem::replace(&mut self.in_step, true);
        let good = self.within(decl.unit, |c| c.unsilenced(|c| c.is_well_formed(&decl)));
        self.in_step = in_step;
        self.checking.pop();
        self.operations[operation].good = CheckProgress::Done(good);
        good
    }

    fn is_well_formed(&mut self, decl: &OperationDecl<'a>) -> bool {
        let before = self.errors();
        let mut scope = ExprScope::new(decl.unit, ReadAccess::State);
        for param in decl.params {
            let ty = self.resolve_type(decl.unit, &param.ty, &param.name.name);
            self.bind_parameter(&mut scope, param, ty);
        }
        let mut out = ActionBody::default();
        self.block(&mut scope, decl.body, &Guards::default(), &mut out);
        self.check_overlaps(("operation", &decl.name.name), &out.assignments);
        self.errors() == before
    }

    /// The statements of an operation with these arguments, as part of an action.
    pub(super) fn call_operation(
        &mut self,
        scope: &mut ExprScope,
        (name, args): (&'a Ident, &'a [AstExpr]),
        span: Span,
        guards: &Guards,
        out: &mut ActionBody,
    ) {
        let Ok(operation) = self.called_operation(scope, name) else { return };
        let decl = self.operations[operation].clone();
        let number = self.right_number(&name.name, decl.params.len(), args.len(), span);
        if number.is_err() || !self.check_operation(operation) {
            return;
        }
        let mut given = Vec::new();
        for (param, written) in decl.params.iter().zip(args) {
            let ty = self.resolve_quietly(decl.unit, param);
            let place = format!("`{}` of `{}`", param.name.name, name.name);
            let arg = self.expr_for(scope, written, &ty);
            match arg.and_then(|arg| self.fitting(scope, arg, &ty, written, &place)) {
                Ok(arg) => given.push((&param.name, arg)),
                Err(Reported) => return,
            }
        }
        let mut inner = ExprScope::new(decl.unit, ReadAccess::State);
        inner.known = scope.known.clone();
        inner.lets = scope.lets.clone();
        let lets = self.bind_arguments(&mut inner, given);
        inner.lets.extend(lets);
        let made = out.assignments.len();
        let ((), failed) = self.silently(|c| c.block(&mut inner, decl.body, guards, out));
        if failed && !self.given_up {
            let error =
                Diagnostic::error(span, format!("`{}` cannot be called with these arguments", name.name));
            self.report(error.with_note("an integer argument is outside the declared range"));
        }
        for assignment in &mut out.assignments[made..] {
            assignment.call = Some(span);
            assignment.update.span = span;
        }
    }

    fn called_operation(&mut self, scope: &ExprScope, name: &Ident) -> Typed<usize> {
        let error = match self.global(scope, &name.name) {
            Some(Entity::Operation(operation)) => return Ok(operation),
            Some(other) => {
                let message = format!("`{}` is {}, not an operation", name.name, other.kind());
                let help = match other {
                    Entity::Action(_) => {
                        "put the shared statements into an `operation` that the actions call"
                    }
                    Entity::Def(_) | Entity::Pred(_) => "a formula becomes a statement by `require`",
                    _ => "a statement is `require e;`, `x' = e;` or a call of an operation",
                };
                Diagnostic::error(name.span, message).with_help(help)
            }
            None if scope.local(&name.name).is_some() => {
                Diagnostic::error(name.span, format!("`{}` is a bound name, not an operation", name.name))
            }
            None => {
                let operations = |e| matches!(e, Entity::Operation(_));
                return self.unknown("operation", &name.name, name.span, scope, &operations);
            }
        };
        self.wrong(error)
    }
}
