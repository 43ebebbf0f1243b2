//! Breadth-first search for the nearest places of some kind.

use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// The first `limit` wanted places of a breadth-first search, each with the labels on a shortest path to it. `after` adds
/// the steps from a place.
pub(in crate::lts) fn nearest<P: Copy + Eq + Hash>(
    start: P,
    after: impl Fn(P, &mut Vec<(LabelId, P)>),
    wanted: impl Fn(P) -> bool,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<(P, Vec<LabelId>)>, Exhausted> {
    let mut clock = Clock::new(budget, "places searched");
    let mut found = Vec::new();
    // The first step to each place.
    let mut reached_by: FxHashMap<P, Option<(P, LabelId)>> = FxHashMap::from_iter([(start, None)]);
    let mut queue = VecDeque::from([start]);
    let mut steps = Vec::new();
    while found.len() < limit
        && let Some(place) = queue.pop_front()
    {
        clock.tick()?;
        if wanted(place) {
            let (mut way, mut at) = (Vec::new(), place);
            while let Some(&Some((before, label))) = reached_by.get(&at) {
                way.push(label);
                at = before;
            }
            way.reverse();
            found.push((place, way));
        }
        after(place, &mut steps);
        for (label, to) in steps.drain(..) {
            clock.room_in(&reached_by)?;
            reached_by.entry(to).or_insert_with(|| {
                queue.push_back(to);
                Some((place, label))
            });
        }
    }
    Ok(found)
}
