//! What names mean at a place: those of the file, of the protocol, of the role.

use crate::protocol::ir::{RoleId, SymbolId, TypeId, VariableId};
use crate::protocol::text::tree::Name;
use rustc_hash::FxHashMap;

/// Where a name is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// For all protocols.
    File,
    Protocol,
    Role,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// A constant or function.
    Symbol(SymbolId),
    /// A role of the protocol: the agent in it.
    Role(RoleId),
    /// A variable or fresh value of the role.
    Variable(VariableId),
    /// A variable that is declared outside of roles: each role that uses it has one of its own.
    Shared(Vec<TypeId>),
    /// A fresh value that is declared outside of roles, where no run makes it.
    Misplaced,
}

/// A declared name.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    pub meaning: Meaning,
    /// Its declaration in the file, with what is declared, in messages. Predefined names and roles have none.
    pub declaration: Option<(&'static str, Name)>,
    used: bool,
}

/// An index into the declared names.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeclaredId(usize);

/// The names in scope.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// All names that were ever declared.
    declared: Vec<Declared>,
    file: FxHashMap<String, DeclaredId>,
    protocol: FxHashMap<String, DeclaredId>,
    role: FxHashMap<String, DeclaredId>,
}

impl Scopes {
    fn level(&self, level: Level) -> &FxHashMap<String, DeclaredId> {
        match level {
            Level::File => &self.file,
            Level::Protocol => &self.protocol,
            Level::Role => &self.role,
        }
    }

    /// Forgets the names of a level, when something else of that level begins.
    pub fn clear(&mut self, level: Level) {
        match level {
            Level::File => self.file.clear(),
            Level::Protocol => self.protocol.clear(),
            Level::Role => self.role.clear(),
        }
    }

    /// Declares a name that has no declaration in the file, or whose use does not matter.
    pub fn predefine(&mut self, level: Level, name: &str, meaning: Meaning) {
        self.insert(level, name, Declared { meaning, declaration: None, used: true });
    }

    /// Declares a name. An earlier one of the same level and name is replaced.
    pub fn declare(&mut self, level: Level, what: &'static str, name: &Name, meaning: Meaning) {
        let declared = Declared { meaning, declaration: Some((what, name.clone())), used: false };
        self.insert(level, &name.text, declared);
    }

    fn insert(&mut self, level: Level, name: &str, declared: Declared) {
        let id = DeclaredId(self.declared.len());
        self.declared.push(declared);
        match level {
            Level::File => self.file.insert(name.to_owned(), id),
            Level::Protocol => self.protocol.insert(name.to_owned(), id),
            Level::Role => self.role.insert(name.to_owned(), id),
        };
    }

    /// What was declared under this name on this level.
    pub fn at(&self, level: Level, name: &str) -> Option<&Declared> {
        self.level(level).get(name).map(|id| &self.declared[id.0])
    }

    /// Notes that a name is used, and says what it means.
    pub fn used(&mut self, name: &str) -> Option<&Meaning> {
        let levels = [Level::Role, Level::Protocol, Level::File];
        let id = levels.into_iter().find_map(|level| self.level(level).get(name))?.0;
        let declared = &mut self.declared[id];
        declared.used = true;
        Some(&declared.meaning)
    }

    /// Notes that a name of this level is used, or that it does not matter.
    pub fn touch(&mut self, level: Level, name: &str) {
        if let Some(&DeclaredId(id)) = self.level(level).get(name) {
            self.declared[id].used = true;
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.role, &self.protocol, &self.file]
            .into_iter()
            .flat_map(|names| names.keys().map(String::as_str))
    }

    /// What was declared and never used, in the order of declaration.
    pub fn unused(&self) -> impl Iterator<Item = (&'static str, &Name)> {
        let unused = self.declared.iter().filter(|declared| !declared.used);
        unused.filter_map(|declared| declared.declaration.as_ref().map(|(what, name)| (*what, name)))
    }
}
