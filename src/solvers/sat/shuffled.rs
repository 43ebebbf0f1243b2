//! A solver with a randomised search order: variables are renumbered and some of them negated, and the literals
//! of each clause are reordered, as determined by a seed. Answers are the same; assignments and cores may
//! differ, and are translated back to the caller's variables.

use super::{Answer, Lit, SatSolver};
use kit::number::{to_u8, to_u32};
use kit::random::{SplitMix64, mix};

/// A solver whose search order depends on a seed.
pub struct Shuffled {
    solver: Box<dyn SatSolver>,
    seed: u64,
    /// True if each variable was ever mentioned, by index; the others are false, negated or not.
    seen: Vec<bool>,
    /// The permutation of each block of variables.
    blocks: Vec<[u8; BLOCK]>,
    scratch: Vec<Lit>,
}

/// The number of variables in a block. Variables are permuted within blocks because their number is not known in
/// advance.
const BLOCK: usize = 64;

impl Shuffled {
    /// Randomises the search of `solver`, which must be empty.
    pub fn new(solver: Box<dyn SatSolver>, seed: u64) -> Self {
        Self { solver, seed, seen: Vec::new(), blocks: Vec::new(), scratch: Vec::new() }
    }

    /// Translates a literal to the solver's variables.
    fn translated(&self, lit: Lit) -> Lit {
        let index = lit.vidx();
        let place = self.blocks[index / BLOCK][index % BLOCK];
        let other = to_u32(index / BLOCK * BLOCK + usize::from(place));
        Lit::new(other, lit.is_neg() != self.negates(index))
    }

    /// True if a variable of the caller is negated.
    fn negates(&self, index: usize) -> bool {
        mix(self.seed ^ mix(index as u64)) & 1 == 1
    }

    fn see(&mut self, lits: &[Lit]) {
        for lit in lits {
            while self.blocks.len() * BLOCK <= lit.vidx() {
                let block = self.blocks.len() as u64;
                let mut order: [u8; BLOCK] = std::array::from_fn(|place| to_u8(place));
                SplitMix64::new(mix(self.seed.wrapping_add(block))).shuffle(&mut order);
                self.blocks.push(order);
                self.seen.resize(self.blocks.len() * BLOCK, false);
            }
            self.seen[lit.vidx()] = true;
        }
    }
}

impl SatSolver for Shuffled {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.see(clause);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(clause.iter().map(|&lit| self.translated(lit)));
        let first = clause.first().map_or(0, |lit| lit.lidx() as u64);
        SplitMix64::new(mix(self.seed ^ first)).shuffle(&mut scratch);
        self.solver.add_clause(&scratch);
        self.scratch = scratch;
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.see(assumptions);
        let there: Vec<Lit> = assumptions.iter().map(|&lit| self.translated(lit)).collect();
        self.solver.solve(&there)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.limit_conflicts(most);
    }

    fn value(&self, lit: Lit) -> bool {
        match self.seen.get(lit.vidx()) {
            Some(true) => self.solver.value(self.translated(lit)),
            _ => lit.is_neg(),
        }
    }

    fn core(&self) -> Vec<Lit> {
        let core = self.solver.core();
        let back = |lit: &Lit| {
            let block = &self.blocks[lit.vidx() / BLOCK];
            let place = block.iter().position(|&p| usize::from(p) == lit.vidx() % BLOCK).unwrap_or_default();
            let index = lit.vidx() / BLOCK * BLOCK + place;
            Lit::new(to_u32(index), lit.is_neg() != self.negates(index))
        };
        core.iter().map(back).collect()
    }
}
