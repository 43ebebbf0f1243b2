//! The least automaton: states that no word tells apart become one.

use super::subset::Table;
use rustc_hash::FxHashMap;

/// Minimises a total automaton with the initial state 0, all of whose states can be reached. In the result,
/// states have the order in which a breadth-first search finds them.
pub fn minimise(next: &[u32], bad: &[bool], classes: usize) -> Table {
    let states = bad.len();
    let mut block: Vec<u32> = bad.iter().map(|&b| u32::from(b)).collect();
    let mut blocks = 0;
    // Moore's algorithm: blocks are split by the blocks of their successors until nothing changes.
    loop {
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let split: Vec<u32> = (0..states)
            .map(|s| {
                let successors = next[s * classes..(s + 1) * classes].iter().map(|&t| block[t as usize]);
                let row: Vec<u32> = std::iter::once(block[s]).chain(successors).collect();
                let fresh = numbers.len() as u32;
                *numbers.entry(row).or_insert(fresh)
            })
            .collect();
        let now = numbers.len();
        block = split;
        if now == blocks {
            break;
        }
        blocks = now;
    }
    let mut order: Vec<u32> = vec![u32::MAX; blocks];
    let mut members = vec![0usize];
    order[block[0] as usize] = 0;
    let (mut table, mut at) = (Vec::new(), 0);
    while at < members.len() {
        for class in 0..classes {
            let to = next[members[at] * classes + class] as usize;
            let number = &mut order[block[to] as usize];
            if *number == u32::MAX {
                *number = members.len() as u32;
                members.push(to);
            }
            table.push(*number);
        }
        at += 1;
    }
    (table, members.iter().map(|&s| bad[s]).collect())
}
