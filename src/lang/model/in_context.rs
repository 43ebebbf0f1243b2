//! Texts parsed and checked in the context of a model that was loaded before.

use super::check::{self, Context, Override};
use super::{Model, Predicate};
use crate::syntax::ast::File;
use crate::syntax::parse;
use kit::diagnostics::{Diagnostic, SourceId, SourceMap};
use std::sync::Arc;

/// The name of texts [added](Model::declare) to a model.
pub const ADDED: &str = "--added";

/// The reason why a text could not be read.
#[derive(Debug, Clone)]
pub struct Unreadable {
    /// The mistakes; at least one of them is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that they refer to.
    pub sources: Arc<SourceMap>,
}

impl Unreadable {
    /// Creates the error for a text with one mistake, without a place.
    pub(super) fn because(message: String) -> Self {
        Self { diagnostics: vec![Diagnostic::error_without_place(message)], sources: Arc::default() }
    }
}

/// Parses and checks the predicates of a library text, given with its name, as if the model declared them.
///
/// # Errors
/// The mistakes in them, with the texts that they refer to.
pub(super) fn load_predicates(
    model: &Model,
    named: (&str, &str),
) -> Result<InContext<Vec<Predicate>>, Unreadable> {
    let parse_all: ParseText<File> = |source, text| {
        let (tree, problems) = parse(source, text);
        (Some(tree), problems)
    };
    let check = |context: Context<'_>, tree: &File| check::check_foreign_predicates(context, tree);
    let loaded = load_in_context(model, named, parse_all, &check);
    match loaded.found {
        Some(_) => Ok(loaded),
        None => Err(Unreadable { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

impl Model {
    /// Adds the predicates of a text, written as in a model, after those of the model.
    ///
    /// # Errors
    /// The mistakes in the text; the model is then unchanged.
    pub fn declare(&mut self, text: &str) -> Result<(), Unreadable> {
        let text = format!("library added;\n{text}");
        let InContext { found, locals, sources, .. } = load_predicates(self, (ADDED, &text))?;
        let found = found.unwrap_or_default();
        let Some(first) = found.first() else { return Ok(()) };
        let known = found.iter().find(|new| self.predicates.iter().any(|old| old.name == new.name));
        if let Some(known) = known {
            return Err(Unreadable::because(format!("the model has a predicate `{}`", known.name)));
        }
        let (tree, _) = parse(first.span.source, &text);
        if tree.items.len() != found.len() {
            return Err(Unreadable::because("the text declares more than predicates".to_owned()));
        }
        Arc::make_mut(&mut self.trees.0)[0].tree.items.extend(tree.items);
        self.predicates.extend(found);
        (self.locals, self.sources) = (locals, sources);
        Ok(())
    }
}

/// Something that was parsed and checked in the context of a model.
#[derive(Debug, Clone)]
pub struct InContext<T> {
    /// The result; present iff no diagnostic is an error.
    pub found: Option<T>,
    /// The number of names bound in the model and in it.
    pub locals: u32,
    /// Errors, warnings and notes about it.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts of the model, followed by its own.
    pub sources: Arc<SourceMap>,
}

/// A parser for text that is not part of the model.
pub(super) type ParseText<A> = fn(SourceId, &str) -> (Option<A>, Vec<Diagnostic>);

/// A check of what was parsed in the context of a model.
pub(super) type Check<'c, A, T> = &'c dyn Fn(Context<'_>, &A) -> check::CheckedInContext<T>;

/// Parses and checks something in the context of a model. `name` refers to it in messages.
pub(super) fn load_in_context<A, T>(
    model: &Model,
    (name, text): (&str, &str),
    parse_text: ParseText<A>,
    check: Check<'_, A, T>,
) -> InContext<T> {
    let mut sources = model.sources.as_ref().clone();
    let source = sources.add(name, text);
    let (expr, mut diagnostics) = parse_text(source, text);
    let (mut found, mut locals) = (None, model.locals);
    if let Some(expr) = expr.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) {
        let overrides: Vec<Override> = model
            .constants
            .iter()
            .map(|c| Override {
                name: c.name.clone(),
                text: model.types.show_value(&c.value),
                value: None,
                known: Some(c.value.clone()),
            })
            .collect();
        let checked = check(Context { model, sources: &sources, overrides: &overrides }, &expr);
        (found, locals) = (checked.found, checked.locals);
        diagnostics.extend(checked.diagnostics);
    }
    InContext { found, locals, diagnostics, sources: Arc::new(sources) }
}
