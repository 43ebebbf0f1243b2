//! The memories of a trace in the automata of some classes, as numbers.

use super::AutomataProduct;
use crate::automata::automaton::AutomatonStates;
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The states of the automata of some classes after a trace.
pub type ProductMemory = Rc<[AutomatonStates]>;

/// The memories met so far, numbered.
pub struct Memories<'p, 'a> {
    product: &'p AutomataProduct<'a>,
    classes: &'p [usize],
    numbers: FxHashMap<ProductMemory, u32>,
    all: Vec<ProductMemory>,
    /// The memory after a memory and a signature.
    after: FxHashMap<(u32, u32), u32>,
}

impl<'p, 'a> Memories<'p, 'a> {
    /// Creates an empty table for these classes.
    pub fn new(product: &'p AutomataProduct<'a>, classes: &'p [usize]) -> Self {
        let (numbers, after) = (FxHashMap::default(), FxHashMap::default());
        Self { product, classes, numbers, all: Vec::new(), after }
    }

    /// Returns the memory before the first moment.
    pub fn start(&mut self) -> u32 {
        let start: Vec<AutomatonStates> =
            self.classes.iter().map(|&c| self.product.automata[c].start()).collect();
        self.number(start.into())
    }

    /// Returns the memory after an arrival.
    pub fn step(&mut self, memory: u32, arrival: u32) -> u32 {
        let signature = self.product.valuations.signature[arrival as usize];
        if let Some(&after) = self.after.get(&(memory, signature)) {
            return after;
        }
        let parts = self.all[memory as usize].iter().zip(self.classes);
        let next: Vec<AutomatonStates> =
            parts.map(|(&bits, &class)| self.product.step(class, bits, signature)).collect();
        let number = self.number(next.into());
        self.after.insert((memory, signature), number);
        number
    }

    /// Returns the memory with a number.
    pub fn get(&self, memory: u32) -> &ProductMemory {
        &self.all[memory as usize]
    }

    /// Iterates over the classes that contain a trace with this memory.
    pub fn accepting(&self, memory: u32) -> impl Iterator<Item = usize> {
        let parts = self.all[memory as usize].iter().zip(self.classes);
        parts.filter(|(bits, class)| self.product.automata[**class].accepts(**bits)).map(|(_, class)| *class)
    }

    /// True if whatever is accepted after the first memory is accepted after the second, too, as far as
    /// that can be seen from their states.
    pub fn accepts_no_more(&self, less: u32, more: u32) -> bool {
        let (less, more) = (self.get(less), self.get(more));
        less.iter().zip(more.iter()).zip(self.classes).all(|((less, more), &class)| {
            less.states().all(|q| more.meets(&self.product.automata[class].simulating(q)))
        })
    }

    fn number(&mut self, memory: ProductMemory) -> u32 {
        *self.numbers.entry(memory).or_insert_with_key(|memory| {
            self.all.push(memory.clone());
            to_u32(self.all.len()) - 1
        })
    }
}
