//! The meaning of declared names, and suggestions for unknown ones.

use super::entity::Entity;
use super::{
    ActionDecl, CheckProgress, Checker, ConstDecl, DefDecl, ElaboratedUnit, ExprScope, ImportedComponent,
    OperationDecl, PredDecl, Reported, TypeDecl, Typed, VarDecl, VariantDecl, foreign,
};
use crate::model::expr::VarId;
use crate::model::types::{EnumDecl, EnumId, Type};
use crate::syntax::ast::{self, AstTypeKind, FileKind, Ident, ItemKind, TypeExpr};
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// Where a name is unknown, all declared ones are listed if they are at most so many.
const MOST_NAMED: usize = 8;

/// Help for a name that something has not, of these that it has.
pub(super) fn help_on_name(name: &str, names: &[&str], what: &str) -> String {
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if names.is_empty() => format!("it has no {what}"),
        None => format!("its {what} are {}", names.join(", ")),
    }
}

impl<'a> Checker<'a> {
    /// Enters all declarations of a file. With `supplied`, the unit is a library or component whose required
    /// names stand for these entities. `imported` says how a component is imported.
    pub(super) fn declare_unit(
        &mut self,
        file: usize,
        supplied: Option<Vec<(&'a Ident, Entity)>>,
        imported: Option<ImportedComponent>,
    ) -> usize {
        let files = self.files;
        let tree = &files[file].tree;
        let unit = self.units.len();
        let (names, places) = (FxHashMap::default(), FxHashMap::default());
        let kind = tree.header.as_ref().map_or(FileKind::Model, |header| header.kind);
        self.units.push(ElaboratedUnit { file, tree, kind, imported, names, places });
        for (name, entity) in supplied.into_iter().flatten() {
            self.enter(unit, name, entity);
        }
        let known = self.actions.len();
        for item in &tree.items {
            self.declare(unit, item, kind);
        }
        let variants: Vec<String> = (known..self.actions.len()).map(|a| self.action_name(a)).collect();
        if kind == FileKind::Component {
            self.types.enums[self.action_enum.0 as usize].variants.extend(variants);
        } else if kind == FileKind::Model {
            let span = tree.header.as_ref().map(|h| h.name.span).unwrap_or_default();
            self.action_enum = EnumId(to_u32(self.types.enums.len()));
            self.types.enums.push(EnumDecl { name: "action".into(), variants, span });
        }
        unit
    }

    /// Enters a name into a unit; reports an error if it is declared already.
    fn enter(&mut self, unit: usize, name: &'a Ident, entity: Entity) {
        if let Some(first) = self.units[unit].names.get(&name.name) {
            let mut message = format!("`{}` is declared twice", name.name);
            let place = self.units[unit].places[&name.name];
            if let (Entity::EnumValue(a, _), Entity::EnumValue(b, _)) = (*first, entity) {
                let (a, b) = (&self.types.enumeration(a).name, &self.types.enumeration(b).name);
                message = match a == b {
                    true => format!("`{}` occurs twice in enum {a}", name.name),
                    false => format!("`{}` is a value of both enum {a} and enum {b}", name.name),
                };
            } else if first.kind() != entity.kind() {
                message = format!("`{}` is both {} and {}", name.name, first.kind(), entity.kind());
            }
            let error = Diagnostic::error(name.span, message).with_related(place, "first declared here");
            self.report(error.with_help("rename one of them"));
            return;
        }
        if name.name == "pos" && matches!(entity, Entity::Type(_)) {
            let error = Diagnostic::error(name.span, "`pos` is already the type of positions");
            self.report(error.with_help("choose another name"));
        }
        self.units[unit].names.insert(name.name.clone(), entity);
        self.units[unit].places.insert(name.name.clone(), name.span);
    }

    fn declare(&mut self, unit: usize, item: &'a ast::Item, kind: FileKind) {
        if self.is_misplaced(item, kind) {
            return;
        }
        match &item.kind {
            ItemKind::Import { alias, bindings, .. } => {
                let number = self.imports.iter().filter(|import| import.home == unit).count();
                let file = self.files[self.units[unit].file].imports[number];
                let failed = file.is_none();
                let import = super::ImportDecl { home: unit, alias, bindings, file, unit: None, failed };
                self.imports.push(import);
                self.enter(unit, alias, Entity::Import(self.imports.len() - 1));
            }
            ItemKind::Const { name, ty, value } => {
                self.declare_enumerations(unit, ty, &name.name);
                let declared = super::POISON;
                self.consts.push(ConstDecl {
                    unit,
                    name,
                    ty,
                    written: value,
                    declared,
                    value: CheckProgress::Todo,
                });
                self.enter(unit, name, Entity::Const(self.consts.len() - 1));
            }
            ItemKind::Type { name, ty, symmetric } => {
                let (symmetric, written) = (*symmetric, Some(ty));
                self.type_decls.push(TypeDecl { unit, name, written, symmetric, ty: CheckProgress::Todo });
                self.enter(unit, name, Entity::Type(self.type_decls.len() - 1));
                self.declare_enumerations(unit, ty, &name.name);
            }
            ItemKind::Var { name, ty } => {
                let id = VarId(to_u32(self.vars.len()));
                self.vars.push(VarDecl { unit, name, written: ty, doc: item.doc.clone(), ty: None });
                self.enter(unit, name, Entity::Var(id));
                self.declare_enumerations(unit, ty, &name.name);
            }
            ItemKind::Def { name, params, ty, body } => {
                self.defs.push(DefDecl {
                    unit,
                    name,
                    params,
                    ty,
                    body,
                    good: CheckProgress::Todo,
                    levels: 0,
                    tall: None,
                });
                self.enter(unit, name, Entity::Def(self.defs.len() - 1));
            }
            ItemKind::Pred { name, params, body } => {
                let doc = item.doc.clone();
                self.preds.push(PredDecl { unit, name, params, body, doc, checked: CheckProgress::Todo });
                self.enter(unit, name, Entity::Pred(self.preds.len() - 1));
            }
            ItemKind::Action { name, params, modifies, body } => {
                let (written, doc) = (params, item.doc.clone());
                self.actions.push(ActionDecl { unit, name, written, params: None, modifies, body, doc });
                self.enter(unit, name, Entity::Action(self.actions.len() - 1));
            }
            ItemKind::Operation { name, params, body } => {
                self.operations.push(OperationDecl { unit, name, params, body, good: CheckProgress::Todo });
                self.enter(unit, name, Entity::Operation(self.operations.len() - 1));
            }
            _ => {}
        }
        if let ItemKind::Def { params, .. }
        | ItemKind::Action { params, .. }
        | ItemKind::Operation { params, .. }
        | ItemKind::Pred { params, .. } = &item.kind
        {
            params.iter().for_each(|p| self.declare_enumerations(unit, &p.ty, &p.name.name));
        }
    }

    /// Reports a declaration that does not belong in a file of this kind; whether it is ignored.
    fn is_misplaced(&mut self, item: &'a ast::Item, kind: FileKind) -> bool {
        let library = kind == FileKind::Library;
        let only_model = match &item.kind {
            ItemKind::Vocabulary { .. } => Some("vocabularies"),
            ItemKind::Example(_) if kind == FileKind::Component => Some("examples"),
            _ if kind == FileKind::Component => None,
            ItemKind::Var { .. } => Some("variables"),
            ItemKind::Init(_) => Some("initial states"),
            ItemKind::Action { .. } => Some("actions"),
            ItemKind::Assume(_) => Some("assumptions"),
            ItemKind::Invariant { .. } | ItemKind::Ltl { .. } | ItemKind::Ctl { .. } => Some("properties"),
            ItemKind::Fairness(_) | ItemKind::ActionFairness { .. } => Some("fairness conditions"),
            ItemKind::Environment(_) => Some("an environment"),
            ItemKind::Operation { .. } => Some("operations"),
            _ => None,
        };
        if let Some(what) = only_model.filter(|_| kind != FileKind::Model) {
            let file = if library { "library" } else { "component" };
            let error = Diagnostic::error(item.span, format!("a {file} cannot declare {what}"));
            let help = match library && !matches!(item.kind, ItemKind::Vocabulary { .. }) {
                true => "declare them in the model that imports it, or make it a `component`",
                false => "declare them in the model that imports it",
            };
            self.report(error.with_help(help));
            return true;
        }
        if let ItemKind::Requires(requirements) = &item.kind {
            if kind == FileKind::Model {
                let error = Diagnostic::error(item.span, "only libraries and components can have `requires`");
                self.report(error.with_help("declare it in the model itself"));
            }
            if library {
                self.refuse_requirements(requirements);
            }
        }
        false
    }

    /// Enters the values of the enumerations in a type. Enumerations declared in place are named after
    /// that place.
    fn declare_enumerations(&mut self, unit: usize, ty: &'a TypeExpr, name: &str) {
        match &ty.kind {
            AstTypeKind::Enum(values) => {
                let id = *self.enum_ids.entry(ty.span).or_insert_with(|| {
                    let variants = values.iter().map(|v| v.name.clone()).collect();
                    self.types.enums.push(EnumDecl { name: name.into(), variants, span: ty.span });
                    EnumId(to_u32(self.types.enums.len() - 1))
                });
                for (index, value) in values.iter().enumerate() {
                    self.enter(unit, value, Entity::EnumValue(id, to_u32(index)));
                }
                if values.is_empty() {
                    self.report(Diagnostic::error(ty.span, "an enumeration needs at least one value"));
                }
            }
            AstTypeKind::Variant(constructors) => {
                self.variants.push(VariantDecl { unit, written: ty, name: name.to_owned() });
                let variant = self.variants.len() - 1;
                for (index, constructor) in constructors.iter().enumerate() {
                    self.enter(unit, &constructor.name, Entity::Constructor(variant, to_u32(index)));
                    for (field, ty) in &constructor.fields {
                        let name = format!("{name}.{}.{}", constructor.name.name, field.name);
                        self.declare_enumerations(unit, ty, &name);
                    }
                }
            }
            AstTypeKind::Set(inner) | AstTypeKind::Option(inner) => {
                self.declare_enumerations(unit, inner, name)
            }
            AstTypeKind::Map(key, value) => {
                self.declare_enumerations(unit, key, name);
                self.declare_enumerations(unit, value, name);
            }
            AstTypeKind::Record(fields) => {
                for (field, ty) in fields {
                    self.declare_enumerations(unit, ty, &format!("{name}.{}", field.name));
                }
            }
            _ => {}
        }
    }

    /// The entity that a name refers to in a unit. With dots, it is that of a component: `net.content`.
    pub(super) fn entity(&self, unit: usize, name: &str) -> Option<Entity> {
        match name.split_once('.') {
            Some((alias, rest)) => self.entity(self.component_named(unit, alias)?, rest),
            None => self.units[unit].names.get(name).copied(),
        }
    }

    /// The entity that a name refers to, unless a bound name shadows it.
    pub(super) fn global(&self, scope: &ExprScope, name: &str) -> Option<Entity> {
        let first = name.split('.').next().unwrap_or(name);
        if scope.local(first).is_some() { None } else { self.entity(scope.unit, name) }
    }

    /// Reports an unknown name, unless its declaration may have been skipped by the parser.
    pub(super) fn unknown<T>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        scope: &ExprScope,
        fits: &dyn Fn(Entity) -> bool,
    ) -> Typed<T> {
        if let Some((alias, rest)) = name.split_once('.') {
            match self.component_named(scope.unit, alias) {
                Some(unit) => {
                    return self.unknown(what, rest, span, &ExprScope::new(unit, scope.reads), fits);
                }
                // Errors in the import were reported.
                None if self.failed_import(scope.unit, alias) => self.silent_errors += 1,
                None => match self.global(scope, alias) {
                    Some(other) => {
                        let message = format!("`{alias}` is {}, not a component", other.kind());
                        self.report(Diagnostic::error(span, message));
                    }
                    None => {
                        let imports = |e| matches!(e, Entity::Import(_));
                        return self.unknown("component", alias, span, scope, &imports);
                    }
                },
            }
            return Err(Reported);
        }
        let unit = &self.units[scope.unit];
        if self.files[unit.file].incomplete && self.instance.is_none() {
            self.silent_errors += 1;
            return Err(Reported);
        }
        let globals = || unit.names.iter().filter(|(_, e)| fits(**e)).map(|(n, _)| n.as_str());
        let locals = scope.locals.iter().map(|(n, _)| n.as_str());
        // In a vocabulary, a misspelt predicate may also be another kind of item.
        let facts: &[&str] =
            if what == "predicate" { &["before", "next", "eq", "lacks", "absent"] } else { &[] };
        let found = nearest(name, locals.chain(globals()).chain(facts.iter().copied()));
        let help = found.map(|n| match self.global(scope, n) {
            Some(entity) => format!("did you mean `{n}`? ({})", self.describe(scope.unit, n, entity)),
            None => format!("did you mean `{n}`?"),
        });
        let declared = || {
            let mut names: Vec<&str> = globals().collect();
            names.sort_unstable();
            let few = what != "name" && !names.is_empty() && names.len() <= MOST_NAMED;
            few.then(|| format!("declared: {}", names.join(", ")))
        };
        let mut error = Diagnostic::error(span, format!("unknown {what} `{name}`"));
        error.help = foreign::meant_by(what, name).map(str::to_owned).or(help).or_else(declared);
        self.wrong(error)
    }

    /// `enum Agent, specs/ns.sts:10`
    fn describe(&self, unit: usize, name: &str, entity: Entity) -> String {
        let kind = match entity {
            Entity::EnumValue(id, _) => format!("enum {}", self.types.enumeration(id).name),
            other => other.kind().trim_start_matches("an ").trim_start_matches("a ").to_string(),
        };
        format!("{kind}, {}", self.line(self.units[unit].places[name]))
    }

    /// Warns about a bound name that shadows another bound name or a declared one.
    pub(super) fn warn_shadowed(&mut self, scope: &ExprScope, name: &Ident) {
        let what = match (scope.local(&name.name), self.entity(scope.unit, &name.name)) {
            (Some(_), _) => "another bound name".to_string(),
            (None, Some(Entity::Action(_) | Entity::Pred(_) | Entity::Import(_))) => return,
            (None, Some(entity)) => self.describe(scope.unit, &name.name, entity),
            (None, None) => return,
        };
        let message = format!("`{}` shadows a name declared outside ({what})", name.name);
        self.report(Diagnostic::warning(name.span, message));
    }

    /// A type in the syntax of the language; required types by their names.
    pub(super) fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Abstract(n) => {
                self.abstract_types.get(*n as usize).cloned().unwrap_or_else(|| "none".into())
            }
            Type::Set(element) => format!("set of {}", self.show(element)),
            Type::Option(inner) if matches!(**inner, Type::Abstract(n) if n >= super::types::OPEN_FROM) => {
                "none".into()
            }
            Type::Option(inner) => format!("option {}", self.show(inner)),
            Type::Map(key, value) => format!("map {} to {}", self.show(key), self.show(value)),
            other => self.types.show(other),
        }
    }
}
