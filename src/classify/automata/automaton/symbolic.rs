//! Automata as gates: one literal for each state, true if the state is in the set after a moment.

use super::Automaton;
use crate::automata::letter::Letter;
use lang::model::{Model, Position};
use solvers::sat::{Circuit, Lit};
use solvers::unroll::{Encoder, Frame};

impl Automaton {
    /// Returns the literals of the letters at a position.
    pub fn letters_at(
        &self,
        circuit: &mut Circuit,
        model: &Model,
        frames: &[Frame],
        position: Position,
    ) -> Vec<Lit> {
        let mut encoder = Encoder::new(circuit, model, frames);
        let truth = |letter: &Letter| {
            encoder.bind_position(letter.at, position);
            encoder.truth(&letter.expr)
        };
        self.letters.iter().map(truth).collect()
    }

    /// Returns the states before the first moment, as literals.
    pub fn start_bits(&self, circuit: &Circuit) -> Vec<Lit> {
        let bit = |q: usize| if self.start().contains(q) { circuit.yes() } else { circuit.no() };
        (0..self.states).map(bit).collect()
    }

    /// Encodes [`Automaton::step`]: the states after a moment, given those before it and the letters of the moment.
    pub fn next_bits(&self, circuit: &mut Circuit, now: &[Lit], letters: &[Lit]) -> Vec<Lit> {
        let mut ways: Vec<Vec<Lit>> = vec![Vec::new(); self.states];
        for edge in &self.edges {
            let mut parts = vec![now[edge.from]];
            parts.extend(
                edge.conditions.iter().map(|&(l, value)| if value { letters[l] } else { !letters[l] }),
            );
            ways[edge.to].push(circuit.all(&parts));
        }
        let possible: Vec<Lit> = ways.iter().map(|ways| circuit.any(ways)).collect();
        let kept = |q: usize| {
            let mut parts: Vec<Lit> = self.above(q).states().map(|p| !possible[p]).collect();
            parts.push(possible[q]);
            circuit.all(&parts)
        };
        (0..self.states).map(kept).collect()
    }

    /// True if a trace that ends after the moment with these states is in the class.
    pub fn accepts_lit(&self, circuit: &mut Circuit, bits: &[Lit]) -> Lit {
        let accepting: Vec<Lit> =
            (0..self.states).filter(|&q| self.is_accepting(q)).map(|q| bits[q]).collect();
        circuit.any(&accepting)
    }
}
