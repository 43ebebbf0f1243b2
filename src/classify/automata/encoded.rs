//! One step of a model from any state as gates, with the letters of the automata of classes.

use crate::automata::automaton::Automaton;
use crate::automata::letter::Letter;
use crate::facts::problem::Problem;
use engines::explore::TooMany;
use engines::relations::{OneStep, StepCircuit};
use kit::budget::{Budget, Exhausted};
use lang::model::value::Label;
use lang::model::{Model, Position};
use solvers::sat::{Circuit, Lit};
use solvers::unroll::{Encoder, Frame, Symbolic, Unrolling};

/// The gates of one step of a model, its invariant, and the letters of automata.
pub struct Encoded {
    /// The step.
    pub gates: StepCircuit,
    /// True if a state satisfies the invariant.
    pub good: Lit,
    /// For the moment without label, then for each label: the letters of each automaton as functions of the state.
    pub letters: Vec<Vec<Vec<Lit>>>,
}

/// The reason why a model was not encoded.
#[derive(Debug)]
pub enum NotEncoded {
    /// The budget ended.
    Budget(Exhausted),
    /// Too many labels.
    Labels(TooMany),
}

impl Encoded {
    /// Encodes one step of a model and the letters of automata.
    pub fn new(problem: Problem<'_>, automata: &[Automaton], budget: &Budget) -> Result<Self, NotEncoded> {
        let Problem { model, invariant } = problem;
        let mut step = OneStep::new(model, budget);
        let good = step.unrolling.state_truth(invariant, Position::FIRST);
        let labels = step.labels().map_err(NotEncoded::Labels)?;
        let Unrolling { circuit, frames, .. } = &mut step.unrolling;
        let mut moments =
            EncodedMoments { model, automata, moment: frames[0].clone(), without_label: Vec::new() };
        moments.read_without_label(circuit);
        let mut letters = vec![moments.without_label.clone()];
        for label in &labels {
            if let Some(why) = circuit.exhausted().or_else(|| budget.exhausted()) {
                return Err(NotEncoded::Budget(why));
            }
            letters.push(moments.read(circuit, label, &frames[1]));
        }
        let gates = step.finish(&labels).map_err(NotEncoded::Budget)?;
        Ok(Self { gates, good, letters })
    }
}

/// The moments of an arbitrary state, encoded with one label after the other.
struct EncodedMoments<'m> {
    model: &'m Model,
    automata: &'m [Automaton],
    moment: Frame,
    /// The letters at a moment without label.
    without_label: Vec<Vec<Lit>>,
}

impl EncodedMoments<'_> {
    fn read_without_label(&mut self, circuit: &mut Circuit) {
        let frames = std::slice::from_ref(&self.moment);
        let letters =
            self.automata.iter().map(|a| a.letters_at(circuit, self.model, frames, Position::FIRST));
        self.without_label = letters.collect();
    }

    /// Returns the letters at a moment with a label; `step` has the literals of all labels.
    fn read(&mut self, circuit: &mut Circuit, label: &Label, step: &Frame) -> Vec<Vec<Lit>> {
        let (yes, no) = (circuit.yes(), circuit.no());
        let types = &self.model.types;
        self.moment.actions = vec![no; step.actions.len()];
        self.moment.actions[label.action] = yes;
        let absent = |args: &Vec<Symbolic>| args.iter().map(|arg| arg.guarded(circuit, no)).collect();
        self.moment.args = step.args.iter().map(absent).collect();
        let params = &self.model.actions[label.action].params;
        let constants = label.args.iter().zip(params);
        self.moment.args[label.action] =
            constants.map(|(value, p)| Symbolic::constant(circuit, types, value, &p.ty)).collect();
        let mut letters = self.without_label.clone();
        for (automaton, letters) in self.automata.iter().zip(&mut letters) {
            for (letter, lit) in automaton.letters.iter().zip(letters) {
                if letter.reads_label() {
                    *lit = self.truth(circuit, letter);
                }
            }
        }
        letters
    }

    fn truth(&self, circuit: &mut Circuit, letter: &Letter) -> Lit {
        let frames = std::slice::from_ref(&self.moment);
        let mut encoder = Encoder::new(circuit, self.model, frames);
        encoder.bind_position(letter.at, Position::FIRST);
        encoder.truth(&letter.expr)
    }
}
