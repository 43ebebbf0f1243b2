//! Definitions that would take long to write out: a formula gives names to their values, each of which it says once.
//!
//! A definition is named if it calls others many levels deep, is large, or calls one that is named. So what is written out
//! for all definitions of a chain together grows with their number, and no formula is as deep as a chain is long. Their bodies are
//! checked once, as declared, and know nothing of conditions around the calls.

use super::entity::Entity;
use super::relations::within;
use super::types::{clipped, coerce};
use super::{CheckProgress, Checker, ExprScope, Reported, Typed, enabled};
use crate::model::expr::{Expr, ExprKind, LocalId};
use crate::model::types::Type;
use crate::syntax::ast::AstExprKind;
use kit::diagnostics::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Definitions that call others through more levels are named.
const MOST_LEVELS: u32 = 64;
/// Definitions without parameters are named if they have more expressions.
const MOST_EXPRESSIONS: usize = 2_000;
/// Definitions with parameters are named if they have more expressions: with constant arguments, less may be left of them where they are
/// written out.
const MOST_WITH_PARAMETERS: usize = 5_000;

/// A definition that formulas name.
#[derive(Debug)]
pub(super) struct Tall {
    params: Vec<LocalId>,
    /// Its value, in which others are named.
    body: Expr,
    /// The names of the others.
    uses: Vec<LocalId>,
    reads_state: bool,
    reads_label: bool,
    /// A place that asks whether an action is enabled.
    asks: Option<Span>,
}

/// The meaning of a name in formulas.
#[derive(Debug, Clone)]
enum NameMeaning {
    /// A definition with these arguments.
    Call(usize, Vec<Expr>),
    Value(Expr),
}

/// A value that is put around a formula, with the names that it uses.
#[derive(Debug)]
struct NamedValue {
    value: Expr,
    size: usize,
    uses: Vec<LocalId>,
}

/// The names in formulas, and what they stand for.
#[derive(Debug, Default)]
pub(super) struct NamedValues {
    meanings: FxHashMap<LocalId, NameMeaning>,
    /// The names by a text of what they stand for.
    names: FxHashMap<String, LocalId>,
    /// The values, as far as they were needed.
    values: FxHashMap<LocalId, Arc<NamedValue>>,
}

/// The formula or the definition that is being checked as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    /// Names from this number on are bound inside.
    pub since: u32,
    pub is_definition: bool,
}

/// Notes on the definition that is being checked.
#[derive(Debug, Default)]
pub(super) struct DefinitionNotes {
    /// The number of levels of calls in it.
    levels: u32,
    /// A place that asks whether an action is enabled.
    asks: Option<Span>,
}

impl<'a> Checker<'a> {
    /// Notes that whether an action is enabled is asked.
    pub(super) fn note_asked(&mut self, span: Span) {
        self.noted.asks = self.noted.asks.or(Some(span));
    }

    /// Starts to note what a definition does; returns what was noted of the one around.
    pub(super) fn start_noting(&mut self) -> DefinitionNotes {
        std::mem::take(&mut self.noted)
    }

    /// Decides whether a definition with this body, free of errors, is named, after what was noted of it.
    pub(super) fn finish_noting(
        &mut self,
        def: usize,
        params: Vec<LocalId>,
        (body, declared): (&Expr, &Type),
        around: DefinitionNotes,
    ) {
        let noted = std::mem::replace(&mut self.noted, around);
        let levels = noted.levels + 1;
        self.defs[def].levels = levels;
        let uses = self.named_in(body);
        let (most, calls_named) = match params.is_empty() {
            true => (MOST_EXPRESSIONS, !uses.is_empty()),
            false => (MOST_WITH_PARAMETERS, uses.iter().any(|name| self.has_arguments(*name))),
        };
        if levels <= MOST_LEVELS && !calls_named && size_of(body) <= most {
            return;
        }
        let body = self.folded(coerce(body.clone(), declared));
        if matches!(body.kind, ExprKind::Const(_)) {
            return;
        }
        let reads_state = self.reads_state(&body);
        let reads_label =
            body.reads_label() || uses.iter().any(|name| self.said_of(*name, |tall| tall.reads_label));
        let body = clipped(body, declared);
        let tall = Tall { params, body, uses, reads_state, reads_label, asks: noted.asks };
        self.defs[def].tall = Some(Arc::new(tall));
    }

    /// The value of a checked definition as formulas name it; `None` if it is to be written out. Whether the
    /// arguments are of the declared types is known.
    pub(super) fn call_by_name(
        &mut self,
        scope: &ExprScope,
        def: usize,
        args: &[&Expr],
        as_declared: bool,
        span: Span,
    ) -> Option<Typed> {
        self.noted.levels = self.noted.levels.max(self.defs[def].levels);
        let tall = self.defs[def].tall.clone()?;
        if !as_declared || tall.reads_label && !scope.labels {
            return None;
        }
        if let Some(asked) = tall.asks {
            self.note_asked(asked);
            if self.in_step {
                let refusal = enabled::refusal(span);
                if self.silent > 0 {
                    self.asked_in_step = Some(asked);
                    return Some(self.wrong(refusal));
                }
                return Some(self.wrong(refusal.with_related(asked, "asked here")));
            }
        }
        let is_open = self.inside.is_none_or(|whole| args.iter().any(|arg| self.is_open(arg, whole)));
        if is_open && self.inside.is_some_and(|whole| whole.is_definition) {
            return None;
        }
        let args = args.iter().map(|arg| self.named_argument((*arg).clone())).collect();
        let name = self.name_of(NameMeaning::Call(def, args));
        let call = Expr { kind: ExprKind::Local(name), ty: tall.body.ty.clone(), span };
        Some(if is_open { self.with_definitions(call) } else { Ok(call) })
    }

    /// True if an expression uses names that are bound inside what is checked.
    fn is_open(&self, expr: &Expr, whole: Whole) -> bool {
        let mut open = false;
        expr.walk(&mut |e| {
            if let ExprKind::Local(local) = e.kind {
                open |= local.0 >= whole.since && !self.named.meanings.contains_key(&local);
            }
        });
        open
    }

    /// An argument as something that costs nothing to repeat.
    fn named_argument(&mut self, arg: Expr) -> Expr {
        if super::let_in::is_place(&arg) {
            return arg;
        }
        let (ty, span) = (arg.ty.clone(), arg.span);
        let name = self.name_of(NameMeaning::Value(arg));
        Expr { kind: ExprKind::Local(name), ty, span }
    }

    /// The name for a meaning, the same one wherever that is the same.
    fn name_of(&mut self, meaning: NameMeaning) -> LocalId {
        let text = match &meaning {
            NameMeaning::Call(def, args) => {
                let args: Vec<Expr> = args.iter().map(Expr::without_places).collect();
                format!("{def} {args:?}")
            }
            NameMeaning::Value(value) => format!("{:?}", value.without_places()),
        };
        if let Some(known) = self.named.names.get(&text) {
            return *known;
        }
        let name = self.fresh();
        self.named.names.insert(text, name);
        self.named.meanings.insert(name, meaning);
        name
    }

    /// A whole formula with the values of the definitions that it names around it.
    pub(super) fn with_definitions(&mut self, formula: Expr) -> Typed {
        let (span, mut bindings) = (formula.span, Vec::new());
        let (mut begun, mut stack) = (FxHashSet::default(), Vec::new());
        for name in self.named_in(&formula) {
            stack.push((name, None));
            while let Some((name, values)) = stack.pop() {
                // The names that a value uses come before it.
                if let Some(value) = values {
                    let value: Arc<NamedValue> = value;
                    bindings.push((name, value.value.clone()));
                } else if begun.insert(name) {
                    let value = self.value_of_name(name);
                    if !self.count_copied(span, value.size) {
                        return Err(Reported);
                    }
                    let uses = value.uses.clone();
                    stack.push((name, Some(value)));
                    stack.extend(uses.into_iter().rev().map(|used| (used, None)));
                }
            }
        }
        Ok(Expr { span, ..Expr::with_names(&bindings, formula) })
    }

    fn value_of_name(&mut self, name: LocalId) -> Arc<NamedValue> {
        if let Some(known) = self.named.values.get(&name) {
            return Arc::clone(known);
        }
        let value = match self.named.meanings[&name].clone() {
            NameMeaning::Value(value) => value,
            NameMeaning::Call(def, args) => match self.defs[def].tall.clone() {
                Some(tall) => {
                    let given = tall.params.iter().copied().zip(args).collect();
                    self.with_arguments(tall.body.clone(), &tall.uses, &given)
                }
                None => unreachable!("only definitions that are named have names"),
            },
        };
        let uses = self.named_in(&value);
        let named = Arc::new(NamedValue { size: size_of(&value), value, uses });
        self.named.values.insert(name, Arc::clone(&named));
        named
    }

    /// An expression that uses these names, with arguments in the place of parameters.
    fn with_arguments(&mut self, mut expr: Expr, uses: &[LocalId], given: &FxHashMap<LocalId, Expr>) -> Expr {
        if given.is_empty() {
            return expr;
        }
        let mut renamed = FxHashMap::default();
        for &name in uses {
            let inside = |c: &mut Self, e: Expr| {
                let uses = c.named_in(&e);
                c.with_arguments(e, &uses, given)
            };
            let meaning = match self.named.meanings[&name].clone() {
                NameMeaning::Value(value) => NameMeaning::Value(inside(self, value)),
                NameMeaning::Call(def, args) => {
                    NameMeaning::Call(def, args.into_iter().map(|arg| inside(self, arg)).collect())
                }
            };
            renamed.insert(name, self.name_of(meaning));
        }
        let types = &self.types;
        expr.walk_mut(&mut |e| {
            let ExprKind::Local(local) = e.kind else { return };
            if let Some(arg) = given.get(&local) {
                e.kind = arg.kind.clone();
                if within(types, &arg.ty, &e.ty, true) {
                    e.ty = arg.ty.clone();
                }
            } else if let Some(name) = renamed.get(&local) {
                e.kind = ExprKind::Local(*name);
            }
        });
        expr
    }

    /// True if the value of an expression depends on the state or the label of a step, outside of `@`.
    pub(super) fn reads_state(&self, expr: &Expr) -> bool {
        expr.reads_state()
            || self.named_in(expr).into_iter().any(|name| {
                let args = match &self.named.meanings[&name] {
                    NameMeaning::Call(_, args) => &args[..],
                    NameMeaning::Value(value) => std::slice::from_ref(value),
                };
                self.said_of(name, |tall| tall.reads_state) || args.iter().any(|arg| self.reads_state(arg))
            })
    }

    fn has_arguments(&self, name: LocalId) -> bool {
        matches!(&self.named.meanings[&name], NameMeaning::Call(_, args) if !args.is_empty())
    }

    /// True if something is so of the definition that a name stands for.
    fn said_of(&self, name: LocalId, is_so: impl Fn(&Tall) -> bool) -> bool {
        match &self.named.meanings[&name] {
            NameMeaning::Call(def, _) => self.defs[*def].tall.as_deref().is_some_and(is_so),
            NameMeaning::Value(_) => false,
        }
    }

    /// The names of values that are free in an expression, outside of `@`.
    fn named_in(&self, expr: &Expr) -> Vec<LocalId> {
        let mut found = FxHashSet::default();
        if !self.named.meanings.is_empty() {
            self.find_named(expr, &mut FxHashSet::default(), &mut found);
        }
        let mut found: Vec<LocalId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn find_named(&self, expr: &Expr, bound: &mut FxHashSet<LocalId>, found: &mut FxHashSet<LocalId>) {
        match &expr.kind {
            ExprKind::Local(local) => {
                if self.named.meanings.contains_key(local) && !bound.contains(local) {
                    found.insert(*local);
                }
            }
            // Formulas of their own.
            ExprKind::At { .. } | ExprKind::Previous(_) | ExprKind::Never { .. } => {}
            ExprKind::Let { bindings, body } if self.named.meanings.contains_key(&bindings[0].0) => {
                let new = bindings.iter().map(|(local, _)| *local).filter(|local| !bound.contains(local));
                let new: Vec<LocalId> = new.collect();
                bound.extend(&new);
                self.find_named(body, bound, found);
                new.iter().for_each(|local| _ = bound.remove(local));
            }
            _ => expr.children().into_iter().for_each(|child| self.find_named(child, bound, found)),
        }
    }

    /// The definitions that are to be checked for one, in an order in which checking does not nest; only that one where they are few, or
    /// recursive.
    pub(super) fn unchecked_below(&self, def: usize) -> Vec<usize> {
        let (mut order, mut open) = (Vec::new(), FxHashMap::default());
        let mut stack = vec![(def, self.called_by(def))];
        open.insert(def, true);
        while let Some((current, called)) = stack.last_mut() {
            match called.pop() {
                None => {
                    open.insert(*current, false);
                    order.push(*current);
                    stack.pop();
                }
                Some(next) => match open.get(&next) {
                    Some(true) => return vec![def],
                    Some(false) => {}
                    None => {
                        open.insert(next, true);
                        stack.push((next, self.called_by(next)));
                    }
                },
            }
        }
        if order.len() > MOST_LEVELS as usize { order } else { vec![def] }
    }

    /// The definitions that one seems to call and that were not checked yet, the last one first.
    fn called_by(&self, def: usize) -> Vec<usize> {
        let decl = &self.defs[def];
        let mut called = Vec::new();
        decl.body.walk(&mut |e| {
            let name = match &e.kind {
                AstExprKind::Name(name) => name,
                AstExprKind::Call { path, .. } if path.len() == 1 => &path[0].name,
                _ => return,
            };
            if let Some(Entity::Def(other)) = self.entity(decl.unit, name)
                && matches!(self.defs[other].good, CheckProgress::Todo)
            {
                called.push(other);
            }
        });
        called.reverse();
        called
    }
}

/// The number of expressions in one, itself included.
fn size_of(expr: &Expr) -> usize {
    let mut size = 0;
    expr.walk(&mut |_| size += 1);
    size
}
