//! Search for a trace without violation in a class, of whatever length.
//!
//! Single states of the automaton are enough: a trace is in the class if some run accepts.

use super::AutomataProduct;
use crate::automata::automaton::AutomatonStates;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;

/// The result of [`sufficiency`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SufficiencyResult {
    /// No trace without violation is in the class. For each state of the graph, the states of the automaton
    /// after non-violating traces that end there.
    Always(Vec<AutomatonStates>),
    /// A trace without violation is in the class, after this many steps and not after fewer.
    Until(usize),
}

/// Decides sufficiency of one of the classes.
pub fn sufficiency(
    product: &AutomataProduct<'_>,
    class: usize,
    budget: &Budget,
) -> Limited<SufficiencyResult> {
    let (graph, automaton) = (product.graph, &product.automata[class]);
    // For each signature met, the successors of the automaton's states met with it.
    let mut steps: Vec<Vec<Option<AutomatonStates>>> = Vec::new();
    let mut after = |bits: AutomatonStates, arrival: u32| {
        let signature = product.valuations.signature[arrival as usize];
        if steps.len() <= signature as usize {
            steps.resize_with(signature as usize + 1, Vec::new);
        }
        let row = &mut steps[signature as usize];
        if row.is_empty() {
            row.resize(automaton.states, None);
        }
        let mut one =
            |q: usize| *row[q].get_or_insert_with(|| product.step(class, AutomatonStates::of(q), signature));
        bits.states().fold(AutomatonStates::EMPTY, |all, q| all.union(&one(q)))
    };
    let mut reached: Vec<AutomatonStates> = vec![AutomatonStates::EMPTY; graph.states.len()];
    let mut fresh: Vec<AutomatonStates> = vec![AutomatonStates::EMPTY; graph.states.len()];
    let mut layer: Vec<usize> = Vec::new();
    let mut length = 0;
    let add = |arrival: u32,
               bits: AutomatonStates,
               reached: &mut [AutomatonStates],
               fresh: &mut [AutomatonStates],
               layer: &mut Vec<usize>| {
        let to = graph.state_of(arrival);
        let new = bits.without(&reached[to]);
        if !new.is_empty() && !product.violates[to] {
            if fresh[to].is_empty() {
                layer.push(to);
            }
            fresh[to] = fresh[to].union(&new);
            reached[to] = reached[to].union(&new);
        }
    };
    for arrival in 0..to_u32(graph.initial) {
        let bits = after(automaton.start(), arrival);
        add(arrival, bits, &mut reached, &mut fresh, &mut layer);
    }
    while !layer.is_empty() {
        budget.check()?;
        if layer.iter().any(|&state| automaton.accepts(fresh[state])) {
            return Ok(SufficiencyResult::Until(length));
        }
        let now: Vec<(usize, AutomatonStates)> =
            layer.drain(..).map(|state| (state, std::mem::take(&mut fresh[state]))).collect();
        for (state, bits) in now {
            for &arrival in &graph.steps[state] {
                let next = after(bits, arrival);
                add(arrival, next, &mut reached, &mut fresh, &mut layer);
            }
        }
        length += 1;
    }
    Ok(SufficiencyResult::Always(reached))
}
