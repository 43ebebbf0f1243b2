//! The nodes of all diagrams in a unique table, and the cache of operations.

use crate::budget::{Budget, Exhausted};
use crate::number::{to_u32, to_usize};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The number of operations on nodes between two checks of the budget.
const POLL: u32 = 4096;

/// The greatest size of the cache, as a power of two.
const LARGEST_CACHE: u32 = 22;

/// A function from the values of variables to natural numbers. Equal functions are equal diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Diagram(pub(super) u32);

/// The bit set in the number of a terminal.
const CONSTANT: u32 = 1 << 31;

impl Diagram {
    /// The constant 0: never.
    pub const ZERO: Self = Self(CONSTANT);
    /// The constant 1: always.
    pub const ONE: Self = Self(CONSTANT | 1);

    /// True if it is a terminal and so depends on no variable.
    pub fn is_constant(self) -> bool {
        self.0 & CONSTANT != 0
    }
}

/// The reason why computation has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagramStopped {
    /// The budget ended.
    Budget(Exhausted),
    /// More nodes than this would be needed.
    Nodes(usize),
}

/// All diagrams. Variables have levels; of the variables that a diagram depends on, the root tests the one with the
/// lowest level.
///
/// Once the budget has ended or there are too many nodes, computation stops and results are meaningless;
/// [`Diagrams::stopped`] returns the reason.
pub struct Diagrams {
    /// The number of values of the variable at each level.
    values: Vec<u32>,
    levels: Vec<u32>,
    /// The beginning of the children of each node.
    begins: Vec<u32>,
    /// The children of all nodes, one for each value of the variable, node after node.
    children: Vec<Diagram>,
    /// The unique table: nodes by the hash of their contents, open addressing; `u32::MAX` is empty.
    table: Vec<u32>,
    numbers: Vec<BigUint>,
    number_index: FxHashMap<BigUint, u32>,
    cache: Vec<CacheEntry>,
    /// Children of nodes that are not made yet.
    pub(super) scratch: Vec<Diagram>,
    pub(super) budget: Budget,
    most_nodes: usize,
    work: u32,
    pub(super) stopped: Option<DiagramStopped>,
}

/// An operation with its operands and its result.
#[derive(Clone, Copy)]
struct CacheEntry {
    operation: u64,
    left: Diagram,
    right: Diagram,
    result: Diagram,
}

const EMPTY: CacheEntry =
    CacheEntry { operation: u64::MAX, left: Diagram::ZERO, right: Diagram::ZERO, result: Diagram::ZERO };

impl Diagrams {
    /// Creates a store with constants only and no variables. There are never more than `most_nodes` nodes at once,
    /// including unneeded ones that were not dropped ([`Diagrams::collect_garbage`]).
    pub fn new(most_nodes: usize, budget: &Budget) -> Self {
        let numbers = vec![BigUint::ZERO, BigUint::from(1u32)];
        Self {
            values: Vec::new(),
            levels: Vec::new(),
            begins: vec![0],
            children: Vec::new(),
            table: vec![u32::MAX; 1 << 12],
            number_index: numbers.iter().cloned().zip(0..).collect(),
            numbers,
            cache: vec![EMPTY; 1 << 14],
            scratch: Vec::new(),
            budget: budget.clone(),
            most_nodes: most_nodes.min(CONSTANT as usize),
            work: 0,
            stopped: None,
        }
    }

    /// Adds a variable below all others, with at least one value. Returns its level.
    pub fn add_level(&mut self, values: usize) -> usize {
        self.values.push(to_u32(values));
        self.values.len() - 1
    }

    /// Changes the number of values of the variable at a level. No diagram may depend on it yet.
    pub fn set_values(&mut self, level: usize, values: usize) {
        self.values[level] = to_u32(values);
    }

    /// Returns the number of levels.
    pub fn levels(&self) -> usize {
        self.values.len()
    }

    /// Returns the number of values of the variable at a level.
    pub fn values(&self, level: usize) -> usize {
        self.values[level] as usize
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.levels.len()
    }

    /// Returns the reason why computation has stopped, if it has.
    pub fn stopped(&self) -> Option<DiagramStopped> {
        self.stopped
    }

    /// Succeeds unless computation has stopped or the budget has ended.
    ///
    /// # Errors
    /// The reason why computation stops.
    pub fn check(&self) -> Result<(), DiagramStopped> {
        self.stopped.or_else(|| self.budget.exhausted().map(DiagramStopped::Budget)).map_or(Ok(()), Err)
    }

    /// Returns a constant.
    pub fn constant(&mut self, number: &BigUint) -> Diagram {
        if let Some(&known) = self.number_index.get(number) {
            return Diagram(CONSTANT | known);
        }
        let index = to_u32(self.numbers.len());
        self.numbers.push(number.clone());
        self.number_index.insert(number.clone(), index);
        Diagram(CONSTANT | index)
    }

    /// Returns the number of a constant diagram.
    pub fn number(&self, constant: Diagram) -> &BigUint {
        &self.numbers[(constant.0 & !CONSTANT) as usize]
    }

    /// Returns the condition that the variable at a level has this value.
    pub fn is(&mut self, level: usize, value: usize) -> Diagram {
        let begin = self.scratch.len();
        let same = |v| if v == value { Diagram::ONE } else { Diagram::ZERO };
        self.scratch.extend((0..self.values[level] as usize).map(same));
        self.node(level, begin)
    }

    /// Returns the level of the root variable of a diagram; `usize::MAX` for a constant.
    pub fn level(&self, diagram: Diagram) -> usize {
        if diagram.is_constant() { usize::MAX } else { self.levels[diagram.0 as usize] as usize }
    }

    /// Returns the cofactor of a diagram for a value of the variable at a level, which must not be below the diagram's
    /// root.
    pub fn cofactor(&self, diagram: Diagram, level: usize, value: usize) -> Diagram {
        if self.level(diagram) != level {
            return diagram;
        }
        self.children[self.begins[diagram.0 as usize] as usize + value]
    }

    pub(super) fn children(&self, node: Diagram) -> &[Diagram] {
        let (begin, end) = (self.begins[node.0 as usize], self.begins[node.0 as usize + 1]);
        &self.children[begin as usize..end as usize]
    }

    /// Returns the node of the variable at a level whose children are in `scratch` from `begin` on; removes them from
    /// there.
    pub(super) fn node(&mut self, level: usize, begin: usize) -> Diagram {
        let first = self.scratch[begin];
        let redundant = self.scratch[begin..].iter().all(|&child| child == first);
        let node = if redundant { first } else { self.unique(to_u32(level), begin) };
        self.scratch.truncate(begin);
        node
    }

    fn unique(&mut self, level: u32, begin: usize) -> Diagram {
        let mask = self.table.len() - 1;
        let mut place = hash(level, &self.scratch[begin..]) & mask;
        while self.table[place] != u32::MAX {
            let node = self.table[place];
            if self.levels[node as usize] == level && self.children(Diagram(node)) == &self.scratch[begin..] {
                return Diagram(node);
            }
            place = (place + 1) & mask;
        }
        let node = to_u32(self.levels.len());
        let entries = self.children.len() + self.scratch.len() - begin;
        if node as usize >= self.most_nodes || u32::try_from(entries).is_err() {
            self.stopped = self.stopped.or(Some(DiagramStopped::Nodes(self.most_nodes)));
            return Diagram::ZERO;
        }
        self.table[place] = node;
        self.levels.push(level);
        self.children.extend_from_slice(&self.scratch[begin..]);
        self.begins.push(to_u32(entries));
        if 2 * self.levels.len() > self.table.len() {
            self.grow();
        }
        Diagram(node)
    }

    /// Doubles the tables.
    fn grow(&mut self) {
        self.table = vec![u32::MAX; 2 * self.table.len()];
        let mask = self.table.len() - 1;
        for node in 0..to_u32(self.levels.len()) {
            let mut place = hash(self.levels[node as usize], self.children(Diagram(node))) & mask;
            while self.table[place] != u32::MAX {
                place = (place + 1) & mask;
            }
            self.table[place] = node;
        }
        if self.cache.len() < 1 << LARGEST_CACHE {
            let old = std::mem::take(&mut self.cache);
            self.cache = vec![EMPTY; 2 * old.len()];
            for known in old.into_iter().filter(|known| known.operation != u64::MAX) {
                let place = self.place(known.operation, known.left, known.right);
                self.cache[place] = known;
            }
        }
    }

    fn place(&self, operation: u64, left: Diagram, right: Diagram) -> usize {
        let mut hasher = FxHasher::default();
        (operation, left, right).hash(&mut hasher);
        to_usize(hasher.finish() & (self.cache.len() as u64 - 1))
    }

    /// Returns the result of an operation, if it is in the cache.
    pub(super) fn cache_lookup(&self, operation: u64, left: Diagram, right: Diagram) -> Option<Diagram> {
        let known = &self.cache[self.place(operation, left, right)];
        let same = known.operation == operation && known.left == left && known.right == right;
        same.then_some(known.result)
    }

    /// Puts a result into the cache, where it may replace another one; nothing once the computation has stopped.
    pub(super) fn cache_insert(&mut self, operation: u64, left: Diagram, right: Diagram, result: Diagram) {
        if self.stopped.is_none() {
            let place = self.place(operation, left, right);
            self.cache[place] = CacheEntry { operation, left, right, result };
        }
    }

    /// Counts one operation on nodes; returns true if computation may continue.
    pub(super) fn goes_on(&mut self) -> bool {
        self.work += 1;
        if self.work >= POLL {
            self.work = 0;
            self.stopped = self.stopped.or(self.budget.exhausted().map(DiagramStopped::Budget));
        }
        self.stopped.is_none()
    }

    /// Drops all nodes that these roots do not reach, and the cache. The roots are renamed in place; every other diagram
    /// made before is invalid afterwards.
    pub fn collect_garbage<'d>(&mut self, roots: impl Iterator<Item = &'d mut Diagram>) {
        let mut old = Self::new(self.most_nodes, &self.budget);
        old.values.clone_from(&self.values);
        std::mem::swap(self, &mut old);
        self.stopped = old.stopped;
        // Later nodes have earlier ones as children only.
        let roots: Vec<&mut Diagram> = roots.collect();
        let mut needed = vec![false; old.levels.len()];
        for root in roots.iter().filter(|root| !root.is_constant()) {
            needed[root.0 as usize] = true;
        }
        for node in (0..needed.len()).rev() {
            if needed[node] {
                for child in old.children(Diagram(to_u32(node))) {
                    if !child.is_constant() {
                        needed[child.0 as usize] = true;
                    }
                }
            }
        }
        let mut renamed = vec![Diagram::ZERO; needed.len()];
        let rename = |diagrams: &mut Self, renamed: &[Diagram], diagram: Diagram| {
            if diagram.is_constant() {
                diagrams.constant(old.number(diagram))
            } else {
                renamed[diagram.0 as usize]
            }
        };
        for node in 0..needed.len() {
            if needed[node] {
                for &child in old.children(Diagram(to_u32(node))) {
                    let child = rename(self, &renamed, child);
                    self.scratch.push(child);
                }
                renamed[node] = self.node(old.levels[node] as usize, 0);
            }
        }
        for root in roots {
            *root = rename(self, &renamed, *root);
        }
    }
}

fn hash(level: u32, children: &[Diagram]) -> usize {
    let mut hasher = FxHasher::default();
    level.hash(&mut hasher);
    for child in children {
        hasher.write_u32(child.0);
    }
    to_usize(hasher.finish() & usize::MAX as u64)
}
