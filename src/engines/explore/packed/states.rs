//! The places of the variables of a model in the words of a state.

use super::layout::Layout;
use lang::model::Model;
use lang::model::expr::VarId;
use lang::model::value::State;
use std::cmp::Ordering;
use std::sync::Arc;

/// The layout of the states of a model.
#[derive(Debug)]
pub struct StateLayout {
    /// The first bit and the layout of each variable.
    variables: Vec<(u32, Arc<Layout>)>,
    /// The number of words of a state, at least one.
    pub words: usize,
}

impl StateLayout {
    /// Returns the layout of a model's states. Variables of up to a word do not cross word boundaries.
    pub fn of(model: &Model) -> Self {
        let mut end = 0u32;
        let mut variables = Vec::with_capacity(model.variables.len());
        for variable in &model.variables {
            let layout = Layout::of_variable(&model.types, &variable.ty);
            let room = end.next_multiple_of(u64::BITS) - end;
            let offset = if layout.width > room { end + room } else { end };
            end = offset + layout.width;
            variables.push((offset, layout));
        }
        Self { variables, words: end.div_ceil(u64::BITS).max(1) as usize }
    }

    /// Returns the first bit of a variable and its layout.
    pub fn variable(&self, var: VarId) -> (u32, &Arc<Layout>) {
        let (offset, layout) = &self.variables[var.0 as usize];
        (*offset, layout)
    }

    /// Packs a state; returns `false` if a value is not of its variable's type.
    pub fn pack(&self, state: &State, words: &mut [u64]) -> bool {
        words.fill(0);
        state.0.len() == self.variables.len()
            && self.variables.iter().zip(&state.0).all(|((at, layout), v)| layout.pack(v, words, *at))
    }

    /// Unpacks a state.
    pub fn unpack(&self, words: &[u64]) -> State {
        State(self.variables.iter().map(|(offset, layout)| layout.unpack(words, *offset)).collect())
    }

    /// Compares two states in the order of [`State`].
    pub fn compare(&self, a: &[u64], b: &[u64]) -> Ordering {
        let parts = self.variables.iter().map(|(offset, layout)| layout.compare(a, b, *offset));
        parts.fold(Ordering::Equal, Ordering::then)
    }

    /// Sorts states that lie one after the other, and keeps each once.
    pub fn sort(&self, states: &mut Vec<u64>) {
        let mut order: Vec<&[u64]> = states.chunks_exact(self.words).collect();
        order.sort_unstable_by(|a, b| self.compare(a, b));
        order.dedup();
        let sorted = order.concat();
        *states = sorted;
    }
}
