//! Resolves the names of declarations and statements.

use super::ModelNames;
use super::scope::NameResolver;
use crate::model::check::SourceFile;
use crate::syntax::ast::{
    AstActionSteps, AstExpr, AstParam, AstPathStep, AstTypeKind, ExampleBlock, Ident, Item, ItemKind,
    Requirement, RequirementKind, Stmt, StmtKind, Target, TypeExpr, VocabItem, VocabItemKind, VocabTerm,
    WrittenTraces,
};
use kit::diagnostics::{SourceMap, Span};
use rustc_hash::FxHashMap;

/// Resolves the names of parsed files; their uses are in no order.
pub(super) fn resolve(
    files: &[SourceFile],
    sources: &SourceMap,
    owners: FxHashMap<Span, Span>,
) -> ModelNames {
    let mut resolver = NameResolver {
        files,
        sources,
        names: ModelNames { files: vec![Vec::new(); files.len()], ..ModelNames::default() },
        globals: vec![FxHashMap::default(); files.len()],
        properties: FxHashMap::default(),
        vocabularies: FxHashMap::default(),
        fields: FxHashMap::default(),
        owners,
        imported: FxHashMap::default(),
        places: FxHashMap::default(),
        parameters: FxHashMap::default(),
        bound: Vec::new(),
        file: 0,
    };
    for file in 0..files.len() {
        resolver.declarations(file);
    }
    for (file, parsed) in files.iter().enumerate() {
        resolver.file = file;
        for item in &parsed.tree.items {
            resolver.item(item);
        }
    }
    resolver.names
}

impl NameResolver<'_> {
    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Import { alias, bindings, .. } => {
                let import = self.meaning(&alias.name).filter(|of| self.imported.contains_key(of));
                for (name, value) in bindings {
                    if let Some(import) = import {
                        self.member(import, name.span, &name.name);
                    }
                    self.expr(value);
                }
                if let Some(import) = import {
                    self.supplied(import, bindings);
                }
            }
            ItemKind::Requires(requirements) => {
                for requirement in requirements {
                    match &requirement.kind {
                        RequirementKind::Type => {}
                        RequirementKind::Value(ty)
                        | RequirementKind::Observe(ty)
                        | RequirementKind::Variable(ty) => self.ty(ty),
                        RequirementKind::Function(params, ty) => {
                            params.iter().for_each(|param| self.ty(&param.ty));
                            self.ty(ty);
                        }
                    }
                    requirement.default.iter().for_each(|default| self.expr(default));
                }
            }
            ItemKind::Const { ty, value, .. } => {
                self.ty(ty);
                self.expr(value);
            }
            ItemKind::Type { ty, .. } | ItemKind::Var { ty, .. } => self.ty(ty),
            ItemKind::Init(formulas) => formulas.iter().for_each(|formula| self.expr(formula)),
            ItemKind::Def { name, params, ty, body } => {
                self.ty(ty);
                self.with_parameters(name, params, item.span, |resolver| resolver.expr(body));
            }
            ItemKind::Pred { name, params, body } => {
                self.with_parameters(name, params, item.span, |resolver| resolver.expr(body));
            }
            ItemKind::Action { name, params, modifies, body } => {
                self.with_parameters(name, params, item.span, |resolver| {
                    for name in modifies {
                        resolver.qualified(name);
                    }
                    resolver.statements(body, item.span);
                });
            }
            ItemKind::Operation { name, params, body } => {
                let within = item.span;
                self.with_parameters(name, params, within, |resolver| resolver.statements(body, within));
            }
            ItemKind::Assume(body)
            | ItemKind::Fairness(body)
            | ItemKind::Invariant { body, .. }
            | ItemKind::Ltl { body, .. }
            | ItemKind::Ctl { body, .. } => self.expr(body),
            ItemKind::ActionFairness { action, by, .. } => {
                let of = self.qualified(action);
                by.iter().for_each(|name| self.parameter_of(of, name));
            }
            ItemKind::Environment(steps) => steps.iter().for_each(|steps| self.action_steps(steps)),
            ItemKind::Example(example) => self.example(example),
            ItemKind::Vocabulary { terms, .. } => terms.iter().for_each(|term| self.term(term)),
        }
    }

    fn action_steps(&mut self, steps: &AstActionSteps) {
        let of = self.qualified(&steps.action);
        for (name, value) in &steps.with {
            self.parameter_of(of, name);
            self.expr(value);
        }
    }

    /// Resolves the names of an example; of one about another model, that of the predicate.
    fn example(&mut self, example: &ExampleBlock) {
        self.predicate(&example.predicate, example.args.as_deref().filter(|_| example.model.is_none()));
        if example.model.is_some() {
            return;
        }
        for (name, value) in &example.with {
            self.qualified(name);
            self.expr(value);
        }
        match &example.traces {
            WrittenTraces::Within(bound) => self.expr(bound),
            WrittenTraces::Steps(steps) => steps.iter().for_each(|steps| self.action_steps(steps)),
        }
    }

    fn predicate(&mut self, path: &[Ident], args: Option<&[AstExpr]>) {
        let path: Vec<(Span, String)> = path.iter().map(|name| (name.span, name.name.clone())).collect();
        self.path(&path);
        args.into_iter().flatten().for_each(|arg| self.expr(arg));
    }

    /// Notes what an import supplies by the name that the imported file requires.
    fn supplied(&mut self, import: usize, bindings: &[(Ident, AstExpr)]) {
        let files = self.files;
        let Some(&imported) = self.imported.get(&import) else { return };
        let requirements = files[imported].tree.items.iter().flat_map(|item| match &item.kind {
            ItemKind::Requires(requirements) => requirements.as_slice(),
            _ => &[],
        });
        for Requirement { name, default, .. } in requirements {
            let is_told = default.is_some() || bindings.iter().any(|(bound, _)| bound.name == name.name);
            let both = self.places.get(&name.span).copied().zip(self.meaning(&name.name));
            self.names.supplied.extend(both.filter(|_| !is_told));
        }
    }

    fn parameter_of(&mut self, of: Option<usize>, name: &Ident) {
        if let Some(parameter) = of.and_then(|of| self.parameter(of, &name.name)) {
            self.used(name.span, parameter);
        }
    }

    /// Resolves something in which the parameters of a declaration are known.
    fn with_parameters(
        &mut self,
        owner: &Ident,
        params: &[AstParam],
        within: Span,
        run: impl FnOnce(&mut Self),
    ) {
        for param in params {
            self.ty(&param.ty);
        }
        // The meaning of the declaration itself, even if another one has taken its name.
        let of = self.places.get(&owner.span);
        let declared = of.and_then(|of| self.parameters.get(of).cloned()).unwrap_or_default();
        let before = self.bound.len();
        for (param, of) in params.iter().zip(declared) {
            self.enter(&param.name, of, within);
        }
        run(self);
        self.bound.truncate(before);
    }

    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            AstTypeKind::Bool | AstTypeKind::Enum(_) | AstTypeKind::Error => {}
            AstTypeKind::Range(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
            }
            AstTypeKind::Set(inner) | AstTypeKind::Option(inner) => self.ty(inner),
            AstTypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.ty(ty)),
            AstTypeKind::Variant(constructors) => {
                let fields = constructors.iter().flat_map(|constructor| &constructor.fields);
                fields.for_each(|(_, ty)| self.ty(ty));
            }
            AstTypeKind::Map(key, value) => {
                self.ty(key);
                self.ty(value);
            }
            AstTypeKind::Collection { element, most, .. } => {
                self.ty(element);
                self.expr(most);
            }
            AstTypeKind::Name(_) => {
                let path = self.words(ty.span);
                self.path(&path);
            }
        }
    }

    /// Resolves a list of statements; what `let` binds is known up to the end of `within`.
    fn statements(&mut self, body: &[Stmt], within: Span) {
        let before = self.bound.len();
        for stmt in body {
            self.statement(stmt, within);
        }
        self.bound.truncate(before);
    }

    fn statement(&mut self, stmt: &Stmt, within: Span) {
        match &stmt.kind {
            StmtKind::Require(e) => self.expr(e),
            StmtKind::Assign { target, value } => {
                self.target(target);
                self.expr(value);
            }
            StmtKind::Choose { target, set } => {
                self.target(target);
                self.expr(set);
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.statements(then, stmt.span);
                self.statements(otherwise, stmt.span);
            }
            StmtKind::Match { value, arms } => {
                self.expr(value);
                for arm in arms {
                    let before = self.bound.len();
                    self.patterns(&arm.patterns, stmt.span);
                    self.statements(&arm.body, stmt.span);
                    self.bound.truncate(before);
                }
            }
            StmtKind::ForAll { var, domain, body } => {
                self.expr(domain);
                let text = self.text(var.span.to(domain.span));
                self.bind(var, text, stmt.span);
                self.statements(body, stmt.span);
                self.bound.pop();
            }
            StmtKind::Constrain(formulas) => formulas.iter().for_each(|formula| self.expr(formula)),
            StmtKind::Let(bindings) => self.bindings(bindings, within),
            StmtKind::Call { operation, args } => {
                self.qualified(operation);
                args.iter().for_each(|arg| self.expr(arg));
            }
        }
    }

    fn target(&mut self, target: &Target) {
        self.qualified(&target.name);
        for step in &target.path {
            match step {
                AstPathStep::Index(key) => self.expr(key),
                AstPathStep::Field(field) => {
                    self.field(field);
                }
            }
        }
    }

    fn term(&mut self, term: &VocabTerm) {
        match term {
            VocabTerm::Name(name) => {
                let key = (self.file, name.name.clone());
                if let Some(&of) = self.vocabularies.get(&key) {
                    self.used(name.span, of);
                }
            }
            VocabTerm::Items(items) => items.iter().for_each(|item| self.vocabulary_item(item)),
        }
    }

    fn vocabulary_item(&mut self, item: &VocabItem) {
        match &item.kind {
            VocabItemKind::Eq { observables: all, .. }
            | VocabItemKind::Lacks(all)
            | VocabItemKind::Absent(all) => all.iter().for_each(|e| self.expr(e)),
            VocabItemKind::Before | VocabItemKind::Next | VocabItemKind::Ground(None) => {}
            VocabItemKind::Ground(Some(types)) => {
                for name in types {
                    self.qualified(name);
                }
            }
            VocabItemKind::Pred { path, args } => self.predicate(path, args.as_deref()),
        }
    }
}
