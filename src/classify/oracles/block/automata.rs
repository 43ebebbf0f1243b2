//! Blocks by the automaton of a constraint: encodes the states that it can be in.

use super::implied;
use crate::automata::automaton::Automaton;
use crate::facts::constraint::Constraint;
use crate::oracles::sat::SatOracle;
use solvers::sat::Lit;
use solvers::unroll::Unrolling;

/// Encodes a constraint that has an automaton; `None` for others. Absences up to the end of the trace are
/// decided only there, so acceptance is required at the last position.
pub fn by_automaton(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Option<Lit> {
    let model = oracle.unrolling.model;
    let automaton = Automaton::of(model, oracle.atoms, constraint).ok()?;
    let mut states = automaton.start_bits(oracle.circuit());
    let mut accepted: Vec<Vec<Lit>> = Vec::new();
    for position in oracle.positions() {
        let Unrolling { circuit, frames, .. } = &mut oracle.unrolling;
        let letters = automaton.letters_at(circuit, model, frames, position);
        let mut ways: Vec<Vec<Vec<Lit>>> = vec![Vec::new(); automaton.states];
        for edge in &automaton.edges {
            let conditions =
                edge.conditions.iter().map(|&(l, value)| if value { letters[l] } else { !letters[l] });
            ways[edge.to].push([states[edge.from]].into_iter().chain(conditions).collect());
        }
        states = ways
            .iter()
            .map(|ways| implied(oracle, &ways.iter().map(Vec::as_slice).collect::<Vec<_>>()))
            .collect();
        let mut ends = vec![oracle.alive(position)];
        if position.steps() < oracle.longest() {
            ends.push(!oracle.alive(position.next()));
        }
        let accepting = (0..automaton.states).filter(|&q| automaton.is_accepting(q));
        accepted.extend(accepting.map(|q| [&ends[..], &[states[q]]].concat()));
    }
    let terms: Vec<&[Lit]> = accepted.iter().map(Vec::as_slice).collect();
    Some(implied(oracle, &terms))
}
