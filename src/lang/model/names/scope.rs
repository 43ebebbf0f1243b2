//! The state while names are resolved.

use super::{DeclaredSymbol, ModelNames, NameKind, Use};
use crate::model::check::SourceFile;
use crate::syntax::ast::Ident;
use crate::syntax::names_in;
use kit::diagnostics::{SourceMap, Span};
use rustc_hash::FxHashMap;

/// The number of characters of a declaration that are shown.
const MOST_SHOWN: usize = 400;

/// The declarations and uses found so far.
pub(super) struct NameResolver<'a> {
    pub(super) files: &'a [SourceFile],
    pub(super) sources: &'a SourceMap,
    pub(super) names: ModelNames,
    /// For each file, what is declared there under which name. Properties and vocabularies have name spaces of their own.
    pub(super) globals: Vec<FxHashMap<String, usize>>,
    pub(super) properties: FxHashMap<(usize, String), usize>,
    pub(super) vocabularies: FxHashMap<(usize, String), usize>,
    /// The fields of each record or variant, which the place of its type stands for.
    pub(super) fields: FxHashMap<(Span, String), usize>,
    /// For the place of a field, the place of the record or variant that it belongs to.
    pub(super) owners: FxHashMap<Span, Span>,
    /// The files of imports.
    pub(super) imported: FxHashMap<usize, usize>,
    /// The declaration at each place.
    pub(super) places: FxHashMap<Span, usize>,
    /// The parameters of actions and the like.
    pub(super) parameters: FxHashMap<usize, Vec<usize>>,
    /// The names that are bound at this point, innermost last.
    pub(super) bound: Vec<(String, usize)>,
    /// The file that is being resolved.
    pub(super) file: usize,
}

impl NameResolver<'_> {
    /// The text at a place on one line, without comments.
    pub(super) fn text(&self, span: Span) -> String {
        let lines = self.sources.snippet(span).lines();
        let plain = lines.flat_map(|line| line.split("//").next().unwrap_or_default().split_whitespace());
        let mut text = plain.collect::<Vec<_>>().join(" ");
        if let Some((at, _)) = text.char_indices().nth(MOST_SHOWN) {
            text.truncate(at);
            text.push('…');
        }
        text
    }

    /// The places of the names that are written at a place, in their order.
    pub(super) fn words(&self, span: Span) -> Vec<(Span, String)> {
        let found = names_in(self.sources.snippet(span));
        let at = |(start, name): (usize, &str)| {
            let start = span.start as usize + start;
            (Span::new(span.source, start, start + name.len()), name.to_owned())
        };
        found.into_iter().map(at).collect()
    }

    /// Enters a declaration, whose name is one of its uses.
    pub(super) fn declare(
        &mut self,
        name: &Ident,
        kind: NameKind,
        text: String,
        doc: Option<&String>,
    ) -> usize {
        let of = self.names.declared.len();
        let (places, doc) = (vec![name.span], doc.cloned());
        self.names.declared.push(DeclaredSymbol { name: name.name.clone(), kind, places, text, doc });
        self.places.insert(name.span, of);
        self.used(name.span, of);
        of
    }

    /// Enters another place where something is declared.
    pub(super) fn declared_again(&mut self, name: &Ident, of: usize) {
        self.names.declared[of].places.push(name.span);
        self.places.insert(name.span, of);
        self.used(name.span, of);
    }

    /// Enters a declaration that is known in the whole file, unless its name is taken.
    pub(super) fn declare_global(
        &mut self,
        name: &Ident,
        kind: NameKind,
        text: String,
        doc: Option<&String>,
    ) -> usize {
        let of = self.declare(name, kind, text, doc);
        self.globals[self.file].entry(name.name.clone()).or_insert(of);
        self.names.files[self.file].push(of);
        of
    }

    /// Enters a place where something declared is written.
    pub(super) fn used(&mut self, span: Span, of: usize) {
        self.names.uses.push(Use { span, of, short_for: None });
    }

    /// Binds a name up to the end of a place.
    pub(super) fn bind(&mut self, name: &Ident, text: String, until: Span) {
        let of = self.declare(name, NameKind::Bound, text, None);
        self.enter(name, of, name.span.to(until));
    }

    /// Makes a name known that is declared already; `within` is where.
    pub(super) fn enter(&mut self, name: &Ident, of: usize, within: Span) {
        self.bound.push((name.name.clone(), of));
        self.names.scopes.push((within, of));
    }

    /// The meaning of a name without dots.
    pub(super) fn meaning(&self, name: &str) -> Option<usize> {
        let bound = self.bound.iter().rev().find(|(other, _)| other == name);
        bound.map(|(_, of)| *of).or_else(|| self.globals[self.file].get(name).copied())
    }

    /// The things that a dot can select: the declarations in an imported file, or the parameters of an action.
    fn members(&self, of: usize) -> &[usize] {
        let members = match self.names.declared[of].kind {
            NameKind::Import => self.imported.get(&of).map(|file| &self.names.files[*file]),
            NameKind::Action => self.parameters.get(&of),
            _ => None,
        };
        members.map_or(&[], Vec::as_slice)
    }

    /// Resolves a name after a dot.
    pub(super) fn member(&mut self, of: usize, span: Span, name: &str) -> Option<usize> {
        let named = |&&member: &&usize| self.names.declared[member].name == name;
        let found = self.members(of).iter().find(named).copied();
        match found {
            Some(member) => self.used(span, member),
            None => self.names.selections.push((span, self.members(of).to_vec())),
        }
        found
    }

    /// True if something can be selected by a dot.
    pub(super) fn has_members(&self, of: usize) -> bool {
        matches!(self.names.declared[of].kind, NameKind::Import | NameKind::Action)
    }

    /// A parameter of an action or the like.
    pub(super) fn parameter(&self, of: usize, name: &str) -> Option<usize> {
        let parameters = self.parameters.get(&of)?;
        parameters.iter().copied().find(|&parameter| self.names.declared[parameter].name == name)
    }

    /// Resolves a path of names; gives what the whole of it stands for.
    pub(super) fn path(&mut self, path: &[(Span, String)]) -> Option<usize> {
        let ((span, first), rest) = path.split_first()?;
        let mut of = self.meaning(first)?;
        self.used(*span, of);
        for (span, name) in rest {
            of = self.member(of, *span, name)?;
        }
        Some(of)
    }

    /// Resolves a name that may have dots.
    pub(super) fn qualified(&mut self, name: &Ident) -> Option<usize> {
        let path = self.words(name.span);
        self.path(&path)
    }

    /// Resolves a field whose record the checker knows.
    pub(super) fn field(&mut self, field: &Ident) -> Option<usize> {
        let owner = *self.owners.get(&field.span)?;
        let of = self.fields.get(&(owner, field.name.clone())).copied();
        match of {
            Some(of) => self.used(field.span, of),
            None => {
                let mut all: Vec<usize> =
                    self.fields.iter().filter(|((of, _), _)| *of == owner).map(|(_, field)| *field).collect();
                all.sort_unstable();
                self.names.selections.push((field.span, all));
            }
        }
        of
    }
}
