//! Partitions of the states of a system that become finer and finer.

use super::graph::StateId;
use kit::number::to_u32;
use std::iter::once;
use std::ops::Range;

/// A partition into blocks, which are ranges of one permutation of the states. Some states of a block can be marked: these come
/// first.
///
/// The representation is that of A. Valmari and P. Lehtinen, *Efficient minimization of DFAs with partial transition functions*
/// (2008).
pub struct Partition {
    /// The states, block by block.
    order: Vec<StateId>,
    /// The index of each state in `order`.
    place: Vec<u32>,
    block: Vec<u32>,
    blocks: Vec<Block>,
    /// Room for [`Partition::divide_by`].
    ends: Vec<u32>,
    states: Vec<StateId>,
}

/// A block: a range of `order`.
#[derive(Clone, Copy)]
struct Block {
    start: u32,
    end: u32,
    /// The end of the states at its start that are marked.
    marked: u32,
}

impl Block {
    /// A block without marked states.
    fn new(start: u32, end: u32) -> Self {
        Self { start, end, marked: start }
    }
}

impl Partition {
    /// The partition in which these are the blocks of the states, numbered from 0 without gaps.
    pub fn new(block: Vec<u32>) -> Self {
        let count = block.iter().max().map_or(0, |last| last + 1);
        let mut starts = vec![0; count as usize + 1];
        block.iter().for_each(|&block| starts[block as usize + 1] += 1);
        (0..count as usize).for_each(|block| starts[block + 1] += starts[block]);
        let blocks = starts.windows(2).map(|pair| Block::new(pair[0], pair[1])).collect();
        let mut order = vec![StateId::FIRST; block.len()];
        let mut place = vec![0; block.len()];
        for (state, &block) in block.iter().enumerate() {
            let next = &mut starts[block as usize];
            order[*next as usize] = StateId::new(state);
            place[state] = *next;
            *next += 1;
        }
        Self { order, place, block, blocks, ends: Vec::new(), states: Vec::new() }
    }

    /// The number of blocks.
    pub fn block_count(&self) -> u32 {
        to_u32(self.blocks.len())
    }

    /// The block of a state.
    #[inline]
    pub fn block_of(&self, state: StateId) -> u32 {
        self.block[state.index()]
    }

    /// The block of each state.
    pub fn into_blocks(self) -> Vec<u32> {
        self.block
    }

    /// The number of states of a block.
    #[inline]
    pub fn size(&self, block: u32) -> u32 {
        let Block { start, end, .. } = self.blocks[block as usize];
        end - start
    }

    /// The number of states of a block that are marked.
    #[inline]
    pub fn marked(&self, block: u32) -> u32 {
        let Block { start, marked, .. } = self.blocks[block as usize];
        marked - start
    }

    /// The states of a block, the marked ones first.
    pub fn states(&self, block: u32) -> &[StateId] {
        let Block { start, end, .. } = self.blocks[block as usize];
        &self.order[start as usize..end as usize]
    }

    /// A state of a block by its index in it.
    #[inline]
    pub fn state(&self, block: u32, index: u32) -> StateId {
        self.order[(self.blocks[block as usize].start + index) as usize]
    }

    /// The index of a state in its block, if it is marked.
    #[inline]
    pub fn mark_of(&self, state: StateId) -> Option<u32> {
        let Block { start, marked, .. } = self.blocks[self.block_of(state) as usize];
        let place = self.place[state.index()];
        (place < marked).then(|| place - start)
    }

    /// Marks a state; `true` if it is the first one of its block.
    #[inline]
    pub fn mark(&mut self, state: StateId) -> bool {
        let block = &mut self.blocks[self.block[state.index()] as usize];
        let at = self.place[state.index()];
        if at < block.marked {
            return false;
        }
        let to = block.marked;
        block.marked += 1;
        let other = self.order[to as usize];
        self.order.swap(at as usize, to as usize);
        self.place[state.index()] = to;
        self.place[other.index()] = at;
        to == block.start
    }

    /// Marks all states of a block.
    pub fn mark_all(&mut self, block: u32) {
        let block = &mut self.blocks[block as usize];
        block.marked = block.end;
    }

    /// Divides a block into the states that are not marked, and those that have the same one of so many keys, which are given for the
    /// marked states in their order. The largest part keeps its number; the result are the new blocks. No state of them is marked.
    pub fn divide_by(&mut self, block: u32, keys: &[u32], count: usize) -> Range<u32> {
        let Block { start, marked, .. } = self.blocks[block as usize];
        let (mut ends, mut states) = (std::mem::take(&mut self.ends), std::mem::take(&mut self.states));
        // The places of each key start where those of the key before end.
        ends.clear();
        ends.resize(count, 0);
        keys.iter().for_each(|&key| ends[key as usize] += 1);
        let mut sum = start;
        ends.iter_mut().for_each(|end| sum += std::mem::replace(end, sum));
        states.clear();
        states.extend_from_slice(&self.order[start as usize..marked as usize]);
        for (&state, &key) in states.iter().zip(keys) {
            let end = &mut ends[key as usize];
            self.order[*end as usize] = state;
            self.place[state.index()] = *end;
            *end += 1;
        }
        let new = self.divide(block, &ends);
        (self.ends, self.states) = (ends, states);
        new
    }

    /// Divides a block into the states that are marked and the others. The larger part keeps its number; the result is the new
    /// block, if there is one. No state is marked then.
    pub fn divide_marked(&mut self, block: u32) -> Option<u32> {
        let Block { marked, .. } = self.blocks[block as usize];
        self.divide(block, &[marked]).next()
    }

    /// Divides a block where parts of it end, of which the last one may be left out.
    fn divide(&mut self, block: u32, ends: &[u32]) -> Range<u32> {
        let Block { start, end, .. } = self.blocks[block as usize];
        let parts = once(start).chain(ends.iter().copied()).zip(ends.iter().copied().chain(once(end)));
        let largest = parts.clone().map(|(start, end)| end - start).max();
        let first = self.block_count();
        let mut kept = None;
        for (start, end) in parts.filter(|(start, end)| start < end) {
            if kept.is_none() && Some(end - start) == largest {
                kept = Some(Block::new(start, end));
                continue;
            }
            let fresh = self.block_count();
            for state in &self.order[start as usize..end as usize] {
                self.block[state.index()] = fresh;
            }
            self.blocks.push(Block::new(start, end));
        }
        self.blocks[block as usize] = kept.unwrap_or(Block::new(start, end));
        first..self.block_count()
    }
}
