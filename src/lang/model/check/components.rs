//! Components: files with variables and actions of their own, elaborated once for every import of a model.

use super::entity::Entity;
use super::relations::assignable;
use super::types::poisoned;
use super::{Checker, Elaborated, ExprScope, ImportDecl, ImportedComponent};
use crate::model::Environment;
use crate::model::types::Type;
use crate::syntax::ast::{AstExpr, AstExprKind, FileKind, Ident, Requirement, RequirementKind};
use kit::diagnostics::{Diagnostic, Span};

/// The name that an expression is, also with dots: `net.content`.
pub(super) fn dotted(e: &AstExpr) -> Option<String> {
    match &e.kind {
        AstExprKind::Name(name) => Some(name.clone()),
        AstExprKind::Field(inner, field) => Some(format!("{}.{}", dotted(inner)?, field.name)),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// Instantiates every component that a unit imports: variables, actions, and what they are made of.
    pub(super) fn check_components(&mut self, unit: usize) {
        for import in 0..self.imports.len() {
            let ImportDecl { home, alias, bindings, file, .. } = self.imports[import];
            let component = file.filter(|file| self.file_kind(*file) == Some(FileKind::Component));
            let Some(component) = component.filter(|_| home == unit) else { continue };
            let before = self.errors();
            let supplied = self.supplied(unit, component, alias, bindings);
            if !self.files[component].incomplete {
                self.imports[import].unit = self.instantiate(unit, component, alias, supplied, before);
            }
            self.imports[import].failed = self.imports[import].unit.is_none();
        }
    }

    /// The kind of a file, by its header.
    pub(super) fn file_kind(&self, file: usize) -> Option<FileKind> {
        self.files[file].tree.header.as_ref().map(|header| header.kind)
    }

    /// The model and all instances of components that could be made.
    pub(super) fn model_units(&self) -> Vec<usize> {
        let made = |unit: &usize| {
            !self.is_library(*unit) && self.imports.iter().any(|import| import.unit == Some(*unit))
        };
        std::iter::once(0).chain((1..self.units.len()).filter(made)).collect()
    }

    /// Checks a part of a unit; if it is a component, errors say where it is imported.
    pub(super) fn within<R>(&mut self, unit: usize, check: impl FnOnce(&mut Self) -> R) -> R {
        let place = self.units[unit].imported.as_ref().map(|imported| imported.place);
        let inner = place.map(|place| Elaborated { place, known: false });
        let outer = match inner {
            Some(_) => std::mem::replace(&mut self.instance, inner),
            None => self.instance,
        };
        let result = check(self);
        self.instance = outer;
        result
    }

    /// Checks a part of several units, one after the other.
    pub(super) fn in_all<T>(
        &mut self,
        units: &[usize],
        check: impl Fn(&mut Self, usize) -> Vec<T>,
    ) -> Vec<T> {
        units.iter().flat_map(|&unit| self.within(unit, |c| check(c, unit))).collect()
    }

    /// The environment that the model and its components declare together; `None` if none of them does.
    pub(super) fn environment(&mut self, units: &[usize]) -> Option<Environment> {
        let declared = self.in_all(units, |c, unit| c.check_environment(unit).into_iter().collect());
        let steps = |environments: Vec<Environment>| environments.into_iter().flat_map(|e| e.steps).collect();
        (!declared.is_empty()).then(|| Environment { steps: steps(declared) })
    }

    /// The instance of the component that a unit imports under a name.
    pub(super) fn component_named(&self, unit: usize, alias: &str) -> Option<usize> {
        match self.units[unit].names.get(alias) {
            Some(Entity::Import(import)) => self.imports[*import].unit.filter(|unit| !self.is_library(*unit)),
            _ => None,
        }
    }

    /// True if something was wrong with what a unit imports under a name.
    pub(super) fn failed_import(&self, unit: usize, alias: &str) -> bool {
        match self.units[unit].names.get(alias) {
            Some(Entity::Import(import)) => self.imports[*import].failed,
            _ => false,
        }
    }

    /// True if an import is of a component.
    pub(super) fn is_component(&self, import: usize) -> bool {
        self.imports[import].file.and_then(|file| self.file_kind(file)) == Some(FileKind::Component)
    }

    /// The name that something declared in a unit has in the model.
    pub(super) fn full_name(&self, unit: usize, name: &str) -> String {
        match self.units.get(unit).and_then(|unit| unit.imported.as_ref()) {
            Some(ImportedComponent { prefix, .. }) => format!("{prefix}{name}"),
            None => name.to_owned(),
        }
    }

    /// The name of an action in the model.
    pub(super) fn action_name(&self, action: usize) -> String {
        let decl = &self.actions[action];
        self.full_name(decl.unit, &decl.name.name)
    }

    /// The name of a variable in the model.
    pub(super) fn var_name(&self, var: usize) -> String {
        let decl = &self.vars[var];
        self.full_name(decl.unit, &decl.name.name)
    }

    /// Reports `x.f'`, which is neither a variable of a component nor a name with a prime: `x'.f` is meant.
    pub(super) fn prime_is_misplaced(&mut self, scope: &ExprScope, name: &Ident) -> bool {
        let Some((first, rest)) = name.name.split_once('.') else { return false };
        let import = match self.global(scope, first) {
            Some(Entity::Import(import)) => self.is_component(import),
            Some(_) => false,
            None => scope.local(first).is_none(),
        };
        if !import {
            let error = Diagnostic::error(name.span, "only a variable can be primed");
            let help = format!("the prime comes right after the variable: `{first}'.{rest}`");
            self.report(error.with_help(help));
        }
        !import
    }

    /// Reports requirements that only components can have.
    pub(super) fn refuse_requirements(&mut self, requirements: &'a [Requirement]) {
        for requirement in requirements {
            let what = match requirement.kind {
                RequirementKind::Variable(_) => "variables",
                RequirementKind::Function(..) => "functions",
                _ => continue,
            };
            let error = Diagnostic::error(requirement.name.span, format!("a library cannot require {what}"));
            self.report(error.with_help("require a `value` or `observe` instead, or make it a `component`"));
        }
    }

    /// The variable or definition that an import supplies for a requirement; `None` after an error.
    pub(super) fn supplied_entity(
        &mut self,
        unit: usize,
        requirement: &'a Requirement,
        given: Option<&'a AstExpr>,
    ) -> Option<Entity> {
        let name = &requirement.name.name;
        let (written, span) = match given {
            Some(given) => (dotted(given), given.span),
            None => (Some(name.clone()), requirement.name.span),
        };
        let found = written.and_then(|written| self.entity(unit, &written));
        let (what, fits) = match requirement.kind {
            RequirementKind::Variable(_) => ("a variable", matches!(found, Some(Entity::Var(_)))),
            _ => ("a definition", matches!(found, Some(Entity::Def(_)))),
        };
        if !fits {
            let is = found.map(|found| format!(", not to {}", found.kind())).unwrap_or_default();
            let error = Diagnostic::error(span, format!("`{name}` must be bound to {what}{is}"));
            self.report(error.with_help(format!("write the name of {what} of this file")));
        }
        found.filter(|_| fits)
    }

    /// Checks that a supplied variable or definition has the types that the component requires.
    pub(super) fn check_supplied_entity(
        &mut self,
        made: usize,
        requirement: &'a Requirement,
        entity: Entity,
        span: Span,
    ) {
        let name = &requirement.name.name;
        let place = self.line(requirement.name.span);
        let wrong = match (&requirement.kind, entity) {
            (RequirementKind::Variable(written), Entity::Var(var)) => {
                let expected = self.resolve_type(made, written, name);
                let found = self.var_type(var.0 as usize);
                let good = poisoned(&expected) || poisoned(&found) || expected == found;
                (!good).then(|| {
                    format!(
                        "`{name}` is a variable of type {}, not {}",
                        self.show(&expected),
                        self.show(&found)
                    )
                })
            }
            (RequirementKind::Function(params, result), Entity::Def(def)) => {
                let decl = self.defs[def].clone();
                let mut good = params.len() == decl.params.len();
                for (param, own) in params.iter().zip(decl.params) {
                    let given = self.resolve_type(made, &param.ty, &param.name.name);
                    let taken = self.resolve_quietly(decl.unit, own);
                    good &= poisoned(&given) || poisoned(&taken) || assignable(&self.types, &given, &taken);
                }
                let expected = self.resolve_type(made, result, name);
                let found = self.silently(|c| c.resolve_type(decl.unit, decl.ty, &decl.name.name)).0;
                good &= poisoned(&expected) || poisoned(&found) || assignable(&self.types, &found, &expected);
                if let (Type::Int { lo, hi }, Type::Int { lo: least, hi: most }) = (&found, &expected) {
                    good &= least <= lo && hi <= most;
                }
                (!good).then(|| {
                    let own = self.text(decl.name.span.to(decl.ty.span));
                    let required = self.text(requirement.name.span.to(result.span));
                    format!("`{required}` cannot be bound to `{own}`")
                })
            }
            _ => None,
        };
        if let Some(message) = wrong {
            self.report(Diagnostic::error(span, message).with_note(format!("it is required by {place}")));
        }
    }
}
