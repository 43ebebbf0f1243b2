//! The product of a model's graph and the automata of classes: decides questions about traces of every length.

pub mod certificate;
pub mod count;
pub mod coverage;
mod memory;
pub mod sufficiency;

use super::automaton::{Automaton, Bits};
use super::letter::Letter;
use super::problem::Problem;
use crate::budget::{Budget, Limited};
use crate::explore::Graph;
use crate::model::Model;
use rustc_hash::FxHashMap;

/// The budget is checked once per this many small steps.
const POLL: usize = 4096;

/// A graph whose arrivals are letters of automata.
pub struct Product<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The automata of the classes.
    pub automata: &'a [Automaton],
    /// For each state whether it violates the invariant.
    pub violates: Vec<bool>,
    /// For each arrival what it is to the automata, as an index into `valuations`.
    signature: Vec<u32>,
    /// Each combination of truth values of all automata's letters, once.
    valuations: Vec<Vec<bool>>,
    /// For each automaton its letters, as indices into the valuations.
    letters: Vec<Vec<usize>>,
}

impl<'a> Product<'a> {
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
        let (signature, valuations) = valuations(problem.model, graph, &all, budget)?;
        Ok(Self { graph, automata, violates, signature, valuations, letters })
    }

    /// The states of an automaton after an arrival.
    fn step(&self, automaton: usize, bits: Bits, signature: u32) -> Bits {
        let valuation = &self.valuations[signature as usize];
        let letters = &self.letters[automaton];
        self.automata[automaton].step(bits, &|letter| valuation[letters[letter]])
    }
}

/// For each arrival the index of its combination of truth values, and the combinations.
fn valuations(
    model: &Model,
    graph: &Graph,
    letters: &[&Letter],
    budget: &Budget,
) -> Limited<(Vec<u32>, Vec<Vec<bool>>)> {
    let about_labels: Vec<bool> = letters.iter().map(|letter| letter.reads_label()).collect();
    let mut of_states: Vec<Option<Vec<bool>>> = vec![None; graph.states.len()];
    let mut numbers: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
    let mut valuations = Vec::new();
    let mut signature = Vec::with_capacity(graph.arrivals.len());
    for arrival in 0..graph.arrivals.len() as u32 {
        if (arrival as usize).is_multiple_of(POLL) {
            budget.exhausted().map_or(Ok(()), Err)?;
        }
        let moment = graph.moment(arrival);
        let known = of_states[graph.state_of(arrival)].get_or_insert_with(|| {
            let state_letters = letters.iter().zip(&about_labels);
            state_letters.map(|(letter, label)| !label && letter.holds(model, &moment)).collect()
        });
        let mut truth = known.clone();
        for (index, letter) in letters.iter().enumerate().filter(|(index, _)| about_labels[*index]) {
            truth[index] = letter.holds(model, &moment);
        }
        signature.push(*numbers.entry(truth).or_insert_with_key(|truth| {
            valuations.push(truth.clone());
            valuations.len() as u32 - 1
        }));
    }
    Ok((signature, valuations))
}
