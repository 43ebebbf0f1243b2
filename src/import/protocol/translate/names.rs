//! Unique names of generated models, those of the protocol if possible.

use lang::syntax::is_reserved;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub(super) struct TakenNames {
    taken: FxHashSet<String>,
    /// Names reserved for inner scopes, and not available at the top of the model.
    inside: FxHashSet<String>,
}

impl TakenNames {
    /// Returns an unused name like the given one.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = identifier(wish);
        while is_reserved(&name) || self.inside.contains(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Reserves a name, unless it is taken, for inner scopes: it is no longer available at the top of the model.
    pub fn leave_inside(&mut self, wish: &str) {
        self.inside.insert(identifier(wish));
    }

    /// Reserves the names of a scope for it; see [`leave_inside`](Self::leave_inside).
    pub fn leave(&mut self, scope: &Self) {
        self.inside.extend(scope.taken.difference(&self.taken).cloned());
    }

    /// Returns an unused name with the given beginning and a number at the end.
    pub fn numbered(&mut self, wish: &str) -> String {
        let mut number = 1;
        while self.taken.contains(&format!("{wish}{number}")) {
            number += 1;
        }
        self.fresh(&format!("{wish}{number}"))
    }

    pub fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// Returns the names of an inner scope, in which the outer ones stay visible.
    pub fn inner(&self) -> Self {
        Self { taken: self.taken.clone(), inside: FxHashSet::default() }
    }
}

/// Turns a name into an identifier of the specification language.
fn identifier(wish: &str) -> String {
    let mut name: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        name.insert(0, '_');
    }
    name
}
