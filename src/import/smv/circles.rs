//! Assignments that depend on each other.

use super::evaluate::inputs;
use super::system::{Place, System};
use super::term::Term;
use std::collections::{HashMap, HashSet};

/// A place whose value depends on itself, if what is assigned reads other values of the same state: the one after the step if `next`.
pub(super) fn circle(assigned: &[(Place, Term)], next: bool, system: &System) -> Option<Place> {
    let mut readers: HashMap<&Place, Vec<Place>> = HashMap::new();
    for (place, term) in assigned {
        let read =
            inputs(term, system).into_iter().filter(|(_, after)| *after == next).map(|(place, _)| place);
        readers.insert(place, read.collect());
    }
    let (mut open, mut done) = (HashSet::new(), HashSet::new());
    for (place, _) in assigned {
        // Each place is entered once, and left once all that it reads is.
        let mut stack = vec![(place, false)];
        while let Some((place, leaves)) = stack.pop() {
            if leaves {
                open.remove(place);
                done.insert(place);
            } else if open.contains(place) {
                return Some(place.clone());
            } else if let Some(read) = readers.get(place)
                && !done.contains(place)
            {
                open.insert(place);
                stack.push((place, true));
                stack.extend(read.iter().map(|place| (place, false)));
            }
        }
    }
    None
}
