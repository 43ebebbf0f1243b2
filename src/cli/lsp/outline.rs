//! The declarations of a text, as editors list them.

use super::messages::{DocumentSymbol, SymbolKind};
use super::places::range;
use cladist::diagnostics::{SourceId, Span};
use cladist::syntax::ast::{Ident, Item, ItemKind};
use cladist::syntax::parse;

/// The named declarations of a model or library, in the order of the text.
pub fn outline(text: &str) -> Vec<DocumentSymbol> {
    let (file, _) = parse(SourceId::default(), text);
    file.items.iter().filter_map(|item| symbol(text, item)).collect()
}

fn symbol(text: &str, item: &Item) -> Option<DocumentSymbol> {
    let (name, kind) = declared(&item.kind)?;
    let of = |span: Span| range(text, span.start as usize, span.end as usize);
    Some(DocumentSymbol {
        name: name.name.clone(),
        detail: item.doc.as_ref().and_then(|doc| doc.lines().next()).map(str::to_owned),
        kind,
        range: of(item.span.to(name.span)),
        selection_range: of(name.span),
    })
}

/// What a declaration declares.
fn declared(kind: &ItemKind) -> Option<(&Ident, SymbolKind)> {
    Some(match kind {
        ItemKind::Import { alias, .. } => (alias, SymbolKind::MODULE),
        ItemKind::Const { name, .. } => (name, SymbolKind::CONSTANT),
        ItemKind::Type { name, .. } => (name, SymbolKind::STRUCT),
        ItemKind::Var { name, .. } => (name, SymbolKind::VARIABLE),
        ItemKind::Def { name, .. } | ItemKind::Pred { name, .. } => (name, SymbolKind::FUNCTION),
        ItemKind::Action { name, .. } | ItemKind::Operation { name, .. } => (name, SymbolKind::METHOD),
        ItemKind::Invariant { name, .. } | ItemKind::Ltl { name, .. } | ItemKind::Ctl { name, .. } => {
            (name, SymbolKind::PROPERTY)
        }
        ItemKind::Vocabulary { name, .. } => (name, SymbolKind::NAMESPACE),
        ItemKind::Requires(_)
        | ItemKind::Init(_)
        | ItemKind::Assume(_)
        | ItemKind::Fairness(_)
        | ItemKind::ActionFairness { .. }
        | ItemKind::Environment(_)
        | ItemKind::Example(_) => return None,
    })
}
