//! The names of a model and of what it imports: where each is declared, what it is, and where it is used.
//!
//! Names are resolved as the checker does it, but in texts with mistakes as well, as far as they can be read. Which record a field belongs
//! to depends on types, so for fields the checker itself says it.

mod declarations;
mod expressions;
mod resolve;
mod scope;

use super::check::SourceFile;
use crate::syntax::ast::{Ident, ItemKind};
use kit::diagnostics::{SourceId, SourceMap, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The kind of thing that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// An imported library or component.
    Import,
    /// A type.
    Type,
    /// A constant.
    Constant,
    /// A value of an enumeration.
    Value,
    /// A constructor of a variant.
    Constructor,
    /// A field of a record, or of a constructor.
    Field,
    /// A variable.
    Variable,
    /// A definition.
    Definition,
    /// An action.
    Action,
    /// An operation.
    Operation,
    /// A parameter of an action, an operation, a definition or a predicate.
    Parameter,
    /// A predicate.
    Predicate,
    /// An invariant, or a property of linear or branching time.
    Property,
    /// A vocabulary.
    Vocabulary,
    /// Something that a library or component requires.
    Requirement,
    /// A name that an expression or a statement binds.
    Bound,
}

impl NameKind {
    /// The name that an item declares, with its kind; `None` for an item that declares no name of its own.
    pub fn declared(item: &ItemKind) -> Option<(Self, &Ident)> {
        Some(match item {
            ItemKind::Import { alias, .. } => (Self::Import, alias),
            ItemKind::Type { name, .. } => (Self::Type, name),
            ItemKind::Const { name, .. } => (Self::Constant, name),
            ItemKind::Var { name, .. } => (Self::Variable, name),
            ItemKind::Def { name, .. } => (Self::Definition, name),
            ItemKind::Action { name, .. } => (Self::Action, name),
            ItemKind::Operation { name, .. } => (Self::Operation, name),
            ItemKind::Pred { name, .. } => (Self::Predicate, name),
            ItemKind::Invariant { name, .. } | ItemKind::Ltl { name, .. } | ItemKind::Ctl { name, .. } => {
                (Self::Property, name)
            }
            ItemKind::Vocabulary { name, .. } => (Self::Vocabulary, name),
            _ => return None,
        })
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Value => "value",
            Self::Constructor => "constructor",
            Self::Field => "field",
            Self::Variable => "variable",
            Self::Definition => "definition",
            Self::Action => "action",
            Self::Operation => "operation",
            Self::Parameter => "parameter",
            Self::Predicate => "predicate",
            Self::Property => "property",
            Self::Vocabulary => "vocabulary",
            Self::Requirement => "requirement",
            Self::Bound => "bound name",
        }
    }
}

/// A name that is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredSymbol {
    /// The name.
    pub name: String,
    /// Its meaning.
    pub kind: NameKind,
    /// Where it is declared: several places for a field that constructors of one variant share.
    pub places: Vec<Span>,
    /// The declaration as it is written, on one line, without what it is defined as if that is long.
    pub text: String,
    /// The doc comment above it.
    pub doc: Option<String>,
}

/// A place where a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The place of the name, nothing else.
    pub span: Span,
    /// Its meaning: an index into [`ModelNames::declared`].
    pub of: usize,
    /// In `A(f)`, the pattern that names the field `f` like the field: what is meant beside the field.
    pub short_for: Option<usize>,
}

/// All names of a model, library or component and of what it imports.
#[derive(Debug, Clone, Default)]
pub struct ModelNames {
    /// The declarations.
    pub declared: Vec<DeclaredSymbol>,
    /// Where names are written, declarations included, in the order of the texts.
    pub uses: Vec<Use>,
    /// The texts; the first one is the one that was asked for.
    pub sources: Arc<SourceMap>,
    /// Where names that are bound can be used, with their declarations.
    scopes: Vec<(Span, usize)>,
    /// The places of names after a dot that stand for nothing, with all that could be there.
    selections: Vec<(Span, Vec<usize>)>,
    /// The names that are known in the whole of each file.
    files: Vec<Vec<usize>>,
    /// The names that an imported file requires and the import does not bind, with the importing file's declaration of the same name.
    supplied: Vec<(usize, usize)>,
}

impl ModelNames {
    /// Resolves the names of parsed files. `owners` has, for the places of fields, those of the records and variants they belong to.
    pub(super) fn new(files: &[SourceFile], sources: SourceMap, owners: FxHashMap<Span, Span>) -> Self {
        let mut names = resolve::resolve(files, &sources, owners);
        names.uses.sort_by_key(|used| (used.span.source, used.span.start));
        names.uses.dedup_by_key(|used| used.span);
        names.sources = Arc::new(sources);
        names
    }

    /// The name at a byte of a text, its last byte and the one after it included.
    pub fn at(&self, source: SourceId, byte: u32) -> Option<&Use> {
        let first = self.uses.partition_point(|used| (used.span.source, used.span.end) < (source, byte));
        self.uses.get(first).filter(|used| used.span.source == source && used.span.start <= byte)
    }

    /// Where something is written, its declarations included.
    pub fn uses_of(&self, of: usize) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |used| used.of == of || used.short_for == Some(of))
    }

    /// The edits after which something has another name everywhere.
    pub fn renamed(&self, of: usize, to: &str) -> Vec<(Span, String)> {
        let from = &self.declared[of].name;
        let edit = |used: &Use| {
            // The short form of a pattern has one word for a field and for the name that it gets.
            let new = match used.short_for {
                None => to.to_owned(),
                Some(own) if own == of => format!("{from}: {to}"),
                Some(_) => format!("{to}: {from}"),
            };
            (used.span, new)
        };
        self.uses_of(of).map(edit).collect()
    }

    /// True if the names of texts stand for the same as those of other texts, one after the other, whatever the names are.
    pub fn mean_the_same(&self, other: &Self) -> bool {
        let meanings = |names: &Self| -> Vec<(SourceId, usize)> {
            let both = |used: &Use| [Some(used.of), used.short_for].into_iter().flatten();
            names.uses.iter().flat_map(|used| both(used).map(|of| (used.span.source, of))).collect()
        };
        meanings(self) == meanings(other) && self.supplied == other.supplied
    }

    /// The things that a dot could select before a byte of a text, where the name there stands for nothing.
    pub fn selectable(&self, source: SourceId, byte: u32) -> Option<Vec<&DeclaredSymbol>> {
        let found = self.selections.iter().find(|(span, _)| span.source == source && span.start == byte);
        found.map(|(_, all)| all.iter().map(|of| &self.declared[*of]).collect())
    }

    /// The things that have names at a byte of a text: bound names, innermost first, then what is declared in the file.
    pub fn visible(&self, source: SourceId, byte: u32) -> Vec<&DeclaredSymbol> {
        let mut bound: Vec<&(Span, usize)> = self
            .scopes
            .iter()
            .filter(|(span, _)| span.source == source && span.start <= byte && byte <= span.end)
            .collect();
        bound.sort_by_key(|(span, _)| span.end - span.start);
        let file = self.files.get(source.0 as usize).into_iter().flatten();
        bound.into_iter().map(|(_, of)| *of).chain(file.copied()).map(|of| &self.declared[of]).collect()
    }
}
