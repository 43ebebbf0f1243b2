//! Checks a certificate with a solver, on one step from any state where it holds.

use super::initial::{decision, literals};
use super::{Confirmed, ProductCertificate, Refuted};
use crate::automata::automaton::Automaton;
use crate::facts::problem::Problem;
use kit::budget::{Budget, Limited};
use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::{Backend, Circuit, Lit};
use solvers::unroll::{Lengths, Unrolling};

/// An unrolling of the model with the automata.
struct WatchedUnrolling<'c, 'm> {
    certificate: &'c ProductCertificate<'c>,
    unrolling: Unrolling<'m>,
}

impl ProductCertificate<'_> {
    /// Searches with a solver for a step from a state where the certificate holds to one where it fails.
    pub fn check_by_solver(
        &self,
        problem: Problem<'_>,
        backend: Backend,
        budget: &Budget,
    ) -> Limited<Result<Confirmed, Refuted>> {
        let Problem { model, invariant } = problem;
        let circuit = || Circuit::new(backend.start(budget)).within(budget);
        let lengths = Lengths::UpTo(usize::MAX);
        let unrolling = Unrolling::new(model, lengths, circuit());
        let mut first = WatchedUnrolling { certificate: self, unrolling };
        let start = self.automata.iter().map(|a| a.start_bits(&first.unrolling.circuit)).collect();
        let now = Position::FIRST;
        let bits = first.read(now, start);
        let wrong = !first.in_order(now, &bits, invariant);
        if first.unrolling.circuit.solve(&[wrong]).is_sat()? {
            return Ok(Err(Refuted { at: "an initial state" }));
        }

        let mut step =
            WatchedUnrolling { certificate: self, unrolling: Unrolling::from_any_state(model, circuit()) };
        let fresh = |a: &Automaton| (0..a.states).map(|_| step.unrolling.circuit.fresh()).collect();
        let before: Vec<Vec<Lit>> = self.automata.iter().map(fresh).collect();
        let holds = step.holds(now, &before);
        step.unrolling.grow_to(1)?;
        let after = step.read(now.next(), before);
        let wrong = !step.in_order(now.next(), &after, invariant);
        let goes_on = step.unrolling.frame(now.next()).alive;
        if step.unrolling.circuit.solve(&[holds, goes_on, wrong]).is_sat()? {
            return Ok(Err(Refuted { at: "a step" }));
        }

        Ok(Ok(Confirmed::by_solver(&[&first.unrolling.circuit, &step.unrolling.circuit])))
    }
}

impl WatchedUnrolling<'_, '_> {
    /// Returns the states of the automata after the moment at a position.
    fn read(&mut self, position: Position, before: Vec<Vec<Lit>>) -> Vec<Vec<Lit>> {
        let Unrolling { circuit, model, frames, .. } = &mut self.unrolling;
        let mut next = |(automaton, now): (&Automaton, Vec<Lit>)| {
            let letters = automaton.letters_at(circuit, model, frames, position);
            automaton.next_bits(circuit, &now, &letters)
        };
        self.certificate.automata.iter().zip(before).map(&mut next).collect()
    }

    /// True if nothing is wrong at a position, if nothing was before: either the state satisfies the invariant,
    /// no sufficient class has the trace that ends there, and the certificate is true; or it violates it, and one of the
    /// covering classes has the trace.
    fn in_order(&mut self, position: Position, bits: &[Vec<Lit>], invariant: &Expr) -> Lit {
        let good = self.unrolling.state_truth(invariant, position);
        let holds = self.holds(position, bits);
        let circuit = &mut self.unrolling.circuit;
        let automata = self.certificate.automata;
        let accepted: Vec<Lit> =
            automata.iter().zip(bits).map(|(a, bits)| a.accepts_lit(circuit, bits)).collect();
        let covering: Vec<Lit> = self.certificate.covering.iter().map(|&c| accepted[c]).collect();
        let sufficient: Vec<Lit> = self.certificate.sufficient.iter().map(|&c| accepted[c]).collect();
        let (insufficient, covered) = (circuit.any(&sufficient), circuit.any(&covering));
        let accepting = circuit.and(holds, !insufficient);
        circuit.ite(good, accepting, covered)
    }

    /// True if the certificate is true of the state at a position and the automata there.
    fn holds(&mut self, position: Position, bits: &[Vec<Lit>]) -> Lit {
        let certificate = self.certificate;
        let Unrolling { circuit, frames, .. } = &mut self.unrolling;
        let frame = &frames[position.index()];
        let mut rows: Vec<(Vec<Lit>, Lit)> = Vec::new();
        for (number, state) in certificate.graph.states.iter().enumerate() {
            if !certificate.violates[number] {
                let remembered = certificate.remembered(number, circuit, bits);
                rows.push((literals(circuit, &frame.state, state), remembered));
            }
        }
        rows.sort_unstable();
        decision(circuit, &rows, 0)
    }
}

impl ProductCertificate<'_> {
    /// Encodes the claim about the automata in this state of the model.
    fn remembered(&self, state: usize, circuit: &mut Circuit, bits: &[Vec<Lit>]) -> Lit {
        let mut parts = Vec::new();
        for (possible, bits) in self.possible.iter().zip(bits) {
            let excluded = bits.iter().enumerate().filter(|(q, _)| !possible[state].contains(*q));
            parts.extend(excluded.map(|(_, &bit)| !bit));
        }
        let mut ways = Vec::new();
        for memory in &self.memories[state] {
            let mut all = Vec::new();
            for (&class, &states) in self.covering.iter().zip(memory.iter()) {
                for q in states.states() {
                    let same = self.automata[class].simulating(q).states().map(|p| bits[class][p]);
                    let same: Vec<Lit> = same.collect();
                    all.push(circuit.any(&same));
                }
            }
            ways.push(circuit.all(&all));
        }
        parts.push(circuit.any(&ways));
        circuit.all(&parts)
    }
}
