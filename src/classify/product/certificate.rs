//! What proves a classification for traces of every length, checked again without the graph.
//!
//! The certificate says of each state that a trace without violation can end in how the automata stand there:
//! which of their states are excluded, and of which memories they have one. From fresh copies of the
//! model and gates of the automata, a solver confirms that it is true of all initial states, that every step
//! from a state of which it is true (reachable or not) leads to one of which it is true, and that
//! it excludes everything that must not happen. So only the encoding is trusted, not the exploration.

use super::memory::Memory;
use crate::budget::{Budget, Limited};
use crate::classify::automaton::{Automaton, Bits};
use crate::classify::problem::Problem;
use crate::explore::Graph;
use crate::model::expr::Expr;
use crate::model::value::{State, Value};
use crate::sat::{Answer, Backend, Circuit, Lit};
use crate::unroll::{Lengths, Symbolic, Unrolling};

/// An inductive invariant of a model beside the automata of classes.
pub struct Certificate<'a> {
    /// The states, and the automata it speaks of.
    pub graph: &'a Graph,
    /// The automata of all classes.
    pub automata: &'a [Automaton],
    /// The classes that together have all first violations.
    pub covering: &'a [usize],
    /// For each state whether it violates the invariant; the certificate is about the others.
    pub violates: &'a [bool],
    /// For each class and each state of the graph, the states that the automaton can be in.
    pub possible: Vec<Vec<Bits>>,
    /// For each state of the graph, memories of the covering classes; the automata have one of these, or one
    /// that accepts more.
    pub memories: Vec<Vec<Memory>>,
}

/// What the check took.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirmed {
    /// The solver's name and version.
    pub solver: String,
    /// Solver calls.
    pub solver_calls: u64,
    /// The greatest number of variables in one solver.
    pub variables: usize,
    /// The greatest number of clauses in one solver.
    pub clauses: usize,
}

/// A certificate that is not inductive, or excludes too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refuted {
    /// Where it fails.
    pub at: &'static str,
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the certificate fails at {}", self.at)
    }
}

impl std::error::Error for Refuted {}

/// Copies of the model with the automata.
struct Watched<'c, 'm> {
    certificate: &'c Certificate<'c>,
    unrolling: Unrolling<'m>,
}

impl Certificate<'_> {
    /// Checks it with a solver. `Err(Refuted)` if it proves nothing.
    pub fn check(
        &self,
        problem: Problem<'_>,
        backend: Backend,
        budget: &Budget,
    ) -> Limited<Result<Confirmed, Refuted>> {
        let Problem { model, invariant } = problem;
        let circuit = || Circuit::new(backend.start(budget)).within(budget);
        let lengths = Lengths::UpTo(usize::MAX);
        let unrolling = Unrolling::new(model, lengths, circuit());
        let mut first = Watched { certificate: self, unrolling };
        let start = self.automata.iter().map(|a| a.start_bits(&first.unrolling.circuit)).collect();
        let bits = first.read(0, start);
        let wrong = !first.in_order(0, &bits, invariant);
        if first.possible(&[wrong])? {
            return Ok(Err(Refuted { at: "an initial state" }));
        }

        let mut step = Watched { certificate: self, unrolling: Unrolling::from_any_state(model, circuit()) };
        let fresh = |a: &Automaton| (0..a.states).map(|_| step.unrolling.circuit.fresh()).collect();
        let before: Vec<Vec<Lit>> = self.automata.iter().map(fresh).collect();
        let holds = step.holds(0, &before);
        step.unrolling.grow_to(1)?;
        let after = step.read(1, before);
        let wrong = !step.in_order(1, &after, invariant);
        let goes_on = step.unrolling.frames[1].alive;
        if step.possible(&[holds, goes_on, wrong])? {
            return Ok(Err(Refuted { at: "a step" }));
        }

        let (a, b) = (&first.unrolling.circuit, &step.unrolling.circuit);
        Ok(Ok(Confirmed {
            solver: a.solver_name().to_owned(),
            solver_calls: a.solver_calls() + b.solver_calls(),
            variables: a.variables().max(b.variables()),
            clauses: a.clauses().max(b.clauses()),
        }))
    }
}

impl Watched<'_, '_> {
    /// The automata after the moment at a position.
    fn read(&mut self, position: usize, before: Vec<Vec<Lit>>) -> Vec<Vec<Lit>> {
        let Unrolling { circuit, model, frames, .. } = &mut self.unrolling;
        let mut next = |(automaton, now): (&Automaton, Vec<Lit>)| {
            let letters = automaton.letters_at(circuit, model, frames, position);
            automaton.next_bits(circuit, &now, &letters)
        };
        self.certificate.automata.iter().zip(before).map(&mut next).collect()
    }

    /// Whether nothing is wrong at a position, if nothing was before: either the state satisfies the invariant,
    /// no class has the trace that ends there, and the certificate is true; or it violates it, and one of the
    /// covering classes has the trace.
    fn in_order(&mut self, position: usize, bits: &[Vec<Lit>], invariant: &Expr) -> Lit {
        let good = self.unrolling.state_truth(invariant, position);
        let holds = self.holds(position, bits);
        let circuit = &mut self.unrolling.circuit;
        let automata = self.certificate.automata;
        let accepted: Vec<Lit> =
            automata.iter().zip(bits).map(|(a, bits)| a.accepts_lit(circuit, bits)).collect();
        let covering: Vec<Lit> = self.certificate.covering.iter().map(|&c| accepted[c]).collect();
        let (insufficient, covered) = (circuit.any(&accepted), circuit.any(&covering));
        let accepting = circuit.and(holds, !insufficient);
        circuit.ite(good, accepting, covered)
    }

    /// Whether the certificate is true of the state at a position and the automata there.
    fn holds(&mut self, position: usize, bits: &[Vec<Lit>]) -> Lit {
        let certificate = self.certificate;
        let circuit = &mut self.unrolling.circuit;
        let frame = &self.unrolling.frames[position];
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

    fn possible(&mut self, assumptions: &[Lit]) -> Limited<bool> {
        match self.unrolling.circuit.solve(assumptions) {
            Answer::Unsat => Ok(false),
            Answer::Sat => Ok(true),
            Answer::Unknown(why) => Err(why),
        }
    }
}

impl Certificate<'_> {
    /// What it says of the automata where the model is in this state.
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

/// Whether one of the rows holds: all literals of its first part, from `depth` on, and its second part. The rows
/// are sorted, and the literals at one depth that differ exclude each other.
fn decision(circuit: &mut Circuit, rows: &[(Vec<Lit>, Lit)], depth: usize) -> Lit {
    let mut ways = Vec::new();
    for group in rows.chunk_by(|a, b| a.0.get(depth) == b.0.get(depth)) {
        let Some(&here) = group[0].0.get(depth) else {
            ways.push(group[0].1);
            continue;
        };
        let below = decision(circuit, group, depth + 1);
        ways.push(circuit.and(here, below));
    }
    circuit.any(&ways)
}

/// Literals that say that the variables have the values of a state. For all states there are as many.
fn literals(circuit: &Circuit, symbolic: &[Symbolic], state: &State) -> Vec<Lit> {
    let mut lits = Vec::new();
    for (symbolic, value) in symbolic.iter().zip(&state.0) {
        part_literals(circuit, symbolic, Some(value), &mut lits);
    }
    lits
}

/// The same for a part of a state; `None` is below an absent part, where nothing needs to be said.
fn part_literals(circuit: &Circuit, symbolic: &Symbolic, value: Option<&Value>, lits: &mut Vec<Lit>) {
    let (yes, no) = (circuit.yes(), circuit.no());
    let polarity = |lit: Lit, holds: bool| if holds { lit } else { !lit };
    let presence = |present: Lit| value.map_or(yes, |v| polarity(present, *v != Value::None));
    match (symbolic, value) {
        (Symbolic::Bool(lit), Some(Value::Bool(holds))) => lits.push(polarity(*lit, *holds)),
        (Symbolic::Scalar(values), Some(value)) => {
            let at = values.binary_search_by(|(v, _)| v.cmp(value));
            lits.push(at.map_or(no, |at| values[at].1));
        }
        (Symbolic::Bool(_) | Symbolic::Scalar(_), _) => lits.push(yes),
        (Symbolic::Set { present, members }, _) => {
            lits.push(presence(*present));
            let elements = match value {
                Some(Value::Set(elements)) => Some(elements),
                _ => None,
            };
            let listed = |e: &Value| members.binary_search_by(|(v, _)| v.cmp(e)).is_ok();
            lits.push(polarity(yes, elements.is_none_or(|set| set.iter().all(listed))));
            for (member, lit) in members {
                lits.push(elements.map_or(yes, |set| polarity(*lit, set.contains(member))));
            }
        }
        (Symbolic::Record { present, fields, .. }, _) => {
            lits.push(presence(*present));
            for (index, field) in fields.iter().enumerate() {
                let value = match value {
                    Some(Value::Record(_, values)) => values.get(index),
                    _ => None,
                };
                part_literals(circuit, field, value, lits);
            }
        }
        (Symbolic::Map { present, entries }, _) => {
            lits.push(presence(*present));
            for (key, entry) in entries {
                let value = match value {
                    Some(Value::Map(values)) => values.get(key),
                    _ => None,
                };
                part_literals(circuit, entry, value, lits);
            }
        }
    }
}
