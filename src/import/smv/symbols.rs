//! Symbols of enumerations. In SMV, one symbol can be a value of several enumerations, and values of different
//! ones are compared; here, a value has one type, so overlapping or compared enumerations are joined.

use super::term::SymbolId;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Symbols {
    names: Vec<String>,
    ids: HashMap<String, SymbolId>,
    /// For each symbol, its parent in the union-find forest of types: another one of its type, or itself.
    other: Vec<SymbolId>,
    used: Vec<bool>,
}

impl Symbols {
    /// Returns the symbol with a name; a new one is added.
    pub fn declare(&mut self, name: &str) -> SymbolId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.add(name);
        self.used[id] = false;
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// Adds a symbol with a name that no text can give to it.
    pub fn add(&mut self, name: &str) -> SymbolId {
        let id = self.names.len();
        self.names.push(name.to_owned());
        self.other.push(id);
        self.used.push(true);
        id
    }

    pub fn find(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    pub fn name(&self, id: SymbolId) -> &str {
        &self.names[id]
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn note(&mut self, id: SymbolId) {
        self.used[id] = true;
    }

    /// Returns the symbol that represents a type.
    pub fn ty(&self, id: SymbolId) -> SymbolId {
        let mut at = id;
        while self.other[at] != at {
            at = self.other[at];
        }
        at
    }

    /// Joins the types of two symbols; the earlier symbol represents the result.
    pub fn join(&mut self, a: SymbolId, b: SymbolId) {
        let (a, b) = (self.ty(a), self.ty(b));
        let (first, second) = (a.min(b), a.max(b));
        self.other[second] = first;
        // Shortens the path to the representative.
        for start in [a, b] {
            self.other[start] = first;
        }
    }

    /// Returns the types of the used symbols: for each, all of its symbols, in the order of declaration.
    pub fn types(&self) -> Vec<Vec<SymbolId>> {
        let mut types: Vec<Vec<SymbolId>> = vec![Vec::new(); self.names.len()];
        (0..self.names.len()).for_each(|id| types[self.ty(id)].push(id));
        types.retain(|all| all.iter().any(|id| self.used[*id]));
        types
    }
}
