//! Completions at a place: fields after a dot, names that are visible there, and keywords.

use super::Server;
use super::messages::{CompletionItem, CompletionItemKind, MarkupContent, TextPosition, Uri};
use super::places::offset;
use cladist::diagnostics::SourceId;
use cladist::model::names::{DeclaredSymbol, NameKind};
use cladist::protocol::is_protocol;
use cladist::syntax::completion;
use std::collections::BTreeSet;

/// A name that no text has. It replaces the incomplete word, so that the text around it can be read.
const UNWRITTEN: &str = "name_to_be_written";

impl Server<'_> {
    /// Returns the completions at a place.
    pub fn completions(&self, uri: &Uri, position: TextPosition) -> Vec<CompletionItem> {
        let Some((path, document)) = self.document(uri).filter(|(path, _)| !is_protocol(path)) else {
            return Vec::new();
        };
        let (before, after) = document.text.split_at(offset(&document.text, position));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = before.trim_end_matches(is_part);
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.contains("//") || line.matches('"').count() % 2 == 1 {
            return Vec::new();
        }
        let text = format!("{before}{UNWRITTEN}{}", after.trim_start_matches(is_part));
        let names = self.names(&path, &text);
        let (source, byte) = (SourceId::default(), u32::try_from(before.len()).unwrap_or(u32::MAX));
        let last = before.trim_end();
        if let Some(selectable) = names.selectable(source, byte) {
            return selectable.into_iter().map(item).collect();
        }
        if last.ends_with('.') && !last.ends_with("..") {
            return Vec::new();
        }
        let expected = completion(before);
        let fits = |declared: &&DeclaredSymbol| match declared.kind {
            NameKind::Type => expected.types || expected.values,
            NameKind::Constant => expected.types || expected.values,
            NameKind::Requirement | NameKind::Import => true,
            NameKind::Predicate => expected.predicates,
            _ => expected.values,
        };
        let anything = expected.values || expected.types || expected.predicates;
        let mut seen = BTreeSet::new();
        let known = names.visible(source, byte);
        let known = known.into_iter().filter(|declared| anything && declared.name != UNWRITTEN);
        // Inner bindings hide outer ones of the same name.
        let known = known.filter(|declared| seen.insert(declared.name.clone())).filter(fits).map(item);
        let words = expected.words.iter().map(|word| CompletionItem {
            label: (*word).to_owned(),
            kind: CompletionItemKind::KEYWORD,
            detail: None,
            documentation: None,
        });
        known.chain(words).collect()
    }
}

fn item(declared: &DeclaredSymbol) -> CompletionItem {
    let kind = match declared.kind {
        NameKind::Import => CompletionItemKind::MODULE,
        NameKind::Type => CompletionItemKind::STRUCT,
        NameKind::Constant => CompletionItemKind::CONSTANT,
        NameKind::Value | NameKind::Constructor => CompletionItemKind::ENUM_MEMBER,
        NameKind::Field => CompletionItemKind::FIELD,
        NameKind::Definition | NameKind::Predicate => CompletionItemKind::FUNCTION,
        NameKind::Action | NameKind::Operation => CompletionItemKind::METHOD,
        NameKind::Property => CompletionItemKind::PROPERTY,
        NameKind::Requirement => CompletionItemKind::INTERFACE,
        NameKind::Variable | NameKind::Parameter | NameKind::Bound | NameKind::Vocabulary => {
            CompletionItemKind::VARIABLE
        }
    };
    CompletionItem {
        label: declared.name.clone(),
        kind,
        detail: Some(declared.text.clone()),
        documentation: declared.doc.clone().map(MarkupContent::markdown),
    }
}
