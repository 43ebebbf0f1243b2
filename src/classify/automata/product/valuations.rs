//! The truth values of several letters at the arrivals of a graph.

use super::POLL;
use crate::automata::letter::Letter;
use crate::automata::reader::{Codes, LetterReader};
use engines::explore::Graph;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use lang::model::Model;
use rustc_hash::FxHashMap;

/// The truth values of letters at arrivals.
pub struct Valuations {
    /// For each arrival, the index of its combination of truth values.
    pub signature: Vec<u32>,
    /// The distinct combinations.
    combinations: Vec<Vec<bool>>,
}

impl Valuations {
    /// Evaluates the letters at all arrivals.
    pub fn new(model: &Model, graph: &Graph, letters: &[&Letter], budget: &Budget) -> Limited<Self> {
        let mut codes = Codes::new(model, graph);
        let mut readers: Vec<LetterReader<'_>> =
            letters.iter().map(|letter| LetterReader::new(letter, &mut codes)).collect();
        let mut numbers: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        let mut all = Self { signature: Vec::with_capacity(graph.arrivals.len()), combinations: Vec::new() };
        let mut truth = vec![false; letters.len()];
        // If no letter reads labels, all arrivals at a state are alike.
        let labels_matter = readers.iter().any(|reader| reader.reads_label());
        let mut of_states: Vec<Option<u32>> = vec![None; graph.states.len()];
        for arrival in 0..to_u32(graph.arrivals.len()) {
            if (arrival as usize).is_multiple_of(POLL) {
                budget.check()?;
            }
            let of_state = &mut of_states[graph.state_of(arrival)];
            if let Some(signature) = of_state.filter(|_| !labels_matter) {
                all.signature.push(signature);
                continue;
            }
            for (reader, truth) in readers.iter_mut().zip(&mut truth) {
                *truth = reader.holds(model, graph, arrival);
            }
            let signature = match numbers.get(truth.as_slice()) {
                Some(&signature) => signature,
                None => {
                    all.combinations.push(truth.clone());
                    let signature = to_u32(numbers.len());
                    numbers.insert(truth.clone(), signature);
                    signature
                }
            };
            *of_state = Some(signature);
            all.signature.push(signature);
        }
        Ok(all)
    }

    /// Returns the truth values of a signature.
    pub fn of(&self, signature: u32) -> &[bool] {
        &self.combinations[signature as usize]
    }
}
