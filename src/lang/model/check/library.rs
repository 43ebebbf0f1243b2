//! Libraries: checked once by themselves, elaborated again for every import.

use super::entity::Entity;
use super::fold::is_constant;
use super::relations::assignable;
use super::types::{POISON, coerce, poisoned};
use super::{
    BoundRequirement, CheckProgress, Checker, Elaborated, ExprScope, ImportDecl, ImportedComponent,
    ReadAccess, Reported, TypeDecl, Typed, finished, or_poison, poison,
};
use crate::model::SequenceDiagram;
use crate::model::expr::{Expr, ExprKind};
use crate::model::types::Type;
use crate::syntax::ast::{
    self, AstExpr, AstExprKind, FileKind, Ident, ItemKind, Requirement, RequirementKind,
};
use kit::diagnostics::{Diagnostic, nearest};
use kit::number::to_u32;

/// The names of the requirements that define a sequence diagram.
const DIAGRAM: [&str; 4] = ["sent", "sender", "receiver", "content"];
/// The names of those that a diagram also uses: what is written over an arrow, and who is drawn between the others.
const FURTHER: [&str; 2] = ["label", "Attacker"];

/// Where an import takes a requirement of its library from.
#[derive(Clone, Copy)]
pub(super) enum Supply<'a> {
    /// The import binds it.
    Given(&'a AstExpr),
    /// The model declares the same name.
    Own,
    /// The library itself says what it is by default.
    Default(&'a AstExpr),
    Missing,
}

/// The maximum number of library instances in a model.
const MAX_INSTANCES: usize = 1000;

/// A library elaborated with what an import supplies.
#[derive(Debug)]
pub(super) struct LibraryInstance {
    library: usize,
    supplied: Vec<Supplied>,
    /// The elaborated unit; `None` after an error.
    unit: Option<usize>,
}

/// The meaning of a required name.
#[derive(Debug, PartialEq)]
enum Supplied {
    Type(Type),
    Value(Expr),
}

impl<'a> Supply<'a> {
    fn given(self) -> Option<&'a AstExpr> {
        match self {
            Supply::Given(given) => Some(given),
            Supply::Own | Supply::Default(_) | Supply::Missing => None,
        }
    }
}

impl<'a> Checker<'a> {
    /// Checks a library with opaque types and values in place of what it requires. Returns whether it is
    /// free of errors.
    pub(super) fn check_abstract_library(&mut self, file: usize) -> bool {
        if let Some(good) = self.libraries.get(&file) {
            return *good;
        }
        // Until it has been checked, it counts as erroneous, in case it imports itself.
        self.libraries.insert(file, false);
        let files = self.files;
        let tree = &files[file].tree;
        if let Some(header) = tree.header.as_ref().filter(|h| h.kind == FileKind::Model) {
            let message = format!("`{}` is a model, not a library", header.name.name);
            self.report(Diagnostic::error(header.name.span, message));
            return false;
        }
        let before = self.errors();
        let mut supplied: Vec<(&'a Ident, Entity)> = Vec::new();
        for requirement in requirements(tree) {
            let entity = match &requirement.kind {
                // These are only for components, which was reported.
                RequirementKind::Variable(_) | RequirementKind::Function(..) => continue,
                RequirementKind::Type => {
                    if let Some(default) = &requirement.default {
                        self.default_type(default, &supplied);
                    }
                    let ty = Type::Abstract(to_u32(self.abstract_types.len()));
                    self.abstract_types.push(requirement.name.name.clone());
                    self.bind_type(&requirement.name, ty)
                }
                RequirementKind::Value(_) | RequirementKind::Observe(_) => {
                    self.bounds.push(BoundRequirement { requirement, expr: poison(requirement.name.span) });
                    Entity::Bound(self.bounds.len() - 1)
                }
            };
            supplied.push((&requirement.name, entity));
        }
        let bound: Vec<usize> = supplied.iter().filter_map(|(_, e)| bound_index(*e)).collect();
        let unit = self.declare_unit(file, Some(supplied), None);
        for index in bound {
            let requirement = self.bounds[index].requirement;
            if let RequirementKind::Value(ty) | RequirementKind::Observe(ty) = &requirement.kind {
                let ty = self.resolve_type(unit, ty, &requirement.name.name);
                if let Some(default) = &requirement.default {
                    _ = self.default_value(unit, requirement, default);
                }
                let local = self.fresh();
                self.abstract_values.push(local);
                let span = requirement.name.span;
                self.bounds[index].expr = match poisoned(&ty) {
                    true => poison(span),
                    false => Expr { kind: ExprKind::Local(local), ty, span },
                };
            }
        }
        self.check_declarations(unit);
        self.check_imports(unit);
        self.check_definitions(unit);
        self.check_predicates(unit);
        self.check_examples_of_library(unit);
        let good = self.errors() == before && !self.files[file].incomplete;
        self.libraries.insert(file, good);
        good
    }

    /// Instantiates every imported library. Returns the sequence diagrams that they define.
    pub(super) fn check_imports(&mut self, unit: usize) -> Vec<SequenceDiagram> {
        let tree = self.units[unit].tree;
        let items = tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Import { path_span, .. } => Some(path_span),
            _ => None,
        });
        let imports: Vec<usize> =
            (0..self.imports.len()).filter(|&import| self.imports[import].home == unit).collect();
        let mut diagrams = Vec::new();
        for (path, import) in items.zip(imports) {
            let ImportDecl { alias, bindings, file, .. } = self.imports[import];
            let Some(library) = file else { continue };
            match self.file_kind(library) {
                Some(FileKind::Model) => {
                    self.report(Diagnostic::error(*path, "this is a model, not a library"));
                    continue;
                }
                Some(FileKind::Component) if self.is_library(unit) => {
                    let error = Diagnostic::error(*path, "a library cannot import a component");
                    self.report(error.with_help("import it into the model"));
                    continue;
                }
                Some(FileKind::Component) => continue,
                _ => {}
            }
            let instance = self.instance.take();
            let good = self.unsilenced(|c| c.check_abstract_library(library));
            self.instance = instance;
            let before = self.errors();
            let supplied = self.supplied(unit, library, alias, bindings);
            if !good {
                continue;
            }
            if let Some(made) = self.instantiate(unit, library, alias, supplied, before) {
                self.imports[import].unit = Some(made);
                diagrams.extend(self.diagram(made, alias));
            }
        }
        diagrams
    }

    /// The thing that an import supplies for each name that the library requires: the binding, the default of the library, or the
    /// importing file's declaration of the same name.
    pub(super) fn supplied(
        &mut self,
        unit: usize,
        library: usize,
        alias: &'a Ident,
        bindings: &'a [(Ident, AstExpr)],
    ) -> Vec<(&'a Requirement, Supply<'a>)> {
        let files = self.files;
        let required: Vec<&'a Requirement> = requirements(&files[library].tree).collect();
        let what = if self.file_kind(library) == Some(FileKind::Component) { "component" } else { "library" };
        for (index, (name, _)) in bindings.iter().enumerate() {
            if bindings[..index].iter().any(|(n, _)| n.name == name.name) {
                self.report(Diagnostic::error(name.span, format!("`{}` is bound twice", name.name)));
            } else if !required.iter().any(|r| r.name.name == name.name) && !files[library].incomplete {
                let message =
                    format!("the {what} imported as `{}` does not require `{}`", alias.name, name.name);
                let names: Vec<&str> = required.iter().map(|r| r.name.name.as_str()).collect();
                let mut error = Diagnostic::error(name.span, message);
                error = error.with_note(format!("it requires {}", names.join(", ")));
                error.help = nearest(&name.name, names.into_iter()).map(|n| format!("did you mean `{n}`?"));
                self.report(error);
            }
        }
        let only_component = |requirement: &&Requirement| {
            matches!(requirement.kind, RequirementKind::Variable(_) | RequirementKind::Function(..))
        };
        let mut list = Vec::new();
        // Requirements that a library cannot have were reported.
        for requirement in required.into_iter().filter(|r| !(what == "library" && only_component(r))) {
            let name = &requirement.name;
            let given = bindings.iter().find(|(n, _)| n.name == name.name).map(|(_, e)| e);
            let own = self.entity(unit, &name.name);
            let fits = match requirement.kind {
                RequirementKind::Type => matches!(own, Some(Entity::Type(_))),
                RequirementKind::Variable(_) => matches!(own, Some(Entity::Var(_))),
                RequirementKind::Function(..) => matches!(own, Some(Entity::Def(_))),
                _ => !matches!(own, None | Some(Entity::Type(_) | Entity::Pred(_) | Entity::Import(_))),
            };
            let supply = match (given, &requirement.default) {
                (Some(given), _) => Supply::Given(given),
                // Optional requirements are not bound by chance.
                (None, Some(default)) => Supply::Default(default),
                (None, None) if fits => Supply::Own,
                (None, None) => Supply::Missing,
            };
            // A declaration that could not be parsed may have supplied it.
            if matches!(supply, Supply::Missing) && !files[self.units[unit].file].incomplete {
                let place = self.line(name.span);
                let message =
                    format!("import `{}` does not bind `{}`, required by {place}", alias.name, name.name);
                let error = Diagnostic::error(alias.span, message);
                self.report(error.with_help(format!("add `{} = …`", name.name)));
            }
            list.push((requirement, supply));
        }
        list
    }

    /// Elaborates a library with what an import supplies, unless there are more than `before` errors; of a component, its
    /// declarations.
    pub(super) fn instantiate(
        &mut self,
        unit: usize,
        library: usize,
        alias: &'a Ident,
        supplied: Vec<(&'a Requirement, Supply<'a>)>,
        before: usize,
    ) -> Option<usize> {
        let complete = supplied.iter().all(|(_, supply)| !matches!(supply, Supply::Missing));
        let (mut entities, mut supplies, mut taken): (Vec<(&'a Ident, Entity)>, Vec<_>, Vec<_>) =
            Default::default();
        for (requirement, supply) in &supplied {
            let name = &requirement.name;
            let entity = match &requirement.kind {
                RequirementKind::Type => {
                    let ty = match supply {
                        Supply::Default(default) => self.default_type(default, &entities),
                        supply => self.supplied_type(unit, name, *supply),
                    };
                    self.bind_type(name, ty)
                }
                RequirementKind::Variable(_) | RequirementKind::Function(..) => {
                    let given = match supply {
                        Supply::Missing => continue,
                        supply => supply.given(),
                    };
                    let Some(entity) = self.supplied_entity(unit, requirement, given) else { continue };
                    taken.push((*requirement, entity, given.map_or(alias.span, |given| given.span)));
                    entity
                }
                _ => {
                    let expr = or_poison(self.supplied_value(unit, alias, requirement, *supply), alias.span);
                    self.bounds.push(BoundRequirement { requirement, expr });
                    Entity::Bound(self.bounds.len() - 1)
                }
            };
            entities.push((name, entity));
            supplies.push(*supply);
        }
        let bound = entities.iter().zip(&supplies);
        let bound = bound.filter_map(|((_, e), supply)| Some((bound_index(*e)?, *supply)));
        let bound: Vec<(usize, Supply<'a>)> = bound.collect();
        let component = self.file_kind(library) == Some(FileKind::Component);
        let prefix = self.full_name(unit, &format!("{}.", alias.name));
        let imported = component.then_some(ImportedComponent { prefix, place: alias.span });
        let elaborated = Elaborated { place: alias.span, known: !component };
        let outer = self.instance.replace(elaborated);
        let made = self.declare_unit(library, Some(entities), imported);
        self.instance = outer;
        for (requirement, entity, span) in taken {
            self.check_supplied_entity(made, requirement, entity, span);
        }
        for (index, supply) in bound {
            if let Supply::Default(default) = supply {
                let value = self.default_value(made, self.bounds[index].requirement, default);
                self.bounds[index].expr = or_poison(value, default.span);
            }
            self.check_supplied(unit, made, alias, index, supply.given());
        }
        if !complete || self.errors() > before {
            return None;
        }
        let supplied = self.supplied_to(made);
        // The model's own imports are distinguished by their aliases; inside libraries, equal instances are shared.
        if self.is_library(unit)
            && let Some(known) =
                self.instances.iter().find(|i| i.library == library && i.supplied == supplied)
        {
            return known.unit;
        }
        if self.too_many_instances(alias) {
            return None;
        }
        let index = self.instances.len();
        self.instances.push(LibraryInstance { library, supplied, unit: Some(made) });
        if component {
            self.within(made, |c| c.check_declarations(made));
            self.check_components(made);
            return Some(made);
        }
        self.instance.get_or_insert(elaborated);
        self.check_declarations(made);
        self.check_imports(made);
        self.check_definitions(made);
        self.check_predicates(made);
        self.instance = outer;
        self.instances[index].unit.filter(|_| self.folder.exhausted().is_none())
    }

    /// True if no further library can be instantiated, which is reported once.
    fn too_many_instances(&mut self, alias: &Ident) -> bool {
        let many = self.instances.len() >= MAX_INSTANCES;
        if many && !std::mem::replace(&mut self.given_up, true) {
            let message = format!("the imports expand to more than {MAX_INSTANCES} instances of libraries");
            let error = Diagnostic::error(alias.span, message);
            self.report(error.with_help("use the same bindings, or import fewer libraries"));
        }
        many
    }

    /// The meanings of everything that a library requires.
    fn supplied_to(&self, unit: usize) -> Vec<Supplied> {
        let tree = self.units[unit].tree;
        let names = requirements(tree).map(|requirement| requirement.name.name.as_str());
        let supplied = names.filter_map(|name| match self.entity(unit, name)? {
            Entity::Type(decl) => match &self.type_decls[decl].ty {
                CheckProgress::Done(ty) => Some(Supplied::Type(ty.clone())),
                CheckProgress::Todo | CheckProgress::Doing => None,
            },
            Entity::Bound(index) => Some(Supplied::Value(self.bounds[index].expr.without_places())),
            _ => None,
        });
        supplied.collect()
    }

    fn bind_type(&mut self, name: &'a Ident, ty: Type) -> Entity {
        let ty = CheckProgress::Done(ty);
        self.type_decls.push(TypeDecl { unit: usize::MAX, name, written: None, symmetric: false, ty });
        Entity::Type(self.type_decls.len() - 1)
    }

    fn supplied_type(&mut self, unit: usize, name: &'a Ident, supply: Supply<'a>) -> Type {
        let mut scope = ExprScope::new(unit, ReadAccess::Constants);
        let given = match supply {
            Supply::Given(given) => given,
            Supply::Own => return self.named_type(unit, &name.name, name.span),
            Supply::Default(_) | Supply::Missing => return POISON,
        };
        match &given.kind {
            AstExprKind::Range(lo, hi) => {
                match (self.constant_int(&mut scope, lo), self.constant_int(&mut scope, hi)) {
                    (Ok(lo), Ok(hi)) => self.int_range(lo, hi, given.span).unwrap_or(POISON),
                    _ => POISON,
                }
            }
            AstExprKind::Name(used) if used == "bool" => Type::Bool,
            AstExprKind::Name(used) => self.named_type(unit, used, given.span),
            AstExprKind::Error => POISON,
            _ => {
                let message = format!("`{}` must be bound to a type", name.name);
                self.report(Diagnostic::error(given.span, message).with_help("write the name of a type"));
                POISON
            }
        }
    }

    /// The type that a default names: one that the library requires before it.
    fn default_type(&mut self, default: &AstExpr, earlier: &[(&'a Ident, Entity)]) -> Type {
        if let AstExprKind::Name(name) = &default.kind
            && let Some((_, Entity::Type(decl))) = earlier.iter().find(|(earlier, _)| earlier.name == *name)
            && let CheckProgress::Done(ty) = &self.type_decls[*decl].ty
        {
            return ty.clone();
        }
        let error =
            Diagnostic::error(default.span, "the default of a type is one that is required before it");
        self.report(error.with_help("write its name"));
        POISON
    }

    /// The default of a required value or observable, in the scope of the library.
    fn default_value(&mut self, library: usize, requirement: &'a Requirement, default: &'a AstExpr) -> Typed {
        let (ty, reads) = match &requirement.kind {
            RequirementKind::Value(ty) => (ty, ReadAccess::Constants),
            RequirementKind::Observe(ty) => (ty, ReadAccess::State),
            RequirementKind::Type | RequirementKind::Variable(_) | RequirementKind::Function(..) => {
                return Err(Reported);
            }
        };
        let ty = self.resolve_type(library, ty, &requirement.name.name);
        let mut scope = ExprScope::new(library, reads);
        let typed = self.expr_for(&mut scope, default, &ty)?;
        self.fitting(&scope, typed, &ty, default, &format!("`{}`", requirement.name.name))
    }

    /// The expression bound to a required value or observable.
    fn supplied_value(
        &mut self,
        unit: usize,
        alias: &'a Ident,
        requirement: &'a Requirement,
        supply: Supply<'a>,
    ) -> Typed {
        let observe = matches!(requirement.kind, RequirementKind::Observe(_));
        let mut scope = ExprScope::new(unit, if observe { ReadAccess::State } else { ReadAccess::Constants });
        scope.labels = observe;
        let expr = match supply {
            Supply::Given(given) => self.expr(&mut scope, given)?,
            Supply::Own => self.name(&mut scope, &requirement.name.name, alias.span)?,
            // A default is in the scope of the library, see [`Checker::default_value`].
            Supply::Default(_) | Supply::Missing => return Err(Reported),
        };
        if !observe && !poisoned(&expr.ty) && !is_constant(&expr) && !self.is_abstract(&expr) {
            let message = format!("`{}` must be a constant", requirement.name.name);
            return self.wrong(Diagnostic::error(expr.span, message));
        }
        Ok(expr)
    }

    /// Checks that what was supplied is of the type that the library requires.
    fn check_supplied(
        &mut self,
        unit: usize,
        made: usize,
        alias: &'a Ident,
        index: usize,
        given: Option<&'a AstExpr>,
    ) {
        let BoundRequirement { requirement, mut expr } = self.bounds[index].clone();
        let (RequirementKind::Value(written) | RequirementKind::Observe(written)) = &requirement.kind else {
            return;
        };
        let name = &requirement.name.name;
        let ty = self.resolve_type(made, written, name);
        if poisoned(&ty) || poisoned(&expr.ty) {
            return;
        }
        let fits = assignable(&self.types, &expr.ty, &ty);
        if fits && is_constant(&expr) {
            expr = self.reshaped(expr, &ty);
        }
        let outside = matches!(&expr.kind, ExprKind::Const(value) if !self.types.contains(&ty, value));
        if fits && !outside {
            self.bounds[index].expr = coerce(expr, &ty);
            return;
        }
        let found = match given {
            Some(given) => self.described(&expr, given),
            None => self.show(&expr.ty),
        };
        let (expected, place) = (self.show(&ty), self.line(requirement.name.span));
        let span = given.map_or(alias.span, |g| g.span);
        let message = format!("import `{}` needs `{name}` of type {expected}, not {found}", alias.name);
        let mut error = Diagnostic::error(span, message).with_note(format!("it is required by {place}"));
        let scope = ExprScope::new(unit, ReadAccess::State);
        let origin = given.and_then(|g| self.origin(&scope, g));
        error.notes.extend(origin.map(|o| format!("the value is {found} because of {o}")));
        if !outside && assignable(&self.types, expr.ty.inner(), &ty) {
            error = error.with_help(format!("`{name} = … otherwise …` supplies a default"));
        }
        self.report(error);
    }

    /// The sequence diagram that an instance defines, if it has all of [`DIAGRAM`].
    fn diagram(&self, made: usize, alias: &Ident) -> Option<SequenceDiagram> {
        let part = |name: &str| match self.entity(made, name) {
            Some(Entity::Bound(index)) => Some(finished(self.bounds[index].expr.clone())),
            _ => None,
        };
        let [sent, sender, receiver, content] = DIAGRAM.map(part);
        let [label, attacker] = FURTHER.map(part);
        Some(SequenceDiagram {
            alias: alias.name.clone(),
            sent: sent?,
            sender: sender?,
            receiver: receiver?,
            content: content?,
            label,
            attacker,
        })
    }
}

/// All requirements of a library.
fn requirements(tree: &ast::File) -> impl Iterator<Item = &Requirement> {
    tree.items.iter().flat_map(|item| match &item.kind {
        ItemKind::Requires(list) => list.as_slice(),
        _ => &[],
    })
}

fn bound_index(entity: Entity) -> Option<usize> {
    match entity {
        Entity::Bound(index) => Some(index),
        _ => None,
    }
}
