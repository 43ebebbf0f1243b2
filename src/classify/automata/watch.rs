//! Decides the questions of a classification for every length, where the states are too many to be visited: the
//! automata of the classes run beside the model as latches, and a symbolic proof shows that an event never happens.

use crate::automata::automaton::Automaton;
use crate::automata::product::search::SearchTarget;
use crate::facts::problem::Problem;
use engines::prove::{Method, ModelObserver, ObservedModel, ProofEffort, ProofResult, prove};
use kit::budget::Limited;
use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::{Circuit, Lit};
use solvers::unroll::Unrolling;

/// The event that must never happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadEvent<'a> {
    /// A trace such as this one is reached; it is in the class if it is in one of several.
    Reached(SearchTarget),
    /// A trace that ends in its first violation is in a nonempty combination of the classes that is not listed here.
    Together(&'a [Vec<usize>]),
}

/// The classes beside a model. The latches are the states of the automata; one for each count of steps below the least
/// one of the target ("more than 0", "more than 1", …); and last, a violation of the invariant by an earlier state.
struct ClassObserver<'a> {
    automata: &'a [&'a Automaton],
    invariant: &'a Expr,
    event: BadEvent<'a>,
}

/// Decides if an event never happens, in traces of whatever length: `None` if so, else the number of steps after which it does, perhaps
/// also after fewer. A proof was confirmed by the other back end.
pub fn decide_event(
    problem: Problem<'_>,
    automata: &[&Automaton],
    event: BadEvent<'_>,
    effort: ProofEffort<'_>,
) -> Limited<Option<usize>> {
    let classes = ClassObserver { automata, invariant: problem.invariant, event };
    let system = ObservedModel::new(problem.model, &classes);
    match prove(&system, Method::Both, effort) {
        ProofResult::Holds(_) => Ok(None),
        ProofResult::Violated(steps) => Ok(Some(steps)),
        ProofResult::Unknown { why, .. } => Err(why),
    }
}

impl ClassObserver<'_> {
    /// Returns the latches of the automata after the moment at a position.
    fn read(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Vec<Lit>]) -> Vec<Lit> {
        let Unrolling { circuit, model, frames, .. } = unrolling;
        let mut bits = Vec::new();
        for (automaton, before) in self.automata.iter().zip(before) {
            let letters = automaton.letters_at(circuit, model, frames, position);
            bits.extend(automaton.next_bits(circuit, before, &letters));
        }
        bits
    }

    /// Returns the number of latches that count steps.
    fn counted(&self) -> usize {
        match self.event {
            BadEvent::Reached(target) => target.least,
            BadEvent::Together(_) => 0,
        }
    }

    /// Splits the latches by automaton.
    fn parts(&self, latches: &[Lit]) -> Vec<Vec<Lit>> {
        let mut rest = latches;
        let mut part = |automaton: &&Automaton| {
            let (own, others) = rest.split_at(automaton.states);
            rest = others;
            own.to_vec()
        };
        self.automata.iter().map(&mut part).collect()
    }
}

impl ModelObserver for ClassObserver<'_> {
    fn latches(&self) -> usize {
        self.automata.iter().map(|a| a.states).sum::<usize>() + self.counted() + 1
    }

    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit> {
        let start: Vec<Vec<Lit>> = self.automata.iter().map(|a| a.start_bits(&unrolling.circuit)).collect();
        let mut latches = self.read(unrolling, Position::FIRST, &start);
        latches.extend((0..=self.counted()).map(|_| unrolling.circuit.no()));
        latches
    }

    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit> {
        let mut latches = self.read(unrolling, position, &self.parts(before));
        let earlier = position.previous().expect("a step leads there");
        let good = unrolling.state_truth(self.invariant, earlier);
        let (earlier, counted) = (before.len() - 1, before.len() - 1 - self.counted());
        if self.counted() > 0 {
            latches.push(unrolling.circuit.yes());
            latches.extend(&before[counted..earlier - 1]);
        }
        latches.push(unrolling.circuit.or(before[earlier], !good));
        latches
    }

    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit {
        let good = unrolling.state_truth(self.invariant, position);
        let circuit = &mut unrolling.circuit;
        let parts = self.parts(latches);
        let accepted = self.automata.iter().zip(&parts).map(|(a, bits)| a.accepts_lit(circuit, bits));
        let each: Vec<Lit> = accepted.collect();
        let accepted = circuit.any(&each);
        let earlier = latches[latches.len() - 1];
        match self.event {
            BadEvent::Reached(SearchTarget { violating, inside, least }) => {
                let good = if violating { !good } else { good };
                let accepted = if inside { accepted } else { !accepted };
                let long = if least > 0 { latches[latches.len() - 2] } else { circuit.yes() };
                circuit.all(&[!earlier, good, accepted, long])
            }
            BadEvent::Together(known) => {
                let just = |circuit: &mut Circuit, combination: &Vec<usize>| {
                    let is_in = each.iter().enumerate();
                    let is_in =
                        is_in.map(|(class, &lit)| if combination.contains(&class) { lit } else { !lit });
                    circuit.all(&is_in.collect::<Vec<Lit>>())
                };
                let known: Vec<Lit> = known.iter().map(|combination| just(circuit, combination)).collect();
                let known = circuit.any(&known);
                circuit.all(&[!earlier, !good, accepted, !known])
            }
        }
    }
}
