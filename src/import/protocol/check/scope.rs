//! Scopes: the names of the file, of the protocol, and of the role.

use crate::protocol::ir::{RoleId, SymbolId, TypeId, VariableId};
use crate::protocol::text::tree::Name;
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclarationLevel {
    /// For all protocols.
    File,
    Protocol,
    Role,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum NameUse {
    Symbol(SymbolId),
    /// A role of the protocol: the agent in it.
    Role(RoleId),
    /// A variable or fresh value of the role.
    Variable(VariableId),
    /// A half of a key pair of the role: a function of a fresh value.
    KeyHalf(SymbolId, VariableId),
    /// A variable declared outside of roles: each role that uses it has its own.
    Shared(Vec<TypeId>),
    /// A fresh value declared outside of roles, where no run creates it.
    Misplaced,
}

#[derive(Debug, Clone)]
pub(super) struct DeclaredName {
    pub meaning: NameUse,
    /// The kind of declaration, as in messages, and its name in the file. Predefined names and roles have none.
    pub declaration: Option<(&'static str, Name)>,
    used: bool,
}

/// An index into the declared names.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeclaredId(usize);

#[derive(Debug, Default)]
pub(super) struct Scopes {
    declared: Vec<DeclaredName>,
    file: FxHashMap<String, DeclaredId>,
    protocol: FxHashMap<String, DeclaredId>,
    role: FxHashMap<String, DeclaredId>,
}

impl Scopes {
    fn level(&self, level: DeclarationLevel) -> &FxHashMap<String, DeclaredId> {
        match level {
            DeclarationLevel::File => &self.file,
            DeclarationLevel::Protocol => &self.protocol,
            DeclarationLevel::Role => &self.role,
        }
    }

    /// Forgets the names of a level, at the beginning of the next item of that level.
    pub fn clear(&mut self, level: DeclarationLevel) {
        match level {
            DeclarationLevel::File => self.file.clear(),
            DeclarationLevel::Protocol => self.protocol.clear(),
            DeclarationLevel::Role => self.role.clear(),
        }
    }

    /// Declares a name that has no declaration in the file, or whose use is irrelevant.
    pub fn predefine(&mut self, level: DeclarationLevel, name: &str, meaning: NameUse) {
        self.insert(level, name, DeclaredName { meaning, declaration: None, used: true });
    }

    /// Declares a name. Replaces an earlier declaration of the name on this level.
    pub fn declare(&mut self, level: DeclarationLevel, what: &'static str, name: &Name, meaning: NameUse) {
        let declared = DeclaredName { meaning, declaration: Some((what, name.clone())), used: false };
        self.insert(level, &name.text, declared);
    }

    fn insert(&mut self, level: DeclarationLevel, name: &str, declared: DeclaredName) {
        let id = DeclaredId(self.declared.len());
        self.declared.push(declared);
        match level {
            DeclarationLevel::File => self.file.insert(name.to_owned(), id),
            DeclarationLevel::Protocol => self.protocol.insert(name.to_owned(), id),
            DeclarationLevel::Role => self.role.insert(name.to_owned(), id),
        };
    }

    /// Returns the declaration of a name on a level.
    pub fn at(&self, level: DeclarationLevel, name: &str) -> Option<&DeclaredName> {
        self.level(level).get(name).map(|id| &self.declared[id.0])
    }

    /// Marks a name as used, and returns its meaning.
    pub fn used(&mut self, name: &str) -> Option<&NameUse> {
        let levels = [DeclarationLevel::Role, DeclarationLevel::Protocol, DeclarationLevel::File];
        let id = levels.into_iter().find_map(|level| self.level(level).get(name))?.0;
        let declared = &mut self.declared[id];
        declared.used = true;
        Some(&declared.meaning)
    }

    /// Marks a name of this level as used.
    pub fn touch(&mut self, level: DeclarationLevel, name: &str) {
        if let Some(&DeclaredId(id)) = self.level(level).get(name) {
            self.declared[id].used = true;
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.role, &self.protocol, &self.file]
            .into_iter()
            .flat_map(|names| names.keys().map(String::as_str))
    }

    /// Iterates over the unused declarations, in order.
    pub fn unused(&self) -> impl Iterator<Item = (&'static str, &Name)> {
        let unused = self.declared.iter().filter(|declared| !declared.used);
        unused.filter_map(|declared| declared.declaration.as_ref().map(|(what, name)| (*what, name)))
    }
}
