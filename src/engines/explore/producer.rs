//! The steps that leave states, gathered in blocks, so that one thread can compute them while another numbers their
//! targets.

use super::compiled::CompiledFormula;
use super::limits::{SearchLimits, Stop};
use super::orbits::{Normaliser, Orbits};
use super::packed::hash;
use super::program::{Called, Registers, StepProgram};
use kit::budget::Exhausted;
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of steps, or of words of states, from which on a block is passed on.
const MOST_STEPS: usize = 1024;
const MOST_WORDS: usize = 8192;
/// The number of steps found between two checks of the budget.
const POLL: usize = 4096;

/// Steps that leave consecutive states.
#[derive(Default)]
pub struct StepBlock {
    /// The names of the labels that the producer has not used before; it numbers them in this order.
    pub called: Vec<Called>,
    /// The label of each step, as the producer numbers them.
    pub labels: Vec<u32>,
    /// The hash of the state after each step.
    pub hashes: Vec<u64>,
    /// The states after the steps, one after the other.
    pub words: Vec<u64>,
    /// For each state whose steps end here, the number of steps in this block up to its last one.
    pub complete: Vec<u32>,
}

impl StepBlock {
    /// Removes everything, but keeps the capacity.
    fn clear(&mut self) {
        self.called.clear();
        self.labels.clear();
        self.hashes.clear();
        self.words.clear();
        self.complete.clear();
    }

    fn is_full(&self) -> bool {
        self.labels.len() >= MOST_STEPS || self.words.len() >= MOST_WORDS
    }
}

/// The parameters of a computation of steps.
#[derive(Clone, Copy)]
pub struct ProducerTask<'a, 'm> {
    /// The model.
    pub program: &'a StepProgram<'m>,
    /// States where this is false get no steps.
    pub ends: Option<&'a CompiledFormula<'m>>,
    /// Symmetries under which steps lead to normal forms.
    pub orbits: Option<&'a Orbits>,
    /// The limits.
    pub limits: SearchLimits<'a>,
    /// Set once the results are no longer wanted.
    pub is_over: &'a AtomicBool,
}

/// Computes the steps that leave states.
pub struct Producer<'a, 'm> {
    task: ProducerTask<'a, 'm>,
    registers: Registers,
    normaliser: Option<Normaliser<'a>>,
    numbers: FxHashMap<Called, u32>,
    block: StepBlock,
}

/// The receiver of blocks. The rest of a block is discarded.
pub type Receiver<'a> = dyn FnMut(&mut StepBlock) -> Result<(), Stop> + 'a;

impl<'a, 'm> Producer<'a, 'm> {
    /// Creates a producer that has not used any labels.
    pub fn new(task: ProducerTask<'a, 'm>) -> Self {
        let normaliser = task.orbits.map(Orbits::normaliser);
        let registers = task.program.registers();
        Self { task, registers, normaliser, numbers: FxHashMap::default(), block: StepBlock::default() }
    }

    /// Passes on the steps that leave states, which lie one after the other, in their order and in that of
    /// [`super::successors`].
    ///
    /// # Errors
    /// If there are too many choices, the budget ends (after passing on the steps found so far), the task is over, or
    /// the receiver fails.
    pub fn steps(&mut self, states: &[u64], receiver: &mut Receiver<'_>) -> Result<(), Stop> {
        let refused = Cell::new(false);
        let mut pass_on = |block: &mut StepBlock| {
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
        let ProducerTask { program, ends, limits, is_over, .. } = *task;
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
                        Some(normaliser) => normaliser.normal_form(after),
                        None => after,
                    };
                    block.words.extend_from_slice(after);
                    block.hashes.push(hash(after));
                    block.labels.push(match numbers.get(&called) {
                        Some(&number) => number,
                        None => {
                            let number = to_u32(numbers.len());
                            block.called.push(called.clone());
                            numbers.insert(called, number);
                            number
                        }
                    });
                    if block.is_full() { pass_on(block) } else { Ok(()) }
                })?;
            }
            block.complete.push(to_u32(block.labels.len()));
        }
        Ok(())
    }
}
