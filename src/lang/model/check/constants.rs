//! Constants: their declared values and those given by `--set`.

use super::fold::is_constant;

use super::relations::assignable;
use super::types::poisoned;
use super::{CheckProgress, Checker, ExprScope, ReadAccess, Reported, Typed};
use crate::model::expr::{Expr, ExprKind};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::AstExpr;
use kit::diagnostics::{Diagnostic, Span, nearest};

impl<'a> Checker<'a> {
    /// The value of a constant at a place where it is used.
    pub(super) fn constant(&mut self, scope: &ExprScope, index: usize, used: Span) -> Typed {
        let decl = &self.consts[index];
        let (name, place) = (&decl.name.name, decl.name.span);
        let early = scope.ordered
            && place.source == used.source
            && used.start < place.start
            && !matches!(decl.value, CheckProgress::Doing);
        if early {
            let error = Diagnostic::error(used, format!("constant `{name}` is used before its declaration"));
            let error = error.with_related(place, "declared here").with_help("move the declaration up");
            return self.wrong(error);
        }
        self.value_of(index)
    }

    pub(super) fn value_of(&mut self, index: usize) -> Typed {
        let decl = &self.consts[index];
        let (unit, name, ty, written) = (decl.unit, decl.name, decl.ty, decl.written);
        match &decl.value {
            CheckProgress::Done(value) => return value.clone(),
            CheckProgress::Doing => {
                let message = format!("constant `{}` depends on itself", name.name);
                return self.unsilenced(|c| c.wrong(Diagnostic::error(name.span, message)));
            }
            CheckProgress::Todo => {}
        }
        self.consts[index].value = CheckProgress::Doing;
        let value = self.unsilenced(|c| {
            let ty = c.resolve_type(unit, ty, &name.name);
            c.consts[index].declared = ty.clone();
            let mut scope = ExprScope::new(unit, ReadAccess::Constants);
            scope.ordered = true;
            let value = c.constant_value(scope, &ty, written, &format!("const `{}`", name.name));
            let given = c.overrides.iter().rfind(|o| unit == 0 && o.name == name.name);
            match given {
                Some(given) if !poisoned(&ty) => c.overridden(unit, index, given, &ty).map_or(value, Ok),
                _ => value,
            }
        });
        self.consts[index].value = CheckProgress::Done(value.clone());
        value
    }

    /// The value of a constant expression in a place of this type; `place` describes it in messages.
    pub(super) fn constant_value(
        &mut self,
        mut scope: ExprScope,
        ty: &Type,
        written: &'a AstExpr,
        place: &str,
    ) -> Typed {
        let typed = self.expr_for(&mut scope, written, ty)?;
        let typed = self.fitting(&scope, typed, ty, written, place)?;
        let typed = self.reshaped(typed, ty);
        if poisoned(&typed.ty) || self.is_abstract(&typed) {
            return Ok(typed);
        }
        let ExprKind::Const(value) = &typed.kind else {
            return self.wrong(Diagnostic::error(written.span, "this is not a constant expression"));
        };
        if !self.types.contains(ty, value) {
            let (ty, value) = (self.show(ty), self.types.show_value(value));
            // `fitting` has warned that the value never fits; for a constant this is an error.
            self.diagnostics.retain(|d| d.span != Some(written.span) || d.is_error());
            let message = format!("{place} is {ty}, not {value}");
            return self.wrong(Diagnostic::error(written.span, message));
        }
        Ok(typed_constant(value.clone(), ty, written.span))
    }

    /// The value given by `--set`, if it is of the right type.
    fn overridden(
        &mut self,
        unit: usize,
        index: usize,
        given: &'a super::Override,
        ty: &Type,
    ) -> Option<Expr> {
        let mut scope = ExprScope::new(unit, ReadAccess::Constants);
        let (typed, _) = self.silently(|c| given.value.as_ref().map(|e| c.expr_for(&mut scope, e, ty)));
        let value = match typed {
            _ if given.known.is_some() => given.known.clone(),
            Some(Ok(typed)) if is_constant(&typed) && assignable(&self.types, &typed.ty, ty) => {
                match self.reshaped(typed, ty).kind {
                    ExprKind::Const(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(value) = value.filter(|v| self.types.contains(ty, v)) {
            return Some(typed_constant(value, ty, self.consts[index].written.span));
        }
        let shown = self.show(ty);
        let (name, text) = (&given.name, &given.text);
        let message = format!("--set {name}={text}: the value is not of type {shown}");
        let mut error = Diagnostic::error_without_place(message);
        error = error.with_related(self.consts[index].name.span, "declared here");
        error.help = Some(self.possible_values(ty));
        self.wrong(error).ok()
    }

    /// The values of a type in words: `true or false`.
    fn possible_values(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "true or false".into(),
            Type::Int { lo, hi } => format!("an integer from {lo} to {hi}"),
            Type::Enum(id) => match self.types.enumeration(*id).variants.as_slice() {
                [one] => one.clone(),
                [most @ .., last] if most.len() < 12 => format!("{} or {last}", most.join(", ")),
                _ => format!("a value of {}", self.show(ty)),
            },
            Type::Option(inner) => format!("none, or {}", self.possible_values(inner)),
            _ => format!("a constant expression of type {}", self.show(ty)),
        }
    }

    /// Reports unknown and repeated constants in `--set`.
    pub(super) fn check_overrides(&mut self, unit: usize) {
        for (index, given) in self.overrides.iter().enumerate() {
            if self.overrides[..index].iter().any(|o| o.name == given.name) {
                let message = format!("--set gives two values for constant `{}`", given.name);
                self.report(Diagnostic::error_without_place(message).with_help("give only one of them"));
                continue;
            }
            let names: Vec<&str> =
                self.consts.iter().filter(|c| c.unit == unit).map(|c| c.name.name.as_str()).collect();
            if names.contains(&given.name.as_str()) {
                continue;
            }
            let message = format!("unknown constant `{}` in --set {}={}", given.name, given.name, given.text);
            let mut error = Diagnostic::error_without_place(message);
            error.help = match nearest(&given.name, names.iter().copied()) {
                Some(name) => Some(format!("did you mean `{name}`?")),
                None if names.is_empty() => Some("the model has no constants".into()),
                None => Some(format!("constants are {}", names.join(", "))),
            };
            self.report(error);
        }
    }

    /// The value of a constant integer expression; otherwise an error, not reported if the expression
    /// depends on what a library requires.
    pub(super) fn constant_int(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed<i64> {
        let typed = self.int(scope, e)?;
        match typed.kind {
            ExprKind::Const(Value::Int(n)) => Ok(n),
            _ if self.is_abstract(&typed) => Err(Reported),
            _ => self.wrong(Diagnostic::error(e.span, "expected a constant integer")),
        }
    }

    /// True if the value of an expression is known only when its library is imported.
    pub(super) fn is_abstract(&self, e: &Expr) -> bool {
        !is_constant(e)
            && e.any(&|e| matches!(&e.kind, ExprKind::Local(l) if self.abstract_values.contains(l)))
    }
}

/// A constant; the type of an integer is narrowed to its value.
fn typed_constant(value: Value, ty: &Type, span: Span) -> Expr {
    let ty = match value {
        Value::Int(n) if !ty.is_option() => Type::Int { lo: n, hi: n },
        _ => ty.clone(),
    };
    Expr::constant(value, ty, span)
}
