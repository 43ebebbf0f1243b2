//! Vocabularies: expansion of items to the leaves of their observables, and of sums to their items.

use super::entity::Entity;
use super::fold::is_constant;
use super::types::{LIMIT, poisoned};
use super::{Checker, Progress, Reads, Scope, finished};
use crate::diagnostics::{Diagnostic, Span, nearest};
use crate::model::expr::{Expr, ExprKind, VarId};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::model::{Argument, Local, Observable, Predicate, PredicateId, Vocabulary, VocabularyItem};
use crate::syntax::ast::{self, ItemKind, VocabItemKind, VocabTerm};
use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

/// A vocabulary as declared.
struct Written<'a> {
    name: &'a ast::Ident,
    terms: &'a [VocabTerm],
    doc: Option<String>,
    items: Progress<Vec<VocabularyItem>>,
}

/// What may be passed to a parameter of a predicate.
struct Passed<'a> {
    /// The name that was written for any value: it stands for the same one wherever it is written.
    variable: Option<&'a str>,
    choices: Vec<Argument>,
}

impl Passed<'_> {
    fn position() -> Self {
        Self { variable: None, choices: vec![Argument::Position] }
    }
}

/// The ingredients of vocabularies.
struct Sources<'a, 'p> {
    unit: usize,
    list: Vec<Written<'a>>,
    predicates: &'p [Predicate],
    /// The index in `predicates` of each declared predicate.
    ids: &'p FxHashMap<usize, usize>,
}

impl<'a> Checker<'a> {
    /// Checks all vocabularies; the default one comes first.
    pub(super) fn check_vocabularies(
        &mut self,
        unit: usize,
        predicates: &[Predicate],
        ids: &FxHashMap<usize, usize>,
    ) -> Vec<Vocabulary> {
        let tree = self.units[unit].tree;
        let mut list: Vec<Written<'a>> = Vec::new();
        for item in &tree.items {
            let ItemKind::Vocabulary { name, terms } = &item.kind else { continue };
            if let Some(first) = list.iter().find(|w| w.name.name == name.name) {
                let error =
                    Diagnostic::error(name.span, format!("vocabulary `{}` is declared twice", name.name));
                let error = error.with_related(first.name.span, "first declared here");
                self.report(error);
                continue;
            }
            list.push(Written { name, terms, doc: item.doc.clone(), items: Progress::Todo });
        }
        let mut sources = Sources { unit, list, predicates, ids };
        let count = sources.list.len();
        (0..count)
            .map(|index| {
                let items = self.vocabulary_items(&mut sources, index);
                let written = &sources.list[index];
                let (name, doc) = (written.name.name.clone(), written.doc.clone());
                Vocabulary { name, doc, items, span: written.name.span }
            })
            .collect()
    }

    fn vocabulary_items(&mut self, sources: &mut Sources<'a, '_>, index: usize) -> Vec<VocabularyItem> {
        let name = sources.list[index].name;
        match &sources.list[index].items {
            Progress::Done(items) => return items.clone(),
            Progress::Doing => {
                let message = format!("vocabulary `{}` contains itself", name.name);
                self.report(Diagnostic::error(name.span, message));
                return Vec::new();
            }
            Progress::Todo => sources.list[index].items = Progress::Doing,
        }
        let (mut items, mut known) = (Vec::new(), FxHashSet::default());
        for term in sources.list[index].terms {
            let new = match term {
                VocabTerm::Name(used) => match sources.list.iter().position(|w| w.name.name == used.name) {
                    Some(other) => {
                        self.deeper(used.span, |c| c.vocabulary_items(sources, other)).unwrap_or_default()
                    }
                    None => {
                        self.unknown_vocabulary(sources, used);
                        Vec::new()
                    }
                },
                VocabTerm::Items(list) => {
                    list.iter().flat_map(|i| self.vocabulary_item(sources, i)).collect()
                }
            };
            items.extend(new.into_iter().filter(|item| known.insert(item.identity())));
        }
        sources.list[index].items = Progress::Done(items.clone());
        items
    }

    fn unknown_vocabulary(&mut self, sources: &Sources<'a, '_>, used: &ast::Ident) {
        let mut error = Diagnostic::error(used.span, format!("unknown vocabulary `{}`", used.name));
        // The vocabulary being declared is not suggested.
        let others = sources.list.iter().filter(|w| !matches!(w.items, Progress::Doing));
        let found = nearest(&used.name, others.map(|w| w.name.name.as_str()));
        error.help = match found {
            Some(name) => Some(format!("did you mean `{name}`?")),
            None if self.entity(sources.unit, &used.name).is_some() => {
                Some(format!("put items in braces: `{{ {} }}`", used.name))
            }
            None => None,
        };
        self.report(error);
    }

    fn vocabulary_item(
        &mut self,
        sources: &Sources<'a, '_>,
        item: &'a ast::VocabItem,
    ) -> Vec<VocabularyItem> {
        match &item.kind {
            VocabItemKind::Before => vec![VocabularyItem::Before],
            VocabItemKind::Next => vec![VocabularyItem::Next],
            VocabItemKind::Ground(None) => vec![VocabularyItem::Ground(None)],
            VocabItemKind::Ground(Some(types)) => {
                let types = types.iter().map(|name| self.named_type(sources.unit, &name.name, name.span));
                types.filter(|ty| !poisoned(ty)).map(|ty| VocabularyItem::Ground(Some(ty))).collect()
            }
            VocabItemKind::Absent(observables) => observables
                .iter()
                .flat_map(|e| self.observed(sources.unit, e))
                .map(VocabularyItem::Absent)
                .collect(),
            VocabItemKind::Eq { observables, across } => {
                let leaves: Vec<Observable> =
                    observables.iter().flat_map(|e| self.observed(sources.unit, e)).collect();
                let mut items: Vec<VocabularyItem> =
                    leaves.iter().cloned().map(VocabularyItem::Equal).collect();
                if *across {
                    items.extend(VocabularyItem::pairs(&leaves));
                }
                items
            }
            VocabItemKind::Lacks(observables) => {
                let mut items = Vec::new();
                for e in observables {
                    let leaves = self.observed(sources.unit, e);
                    let any = !leaves.is_empty();
                    let before = items.len();
                    let sets = leaves.into_iter().filter(|o| matches!(o.expr.ty, Type::Set(_)));
                    items.extend(sets.map(VocabularyItem::Lacks));
                    if any && items.len() == before {
                        let error =
                            Diagnostic::error(e.span, format!("`{}` contains no set", self.text(e.span)));
                        self.report(error.with_help("`lacks` states that something is not in a set"));
                    }
                }
                items
            }
            VocabItemKind::Pred { path, args } => {
                self.predicate_items(sources, path, args.as_deref(), item.span)
            }
        }
    }

    /// The leaves of an observable as written; none after an error.
    fn observed(&mut self, unit: usize, e: &'a ast::Expr) -> Vec<Observable> {
        match self.observable(unit, e) {
            Some(whole) => whole.leaves(&self.types),
            None => Vec::new(),
        }
    }

    fn observable(&mut self, unit: usize, e: &'a ast::Expr) -> Option<Observable> {
        let mut scope = Scope::new(unit, Reads::State);
        scope.labels = true;
        let typed = self.expr(&mut scope, e);
        if poisoned(&typed.ty) {
            return None;
        }
        let text = self.text(e.span);
        if is_constant(&typed) {
            let mut error = Diagnostic::error(e.span, format!("`{text}` does not depend on the state"));
            if let ExprKind::Const(Value::Enum(id, action)) = &typed.kind
                && *id == self.action_enum
            {
                let params = self.action_params(*action as usize);
                let help = "`action` is the action that was taken".to_string();
                let argument = params.first().map(|p| format!(", `{text}.{}` its argument", p.name));
                error = error.with_help(help + &argument.unwrap_or_default());
            }
            self.report(error);
            return None;
        }
        Some(self.as_observable(e, typed))
    }

    /// An expression that reads the state, with the text to print for it.
    fn as_observable(&self, e: &ast::Expr, typed: Expr) -> Observable {
        let text = self.text(e.span);
        let text = without_parentheses(&text);
        let postfix = matches!(
            e.kind,
            ast::ExprKind::Name(_)
                | ast::ExprKind::Field(..)
                | ast::ExprKind::Index(..)
                | ast::ExprKind::Call { .. }
        );
        let text = if postfix { text.into() } else { format!("({text})") };
        Observable { text, expr: finished(typed), span: e.span }
    }

    fn predicate_items(
        &mut self,
        sources: &Sources<'a, '_>,
        path: &'a [ast::Ident],
        args: Option<&'a [ast::Expr]>,
        span: Span,
    ) -> Vec<VocabularyItem> {
        let Some(index) = self.predicate_named(sources, path) else { return Vec::new() };
        let Some(predicate) = sources.ids.get(&index).map(|i| (*i, &sources.predicates[*i])) else {
            return Vec::new(); // It has mistakes, which have been reported.
        };
        let (id, predicate) = (PredicateId(predicate.0 as u32), predicate.1);
        let choices = match args {
            Some(args) => self.written_arguments(sources.unit, predicate, args, span),
            None => self.fitting_arguments(predicate, span),
        };
        let Some(choices) = choices else { return Vec::new() };
        let product = choices.iter().fold(1u64, |n, c| n.saturating_mul(c.choices.len() as u64));
        if product > LIMIT {
            let message = format!("`{}` has too many readings", predicate.name);
            let error = Diagnostic::error(span, message);
            self.report(error.with_help("name the observables it is about: `pred(x, y)`"));
            return Vec::new();
        }
        let rows = choices.iter().map(|c| &c.choices).multi_cartesian_product();
        let agree = |row: &Vec<&Argument>| {
            let named = |n: usize| choices[n].variable.map(|name| (name, row[n]));
            let bound: Vec<_> = (0..row.len()).filter_map(named).collect();
            bound.iter().array_combinations().all(|[(a, x), (b, y)]| a != b || x == y)
        };
        let item = |row: Vec<&Argument>| VocabularyItem::Predicate(id, row.into_iter().cloned().collect());
        rows.filter(agree).map(item).collect()
    }

    /// What is passed to each parameter of a predicate of which the vocabulary says no more than its name.
    fn fitting_arguments(&mut self, predicate: &Predicate, span: Span) -> Option<Vec<Passed<'a>>> {
        let mut passed = Vec::new();
        for param in &predicate.params {
            if param.ty == Type::Pos {
                passed.push(Passed::position());
                continue;
            }
            let found = self.observables_of_type(&param.ty, span);
            if found.is_empty() {
                self.nothing_fits(predicate, param, span);
                return None;
            }
            passed.push(Passed {
                variable: None,
                choices: found.into_iter().map(Argument::Observed).collect(),
            });
        }
        Some(passed)
    }

    fn nothing_fits(&mut self, predicate: &Predicate, param: &Local, span: Span) {
        let ty = self.show(&param.ty);
        let message =
            format!("no variable or part of a variable has type {ty}, which `{}` needs", predicate.name);
        let error = Diagnostic::error(span, message);
        let optional = self.observables_of_type(&param.ty.clone().optional(), span);
        let help = match listed(&optional) {
            Some(names) if !param.ty.is_option() => {
                format!("for {names}, declare the parameter as `{}: option {ty}`", param.name)
            }
            _ => format!(
                "pass an observable or a value for `{}`, or leave it open: `{}({})`",
                param.name,
                predicate.name,
                value_params(predicate).map(|p| p.name.as_str()).join(", ")
            ),
        };
        self.report(error.with_help(help));
    }

    /// What is passed to each parameter as written: with an argument for every parameter, or for those of values only.
    fn written_arguments(
        &mut self,
        unit: usize,
        predicate: &Predicate,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Vec<Passed<'a>>> {
        let values = value_params(predicate).count();
        let positions_too = args.len() == predicate.params.len() && args.len() > values;
        if args.len() != values && !positions_too {
            let error = self.wrong_number(predicate, args.len(), span);
            self.report(error);
            return None;
        }
        let mut passed = Vec::new();
        let mut positions: Vec<&str> = Vec::new();
        let mut args = args.iter();
        for param in &predicate.params {
            if param.ty != Type::Pos {
                passed.push(self.written_value(unit, predicate, param, args.next()?)?);
                continue;
            }
            if positions_too {
                let written = args.next()?;
                match &written.kind {
                    ast::ExprKind::Name(name)
                        if self.entity(unit, name).is_none() && !positions.contains(&name.as_str()) =>
                    {
                        positions.push(name);
                    }
                    _ => {
                        let message = format!("`{}` of `{}` is a position", param.name, predicate.name);
                        let help = "facts choose positions: give each a new name, or leave all of them out";
                        self.report(Diagnostic::error(written.span, message).with_help(help));
                        return None;
                    }
                }
            }
            passed.push(Passed::position());
        }
        let fixed = |p: &Passed<'_>| p.choices.iter().all(|a| matches!(a, Argument::Value { .. }));
        if passed.iter().all(fixed) {
            let message = format!("this says nothing of a trace: `{}` has no position", predicate.name);
            self.report(Diagnostic::error(span, message).with_help("pass an observable"));
            return None;
        }
        Some(passed)
    }

    /// What is passed for a value: an observable, a constant, or any value if it is a name that the model does not have.
    fn written_value(
        &mut self,
        unit: usize,
        predicate: &Predicate,
        param: &Local,
        written: &'a ast::Expr,
    ) -> Option<Passed<'a>> {
        if let ast::ExprKind::Name(name) = &written.kind
            && self.is_variable(unit, name, param)
        {
            let ty = param.ty.inner();
            if !matches!(ty, Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Record(_))
                || self.types.cardinality(ty) > LIMIT
            {
                let message = format!("`{name}` would stand for too many values of type {}", self.show(ty));
                self.report(
                    Diagnostic::error(written.span, message).with_help("pass an observable or a value"),
                );
                return None;
            }
            let argument = |value| Argument::Value {
                value: Expr::constant(value, ty.clone(), Span::default()),
                any: true,
            };
            let choices = self.types.values(ty).into_iter().map(argument).collect();
            return Some(Passed { variable: Some(name), choices });
        }
        let mut scope = Scope::new(unit, Reads::State);
        scope.labels = true;
        let typed = self.expr(&mut scope, written);
        if poisoned(&typed.ty) {
            return None;
        }
        if !within(&typed.ty, &param.ty) {
            let (found, ty) = (self.show(&typed.ty), self.show(&param.ty));
            let message = format!("`{}` of `{}` is {ty}, not {found}", param.name, predicate.name);
            let mut error = Diagnostic::error(written.span, message);
            if within(typed.ty.inner(), &param.ty) {
                let help = format!("declare the parameter as `{}: option {ty}`", param.name);
                error = error.with_help(help);
            }
            self.report(error);
            return None;
        }
        let argument = if is_constant(&typed) {
            Argument::Value { value: finished(typed), any: false }
        } else {
            Argument::Observed(self.as_observable(written, typed))
        };
        Some(Passed { variable: None, choices: vec![argument] })
    }

    /// Whether a name stands for any value: the model does not have it, and it is no misspelt name of the model.
    fn is_variable(&self, unit: usize, name: &str, param: &Local) -> bool {
        if self.entity(unit, name).is_some() || name == "action" {
            return false;
        }
        let known = self.units[unit].names.keys().map(String::as_str);
        name == param.name || nearest(name, known).is_none()
    }

    /// The error for a predicate with too few or too many values.
    fn wrong_number(&self, predicate: &Predicate, given: usize, span: Span) -> Diagnostic {
        let name = &predicate.name;
        let values: Vec<&Local> = value_params(predicate).collect();
        let plural = if values.len() == 1 { "" } else { "s" };
        let message = format!("`{name}` has {} value parameter{plural}, {given} given", values.len());
        let names: Vec<&str> = values.iter().map(|p| p.name.as_str()).collect();
        let types = values.iter().map(|p| format!("{}: {}", p.name, self.show(&p.ty)));
        let types = types.collect::<Vec<_>>().join(", ");
        let help = match names.as_slice() {
            [] => format!("write `{name}`: positions are not passed here; facts choose them"),
            names => {
                let positions = if given > names.len() { "; positions are not passed here" } else { "" };
                format!(
                    "write `{name}({})` with {types}, or `{name}` for all that fit{positions}",
                    names.join(", ")
                )
            }
        };
        Diagnostic::error(span, message).with_help(help)
    }

    /// The declared predicate with this name.
    fn predicate_named(&mut self, sources: &Sources<'a, '_>, path: &'a [ast::Ident]) -> Option<usize> {
        let last = path.last()?;
        let mut scope = Scope::new(sources.unit, Reads::Positions);
        if let [alias, _] = path {
            match self.entity(sources.unit, &alias.name) {
                Some(Entity::Import(import)) => scope.unit = self.imports[import].unit?,
                _ => {
                    let imports = |e| matches!(e, Entity::Import(_));
                    self.unknown("import", &alias.name, alias.span, &scope, &imports);
                    return None;
                }
            }
        }
        match self.entity(scope.unit, &last.name) {
            Some(Entity::Pred(pred)) => Some(pred),
            Some(other) => {
                let message = format!("`{}` is {}, not a predicate", last.name, other.kind());
                let error = Diagnostic::error(last.span, message);
                self.report(error.with_help(format!("`eq({})` gives facts about its value", last.name)));
                None
            }
            None => {
                self.unknown("predicate", &last.name, last.span, &scope, &|e| matches!(e, Entity::Pred(_)));
                None
            }
        }
    }

    /// All variables and parts of variables of exactly this type.
    fn observables_of_type(&mut self, ty: &Type, span: Span) -> Vec<Observable> {
        let mut found = Vec::new();
        for index in 0..self.vars.len() {
            let var_type = self.var_type(index);
            let text = self.vars[index].name.name.clone();
            let expr = Expr { kind: ExprKind::Var(VarId(index as u32)), ty: var_type, span };
            if poisoned(&expr.ty) {
                continue;
            }
            found.extend(Observable { text, expr, span }.parts_of_type(&self.types, ty));
        }
        found
    }
}

/// The parameters of a predicate that are no positions.
fn value_params(predicate: &Predicate) -> impl Iterator<Item = &Local> {
    predicate.params.iter().filter(|p| p.ty != Type::Pos)
}

/// The first few observables: `x, y[Bob], …`
fn listed(observables: &[Observable]) -> Option<String> {
    const ENOUGH: usize = 4;
    let names: Vec<&str> = observables.iter().take(ENOUGH).map(|o| o.text.as_str()).collect();
    let more = if observables.len() > ENOUGH { ", …" } else { "" };
    (!names.is_empty()).then(|| format!("{}{more}", names.join(", ")))
}

/// A text without its outermost parentheses.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0;
    let closed = inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if closed { without_parentheses(inner.trim()) } else { text }
}

/// Whether every value of `from` is a value of `to`.
fn within(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Int { lo, hi }, Type::Int { lo: least, hi: greatest }) => least <= lo && hi <= greatest,
        (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => within(a, b),
        (a, Type::Option(b)) => within(a, b),
        (a, b) => a == b,
    }
}
