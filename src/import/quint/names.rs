//! Names of variables, parameters and bound variables.

use lang::syntax::{as_name, is_reserved};
use std::collections::BTreeSet;

/// Returns the last part of a name, without modules.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Returns the name of a parameter, without the number that the compiler adds.
fn unnumbered(name: &str) -> &str {
    let last = short(name);
    match last.rsplit_once('_') {
        Some((base, number)) if !base.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => last,
    }
}

/// The names in use where an expression is.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuintNames {
    /// Variables, strings, constructors, and bound variables.
    pub taken: BTreeSet<String>,
    /// The names of all chosen values, which are avoided, because they become parameters of actions.
    pub choices: BTreeSet<String>,
    pub chosen: BTreeSet<String>,
}

impl QuintNames {
    /// Returns an unused name like the given one for a bound variable.
    pub fn ranging(&mut self, like: &str) -> String {
        let like = as_name(unnumbered(like));
        let like = if like.starts_with('_') { format!("v{}", like.trim_matches('_')) } else { like };
        let free = |name: &String| {
            !self.taken.contains(name) && !self.choices.contains(name) && !self.chosen.contains(name)
        };
        let name = numbered(&like, free);
        self.taken.insert(name.clone());
        name
    }

    pub fn chosen(&mut self, like: &str) -> String {
        let like = as_name(unnumbered(like));
        let free = |name: &String| !self.taken.contains(name) && !self.chosen.contains(name);
        let name = numbered(&like, free);
        if name != like {
            self.taken.insert(name.clone());
        }
        self.chosen.insert(name.clone());
        name
    }

    pub fn extend(&mut self, others: Self) {
        self.taken.extend(others.taken);
        self.choices.extend(others.choices);
        self.chosen.extend(others.chosen);
    }
}

/// Returns the first free name among `x`, `x2`, `x3`, ….
fn numbered(like: &str, free: impl Fn(&String) -> bool) -> String {
    let all = std::iter::once(like.to_owned()).chain((2..).map(|number| format!("{like}{number}")));
    all.into_iter().find(|name| !is_reserved(name) && free(name)).unwrap_or_default()
}
