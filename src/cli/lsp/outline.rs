//! The declarations of a text, for editors.

use super::messages::{DocumentSymbol, SymbolKind};
use super::places::range;
use cladist::diagnostics::{SourceId, Span};
use cladist::model::names::NameKind;
use cladist::syntax::ast::Item;
use cladist::syntax::parse;

/// Returns the named declarations of a model or library, in the order of the text.
pub fn outline(text: &str) -> Vec<DocumentSymbol> {
    let (file, _) = parse(SourceId::default(), text);
    file.items.iter().filter_map(|item| symbol(text, item)).collect()
}

fn symbol(text: &str, item: &Item) -> Option<DocumentSymbol> {
    let (kind, name) = NameKind::declared(&item.kind)?;
    let of = |span: Span| range(text, span.start as usize, span.end as usize);
    Some(DocumentSymbol {
        name: name.name.clone(),
        detail: item.doc.as_ref().and_then(|doc| doc.lines().next()).map(str::to_owned),
        kind: symbol_kind(kind),
        range: of(item.span.to(name.span)),
        selection_range: of(name.span),
    })
}

fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Import => SymbolKind::MODULE,
        NameKind::Constant => SymbolKind::CONSTANT,
        NameKind::Type => SymbolKind::STRUCT,
        NameKind::Definition | NameKind::Predicate => SymbolKind::FUNCTION,
        NameKind::Action | NameKind::Operation => SymbolKind::METHOD,
        NameKind::Property => SymbolKind::PROPERTY,
        NameKind::Vocabulary => SymbolKind::NAMESPACE,
        _ => SymbolKind::VARIABLE,
    }
}
