//! Instances of modules, and the names declared in each.

use super::text::tree::{
    Assign, ConstraintKind, Name, SmvExpr, SmvExprKind, SmvFile, SmvItem, SmvModule, SmvPropertyKind,
    SmvTypeKind, SmvTypeSyntax, VariableKind,
};
use kit::diagnostics::{Diagnostic, Span, nearest};
use std::collections::HashMap;

/// An instance of a module, by its number; that of `main` is 0.
pub(super) type ScopeId = usize;

/// The greatest number of instances of modules in a model, and the greatest nesting depth.
const MOST_INSTANCES: usize = 10_000;
const DEEPEST: usize = 100;
/// The greatest nesting of `ISA`, and number of declarations of a module with it.
const MOST_ROUNDS: usize = 10;
const MOST_ITEMS: usize = 10_000;
/// The greatest number of mistakes kept about names declared twice.
const MOST_MISTAKES: usize = 1_000;

/// The meaning of a name in a module.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModuleEntity<'f> {
    Variable(VariableKind, &'f SmvTypeSyntax),
    Instance(ScopeId),
    /// A definition, resolved where it is written.
    Define(&'f SmvExpr, ScopeId),
    /// An argument, resolved where the instance is declared.
    Parameter(&'f SmvExpr, ScopeId),
}

#[derive(Debug)]
pub(super) struct ModuleInstance<'f> {
    pub module: &'f SmvModule,
    /// The prefix of names of the instance: `p.q.`, or empty in `main`.
    pub path: String,
    /// The instance of the process that it belongs to.
    pub process: ScopeId,
    pub names: HashMap<&'f str, (ModuleEntity<'f>, Span)>,
    /// Its names in the order of declaration.
    pub order: Vec<&'f str>,
}

/// A part of a module other than a name.
pub(super) enum ModulePart<'f> {
    Assign(&'f Assign),
    Constraint(ConstraintKind, &'f SmvExpr),
    Justice(&'f SmvExpr),
    Compassion(&'f SmvExpr, &'f SmvExpr),
    Property(SmvPropertyKind, Option<&'f Name>, &'f SmvExpr),
    Ignored(&'static str, Span),
}

impl<'f> ModuleInstance<'f> {
    /// Iterates over its parts other than names, in the order of the text.
    pub fn parts(&self) -> impl Iterator<Item = ModulePart<'f>> + use<'f> {
        self.module.items.iter().filter_map(|item| match item {
            SmvItem::Assign(assign) => Some(ModulePart::Assign(assign)),
            SmvItem::Constraint(kind, formula) => Some(ModulePart::Constraint(*kind, formula)),
            SmvItem::Justice(formula) => Some(ModulePart::Justice(formula)),
            SmvItem::Compassion(p, q) => Some(ModulePart::Compassion(p, q)),
            SmvItem::Property(kind, name, formula) => {
                Some(ModulePart::Property(*kind, name.as_ref(), formula))
            }
            SmvItem::Ignored(word, span) => Some(ModulePart::Ignored(word, *span)),
            SmvItem::Variable(..)
            | SmvItem::Define(..)
            | SmvItem::DefineOf(..)
            | SmvItem::Constant(_)
            | SmvItem::Isa(_) => None,
        })
    }
}

/// Replaces `ISA m` by the declarations of the module m.
pub(super) fn expand(file: &mut SmvFile) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    for round in 0.. {
        let modules = file.modules.clone();
        let mut changed = false;
        for module in &mut file.modules {
            let items = std::mem::take(&mut module.items);
            for item in items {
                let SmvItem::Isa(name) = item else {
                    module.items.push(item);
                    continue;
                };
                match modules.iter().find(|other| other.name.text == name.text) {
                    Some(other)
                        if round < MOST_ROUNDS
                            && other.name.text != module.name.text
                            && module.items.len() < MOST_ITEMS =>
                    {
                        changed = true;
                        module.items.extend(other.items.iter().cloned());
                    }
                    Some(_) => mistakes.push(
                        Diagnostic::error(name.span, "too many declarations by `ISA`")
                            .with_help("no module can contain itself"),
                    ),
                    None => {
                        mistakes.push(Diagnostic::error(name.span, format!("unknown module `{}`", name.text)))
                    }
                }
            }
        }
        if !changed || !mistakes.is_empty() {
            return mistakes;
        }
    }
    mistakes
}

/// Returns the instances that `main` contains, itself included.
///
/// # Errors
/// All mistakes found, in no order.
pub(super) fn scopes(file: &SmvFile) -> Result<Vec<ModuleInstance<'_>>, Vec<Diagnostic>> {
    let mut builder = ScopeBuilder { modules: HashMap::new(), scopes: Vec::new(), mistakes: Vec::new() };
    for module in &file.modules {
        let name = &module.name;
        if let Some(first) = builder.modules.insert(&name.text, module) {
            builder.mistakes.push(twice(name, first.name.span));
        }
    }
    match builder.modules.get("main") {
        None => builder.mistakes.push(
            Diagnostic::error_without_place("there is no module `main`")
                .with_help("a model begins with `MODULE main`"),
        ),
        Some(main) if !main.parameters.is_empty() => builder.mistakes.push(
            Diagnostic::error(main.name.span, "`main` has parameters")
                .with_help("declare their values in `main`"),
        ),
        Some(main) => {
            builder.instance(main, String::new(), Vec::new(), (0, 0));
            builder.definitions_of_instances();
        }
    }
    if builder.mistakes.is_empty() { Ok(builder.scopes) } else { Err(builder.mistakes) }
}

fn twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(name.span, format!("`{}` is declared twice", name.text))
        .with_related(first, "declared here first")
}

struct ScopeBuilder<'f> {
    modules: HashMap<&'f str, &'f SmvModule>,
    scopes: Vec<ModuleInstance<'f>>,
    mistakes: Vec<Diagnostic>,
}

impl<'f> ScopeBuilder<'f> {
    /// Adds an instance with its contents.
    fn instance(
        &mut self,
        module: &'f SmvModule,
        path: String,
        arguments: Vec<(&'f SmvExpr, ScopeId)>,
        (process, depth): (ScopeId, usize),
    ) -> ScopeId {
        let own = self.scopes.len();
        self.scopes.push(ModuleInstance { module, path, process, names: HashMap::new(), order: Vec::new() });
        for (parameter, (argument, scope)) in module.parameters.iter().zip(arguments) {
            self.name(own, parameter, ModuleEntity::Parameter(argument, scope));
        }
        for item in &module.items {
            match item {
                SmvItem::Variable(kind, name, ty) => match &ty.kind {
                    SmvTypeKind::Instance(of, arguments) => {
                        self.declared_instance(own, (*kind, name), of, arguments, (process, depth));
                    }
                    SmvTypeKind::Process(of, arguments) => {
                        let process = self.scopes.len();
                        self.declared_instance(own, (*kind, name), of, arguments, (process, depth));
                    }
                    _ => self.name(own, name, ModuleEntity::Variable(*kind, ty)),
                },
                SmvItem::Define(name, value) => self.name(own, name, ModuleEntity::Define(value, own)),
                _ => {}
            }
        }
        own
    }

    /// Adds the definitions of names of instances: `DEFINE i.d := e`.
    fn definitions_of_instances(&mut self) {
        for own in 0..self.scopes.len() {
            for item in &self.scopes[own].module.items {
                let SmvItem::DefineOf(of, name, value) = item else { continue };
                match self.instance_named(of, own) {
                    Some(instance) => self.name(instance, name, ModuleEntity::Define(value, own)),
                    None => {
                        let unknown = Diagnostic::error(of.span, "this is no instance of a module")
                            .with_help("only instances have parts");
                        if self.mistakes.len() < MOST_MISTAKES && !self.mistakes.contains(&unknown) {
                            self.mistakes.push(unknown);
                        }
                    }
                }
            }
        }
    }

    /// Returns the instance with a name, which an argument may stand for.
    fn instance_named(&self, expr: &SmvExpr, scope: ScopeId) -> Option<ScopeId> {
        let (inner, name) = match &expr.kind {
            SmvExprKind::Itself => return Some(scope),
            SmvExprKind::Name(name) => (scope, name),
            SmvExprKind::Dot(of, part) => (self.instance_named(of, scope)?, &part.text),
            _ => return None,
        };
        match self.scopes[inner].names.get(name.as_str())?.0 {
            ModuleEntity::Instance(instance) => Some(instance),
            ModuleEntity::Parameter(argument, outer) => self.instance_named(argument, outer),
            _ => None,
        }
    }

    fn name(&mut self, scope: ScopeId, name: &'f Name, entity: ModuleEntity<'f>) {
        let scope = &mut self.scopes[scope];
        match scope.names.insert(&name.text, (entity, name.span)) {
            None => scope.order.push(&name.text),
            // Possibly reported for another instance of the module.
            Some((_, first)) => {
                let mistake = twice(name, first);
                if self.mistakes.len() < MOST_MISTAKES && !self.mistakes.contains(&mistake) {
                    self.mistakes.push(mistake);
                }
            }
        }
    }

    fn declared_instance(
        &mut self,
        scope: ScopeId,
        (kind, name): (VariableKind, &'f Name),
        of: &Name,
        arguments: &'f [SmvExpr],
        (process, depth): (ScopeId, usize),
    ) {
        let wrong = if kind != VariableKind::State {
            Some(
                Diagnostic::error(
                    name.span,
                    format!("the instance `{}` is no variable of this kind", name.text),
                )
                .with_help("declare instances of modules with `VAR`"),
            )
        } else if depth >= DEEPEST || self.scopes.len() >= MOST_INSTANCES {
            let limit = if depth >= DEEPEST {
                format!("modules are nested more than {DEEPEST} deep")
            } else {
                format!("there are more than {MOST_INSTANCES} instances of modules")
            };
            Some(Diagnostic::error(of.span, limit).with_help("no module can contain itself"))
        } else {
            None
        };
        if let Some(wrong) = wrong {
            // One mistake of this kind is enough: otherwise there could be one for each instance.
            if !self.mistakes.iter().any(|mistake| mistake.message == wrong.message) {
                self.mistakes.push(wrong);
            }
            return;
        }
        let Some(module) = self.modules.get(of.text.as_str()).copied() else {
            let unknown = Diagnostic::error(of.span, format!("unknown module `{}`", of.text));
            self.mistakes.push(match nearest(&of.text, self.modules.keys().copied()) {
                Some(meant) => unknown.with_help(format!("did you mean `{meant}`?")),
                None => unknown
                    .with_help("a type is `boolean`, `{ a, b }`, `0..3`, `array 0..3 of …` or a module"),
            });
            return;
        };
        if module.parameters.len() != arguments.len() {
            let (wanted, given) = (module.parameters.len(), arguments.len());
            let message =
                format!("module `{}` has {wanted} parameters, but {given} arguments are given", of.text);
            self.mistakes.push(
                Diagnostic::error(of.span, message)
                    .with_related(module.name.span, "the module is declared here"),
            );
            return;
        }
        let path = format!("{}{}.", self.scopes[scope].path, name.text);
        let arguments = arguments.iter().map(|argument| (argument, scope)).collect();
        let inner = self.instance(module, path, arguments, (process, depth + 1));
        self.name(scope, name, ModuleEntity::Instance(inner));
    }
}
