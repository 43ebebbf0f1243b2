//! The steps that leave states, gathered in blocks: who computes them need not be who numbers the states they lead to.

use super::compiled::Formula;
use super::limits::{Limits, Stop};
use super::orbits::{Normaliser, Orbits};
use super::packed::hash;
use super::program::{Called, Program, Registers};
use kit::budget::Exhausted;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// A block is passed on when it has so many steps, or so many words of states.
const MOST_STEPS: usize = 1024;
const MOST_WORDS: usize = 8192;
/// The budget is looked at whenever this many steps are found.
const POLL: usize = 4096;

/// Steps that leave consecutive states.
#[derive(Default)]
pub struct Block {
    /// What labels are called that the producer has not used before; it numbers them in this order.
    pub called: Vec<Called>,
    /// For each step its label, as the producer numbers them.
    pub labels: Vec<u32>,
    /// For each step the hash of the state after it.
    pub hashes: Vec<u64>,
    /// For each step the number of states in the orbit of the state after it; nothing where there are no orbits.
    pub sizes: Vec<u64>,
    /// The states after the steps, one after the other.
    pub words: Vec<u64>,
    /// For each state that has no more steps than those up to here: how many there are in this block.
    pub complete: Vec<u32>,
}

impl Block {
    /// Removes everything, but keeps the room.
    fn clear(&mut self) {
        self.called.clear();
        self.labels.clear();
        self.hashes.clear();
        self.sizes.clear();
        self.words.clear();
        self.complete.clear();
    }

    fn is_full(&self) -> bool {
        self.labels.len() >= MOST_STEPS || self.words.len() >= MOST_WORDS
    }
}

/// What is computed of states.
#[derive(Clone, Copy)]
pub struct Task<'a, 'm> {
    /// The model.
    pub program: &'a Program<'m>,
    /// States where this is false are taken to have no steps.
    pub ends: Option<&'a Formula<'m>>,
    /// Steps lead to normal forms under these symmetries.
    pub orbits: Option<&'a Orbits>,
    /// How long it goes on.
    pub limits: Limits<'a>,
    /// Set once nobody wants to know any more.
    pub is_over: &'a AtomicBool,
}

/// Computes the steps that leave states.
pub struct Producer<'a, 'm> {
    task: Task<'a, 'm>,
    registers: Registers,
    normaliser: Option<Normaliser<'a>>,
    numbers: FxHashMap<Called, u32>,
    block: Block,
}

/// Where blocks go. What is left in a block is thrown away.
pub type Receiver<'a> = dyn FnMut(&mut Block) -> Result<(), Stop> + 'a;

impl<'a, 'm> Producer<'a, 'm> {
    /// A producer that has not used any labels.
    pub fn new(task: Task<'a, 'm>) -> Self {
        let normaliser = task.orbits.map(Orbits::normaliser);
        let registers = task.program.registers();
        Self { task, registers, normaliser, numbers: FxHashMap::default(), block: Block::default() }
    }

    /// Passes on the steps that leave states, which lie one after the other, in their order and in that of [`super::successors`].
    ///
    /// # Errors
    /// If there are too many choices, the budget ends (what was found is passed on before), it is over, or the receiver says so.
    pub fn steps(&mut self, states: &[u64], receiver: &mut Receiver<'_>) -> Result<(), Stop> {
        let refused = Cell::new(false);
        let mut pass_on = |block: &mut Block| {
            let received = receiver(block);
            refused.set(received.is_err());
            block.clear();
            received
        };
        let computed = self.compute(states, &mut pass_on);
        if refused.get() { computed } else { pass_on(&mut self.block).and(computed) }
    }

    fn compute(&mut self, states: &[u64], pass_on: &mut Receiver<'_>) -> Result<(), Stop> {
        let Self { task, registers, normaliser, numbers, block } = self;
        let Task { program, ends, limits, is_over, .. } = *task;
        for now in states.chunks_exact(program.states.words) {
            if is_over.load(Ordering::Relaxed) {
                return Err(Stop::Budget(Exhausted::Interrupt));
            }
            if ends.is_none_or(|invariant| program.holds(registers, invariant, now)) {
                let mut steps = 0usize;
                program.steps(registers, now, limits, &mut |called, after| {
                    steps += 1;
                    if steps.is_multiple_of(POLL)
                        && let Some(why) = limits.budget.exhausted()
                    {
                        return Err(Stop::Budget(why));
                    }
                    let after = match normaliser {
                        Some(normaliser) => {
                            let (normal, size) = normaliser.normal_form(after);
                            block.sizes.push(size);
                            normal
                        }
                        None => after,
                    };
                    block.words.extend_from_slice(after);
                    block.hashes.push(hash(after));
                    block.labels.push(match numbers.get(&called) {
                        Some(&number) => number,
                        None => {
                            let number = numbers.len() as u32;
                            block.called.push(called.clone());
                            numbers.insert(called, number);
                            number
                        }
                    });
                    if block.is_full() { pass_on(block) } else { Ok(()) }
                })?;
            }
            block.complete.push(block.labels.len() as u32);
        }
        Ok(())
    }
}
