//! Dining philosophers: large systems that are made here, and can be counted a second time.

use super::system;
use cladist::lts::Lts;
use std::collections::{BTreeMap, VecDeque};

/// The system of N dining philosophers, and its rows: for each state the labels with the states after them. Each takes
/// the left fork, then the right one, eats, and puts both back; all can take their left forks and wait for ever.
pub fn philosophers(n: u32) -> (Lts, Vec<Vec<(String, usize)>>) {
    let phase = |s: u64, i: u32| s >> (2 * i) & 3;
    let steps = |s: u64| -> Vec<(String, u64)> {
        let step = |i: u32| {
            let (left, right) = (phase(s, (i + n - 1) % n), phase(s, (i + 1) % n));
            match phase(s, i) {
                0 if left < 2 => Some((format!("TAKE_L !{i}"), s + (1 << (2 * i)))),
                1 if right == 0 => Some((format!("TAKE_R !{i}"), s + (1 << (2 * i)))),
                2 => Some((format!("EAT !{i}"), s + (1 << (2 * i)))),
                3 => Some((format!("DROP !{i}"), s - (3 << (2 * i)))),
                _ => None,
            }
        };
        (0..n).filter_map(step).collect()
    };
    let mut numbers = BTreeMap::from([(0u64, 0usize)]);
    let mut queue = VecDeque::from([0u64]);
    let mut rows = Vec::new();
    while let Some(state) = queue.pop_front() {
        let mut row = Vec::new();
        for (label, after) in steps(state) {
            let fresh = numbers.len();
            let number = *numbers.entry(after).or_insert(fresh);
            if number == fresh {
                queue.push_back(after);
            }
            row.push((label, number));
        }
        rows.push(row);
    }
    (of_rows(&rows), rows)
}

/// The system with these rows; the first one is that of the initial state.
pub fn of_rows(rows: &[Vec<(String, usize)>]) -> Lts {
    let transitions: usize = rows.iter().map(Vec::len).sum();
    let mut text = format!("des (0, {transitions}, {})\n", rows.len());
    for (from, row) in rows.iter().enumerate() {
        row.iter().for_each(|(label, to)| text += &format!("({from}, \"{label}\", {to})\n"));
    }
    system(&text)
}
