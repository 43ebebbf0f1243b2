//! From syntax trees to a checked [`Model`]: names, types, constants, definitions, library instances.
//!
//! The checker continues after an error: what depends on an ill-formed expression is `Reported`, and an ill-formed type, or a name bound to
//! such an expression, is poisoned and causes no further messages, so each error is reported once. Definitions and predicates are
//! checked once as declared, and again, silently, wherever they are inlined, with the types of the
//! arguments. A library is checked once with opaque types in place of what it requires, and elaborated
//! again for every import with what the import supplies.
//!
//! Errors about types are made where a form is checked: operators and comparisons in `operators` ("cannot compare"), sums, `min` and `max` in
//! `sums`, calls in `calls` and `arguments`. Which types go together is in `relations`.

mod actions;
mod aggregates;
mod arguments;
mod calls;
mod collected;
mod collected_sets;
mod collections;
mod components;
mod constants;
mod domains;
mod enabled;
mod entity;
mod environment;
mod events;
mod examples;
mod expressions;
mod fair_actions;
mod fates;
mod fits;
mod fold;
pub use fold::constant_value;
pub mod foreign;
mod free;
mod guards;
mod let_in;
mod library;
mod matching;
mod moments;
mod names;
mod narrow;
mod operations;
mod operators;
mod parts;
mod places;
mod predicates;
mod properties;
mod relations;
mod reshaped;
mod sequences;
mod sums;
mod tall;
mod types;
mod variants;
mod vocabularies;

pub(super) use examples::check_foreign_example;
pub(super) use fair_actions::check_given_fairness;
pub(super) use predicates::check_foreign_predicates;

use crate::model::expr::{Expr, ExprKind, Formula, LocalId, VarId};
use crate::model::fates::FatePredicate;
use crate::model::types::{EnumId, RecordId, Type, Types};
use crate::model::value::Value;
use crate::model::{Constant, IntegerEncoding, Local, Model, Observable, Predicate, Variable};
use crate::syntax::ast::{self, AstExpr, AstParam, Ident, Requirement, Stmt, TypeExpr};
use entity::Entity;
use fold::Folder;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{Diagnostic, EarlyEnd, SourceMap, Span};
use kit::number::to_u32;
use kit::parsing::with_large_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tall::{DefinitionNotes, NamedValues, Tall, Whole};
use types::POISON;

#[derive(Debug, Clone)]
pub(super) struct SourceFile {
    /// The syntax tree.
    pub tree: ast::File,
    /// The indices of the imported files, in order; `None` for a file that could not be read.
    pub imports: Vec<Option<usize>>,
    /// True if the parser had to skip parts, so that declarations may be missing.
    pub incomplete: bool,
}

/// The syntax trees of a model and of what it imports, the model first; by default, of an empty text.
#[derive(Debug, Clone)]
pub struct SyntaxTrees(pub(super) Arc<Vec<SourceFile>>);

impl Default for SyntaxTrees {
    fn default() -> Self {
        let tree = ast::File { header: None, items: Vec::new() };
        Self(Arc::new(vec![SourceFile { tree, imports: Vec::new(), incomplete: false }]))
    }
}

/// A value for a constant given outside the model, as by `--set`.
#[derive(Debug)]
pub(super) struct Override {
    /// The name of the constant.
    pub name: String,
    /// The value as given.
    pub text: String,
    /// The syntax tree of the value, if it could be parsed.
    pub value: Option<AstExpr>,
    /// The value itself, if it was checked before.
    pub known: Option<Value>,
}

/// The outcome of checking a file.
#[derive(Debug)]
pub(super) struct Checked<T> {
    /// The result; present iff there are no errors and the budget sufficed.
    pub found: Option<T>,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// The reason if the budget ended checking early.
    pub exhausted: Option<Exhausted>,
    /// For the places of fields, the places of the types of the records and variants that they belong to.
    pub field_owners: FxHashMap<Span, Span>,
}

/// The outcome of checking something in the scope of a model.
#[derive(Debug)]
pub(super) struct CheckedInContext<T> {
    /// The result; `None` after an error.
    pub found: Option<T>,
    /// The number of names bound in the model and in it.
    pub locals: u32,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks the first of `files`, a model.
pub(super) fn check_model(
    files: &[SourceFile],
    sources: &SourceMap,
    overrides: &[Override],
    budget: &Budget,
) -> Checked<Model> {
    with_large_stack(|| {
        let mut checker = Checker::new(files, sources, overrides, budget);
        let model = checker.model();
        checker.checked(model)
    })
}

/// Checks the first of `files`, a library, and reports all notes about it.
pub(super) fn check_library(files: &[SourceFile], sources: &SourceMap, budget: &Budget) -> Checked<()> {
    with_large_stack(|| {
        let mut checker = Checker::new(files, sources, &[], budget);
        checker.notes = true;
        checker.check_abstract_library(0);
        checker.checked(Some(()))
    })
}

/// A model that was loaded before, in whose scope something is checked.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub model: &'a Model,
    /// Its texts, and that of what is checked.
    pub sources: &'a SourceMap,
    /// The values of its constants.
    pub overrides: &'a [Override],
}

/// Checks a state expression in the scope of a model.
pub(super) fn check_expression(context: Context<'_>, expr: &AstExpr) -> CheckedInContext<Observable> {
    check_in_context(context, |checker, unit| {
        let mut scope = ExprScope::new(unit, ReadAccess::State);
        scope.labels = true;
        let checked = checker.expr(&mut scope, expr).ok()?;
        Some(Observable { text: checker.text(expr.span), expr: finished(checked), span: expr.span })
    })
}

/// Checks a CTL formula in the same way.
pub(super) fn check_formula(context: Context<'_>, expr: &AstExpr) -> CheckedInContext<Formula> {
    check_in_context(context, |checker, unit| checker.ctl_formula(unit, expr))
}

/// Checks something in the scope of a model, with new names for what is bound; the result is `None` after an error.
fn check_in_context<'a, T: Send>(
    Context { model, sources, overrides }: Context<'a>,
    check: impl Fn(&mut Checker<'a>, usize) -> Option<T> + Sync,
) -> CheckedInContext<T> {
    with_large_stack(|| {
        let mut checker = Checker::new(&model.trees.0, sources, overrides, &Budget::unlimited());
        checker.types.share_made(&model.types);
        let unit = checker.declare_unit(0, None, None);
        checker.check_all_declarations(unit);
        checker.diagnostics.clear();
        checker.locals = checker.locals.max(model.locals);
        let checked = check(&mut checker, unit);
        checker.report_deferred();
        let good = !checker.diagnostics.iter().any(Diagnostic::is_error);
        CheckedInContext {
            found: checked.filter(|_| good),
            locals: checker.locals,
            diagnostics: checker.diagnostics,
        }
    })
}

/// The parts of a trace that an expression may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadAccess {
    /// Constants only.
    Constants,
    /// The current state.
    State,
    /// Positions, and the state below `@` only.
    Positions,
    /// The state at a position: below `@`.
    At,
}

/// The meaning of a bound name in an expression.
#[derive(Debug, Clone)]
enum NameBinding {
    Local(LocalId, Type),
    /// A synonym for this expression, which costs little to evaluate again.
    Alias(Expr),
}

impl NameBinding {
    /// The meaning of a name that is bound to this expression.
    fn of(value: Expr) -> Self {
        match value.kind {
            ExprKind::Local(local) => Self::Local(local, value.ty),
            _ => Self::Alias(value),
        }
    }
}

/// The context of an expression: what it may read and which names are bound.
#[derive(Debug, Clone)]
struct ExprScope {
    unit: usize,
    reads: ReadAccess,
    primes: bool,
    labels: bool,
    /// True if the state before the current one can be read, outside of predicates.
    before: bool,
    /// True if constants must be declared before they are used.
    ordered: bool,
    /// True where bound names can have values beyond their types: parameters of definitions and predicates limit no argument.
    unlimited: bool,
    locals: Vec<(String, NameBinding)>,
    /// The conditions around, as indices into those of the checker.
    guards: Vec<usize>,
    /// The names of `let` statements with their values, outermost first.
    lets: Vec<(LocalId, Expr)>,
    /// The facts that the conditions around give.
    known: Vec<narrow::KnownFact>,
}

impl ExprScope {
    fn new(unit: usize, reads: ReadAccess) -> Self {
        let (locals, guards, lets, known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (primes, labels, before, ordered, unlimited) = (false, false, false, false, false);
        Self { unit, reads, primes, labels, before, ordered, unlimited, locals, guards, lets, known }
    }

    fn local(&self, name: &str) -> Option<&NameBinding> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, b)| b)
    }

    /// The name of the first position parameter.
    fn position(&self) -> Option<&str> {
        let is_position =
            |(_, binding): &&(String, NameBinding)| matches!(binding, NameBinding::Local(_, Type::Pos));
        self.locals.iter().find(is_position).map(|(name, _)| name.as_str())
    }
}

/// An elaborated file: the model, or an instance of a library or component.
#[derive(Debug)]
struct ElaboratedUnit<'a> {
    file: usize,
    tree: &'a ast::File,
    kind: ast::FileKind,
    /// How a component is imported.
    imported: Option<ImportedComponent>,
    names: FxHashMap<String, Entity>,
    /// The place where each name was declared.
    places: FxHashMap<String, Span>,
}

/// How a component is imported.
#[derive(Debug, Clone)]
struct ImportedComponent {
    /// The prefix of the names of its parts in the model: `net.`.
    prefix: String,
    /// The place of its name in the import.
    place: Span,
}

/// The library or component being elaborated.
#[derive(Debug, Clone, Copy)]
struct Elaborated {
    /// The place of its name in the import.
    place: Span,
    /// True if warnings about it were reported before.
    known: bool,
}

/// How far a declaration has been checked.
#[derive(Debug, Clone)]
enum CheckProgress<T> {
    Todo,
    Doing,
    Done(T),
}

#[derive(Debug)]
struct TypeDecl<'a> {
    unit: usize,
    name: &'a Ident,
    /// The type as written; `None` for a type supplied by an import.
    written: Option<&'a TypeExpr>,
    /// True if its values are declared to be interchangeable.
    symmetric: bool,
    ty: CheckProgress<Type>,
}

#[derive(Debug)]
struct VariantDecl<'a> {
    unit: usize,
    written: &'a TypeExpr,
    name: String,
}

#[derive(Debug)]
struct ConstDecl<'a> {
    unit: usize,
    name: &'a Ident,
    ty: &'a TypeExpr,
    written: &'a AstExpr,
    /// Its declared type, once resolved.
    declared: Type,
    value: CheckProgress<Typed>,
}

#[derive(Debug)]
struct VarDecl<'a> {
    unit: usize,
    name: &'a Ident,
    written: &'a TypeExpr,
    doc: Option<String>,
    ty: Option<Type>,
}

#[derive(Debug, Clone)]
struct DefDecl<'a> {
    unit: usize,
    name: &'a Ident,
    params: &'a [AstParam],
    ty: &'a TypeExpr,
    body: &'a AstExpr,
    /// True if it is free of errors.
    good: CheckProgress<bool>,
    /// Through how many levels of definitions it reaches, itself included, once it has been checked.
    levels: u32,
    /// The definition where formulas name it.
    tall: Option<Arc<Tall>>,
}

#[derive(Debug, Clone)]
struct PredDecl<'a> {
    unit: usize,
    name: &'a Ident,
    params: &'a [AstParam],
    body: &'a AstExpr,
    doc: Option<String>,
    /// Its parameters and body, if it is free of errors.
    checked: CheckProgress<Option<(Vec<Local>, Expr)>>,
}

#[derive(Debug)]
struct ActionDecl<'a> {
    unit: usize,
    name: &'a Ident,
    written: &'a [AstParam],
    params: Option<Vec<Local>>,
    modifies: &'a [Ident],
    body: &'a [Stmt],
    doc: Option<String>,
}

#[derive(Debug, Clone)]
struct OperationDecl<'a> {
    unit: usize,
    name: &'a Ident,
    params: &'a [AstParam],
    body: &'a [Stmt],
    /// True if it is free of errors.
    good: CheckProgress<bool>,
}

#[derive(Debug, Clone, Copy)]
struct ImportDecl<'a> {
    home: usize,
    alias: &'a Ident,
    bindings: &'a [(Ident, AstExpr)],
    /// The imported file; `None` if it could not be read.
    file: Option<usize>,
    /// The instance of the library or component; `None` before it is made, and after an error.
    unit: Option<usize>,
    /// True if there was an error.
    failed: bool,
}

/// Something a library requires, with what it stands for.
#[derive(Debug, Clone)]
struct BoundRequirement<'a> {
    requirement: &'a Requirement,
    expr: Expr,
}

/// The state while a model or library is checked.
#[derive(Default)]
struct Checker<'a> {
    files: &'a [SourceFile],
    sources: &'a SourceMap,
    overrides: &'a [Override],
    /// Evaluates constants and watches the budget.
    folder: Folder,
    diagnostics: Vec<Diagnostic>,
    /// The number of errors beyond [`MAX_DIAGNOSTICS`].
    unreported_errors: usize,
    /// The nesting of silent elaborations; nothing is reported while it is above zero.
    silent: u32,
    /// The number of errors not reported because of that.
    silent_errors: u32,
    /// The conditions around what is checked, with the truth values that make it matter.
    conditions: Vec<(&'a AstExpr, bool)>,
    /// The library or component being elaborated.
    instance: Option<Elaborated>,
    /// True if a library is checked by itself, with notes.
    notes: bool,
    types: Types,
    /// True if the declared types are resolved, so that other types of collections are those of formulas.
    declared: bool,
    /// True if some record was made with integers that may be none of the types of its fields.
    loose: bool,
    enum_ids: FxHashMap<Span, EnumId>,
    record_ids: FxHashMap<(usize, Span), RecordId>,
    /// For the places of fields, the places of the types of the records and variants that they belong to.
    field_owners: FxHashMap<Span, Span>,
    /// The size of each record type in `types`; see [`Checker::size_of`].
    record_sizes: Vec<u64>,
    /// The names of the types that the library being checked requires.
    abstract_types: Vec<String>,
    /// The names that stand for what the library being checked requires.
    abstract_values: Vec<LocalId>,
    /// The libraries checked against abstract types, and whether they are free of errors.
    libraries: FxHashMap<usize, bool>,
    instances: Vec<library::LibraryInstance>,
    units: Vec<ElaboratedUnit<'a>>,
    type_decls: Vec<TypeDecl<'a>>,
    variants: Vec<VariantDecl<'a>>,
    consts: Vec<ConstDecl<'a>>,
    vars: Vec<VarDecl<'a>>,
    defs: Vec<DefDecl<'a>>,
    preds: Vec<PredDecl<'a>>,
    /// The words of vocabularies that speak of fates, and their predicates.
    fates: Vec<FatePredicate>,
    fate_predicates: Vec<Predicate>,
    actions: Vec<ActionDecl<'a>>,
    operations: Vec<OperationDecl<'a>>,
    imports: Vec<ImportDecl<'a>>,
    bounds: Vec<BoundRequirement<'a>>,
    action_enum: EnumId,
    /// The definitions being checked, to detect recursion.
    checking: Vec<String>,
    named: NamedValues,
    /// Notes on the definition that is being checked.
    noted: DefinitionNotes,
    /// The formula or definition of which a part is being checked; definitions are named around the whole.
    inside: Option<Whole>,
    /// True if an action or an assumption is being checked, which say what steps there are.
    in_step: bool,
    /// The last place that asked there whether an action is enabled.
    asked_in_step: Option<Span>,
    /// Errors that are reported only if there is no other one, of which they may be a consequence.
    deferred: Vec<Diagnostic>,
    /// The variables that actions assign or modify, also in branches that constants exclude.
    assigned: FxHashSet<VarId>,
    /// The assumptions as `enabled` sees them, each with whether it is about steps.
    assumed: Option<Vec<(Expr, bool)>>,
    locals: u32,
    /// The number of expressions elaborated so far.
    work: u32,
    /// The current nesting depth of expressions, types and vocabularies.
    depth: u32,
    /// True if one of these limits was exceeded.
    given_up: bool,
}

/// The maximum number of expressions a model may expand to.
const MAX_WORK: u32 = 1_000_000;
/// So many expressions that are copied count as one that is checked.
const COPIED_AS_ONE: usize = 4;
/// The maximum nesting depth of expressions, types and vocabularies, with definitions inlined.
const MAX_DEPTH: u32 = 1000;
/// The maximum number of diagnostics kept; later ones are mostly repetitions.
const MAX_DIAGNOSTICS: usize = 1000;

impl<'a> Checker<'a> {
    fn new(
        files: &'a [SourceFile],
        sources: &'a SourceMap,
        overrides: &'a [Override],
        budget: &Budget,
    ) -> Self {
        let folder = Folder::new(budget.clone());
        Self { files, sources, overrides, folder, ..Self::default() }
    }

    /// Reports a diagnostic, unless it was reported before.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.silent > 0 {
            self.silent_errors += u32::from(diagnostic.is_error());
            return;
        }
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            self.unreported_errors += usize::from(diagnostic.is_error());
            return;
        }
        match self.instance {
            Some(Elaborated { known: true, .. }) if !diagnostic.is_error() => {}
            Some(Elaborated { place, known: true }) => {
                let diagnostic = diagnostic.with_related(place, "in the library as imported here");
                self.diagnostics.push(diagnostic);
            }
            Some(Elaborated { place, .. }) if diagnostic.is_error() => {
                // A mistake in one instance of a component usually is in all of them.
                let same = |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
                if !self.diagnostics.iter().any(same) {
                    let diagnostic = diagnostic.with_related(place, "in the component as imported here");
                    self.diagnostics.push(diagnostic);
                }
            }
            // The body of a `forall` is checked once for each value.
            _ if self.diagnostics.contains(&diagnostic) => {}
            _ => self.diagnostics.push(diagnostic),
        }
    }

    /// Reports what was deferred, if nothing else is wrong.
    fn report_deferred(&mut self) {
        let deferred = std::mem::take(&mut self.deferred);
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            deferred.into_iter().for_each(|error| self.report(error));
        }
    }

    /// Reports an error.
    fn wrong<T>(&mut self, diagnostic: Diagnostic) -> Typed<T> {
        self.report(diagnostic);
        Err(Reported)
    }

    /// Runs something without reporting; returns also whether there were errors.
    fn silently<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> (R, bool) {
        let before = self.silent_errors;
        self.silent += 1;
        let result = run(self);
        self.silent -= 1;
        let errors = std::mem::replace(&mut self.silent_errors, before);
        (result, errors > before)
    }

    /// The number of errors so far, reported or not.
    fn errors(&self) -> usize {
        let reported = self.diagnostics.iter().filter(|d| d.is_error()).count();
        reported + self.unreported_errors + self.silent_errors as usize
    }

    /// Elaborates something one level deeper; reports an error, once, if a limit is exceeded.
    fn deeper<R>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.folder.count().is_some() {
            self.given_up = true;
            return None;
        }
        self.work += 1;
        if self.work > MAX_WORK || self.depth >= MAX_DEPTH {
            let message = "this expands to too many expressions";
            let help = "use fewer calls of definitions, or range over fewer values";
            if !self.given_up {
                let error = Diagnostic::error(span, message).with_help(help);
                let error = Diagnostic { unfinished: Some(EarlyEnd::Limit), ..error };
                self.unsilenced(|c| c.report(error));
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

    /// Counts expressions that are copied into a formula; whether there may be so many, or else an error is reported, once.
    fn count_copied(&mut self, span: Span, size: usize) -> bool {
        self.work = self.work.saturating_add(to_u32(size / COPIED_AS_ONE));
        size == 0 || self.deeper(span, |_| ()).is_some()
    }

    /// The outcome of checking.
    fn checked<T>(mut self, found: Option<T>) -> Checked<T> {
        self.report_deferred();
        let exhausted = self.folder.exhausted();
        let good = exhausted.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error);
        // Expressions that were not evaluated in time would be reported as errors.
        let diagnostics = if exhausted.is_some() { Vec::new() } else { self.diagnostics };
        Checked { found: found.filter(|_| good), diagnostics, exhausted, field_owners: self.field_owners }
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
            return self.wrong(error.with_help("import it into a model, or check it by itself")).ok();
        }
        if let Some(header) = header.filter(|h| h.kind == ast::FileKind::Component) {
            let error = Diagnostic::error(header.name.span, "this is a component, not a model");
            return self.wrong(error.with_help("it is checked with the models that import it")).ok();
        }
        let unit = self.declare_unit(0, None, None);
        self.check_all_declarations(unit);
        self.check_state_size();
        let diagrams = self.check_imports(unit);
        let units = self.model_units();
        let definitions = self.in_all(&units, Self::check_definitions);
        let functions = self.in_all(&units, Self::functions);
        let symmetric = self.in_all(&units, Self::symmetric_types);
        for &unit in &units {
            self.within(unit, |c| c.check_predicates(unit));
            self.within(unit, |c| c.check_operations(unit));
        }
        let (mut predicate_list, ids) = self.all_predicates(unit);
        let init = self.in_all(&units, Self::check_init);
        let actions = self.in_all(&units, Self::check_actions);
        let assumptions = self.in_all(&units, Self::check_assumptions);
        let properties = self.in_all(&units, Self::check_properties);
        let fairness = self.in_all(&units, Self::check_fairness);
        let action_fairness = self.in_all(&units, Self::check_action_fairness);
        let environment = self.environment(&units);
        let vocabularies = self.check_vocabularies(unit, &predicate_list, &ids);
        let examples = self.check_examples(unit, &predicate_list, &ids);
        predicate_list.append(&mut self.fate_predicates);
        let constants = self.constants_of(unit)?;
        self.types.ranges = self.named_ranges(unit);
        let variables = self.vars.iter().enumerate().map(|(index, v)| {
            let ty = v.ty.clone().unwrap_or(POISON);
            Variable { name: self.var_name(index), ty, doc: v.doc.clone(), span: v.name.span }
        });
        let variables: Vec<Variable> = variables.collect();
        if !actions.is_empty() {
            self.deferred.extend(actions::warnings(&variables, &init, &self.assigned));
        }
        Some(Model {
            name: header.map(|h| h.name.name.clone()).unwrap_or_default(),
            doc: header.and_then(|h| h.doc.clone()),
            variables,
            types: self.types.clone(),
            constants,
            init,
            actions,
            action_enum: self.action_enum,
            assumptions,
            properties,
            fairness,
            action_fairness,
            environment,
            predicates: predicate_list,
            fates: std::mem::take(&mut self.fates),
            vocabularies,
            examples,
            diagrams,
            definitions,
            functions,
            symmetric,
            wishes: Vec::new(),
            integers: IntegerEncoding::Automatic,
            locals: self.locals,
            sources: Arc::new(self.sources.clone()),
            trees: SyntaxTrees::default(),
        })
    }

    /// Checks the declarations of the model and its components.
    fn check_all_declarations(&mut self, unit: usize) {
        self.check_declarations(unit);
        self.check_components(unit);
        self.declared = true;
    }

    /// The error-free predicates of the model and of everything that it imports, and the index of each declared one among them.
    fn all_predicates(&self, unit: usize) -> (Vec<Predicate>, FxHashMap<usize, usize>) {
        let (mut list, mut ids) = (Vec::new(), FxHashMap::default());
        self.collect_predicates(unit, "", None, &mut list, &mut ids);
        self.collect_imported(unit, "", &mut list, &mut ids);
        (list, ids)
    }

    /// Adds the predicates of everything that a unit imports, and that its components import, to `list`. The names of what it
    /// imports begin with `prefix`.
    fn collect_imported(
        &self,
        unit: usize,
        prefix: &str,
        list: &mut Vec<Predicate>,
        ids: &mut FxHashMap<usize, usize>,
    ) {
        for import in self.imports.iter().filter(|import| import.home == unit) {
            let Some(imported) = import.unit else { continue };
            let header = self.units[imported].tree.header.as_ref();
            let name = header.map(|h| h.name.name.clone());
            let prefix = format!("{prefix}{}.", import.alias.name);
            self.collect_predicates(imported, &prefix, name, list, ids);
            if !self.is_library(imported) {
                self.collect_imported(imported, &prefix, list, ids);
            }
        }
    }

    /// Adds the error-free predicates of a unit to `list`, under the names by which the model refers to them.
    fn collect_predicates(
        &self,
        unit: usize,
        prefix: &str,
        library: Option<String>,
        list: &mut Vec<Predicate>,
        ids: &mut FxHashMap<usize, usize>,
    ) {
        for (index, decl) in self.preds.iter().enumerate().filter(|(_, p)| p.unit == unit) {
            if let CheckProgress::Done(Some((params, body))) = &decl.checked {
                ids.insert(index, list.len());
                list.push(Predicate {
                    name: format!("{prefix}{}", decl.name.name),
                    doc: decl.doc.clone(),
                    params: params.clone(),
                    body: body.clone(),
                    library: library.clone(),
                    added: None,
                    span: decl.name.span,
                });
            }
        }
    }

    fn constants_of(&self, unit: usize) -> Option<Vec<Constant>> {
        let mut constants = Vec::new();
        for decl in self.consts.iter().filter(|c| c.unit == unit) {
            let CheckProgress::Done(Ok(Expr { kind: ExprKind::Const(value), .. })) = &decl.value else {
                return None;
            };
            let (name, span) = (decl.name.name.clone(), decl.name.span);
            constants.push(Constant { name, ty: decl.declared.clone(), value: value.clone(), span });
        }
        Some(constants)
    }
}

/// An error that was reported.
#[derive(Debug, Clone, Copy)]
struct Reported;

/// Something that was checked, an expression by default.
type Typed<T = Expr> = Result<T, Reported>;

/// Two things that are both checked, whatever is wrong with the first one.
fn both<A, B>(a: Typed<A>, b: Typed<B>) -> Typed<(A, B)> {
    Ok((a?, b?))
}

/// Things that are all checked, whatever is wrong with the first ones.
fn all<T>(checked: impl Iterator<Item = Typed<T>>) -> Typed<Vec<T>> {
    let checked: Vec<Typed<T>> = checked.collect();
    checked.into_iter().collect()
}

/// The type of something that is checked in any case, and of nothing after an error.
fn type_of(checked: &Typed) -> &Type {
    checked.as_ref().map_or(&POISON, |expr| &expr.ty)
}

/// Something that was checked; after an error, an expression of no type.
fn or_poison(checked: Typed, span: Span) -> Expr {
    checked.unwrap_or_else(|Reported| poison(span))
}

/// An expression of no type.
fn poison(span: Span) -> Expr {
    Expr::constant(Value::None, POISON, span)
}

/// An expression as stored in the model, with open types closed.
fn finished(mut expr: Expr) -> Expr {
    expr.walk_mut(&mut |e| types::close(&mut e.ty));
    expr
}
