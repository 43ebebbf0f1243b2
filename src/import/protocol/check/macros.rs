//! Macros: names for terms. A macro is visible from its definition to the end of the file, across roles; a
//! later one of the same name replaces it. Names in its body are resolved where it is used, except for other
//! macros, which are those visible at its definition: so there are no cycles.

use crate::protocol::text::tree::{Name, TermSyntax};
use rustc_hash::FxHashMap;

#[derive(Debug)]
struct TermMacro<'t> {
    name: &'t Name,
    body: &'t [TermSyntax],
    used: bool,
}

/// The macro that a name refers to.
#[derive(Debug, Clone, Copy)]
pub(super) struct MacroBody<'t> {
    pub body: &'t [TermSyntax],
    /// The number of macros defined before it.
    pub earlier: usize,
}

#[derive(Debug, Default)]
pub(super) struct TermMacros<'t> {
    all: Vec<TermMacro<'t>>,
    by_name: FxHashMap<&'t str, Vec<usize>>,
}

impl<'t> TermMacros<'t> {
    pub fn define(&mut self, name: &'t Name, body: &'t [TermSyntax]) {
        self.by_name.entry(&name.text).or_default().push(self.all.len());
        self.all.push(TermMacro { name, body, used: false });
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the last macro of this name among the first `visible` ones, and marks it as used.
    pub fn used(&mut self, name: &str, visible: usize) -> Option<MacroBody<'t>> {
        let known = self.by_name.get(name)?;
        let index = known[..known.partition_point(|&index| index < visible)].last().copied()?;
        let found = &mut self.all[index];
        found.used = true;
        Some(MacroBody { body: found.body, earlier: index })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().copied()
    }

    /// Iterates over the unused macros, in the order of definition.
    pub fn unused(&self) -> impl Iterator<Item = (&'static str, &Name)> {
        self.all.iter().filter(|found| !found.used).map(|found| ("macro", found.name))
    }
}
