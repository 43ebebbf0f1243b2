//! The claim that only the combinations of classes listed in a cover occur.

use super::document::StoredCombination;
use std::collections::BTreeSet;

/// The most questions about combinations that are asked about a result.
pub(super) const MOST: usize = 256;

/// A set of traces: those in all of some classes, and in none of others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClassCombination {
    pub with: Vec<usize>,
    pub without: Vec<usize>,
}

impl ClassCombination {
    /// Returns the set with exactly these of all classes.
    pub fn only(with: &[usize], all: &[usize]) -> Self {
        let without = all.iter().copied().filter(|class| !with.contains(class)).collect();
        Self { with: with.to_vec(), without }
    }

    /// Returns the claim that the set is empty.
    pub fn claim(&self) -> String {
        let list = |classes: &[usize]| classes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self.without.is_empty() {
            true => format!("no counterexample is in all of the classes {}", list(&self.with)),
            false => format!(
                "no counterexample is in all of the classes {} and in none of {}",
                list(&self.with),
                list(&self.without)
            ),
        }
    }
}

/// Returns all sets of these classes that are not listed, except the empty one; `None` if they need more than [`MOST`]
/// questions.
pub(super) fn unlisted(classes: &[usize], listed: &[StoredCombination]) -> Option<Vec<ClassCombination>> {
    let listed: BTreeSet<Vec<usize>> =
        listed.iter().map(|combination| combination.classes.clone()).chain([Vec::new()]).collect();
    let mut found = Vec::new();
    let mut open = vec![(ClassCombination { with: Vec::new(), without: Vec::new() }, classes)];
    while let Some((sets, rest)) = open.pop() {
        let is_listed = |set: &&Vec<usize>| {
            sets.with.iter().all(|class| set.contains(class))
                && !sets.without.iter().any(|class| set.contains(class))
        };
        let Some((&class, rest)) = rest.split_first().filter(|_| listed.iter().any(|set| is_listed(&set)))
        else {
            if !listed.iter().any(|set| is_listed(&set)) {
                found.push(sets);
            }
            if found.len() > MOST {
                return None;
            }
            continue;
        };
        let and = |list: &[usize]| [list, &[class]].concat();
        open.push((ClassCombination { with: sets.with.clone(), without: and(&sets.without) }, rest));
        open.push((ClassCombination { with: and(&sets.with), without: sets.without }, rest));
    }
    Some(found)
}
