//! Renames a declaration in all texts that can name it. The texts are read again with the new name before any change:
//! every name must keep its referent, and no new errors may appear.

use super::findings::{CheckExtent, findings};
use super::messages::{TextEdit, TextPosition, Uri, WorkspaceEdit};
use super::navigation::{ReferringText, is_standard};
use super::places::range;
use super::{Server, uri_of};
use cladist::diagnostics::{Diagnostic, SourceId};
use cladist::syntax::ast::FileKind;
use cladist::syntax::{is_reserved, names_in, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Edits by their first byte: the end of the replaced range, and the new text.
type Edits = BTreeMap<usize, (usize, String)>;

impl Server<'_> {
    /// Returns the edits that rename the declaration at a place.
    ///
    /// # Errors
    /// The reason why it cannot be renamed, or not to this name.
    pub fn rename(&self, uri: &Uri, position: TextPosition, to: &str) -> Result<WorkspaceEdit, String> {
        let named = self.named(uri, position).ok_or("there is no name that is declared here")?;
        let from = &named.declared().name;
        if is_standard(&named) {
            return Err(format!("`{from}` is declared in a file of the program, which cannot be changed"));
        }
        if is_reserved(to) {
            return Err(format!("`{to}` is a word of the language"));
        }
        if names_in(to) != [(0, to)] || !to.is_ascii() {
            return Err(format!("`{to}` is not a name: letters, digits and `_` make up a name"));
        }
        let around = self.around(&named);
        let edits = edits(&around, to);
        if let Some(path) = unread(&around, from) {
            let why = "also occurs where its meaning is unknown";
            return Err(format!("`{from}` {why}, in {}", path.display()));
        }
        self.check_renamed(&around, &edits, to)?;
        let of_file = |(path, (text, edits)): (&PathBuf, &(String, Edits))| {
            let edit = |(start, (end, new)): (&usize, &(usize, String))| TextEdit {
                range: range(text, *start, *end),
                new_text: new.clone(),
            };
            let uri = uri_of(path).ok_or_else(|| format!("{} cannot be named", path.display()))?;
            Ok((uri, edits.iter().map(edit).collect()))
        };
        let changes = edits.iter().map(of_file).collect::<Result<_, String>>()?;
        Ok(WorkspaceEdit { changes })
    }

    /// Checks that all names keep their referents, and that no other errors appear.
    fn check_renamed(
        &self,
        around: &[ReferringText],
        edits: &BTreeMap<PathBuf, (String, Edits)>,
        to: &str,
    ) -> Result<(), String> {
        let renamed: BTreeMap<&Path, String> =
            edits.iter().map(|(path, (text, edits))| (path.as_path(), applied(text, edits))).collect();
        let before = |path: &Path| self.open.get(path).map(|document| document.text.clone());
        let after = |path: &Path| renamed.get(path).cloned().or_else(|| before(path));
        for ReferringText { path, text, names, .. } in around {
            let new_text = renamed.get(path.as_path()).unwrap_or(text);
            let errors = |text: &str, edited: &dyn Fn(&Path) -> Option<String>| {
                let (found, _) = findings(path, text, CheckExtent::Typing, edited);
                found.iter().filter(|found| found.is_error()).count()
            };
            let new = super::names_with(path, new_text, &after);
            if !names.mean_the_same(&new) || errors(text, &before) != errors(new_text, &after) {
                let why = "clashes with another declaration, or the old name is needed";
                return Err(format!("`{to}` {why}, in {}", path.display()));
            }
        }
        Ok(())
    }
}

/// Returns a text that has the name at a place where its referent is unknown: because of mistakes, or since it may be a
/// field of a component that no model here imports.
fn unread<'a>(around: &'a [ReferringText], name: &str) -> Option<&'a Path> {
    let places = |ReferringText { names, .. }: &'a ReferringText| {
        names.uses.iter().map(move |used| (names.sources.name(used.span.source), used.span.start as usize))
    };
    let known: BTreeSet<(&str, usize)> = around.iter().flat_map(places).collect();
    let has_unread = |ReferringText { text, names, .. }: &&ReferringText| {
        let (file, mistakes) = parse(SourceId::default(), text);
        let header = file.header.as_ref();
        let is_vague = header.is_none_or(|header| header.kind == FileKind::Component)
            || mistakes.iter().any(Diagnostic::is_error);
        let own = header.map(|header| header.name.span.start as usize);
        let here = names.sources.name(SourceId::default());
        let is_unread =
            |(at, other): (usize, &str)| other == name && Some(at) != own && !known.contains(&(here, at));
        is_vague && names_in(text).into_iter().any(is_unread)
    };
    around.iter().find(has_unread).map(|around| around.path.as_path())
}

/// Returns the edits of each text, with its current content.
fn edits(around: &[ReferringText], to: &str) -> BTreeMap<PathBuf, (String, Edits)> {
    let mut all: BTreeMap<PathBuf, (String, Edits)> = BTreeMap::new();
    for ReferringText { names, of, .. } in around {
        for (span, new) in names.renamed(*of, to) {
            let path = PathBuf::from(names.sources.name(span.source));
            let text = names.sources.text(span.source);
            let (_, edits) = all.entry(path).or_insert_with(|| (text.to_owned(), Edits::new()));
            edits.insert(span.start as usize, (span.end as usize, new));
        }
    }
    all
}

/// Applies edits to a text.
fn applied(text: &str, edits: &Edits) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (start, (end, new)) in edits {
        out.push_str(&text[at..*start]);
        out.push_str(new);
        at = *end;
    }
    out + &text[at..]
}
