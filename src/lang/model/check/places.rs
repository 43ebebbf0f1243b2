//! Targets of assignments, and conflicts between assignments to the same place.

use super::relations::assignable;
use super::types::{POISON, poisoned};
use super::{Checker, ExprScope, Reported, Typed};
use crate::model::expr::{Expr, ExprKind, VarId};
use crate::model::types::Type;
use crate::model::{PathStep, Update};
use crate::syntax::ast::{self, AstExpr, AstPathStep};
use kit::diagnostics::{Diagnostic, Span};

use super::entity::Entity;

pub(super) struct AssignedPlace {
    pub(super) var: VarId,
    pub(super) path: Vec<PathStep>,
    /// The type of the place; poisoned if the place is ill-formed.
    pub(super) ty: Type,
}

/// An assignment with the enclosing branches of `if` statements: the statement and the branch.
pub(super) struct GuardedAssignment {
    pub(super) update: Update,
    pub(super) branches: Vec<(usize, bool)>,
    pub(super) target: Span,
    /// The call of an operation in the action that makes it, if it is not the action's own.
    pub(super) call: Option<Span>,
}

/// How two places overlap.
enum Overlap {
    /// They are always equal, or one is always part of the other.
    Always,
    /// One may be part of the other, depending on keys.
    Nested,
    /// They are disjoint, or equal for some keys: then the values must agree at run time.
    Harmless,
}

impl<'a> Checker<'a> {
    /// Resolves the target of an assignment.
    pub(super) fn place(&mut self, scope: &mut ExprScope, target: &'a ast::Target) -> Typed<AssignedPlace> {
        let name = &target.name;
        if self.prime_is_misplaced(scope, name) {
            return Err(Reported);
        }
        let var = match self.global(scope, &name.name) {
            Some(Entity::Var(var)) => var,
            other => {
                let what = match other {
                    Some(entity) => entity.kind(),
                    None if scope.local(&name.name).is_some() => "a bound name",
                    None => {
                        let variables = |e| matches!(e, Entity::Var(_));
                        return self.unknown("variable", &name.name, name.span, scope, &variables);
                    }
                };
                let message = format!("`{}` is {what} and cannot be assigned", name.name);
                return self.wrong(
                    Diagnostic::error(name.span, message).with_help("only variables can be assigned"),
                );
            }
        };
        let mut ty = self.var_type(var.0 as usize);
        let mut path = Vec::new();
        let mut good = true;
        for step in &target.path {
            let step_span = match step {
                AstPathStep::Index(key) => key.span,
                AstPathStep::Field(field) => field.span,
            };
            if ty.is_option() && !poisoned(&ty) {
                let before = self.sources.text(target.span.source);
                let so_far = before.get(target.span.start as usize..step_span.start as usize).unwrap_or("");
                let so_far = so_far.trim_end_matches(['.', '[']).replace('\'', "");
                let message = format!("`{so_far}` may be `none`, so its parts cannot be assigned");
                let error = Diagnostic::error(target.span, message);
                let help = format!("write `{}' = {} with (…)`", name.name, name.name);
                return self.wrong(error.with_help(help));
            }
            match step {
                AstPathStep::Index(key) => {
                    let typed = self.expr(scope, key);
                    let Type::Map(key_type, value) = ty.clone() else {
                        if !poisoned(&ty) {
                            let message = format!("{} has no entries to assign", self.show(&ty));
                            self.report(Diagnostic::error(key.span, message));
                        }
                        return Err(Reported);
                    };
                    match typed.and_then(|typed| self.place_key(scope, typed, key, &key_type)) {
                        Ok(typed) => {
                            let typed = Expr::with_names(&scope.lets, typed);
                            path.push(PathStep::Index(super::finished(typed)));
                        }
                        Err(Reported) => good = false,
                    }
                    ty = value.as_ref().clone();
                }
                AstPathStep::Field(field) => {
                    let Type::Record(id) = ty else {
                        if !poisoned(&ty) {
                            let message = format!("{} has no fields", self.show(&ty));
                            self.report(Diagnostic::error(field.span, message));
                        }
                        return Err(Reported);
                    };
                    let index = self.field_index(id, field)?;
                    self.replaceable(id, index, field.span)?;
                    path.push(PathStep::Field(index));
                    ty = self.types.record(id).fields[index].1.clone();
                }
            }
        }
        let ty = if good { ty } else { POISON };
        Ok(AssignedPlace { var, path, ty })
    }

    /// The key of an assigned map entry.
    fn place_key(&mut self, scope: &ExprScope, typed: Expr, key: &'a AstExpr, key_type: &Type) -> Typed {
        if poisoned(key_type) {
            return Err(Reported);
        }
        if !assignable(&self.types, typed.ty.inner(), key_type) {
            return self.wrong_key(scope, &typed, key, key_type);
        }
        let typed = self.where_known(scope, typed);
        if typed.ty.is_option() {
            let text = self.text(key.span);
            let error = Diagnostic::error(key.span, format!("the key `{text}` may be `none`"));
            let help = format!("put `require {text} is some;` before it, or write `{text} otherwise …`");
            return self.wrong(error.with_help(help));
        }
        if let (Type::Int { lo, hi }, Type::Int { lo: first, hi: last }) = (&typed.ty, key_type)
            && (hi < first || last < lo)
        {
            let message = format!("{} is never a key of this map", self.described(&typed, key));
            let error = Diagnostic::error(key.span, message);
            return self.wrong(error.with_note(format!("its keys are {first}..{last}")));
        }
        Ok(self.reshaped(typed, key_type))
    }

    /// Reports conflicting assignments of an action or operation.
    pub(super) fn check_overlaps(&mut self, (kind, name): (&str, &str), assignments: &[GuardedAssignment]) {
        // Without all expressions, different places may look alike.
        if self.given_up {
            return;
        }
        for (index, later) in assignments.iter().enumerate() {
            for earlier in &assignments[..index] {
                if earlier.update.var != later.update.var || exclusive(&earlier.branches, &later.branches) {
                    continue;
                }
                let place = |a: &GuardedAssignment| match a.call {
                    Some(_) => self.var_name(a.update.var.0 as usize),
                    None => self.text(a.target).replace('\'', ""),
                };
                let (first, second) = (place(earlier), place(later));
                let later_place = later.call.unwrap_or(later.target);
                let error = match overlap(&earlier.update.path, &later.update.path) {
                    Overlap::Harmless => continue,
                    Overlap::Always
                        if first == second || earlier.update.path.len() == later.update.path.len() =>
                    {
                        let message = format!("{kind} `{name}` assigns {second} twice");
                        Diagnostic::error(later_place, message)
                    }
                    Overlap::Always => {
                        let message = format!("{kind} `{name}` assigns both {first} and {second}");
                        let error = Diagnostic::error(later_place, message);
                        error.with_note("one is part of the other")
                    }
                    Overlap::Nested => {
                        let message = format!("{kind} `{name}` assigns both {first} and {second}");
                        let error = Diagnostic::error(later_place, message);
                        error.with_note("one may be part of the other, depending on the keys")
                    }
                };
                self.report(
                    error.with_related(earlier.call.unwrap_or(earlier.target), "first assigned here"),
                );
                return;
            }
        }
    }
}

/// True if two assignments are in different branches of the same `if`.
pub(super) fn exclusive(a: &[(usize, bool)], b: &[(usize, bool)]) -> bool {
    a.iter().any(|(id, branch)| b.iter().any(|(other, way)| id == other && branch != way))
}

fn overlap(a: &[PathStep], b: &[PathStep]) -> Overlap {
    let mut certain = true;
    for pair in a.iter().zip(b) {
        match pair {
            (PathStep::Field(x), PathStep::Field(y)) if x != y => return Overlap::Harmless,
            (PathStep::Index(x), PathStep::Index(y)) if x.without_places() != y.without_places() => {
                if let (ExprKind::Const(_), ExprKind::Const(_)) = (&x.kind, &y.kind) {
                    return Overlap::Harmless;
                }
                certain = false;
            }
            _ => {}
        }
    }
    match (certain, a.len() == b.len()) {
        (true, _) => Overlap::Always,
        (false, true) => Overlap::Harmless,
        (false, false) => Overlap::Nested,
    }
}
