//! Vocabularies: expansion of items to the leaves of their observables, and of sums to their items.

use super::entity::Entity;
use super::fold::is_constant;
use super::types::poisoned;
use super::{CheckProgress, Checker, ExprScope, ReadAccess, finished};
use crate::model::expr::{Expr, ExprKind};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::model::{Observable, Predicate, PredicateId, Vocabulary, VocabularyItem};
use crate::syntax::ast::{self, AstExpr, AstExprKind, Ident, ItemKind, VocabItemKind, VocabTerm};
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};

struct DeclaredVocabulary<'a> {
    name: &'a Ident,
    terms: &'a [VocabTerm],
    doc: Option<String>,
    items: CheckProgress<Vec<VocabularyItem>>,
}

pub(super) struct VocabularySources<'a, 'p> {
    pub(super) unit: usize,
    list: Vec<DeclaredVocabulary<'a>>,
    pub(super) predicates: &'p [Predicate],
    /// The index in `predicates` of each declared predicate.
    ids: &'p FxHashMap<usize, usize>,
}

impl<'p> VocabularySources<'_, 'p> {
    /// The predicates that a unit knows, without vocabularies.
    pub(super) fn of_unit(
        unit: usize,
        predicates: &'p [Predicate],
        ids: &'p FxHashMap<usize, usize>,
    ) -> Self {
        Self { unit, list: Vec::new(), predicates, ids }
    }
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
        let mut list: Vec<DeclaredVocabulary<'a>> = Vec::new();
        for item in &tree.items {
            let ItemKind::Vocabulary { name, terms } = &item.kind else { continue };
            if let Some(first) = list.iter().find(|w| w.name.name == name.name) {
                let error =
                    Diagnostic::error(name.span, format!("vocabulary `{}` is declared twice", name.name));
                let error = error.with_related(first.name.span, "first declared here");
                self.report(error);
                continue;
            }
            list.push(DeclaredVocabulary { name, terms, doc: item.doc.clone(), items: CheckProgress::Todo });
        }
        let mut sources = VocabularySources { unit, list, predicates, ids };
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

    fn vocabulary_items(
        &mut self,
        sources: &mut VocabularySources<'a, '_>,
        index: usize,
    ) -> Vec<VocabularyItem> {
        let name = sources.list[index].name;
        match &sources.list[index].items {
            CheckProgress::Done(items) => return items.clone(),
            CheckProgress::Doing => {
                let message = format!("vocabulary `{}` contains itself", name.name);
                self.report(Diagnostic::error(name.span, message));
                return Vec::new();
            }
            CheckProgress::Todo => sources.list[index].items = CheckProgress::Doing,
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
        sources.list[index].items = CheckProgress::Done(items.clone());
        items
    }

    fn unknown_vocabulary(&mut self, sources: &VocabularySources<'a, '_>, used: &Ident) {
        let mut error = Diagnostic::error(used.span, format!("unknown vocabulary `{}`", used.name));
        // The vocabulary being declared is not suggested.
        let others = sources.list.iter().filter(|w| !matches!(w.items, CheckProgress::Doing));
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
        sources: &VocabularySources<'a, '_>,
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
                        self.report(error.with_help("`lacks` states that a value is not in a set"));
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
    fn observed(&mut self, unit: usize, e: &'a AstExpr) -> Vec<Observable> {
        match self.observable(unit, e) {
            Some(whole) => whole.leaves(&self.types),
            None => Vec::new(),
        }
    }

    fn observable(&mut self, unit: usize, e: &'a AstExpr) -> Option<Observable> {
        let mut scope = ExprScope::new(unit, ReadAccess::State);
        scope.labels = true;
        scope.before = true;
        let typed = self.expr(&mut scope, e).ok()?;
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
            return self.wrong(error).ok();
        }
        Some(self.as_observable(e, typed))
    }

    /// An expression that reads the state, with the text to print for it.
    pub(super) fn as_observable(&self, e: &AstExpr, typed: Expr) -> Observable {
        let text = self.text(e.span);
        let text = without_parentheses(&text);
        let postfix = matches!(
            e.kind,
            AstExprKind::Name(_) | AstExprKind::Field(..) | AstExprKind::Index(..) | AstExprKind::Call { .. }
        );
        let text = if postfix { text.into() } else { format!("({text})") };
        Observable { text, expr: finished(typed), span: e.span }
    }

    fn predicate_items(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        path: &'a [Ident],
        args: Option<&'a [AstExpr]>,
        span: Span,
    ) -> Vec<VocabularyItem> {
        if let Some(items) = self.fate_items(sources, path, args, span) {
            return items;
        }
        if let ([only], Some(args)) = (path, args)
            && only.name == "order"
            && self.entity(sources.unit, "order").is_none()
        {
            return self.order_items(sources.unit, args, span);
        }
        self.predicate_read(sources, path, (sources.unit, args), span)
    }

    /// The items of a predicate with what is passed to it, if anything is: expressions over the names of a unit.
    pub(super) fn predicate_read(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        path: &'a [Ident],
        (unit, args): (usize, Option<&'a [AstExpr]>),
        span: Span,
    ) -> Vec<VocabularyItem> {
        let Some(index) = self.predicate_named(sources, path) else { return Vec::new() };
        let Some(&id) = sources.ids.get(&index) else {
            return Vec::new(); // It has mistakes, which have been reported.
        };
        let rows = self.readings(unit, &sources.predicates[id], args, span).unwrap_or_default();
        rows.into_iter().map(|row| VocabularyItem::Predicate(PredicateId(to_u32(id)), row)).collect()
    }

    /// The items of `order(x, y)`.
    fn order_items(&mut self, unit: usize, observables: &'a [AstExpr], span: Span) -> Vec<VocabularyItem> {
        if observables.is_empty() {
            let error = Diagnostic::error(span, "`order` needs an observable");
            self.report(error.with_help("write `order(x, y)` to compare integers x and y"));
        }
        let mut leaves = Vec::new();
        for e in observables {
            let found = self.observed(unit, e);
            if !found.is_empty() && !found.iter().any(Observable::is_integer) {
                let error = Diagnostic::error(e.span, format!("`{}` contains no integer", self.text(e.span)));
                self.report(error.with_help("`order` compares integers; `before` is the order of positions"));
            }
            leaves.extend(found);
        }
        VocabularyItem::order(&leaves)
    }

    pub(super) fn predicate_named(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        path: &'a [Ident],
    ) -> Option<usize> {
        let last = path.last()?;
        let mut scope = ExprScope::new(sources.unit, ReadAccess::Positions);
        for alias in &path[..path.len() - 1] {
            match self.entity(scope.unit, &alias.name) {
                Some(Entity::Import(import)) => scope.unit = self.imports[import].unit?,
                Some(other) => {
                    let message = format!("`{}` is {}, not an import", alias.name, other.kind());
                    let whole: Vec<&str> = path.iter().map(|name| name.name.as_str()).collect();
                    let help = format!("`eq({})` gives facts about its value", whole.join("."));
                    return self.wrong(Diagnostic::error(alias.span, message).with_help(help)).ok();
                }
                None => {
                    let imports = |e| matches!(e, Entity::Import(_));
                    return self.unknown("import", &alias.name, alias.span, &scope, &imports).ok();
                }
            }
        }
        match self.entity(scope.unit, &last.name) {
            Some(Entity::Pred(pred)) => Some(pred),
            Some(other) => {
                let message = format!("`{}` is {}, not a predicate", last.name, other.kind());
                let help = match other {
                    Entity::Action(_) => {
                        "`eq(action)` says which action was taken, `eq(ACTION.PARAMETER)` with which argument"
                            .to_owned()
                    }
                    _ => format!("`eq({})` gives facts about its value", last.name),
                };
                self.wrong(Diagnostic::error(last.span, message).with_help(help)).ok()
            }
            None => self
                .unknown("predicate", &last.name, last.span, &scope, &|e| matches!(e, Entity::Pred(_)))
                .ok(),
        }
    }
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
