//! Declarations and uses of names, and their descriptions.

use super::files::importing;
use super::messages::{DocumentSymbol, Hover, Location, MarkupContent, Range, SymbolKind, TextPosition, Uri};
use super::places::{offset, range, range_of};
use super::{Server, uri_of};
use cladist::diagnostics::{SourceId, Span};
use cladist::model::is_standard_path;
use cladist::model::names::{DeclaredSymbol, ModelNames, NameKind, Use};
use cladist::syntax::ast::Item;
use cladist::syntax::parse;
use std::path::{Path, PathBuf};

/// A name at a place of a text, with all names of that text and its imports.
pub struct NameAtPlace {
    pub names: ModelNames,
    pub used: Use,
}

impl NameAtPlace {
    /// Returns the place of the name.
    pub fn range(&self) -> Range {
        range_of(self.used.span, &self.names.sources)
    }

    /// Returns its declaration: for the name that a pattern gives to a field by the field's own name, that of the
    /// field.
    pub fn of(&self) -> usize {
        self.used.short_for.unwrap_or(self.used.of)
    }

    /// Returns the declaration of its referent.
    pub fn declared(&self) -> &DeclaredSymbol {
        &self.names.declared[self.of()]
    }
}

impl Server<'_> {
    /// Returns the name at a place of an open text.
    pub fn named(&self, uri: &Uri, position: TextPosition) -> Option<NameAtPlace> {
        let (path, document) = self.document(uri)?;
        let names = self.names(&path, &document.text);
        let byte = offset(&document.text, position);
        let used = *names.at(SourceId::default(), u32::try_from(byte).ok()?)?;
        Some(NameAtPlace { names, used })
    }

    /// Returns the places where the name at a place is declared.
    pub fn definition(&self, uri: &Uri, position: TextPosition) -> Vec<Location> {
        let Some(named) = self.named(uri, position) else { return Vec::new() };
        let both = [Some(named.used.of), named.used.short_for];
        let places = both.into_iter().flatten().flat_map(|of| &named.names.declared[of].places);
        places.filter_map(|place| location(&named.names, *place)).collect()
    }

    /// Returns the places where the name at a place is written, in all texts that can name it.
    pub fn references(&self, uri: &Uri, position: TextPosition, with_declaration: bool) -> Vec<Location> {
        let Some(named) = self.named(uri, position) else { return Vec::new() };
        let mut found: Vec<Location> = Vec::new();
        for ReferringText { names, of, .. } in self.around(&named) {
            let written = names.uses_of(of).map(|used| used.span);
            let written =
                written.filter(|span| with_declaration || !names.declared[of].places.contains(span));
            for location in written.filter_map(|span| location(&names, span)) {
                if !found.contains(&location) {
                    found.push(location);
                }
            }
        }
        found
    }

    /// Returns the description of the name at a place: its declaration, its kind and the comment above it.
    pub fn hover(&self, uri: &Uri, position: TextPosition) -> Option<Hover> {
        let named = self.named(uri, position)?;
        let declared = named.declared();
        let mut value = format!("```cladist\n{}\n```\n{}", declared.text, declared.kind.word());
        if let Some(place) = declared.places.first().filter(|place| place.source != SourceId::default()) {
            let file = Path::new(named.names.sources.name(place.source)).file_name().unwrap_or_default();
            value.push_str(&format!(" of `{}`", file.to_string_lossy()));
        }
        if let Some(doc) = &declared.doc {
            value.push_str(&format!("\n\n{doc}"));
        }
        Some(Hover { contents: MarkupContent::markdown(value), range: named.range() })
    }

    /// Returns the texts that can name the referent of a name.
    pub fn around(&self, named: &NameAtPlace) -> Vec<ReferringText> {
        let Some(place) = place(&named.names, named.of()) else { return Vec::new() };
        let texts = importing(Path::new(&place.0), &self.open);
        let found = texts.into_iter().filter_map(|(path, text)| {
            let names = self.names(&path, &text);
            let of =
                (0..names.declared.len()).find(|&of| self::place(&names, of).as_ref() == Some(&place))?;
            Some(ReferringText { path, text, names, of })
        });
        found.collect()
    }
}

/// A text that can name a declaration, possibly one in another text.
pub struct ReferringText {
    pub path: PathBuf,
    /// The text, as in the editor if it is open.
    pub text: String,
    pub names: ModelNames,
    /// The index of the declaration.
    pub of: usize,
}

/// Returns the file and the byte of a declaration.
fn place(names: &ModelNames, of: usize) -> Option<(String, u32)> {
    let place = *names.declared[of].places.first()?;
    Some((names.sources.name(place.source).to_owned(), place.start))
}

/// True if the name is declared in a file that comes with the program.
pub fn is_standard(named: &NameAtPlace) -> bool {
    let place = named.declared().places.first();
    place.is_some_and(|place| is_standard_path(Path::new(named.names.sources.name(place.source))))
}

/// Returns a place in the editor's notation; `None` in a file that comes with the program.
fn location(names: &ModelNames, span: Span) -> Option<Location> {
    let uri = uri_of(Path::new(names.sources.name(span.source)))?;
    Some(Location { uri, range: range_of(span, &names.sources) })
}

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
