//! Names of generated models: those of the protocol where possible, and never one for two things.

use lang::syntax::is_reserved;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    /// Names that are free within scopes, but not at the top of the model: something inside is going to have them.
    inside: FxHashSet<String>,
}

impl Names {
    /// A name like this one that nothing else has.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = identifier(wish);
        while is_reserved(&name) || self.inside.contains(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Leaves a name, unless it is taken, to what is inside scopes: nothing at the top of the model gets it from now on.
    pub fn leave_inside(&mut self, wish: &str) {
        self.inside.insert(identifier(wish));
    }

    /// Leaves what a scope has named to it; see [`leave_inside`](Self::leave_inside).
    pub fn leave(&mut self, scope: &Self) {
        self.inside.extend(scope.taken.difference(&self.taken).cloned());
    }

    /// A name that begins like this and ends in a number.
    pub fn numbered(&mut self, wish: &str) -> String {
        let mut number = 1;
        while self.taken.contains(&format!("{wish}{number}")) {
            number += 1;
        }
        self.fresh(&format!("{wish}{number}"))
    }

    /// Gives a name back.
    pub fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// Names within a scope of their own, in which the outer ones stay visible.
    pub fn inner(&self) -> Self {
        Self { taken: self.taken.clone(), inside: FxHashSet::default() }
    }
}

/// The wish as an identifier of the specification language.
fn identifier(wish: &str) -> String {
    let mut name: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        name.insert(0, '_');
    }
    name
}
