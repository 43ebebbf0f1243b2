//! The product of a model's graph and the automata of classes, for questions about traces of every length.

pub mod certificate;
pub mod count;
pub mod coverage;
mod memory;
pub mod search;
pub mod sufficiency;
mod valuations;

use crate::automata::automaton::{Automaton, AutomatonStates};
use crate::automata::letter::Letter;
use crate::facts::problem::Problem;
use engines::explore::Graph;
use kit::budget::{Budget, Limited};
use valuations::Valuations;

/// The budget is checked once per this many steps of the search.
const POLL: usize = 4096;

/// A graph with the automata that read its arrivals.
pub struct AutomataProduct<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The automata of the classes.
    pub automata: &'a [Automaton],
    /// For each state, true if it violates the invariant.
    pub violates: Vec<bool>,
    /// The truth values of all letters at each arrival.
    valuations: Valuations,
    /// For each automaton, its letters as indices into the valuations.
    letters: Vec<Vec<usize>>,
}

impl<'a> AutomataProduct<'a> {
    /// Evaluates all letters at all arrivals.
    pub fn new(
        problem: Problem<'_>,
        graph: &'a Graph,
        automata: &'a [Automaton],
        budget: &Budget,
    ) -> Limited<Self> {
        let mut all: Vec<&Letter> = Vec::new();
        let number = |letter: &'a Letter, all: &mut Vec<&'a Letter>| {
            all.iter().position(|l| *l == letter).unwrap_or_else(|| {
                all.push(letter);
                all.len() - 1
            })
        };
        let letters: Vec<Vec<usize>> = automata
            .iter()
            .map(|automaton| automaton.letters.iter().map(|l| number(l, &mut all)).collect())
            .collect();
        let violates = graph.states.iter().map(|s| problem.is_violated_in(s)).collect();
        let valuations = Valuations::new(problem.model, graph, &all, budget)?;
        Ok(Self { graph, automata, violates, valuations, letters })
    }

    /// Returns the states of an automaton after an arrival.
    fn step(&self, automaton: usize, bits: AutomatonStates, signature: u32) -> AutomatonStates {
        let valuation = self.valuations.of(signature);
        let letters = &self.letters[automaton];
        self.automata[automaton].step(bits, &|letter| valuation[letters[letter]])
    }
}
