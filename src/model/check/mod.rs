//! From syntax trees to a checked [`Model`]: names, types, constants, definitions, library instances.
//!
//! The checker goes on after a mistake: what could not be understood becomes a poisoned expression or
//! type, about which nothing more is said, so that one mistake gives one message. Definitions and
//! predicates are checked once as they are declared, and checked again, silently, wherever they are
//! inlined, now with the types of the arguments. A library is checked once with opaque types in place
//! of what it requires, and elaborated again for every import with what the import supplies.

mod actions;
mod aggregates;
mod calls;
mod constants;
mod domains;
mod entity;
mod expressions;
mod fold;
mod foreign;
mod free;
mod library;
mod names;
mod operators;
mod places;
mod predicates;
mod properties;
mod rewrite;
mod types;
mod vocabularies;

use crate::budget::{Budget, Exhausted};
use crate::diagnostics::{Diagnostic, SourceMap, Span};
use crate::model::expr::{Expr, ExprKind, Formula, LocalId};
use crate::model::types::{EnumId, RecordId, Type, Types};
use crate::model::value::Value;
use crate::model::{Constant, Local, Model, Observable, Predicate, Variable};
use crate::syntax::ast;
use entity::Entity;
use fold::Folder;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use types::POISON;

/// A text that was read and parsed.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// Its tree.
    pub tree: ast::File,
    /// The files of its imports, in order; `None` where one could not be read.
    pub imports: Vec<Option<usize>>,
    /// Whether the parser could not read all of it, so that declarations may be missing.
    pub incomplete: bool,
}

/// A value for a constant from outside of the model.
#[derive(Debug)]
pub(super) struct Override {
    /// The constant.
    pub name: String,
    /// The value as it was given.
    pub text: String,
    /// The value, if it could be read.
    pub value: Option<ast::Expr>,
    /// The value, if it has been checked before.
    pub known: Option<Value>,
}

/// Room for elaborating as deep as is allowed, whatever the caller has left.
const STACK: usize = 64 << 20;

/// What came of checking a file.
#[derive(Debug)]
pub(super) struct Checked<T> {
    /// The result; there iff there are no errors and the budget was enough.
    pub found: Option<T>,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Why checking ended early, if it did.
    pub exhausted: Option<Exhausted>,
}

/// Checks the first of `files`, a model.
pub(super) fn check_model(
    files: &[SourceFile],
    sources: &SourceMap,
    overrides: &[Override],
    budget: &Budget,
) -> Checked<Model> {
    with_room(|| {
        let mut checker = Checker::new(files, sources, overrides, budget);
        let model = checker.model();
        checker.checked(model)
    })
}

/// Checks the first of `files`, a library, with all notes about it.
pub(super) fn check_library(files: &[SourceFile], sources: &SourceMap, budget: &Budget) -> Checked<()> {
    with_room(|| {
        let mut checker = Checker::new(files, sources, &[], budget);
        checker.notes = true;
        checker.check_abstract_library(0);
        checker.checked(Some(()))
    })
}

/// Checks a state expression against the model in the first of `files`, which had no errors. Its bound
/// names start at `locals`.
pub(super) fn check_expression(
    files: &[SourceFile],
    sources: &SourceMap,
    overrides: &[Override],
    locals: u32,
    expr: &ast::Expr,
) -> (Option<Observable>, u32, Vec<Diagnostic>) {
    check_beside(files, sources, overrides, locals, |checker, unit| {
        let mut scope = Scope::new(unit, Reads::State);
        scope.labels = true;
        let checked = checker.expr(&mut scope, expr);
        let text = checker.text(expr.span);
        (!types::poisoned(&checked.ty)).then(|| Observable { text, expr: finished(checked), span: expr.span })
    })
}

/// Checks a formula of ctl that was given beside a model, in the same way.
pub(super) fn check_formula(
    files: &[SourceFile],
    sources: &SourceMap,
    overrides: &[Override],
    locals: u32,
    expr: &ast::Expr,
) -> (Option<Formula>, u32, Vec<Diagnostic>) {
    check_beside(files, sources, overrides, locals, |checker, unit| checker.ctl_formula(unit, expr))
}

/// Checks something in the scope of the model in the first of `files`; nothing comes of it after an error.
fn check_beside<'a, T: Send>(
    files: &'a [SourceFile],
    sources: &'a SourceMap,
    overrides: &'a [Override],
    locals: u32,
    check: impl Fn(&mut Checker<'a>, usize) -> Option<T> + Sync,
) -> (Option<T>, u32, Vec<Diagnostic>) {
    with_room(|| {
        let mut checker = Checker::new(files, sources, overrides, &Budget::unlimited());
        let unit = checker.declare_unit(0, None);
        checker.check_declarations(unit);
        checker.diagnostics.clear();
        checker.locals = checker.locals.max(locals);
        let checked = check(&mut checker, unit);
        let good = !checker.diagnostics.iter().any(Diagnostic::is_error);
        (checked.filter(|_| good), checker.locals, checker.diagnostics)
    })
}

/// Runs something on a stack that is large enough for it, if there can be one.
fn with_room<R: Send>(run: impl Fn() -> R + Sync) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &run);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}

/// What an expression may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Constants only.
    Constants,
    /// The current state.
    State,
    /// Positions; the state only below `@`.
    Positions,
    /// The state at a position: below `@`.
    At,
}

/// What a name means inside of an expression.
#[derive(Debug, Clone)]
enum Binding {
    /// A bound name.
    Local(LocalId, Type),
    /// Another way to write this expression, a constant or a bound name.
    Alias(Expr),
}

/// Where an expression stands: what it may read and which names are bound.
#[derive(Debug, Clone)]
struct Scope {
    unit: usize,
    reads: Reads,
    primes: bool,
    labels: bool,
    /// Whether only constants declared before can be used.
    ordered: bool,
    locals: Vec<(String, Binding)>,
    /// The texts of operands that are known to be present here, innermost conjunction last.
    present: Vec<Vec<String>>,
}

impl Scope {
    fn new(unit: usize, reads: Reads) -> Self {
        let (locals, present) = (Vec::new(), Vec::new());
        Self { unit, reads, primes: false, labels: false, ordered: false, locals, present }
    }

    fn local(&self, name: &str) -> Option<&Binding> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, b)| b)
    }
}

/// A file in use: the model, or a library with what is supplied to it.
#[derive(Debug)]
struct Unit<'a> {
    file: usize,
    tree: &'a ast::File,
    names: FxHashMap<String, Entity>,
    /// Where each name was declared.
    places: FxHashMap<String, Span>,
}

/// How far something declared has been understood.
#[derive(Debug, Clone)]
enum Progress<T> {
    Todo,
    Doing,
    Done(T),
}

#[derive(Debug)]
struct TypeDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    /// The type as written; `None` for one that is supplied from outside.
    written: Option<&'a ast::TypeExpr>,
    ty: Progress<Type>,
}

#[derive(Debug)]
struct ConstDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    ty: &'a ast::TypeExpr,
    written: &'a ast::Expr,
    /// Its declared type, once that is understood.
    declared: Type,
    value: Progress<Expr>,
}

#[derive(Debug)]
struct VarDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    written: &'a ast::TypeExpr,
    doc: Option<String>,
    ty: Option<Type>,
}

#[derive(Debug, Clone)]
struct DefDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    params: &'a [ast::Param],
    ty: &'a ast::TypeExpr,
    body: &'a ast::Expr,
    /// Whether it has no mistakes.
    good: Progress<bool>,
}

#[derive(Debug, Clone)]
struct PredDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    params: &'a [ast::Param],
    body: &'a ast::Expr,
    doc: Option<String>,
    /// Its parameters and body, if it has no mistakes.
    checked: Progress<Option<(Vec<Local>, Expr)>>,
}

#[derive(Debug)]
struct ActionDecl<'a> {
    unit: usize,
    name: &'a ast::Ident,
    written: &'a [ast::Param],
    params: Option<Vec<Local>>,
}

#[derive(Debug)]
struct ImportDecl<'a> {
    /// The unit that imports.
    home: usize,
    alias: &'a ast::Ident,
    /// The library with what is supplied to it, if that went well.
    unit: Option<usize>,
}

/// What a library requires, with what it stands for.
#[derive(Debug, Clone)]
struct Bound<'a> {
    requirement: &'a ast::Requirement,
    expr: Expr,
}

/// The state of checking one model or library.
struct Checker<'a> {
    files: &'a [SourceFile],
    sources: &'a SourceMap,
    overrides: &'a [Override],
    /// Evaluates constants and watches the budget.
    folder: Folder,
    diagnostics: Vec<Diagnostic>,
    /// Errors beyond [`MOST_DIAGNOSTICS`].
    unreported_errors: usize,
    /// Above zero while something is elaborated again.
    silent: u32,
    /// Errors not reported because of that.
    silent_errors: u32,
    /// The import whose library is being elaborated: its warnings have been given before.
    instance: Option<Span>,
    /// Whether a library is checked for its own sake.
    notes: bool,
    types: Types,
    enum_ids: FxHashMap<Span, EnumId>,
    record_ids: FxHashMap<(usize, Span), RecordId>,
    /// The size of each record type in `types`; see [`Checker::size_of`].
    record_sizes: Vec<u64>,
    /// The names of the types that the library being checked requires.
    abstract_types: Vec<String>,
    /// The names that stand for what the library being checked requires.
    abstract_values: Vec<LocalId>,
    /// The libraries that have been checked against abstract types, and whether they are good.
    libraries: FxHashMap<usize, bool>,
    /// The instances of libraries, each with what was supplied to it.
    instances: Vec<library::Instance>,
    units: Vec<Unit<'a>>,
    type_decls: Vec<TypeDecl<'a>>,
    consts: Vec<ConstDecl<'a>>,
    vars: Vec<VarDecl<'a>>,
    defs: Vec<DefDecl<'a>>,
    preds: Vec<PredDecl<'a>>,
    actions: Vec<ActionDecl<'a>>,
    imports: Vec<ImportDecl<'a>>,
    bounds: Vec<Bound<'a>>,
    action_enum: EnumId,
    /// The definitions being checked, to find recursion.
    checking: Vec<String>,
    locals: u32,
    /// How many expressions have been elaborated.
    work: u32,
    /// How many expressions, types and vocabularies are being elaborated, one inside of the other.
    depth: u32,
    /// Whether one of the limits on these was reached.
    given_up: bool,
}

/// How many expressions a model may expand to.
const MOST_WORK: u32 = 1_000_000;
/// How many expressions, types and vocabularies may lie inside of each other, definitions inlined.
const MOST_DEPTH: u32 = 1000;
/// How many findings are kept; what comes after them is mostly the same again.
const MOST_DIAGNOSTICS: usize = 1000;

impl<'a> Checker<'a> {
    fn new(
        files: &'a [SourceFile],
        sources: &'a SourceMap,
        overrides: &'a [Override],
        budget: &Budget,
    ) -> Self {
        Self {
            files,
            sources,
            overrides,
            folder: Folder::new(budget.clone()),
            diagnostics: Vec::new(),
            unreported_errors: 0,
            silent: 0,
            silent_errors: 0,
            instance: None,
            notes: false,
            types: Types::default(),
            enum_ids: FxHashMap::default(),
            record_ids: FxHashMap::default(),
            record_sizes: Vec::new(),
            abstract_types: Vec::new(),
            abstract_values: Vec::new(),
            libraries: FxHashMap::default(),
            instances: Vec::new(),
            units: Vec::new(),
            type_decls: Vec::new(),
            consts: Vec::new(),
            vars: Vec::new(),
            defs: Vec::new(),
            preds: Vec::new(),
            actions: Vec::new(),
            imports: Vec::new(),
            bounds: Vec::new(),
            action_enum: EnumId(0),
            checking: Vec::new(),
            locals: 0,
            work: 0,
            depth: 0,
            given_up: false,
        }
    }

    /// Reports a finding, unless it was reported before.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.silent > 0 {
            self.silent_errors += u32::from(diagnostic.is_error());
            return;
        }
        if self.diagnostics.len() >= MOST_DIAGNOSTICS {
            self.unreported_errors += usize::from(diagnostic.is_error());
            return;
        }
        match self.instance {
            Some(_) if !diagnostic.is_error() => {}
            // What stands in a `forall` is looked at once for each of its values.
            None if self.diagnostics.contains(&diagnostic) => {}
            Some(import) => {
                let diagnostic = diagnostic.with_related(import, "in the library as imported here");
                self.diagnostics.push(diagnostic);
            }
            None => self.diagnostics.push(diagnostic),
        }
    }

    /// Reports an error and gives the expression that stands for it.
    fn wrong(&mut self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.span.unwrap_or_default();
        self.report(diagnostic);
        poison(span)
    }

    /// Number of errors so far, reported or not.
    fn errors(&self) -> usize {
        let reported = self.diagnostics.iter().filter(|d| d.is_error()).count();
        reported + self.unreported_errors + self.silent_errors as usize
    }

    /// Elaborates something one level deeper; an error, once, if that is too deep or too much already.
    fn deeper<R>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.folder.count().is_some() {
            self.given_up = true;
            return None;
        }
        self.work += 1;
        if self.work > MOST_WORK || self.depth >= MOST_DEPTH {
            let message = "this expands to too many expressions";
            let help = "call definitions less often, or range over fewer values";
            if !self.given_up {
                self.loudly(|c| c.report(Diagnostic::error(span, message).with_help(help)));
            }
            self.given_up = true;
            self.work -= 1;
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        Some(result)
    }

    /// What has come of checking.
    fn checked<T>(self, found: Option<T>) -> Checked<T> {
        let exhausted = self.folder.exhausted();
        let good = exhausted.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error);
        // What was not evaluated in time looks like a mistake, and is none.
        let diagnostics = if exhausted.is_some() { Vec::new() } else { self.diagnostics };
        Checked { found: found.filter(|_| good), diagnostics, exhausted }
    }

    fn fresh(&mut self) -> LocalId {
        self.locals += 1;
        LocalId(self.locals - 1)
    }

    /// The text at a place, on one line.
    fn text(&self, span: Span) -> String {
        self.sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `specs/ns.sts:10`
    fn line(&self, span: Span) -> String {
        format!("{}:{}", self.sources.name(span.source), self.sources.line_column(span).0)
    }

    fn model(&mut self) -> Option<Model> {
        let tree = &self.files[0].tree;
        let header = tree.header.as_ref();
        if let Some(header) = header.filter(|h| h.kind == ast::FileKind::Library) {
            let error = Diagnostic::error(header.name.span, "this is a library, not a model");
            self.report(error.with_help("import it in a model, or check it alone"));
            return None;
        }
        let unit = self.declare_unit(0, None);
        self.check_declarations(unit);
        self.check_state_size();
        let diagrams = self.check_imports(unit);
        let definitions = self.check_definitions(unit);
        self.check_predicates(unit);
        let (mut predicate_list, mut ids) = (Vec::new(), FxHashMap::default());
        self.collect_predicates(unit, "", None, &mut predicate_list, &mut ids);
        for import in 0..self.imports.len() {
            let ImportDecl { home, alias, unit: library } = &self.imports[import];
            if let Some(library) = library.filter(|_| *home == unit) {
                let header = self.units[library].tree.header.as_ref();
                let name = header.map(|h| h.name.name.clone());
                let prefix = format!("{}.", alias.name);
                self.collect_predicates(library, &prefix, name, &mut predicate_list, &mut ids);
            }
        }
        let init = self.check_init(unit);
        let actions = self.check_actions(unit);
        let assumptions = self.check_assumptions(unit);
        let properties = self.check_properties(unit);
        let fairness = self.check_fairness(unit);
        let vocabularies = self.check_vocabularies(unit, &predicate_list, &ids);
        let constants = self.constants_of(unit)?;
        let variables = self.vars.iter().map(|v| {
            let ty = v.ty.clone().unwrap_or(POISON);
            Variable { name: v.name.name.clone(), ty, doc: v.doc.clone(), span: v.name.span }
        });
        Some(Model {
            name: header.map(|h| h.name.name.clone()).unwrap_or_default(),
            doc: header.and_then(|h| h.doc.clone()),
            variables: variables.collect(),
            types: self.types.clone(),
            constants,
            init,
            actions,
            action_enum: self.action_enum,
            assumptions,
            properties,
            fairness,
            predicates: predicate_list,
            vocabularies,
            diagrams,
            definitions,
            locals: self.locals,
            sources: Arc::new(self.sources.clone()),
        })
    }

    /// Adds the good predicates of a unit to `list`, under the name that the model has for them.
    fn collect_predicates(
        &self,
        unit: usize,
        prefix: &str,
        library: Option<String>,
        list: &mut Vec<Predicate>,
        ids: &mut FxHashMap<usize, usize>,
    ) {
        for (index, decl) in self.preds.iter().enumerate().filter(|(_, p)| p.unit == unit) {
            if let Progress::Done(Some((params, body))) = &decl.checked {
                ids.insert(index, list.len());
                list.push(Predicate {
                    name: format!("{prefix}{}", decl.name.name),
                    doc: decl.doc.clone(),
                    params: params.clone(),
                    body: body.clone(),
                    library: library.clone(),
                    span: decl.name.span,
                });
            }
        }
    }

    fn constants_of(&self, unit: usize) -> Option<Vec<Constant>> {
        let mut constants = Vec::new();
        for decl in self.consts.iter().filter(|c| c.unit == unit) {
            let Progress::Done(Expr { kind: ExprKind::Const(value), .. }) = &decl.value else { return None };
            let (name, span) = (decl.name.name.clone(), decl.name.span);
            constants.push(Constant { name, ty: decl.declared.clone(), value: value.clone(), span });
        }
        Some(constants)
    }
}

/// An expression about which nothing more is to be said.
fn poison(span: Span) -> Expr {
    Expr::constant(Value::None, POISON, span)
}

/// An expression as the model keeps it: no type is left open.
fn finished(mut expr: Expr) -> Expr {
    rewrite::each_mut(&mut expr, &mut |e| types::close(&mut e.ty));
    expr
}
