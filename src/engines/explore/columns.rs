//! Columns of packed states: the parts that belong to one name each, where symmetries exchange names and these parts move
//! with them. No part holds a name that moves, so that the state with its columns in order is a normal form.

use super::packed::bits::{mask, read, write};
use super::packed::image::MovedBits;
use itertools::Itertools;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most bits that are compared at once.
const WORD: u32 = u64::BITS;

/// Columns all of whose permutations are symmetries.
#[derive(Debug)]
pub(super) struct Columns {
    /// The offsets of the parts of each column, those of all columns in the same order.
    offsets: Vec<Vec<u32>>,
    /// The number of bits of each part, at most 64.
    widths: Vec<u32>,
    /// The parts that are compared at once, as a word.
    words: Vec<Range<usize>>,
}

/// The parts of a column as offsets and numbers of bits.
type ColumnParts = Vec<(u32, u32)>;

impl Columns {
    /// The columns of a group, from what some of its elements move, which generate it. `None` if it is no product of groups of all
    /// permutations of columns, or if exchanges of two columns are missing.
    pub fn of(elements: &[Vec<MovedBits>]) -> Option<Vec<Self>> {
        let mut known = KnownColumns::default();
        let exchanges = elements.iter().filter_map(|moves| exchanged(moves));
        exchanges.sorted_by_key(|(one, _)| one.len()).for_each(|exchange| known.exchange(exchange));
        elements.iter().all(|moves| known.are_permuted(moves)).then(|| known.groups())
    }

    /// Puts the columns of a state in order. `keys` is room for them.
    pub fn sort(&self, state: &mut [u64], keys: &mut Vec<u64>) {
        self.read(state, keys);
        let words = self.words.len();
        if words == 1 {
            if keys.is_sorted() {
                return;
            }
            keys.sort_unstable();
            return self.write(state, keys);
        }
        // A step from a state in order changes few columns, so that insertion is fast.
        let mut is_changed = false;
        for column in 1..self.offsets.len() {
            for place in (1..=column).rev() {
                let (before, after) = keys[(place - 1) * words..(place + 1) * words].split_at_mut(words);
                if *before <= *after {
                    break;
                }
                before.swap_with_slice(after);
                is_changed = true;
            }
        }
        if is_changed {
            self.write(state, keys);
        }
    }

    /// Returns the number of states with the same columns in any order, at most 2⁶⁴ − 1; those of `state` are in order. `keys` is room for them.
    pub fn orders(&self, state: &[u64], keys: &mut Vec<u64>) -> u64 {
        self.read(state, keys);
        let mut columns = keys.chunks(self.words.len());
        // A multinomial coefficient, with one column more each time.
        let (mut orders, mut equal, mut before) = (1u64, 0, None);
        for number in 1..=self.offsets.len() as u128 {
            let column = columns.next();
            equal = if column == before { equal + 1 } else { 1 };
            before = column;
            orders = u64::try_from(u128::from(orders) * number / equal).unwrap_or(u64::MAX);
        }
        orders
    }

    /// Reads the words of all columns, one column after the other.
    fn read(&self, state: &[u64], keys: &mut Vec<u64>) {
        keys.clear();
        for column in &self.offsets {
            keys.extend(self.words.iter().map(|parts| {
                parts.clone().fold(0u64, |word, part| {
                    let width = self.widths[part];
                    word.unbounded_shl(width) | read(state, column[part], width)
                })
            }));
        }
    }

    /// Replaces all columns by those with these words.
    fn write(&self, state: &mut [u64], keys: &[u64]) {
        for (column, words) in self.offsets.iter().zip(keys.chunks(self.words.len())) {
            for (parts, &word) in self.words.iter().zip(words) {
                let mut word = word;
                for part in parts.clone().rev() {
                    let width = self.widths[part];
                    write(state, column[part], width, word & mask(width));
                    word = word.unbounded_shr(width);
                }
            }
        }
    }
}

/// Both columns of an exchange of two.
fn exchanged(moves: &[MovedBits]) -> Option<(ColumnParts, ColumnParts)> {
    let all: BTreeSet<_> = moves.iter().collect();
    let back = |MovedBits { from, to, width }: &MovedBits| MovedBits { from: *to, to: *from, width: *width };
    if !moves.iter().all(|bits| all.contains(&back(bits))) {
        return None;
    }
    let there = all.iter().filter(|bits| bits.from < bits.to);
    Some(there.map(|bits| ((bits.from, bits.width), (bits.to, bits.width))).unzip())
}

/// Columns, in groups of those that can be exchanged.
#[derive(Default)]
struct KnownColumns {
    columns: Vec<ColumnParts>,
    /// The least column with which a column can be exchanged.
    group: Vec<usize>,
    /// The column and the number of the part at an offset.
    at: FxHashMap<u32, (usize, usize)>,
}

impl KnownColumns {
    /// Adds an exchange, unless its columns overlap with others.
    fn exchange(&mut self, (one, other): (ColumnParts, ColumnParts)) {
        let known = |column: &ColumnParts| self.columns.iter().position(|before| before == column);
        let free = |column: &ColumnParts| {
            let parts = || self.columns.iter().flatten().cartesian_product(column);
            parts().all(|((a, width), (b, own))| a + width <= *b || b + own <= *a)
        };
        let (first, second) = (known(&one), known(&other));
        if (first.is_none() && !free(&one)) || (second.is_none() && !free(&other)) {
            return;
        }
        let [first, second] =
            [(first, one), (second, other)].map(|(known, parts)| known.unwrap_or_else(|| self.add(parts)));
        let (less, more) =
            (self.group[first].min(self.group[second]), self.group[first].max(self.group[second]));
        self.group.iter_mut().filter(|group| **group == more).for_each(|group| *group = less);
    }

    fn add(&mut self, parts: ColumnParts) -> usize {
        let column = self.columns.len();
        self.at.extend(parts.iter().enumerate().map(|(part, (offset, _))| (*offset, (column, part))));
        self.columns.push(parts);
        self.group.push(column);
        column
    }

    /// True if a permutation takes whole columns to others of their groups, and moves nothing else.
    fn are_permuted(&self, moves: &[MovedBits]) -> bool {
        let mut taken: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        for MovedBits { from, to, width } in moves {
            let (Some(&(column, part)), Some(&(image, same))) = (self.at.get(from), self.at.get(to)) else {
                return false;
            };
            let (goes_to, parts) = taken.entry(column).or_insert((image, 0));
            let is_whole = self.columns[column][part].1 == *width && self.columns[image][part].1 == *width;
            if part != same || *goes_to != image || !is_whole || self.group[column] != self.group[image] {
                return false;
            }
            *parts += 1;
        }
        taken.iter().all(|(column, (_, parts))| self.columns[*column].len() == *parts)
    }

    fn groups(self) -> Vec<Columns> {
        let groups = self.group.into_iter().zip(self.columns).into_group_map();
        groups
            .into_values()
            .map(|columns| {
                // Parts of more bits are several.
                let pieces = |(offset, width): (u32, u32)| {
                    (0..width)
                        .step_by(WORD as usize)
                        .map(move |done| (offset + done, (width - done).min(WORD)))
                };
                let columns =
                    columns.into_iter().map(|parts| parts.into_iter().flat_map(pieces).collect_vec());
                let columns = columns.collect_vec();
                let widths = columns[0].iter().map(|(_, width)| *width).collect_vec();
                let offsets =
                    columns.into_iter().map(|parts| parts.into_iter().map(|(offset, _)| offset).collect());
                Columns { offsets: offsets.collect(), words: words(&widths), widths }
            })
            .collect()
    }
}

/// Groups parts of these widths, in bits, as many at a time as a word has room for.
fn words(widths: &[u32]) -> Vec<Range<usize>> {
    let (mut words, mut start, mut bits) = (Vec::new(), 0, 0);
    for (part, width) in widths.iter().enumerate() {
        if bits + width > WORD {
            words.push(start..part);
            (start, bits) = (part, 0);
        }
        bits += width;
    }
    words.push(start..widths.len());
    words
}
