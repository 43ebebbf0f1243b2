//! Texts parsed and checked in the context of a model that was loaded before.

use super::Model;
use super::check::{self, CheckedPredicate, Context, Override};
use crate::syntax::ast::File;
use crate::syntax::parse;
use kit::diagnostics::{Diagnostic, SourceId, SourceMap};
use std::sync::Arc;

/// Parses and checks the predicates of a library text as if the model declared them: there have to be so many, and nothing else.
///
/// # Errors
/// The mistakes in them, with the texts that they refer to.
pub(super) fn load_predicates(
    model: &Model,
    text: &str,
    count: usize,
) -> Result<Vec<CheckedPredicate>, (Vec<Diagnostic>, Arc<SourceMap>)> {
    let parse_all: ParseText<File> = |source, text| {
        let (tree, problems) = parse(source, text);
        (Some(tree), problems)
    };
    let check = |context: Context<'_>, tree: &File| check::check_foreign_predicates(context, tree);
    let InContext { found, diagnostics, sources } =
        load_in_context(model, ("facts", text), parse_all, &check);
    match found {
        Some(found) if found.len() == count => Ok(found),
        Some(_) => {
            let message = format!("these are not {count} facts");
            Err((vec![Diagnostic::error_without_place(message)], sources))
        }
        None => Err((diagnostics, sources)),
    }
}

/// Something that was parsed and checked in the context of a model.
#[derive(Debug, Clone)]
pub struct InContext<T> {
    /// It; present iff no diagnostic is an error.
    pub found: Option<T>,
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
    let mut found = None;
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
        found = checked.found;
        diagnostics.extend(checked.diagnostics);
    }
    InContext { found, diagnostics, sources: Arc::new(sources) }
}
