//! Names for what the program writes.

use super::token::{as_name, is_reserved};
use std::collections::{BTreeSet, HashMap};

/// Longer names than this, in bytes, are not taken over.
const LONGEST: usize = 1_000;

/// Names that are in use.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// For each name that was wanted the number to try next at its end.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name that is most like the one that is wanted, or another one, and that nothing else has.
    pub fn unused(&mut self, wanted: Option<&str>, otherwise: &str) -> String {
        let short = wanted.filter(|name| name.len() <= LONGEST);
        let wanted = short.map_or_else(|| otherwise.to_owned(), as_name);
        let number = self.numbers.entry(wanted.clone()).or_insert(2);
        let mut own = wanted.clone();
        while is_reserved(&own) || !self.taken.insert(own.clone()) {
            own = format!("{wanted}_{number}");
            *number += 1;
        }
        own
    }

    /// All names that were given.
    pub fn taken(self) -> BTreeSet<String> {
        self.taken
    }
}
