//! That no other classes occur together than those that a cover lists.

use super::document::StoredCombination;
use std::collections::BTreeSet;

/// The most questions about combinations that are asked of a result.
pub(super) const MOST: usize = 256;

/// Sets of classes: those with all of some, and none of others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sets {
    pub with: Vec<usize>,
    pub without: Vec<usize>,
}

impl Sets {
    /// The set with just these classes of all.
    pub fn only(with: &[usize], all: &[usize]) -> Self {
        let without = all.iter().copied().filter(|class| !with.contains(class)).collect();
        Self { with: with.to_vec(), without }
    }

    /// What has to be so of them, if there is none.
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

/// All sets of these classes that are not listed, but for the empty one; `None` if they take more than [`MOST`] questions.
pub(super) fn unlisted(classes: &[usize], listed: &[StoredCombination]) -> Option<Vec<Sets>> {
    let listed: BTreeSet<Vec<usize>> =
        listed.iter().map(|combination| combination.classes.clone()).chain([Vec::new()]).collect();
    let mut found = Vec::new();
    let mut open = vec![(Sets { with: Vec::new(), without: Vec::new() }, classes)];
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
        open.push((Sets { with: sets.with.clone(), without: and(&sets.without) }, rest));
        open.push((Sets { with: and(&sets.with), without: sets.without }, rest));
    }
    Some(found)
}
