//! One step of a model from any state as gates, with what the automata of classes are asked of a moment.

use super::automaton::Automaton;
use super::letter::Letter;
use super::problem::Problem;
use crate::budget::{Budget, Exhausted};
use crate::explore::TooMany;
use crate::model::value::{Label, Value};
use crate::model::{Action, Model};
use crate::sat::{Circuit, Constraint, Definition, Lit, Unsolved};
use crate::unroll::{Encoder, Frame, Part, Symbolic, Unrolling};

/// The most labels that a step is looked at with, one by one.
const MOST_LABELS: usize = 1 << 20;

/// One step of a model, and everything that is asked of it.
pub struct Encoded {
    /// The variables before the step.
    pub variables: Vec<Symbolic>,
    /// What a state consists of, beside what it consists of one step later.
    pub parts: Vec<Part>,
    /// What is demanded of every state.
    pub state: Vec<Constraint>,
    /// What is demanded of a step.
    pub step: Vec<Constraint>,
    /// What a first state satisfies.
    pub initial: Vec<Lit>,
    /// Whether a state satisfies the invariant.
    pub good: Lit,
    /// The literals that say which label a step has.
    pub inputs: Vec<Lit>,
    /// For each label those of its inputs that hold; all others do not. Negations of inputs may be listed, too.
    pub labels: Vec<Vec<Lit>>,
    /// For the moment without a label, and then for each label, the letters of each automaton as functions of
    /// the state.
    pub letters: Vec<Vec<Vec<Lit>>>,
    /// For each variable of the circuit what it is defined as.
    pub definitions: Vec<Option<Definition>>,
}

/// Why there is none.
#[derive(Debug)]
pub enum NotEncoded {
    /// The budget ended.
    Budget(Exhausted),
    /// There are too many labels.
    Labels(TooMany),
}

impl Encoded {
    /// Encodes a model with automata.
    pub fn new(problem: Problem<'_>, automata: &[Automaton], budget: &Budget) -> Result<Self, NotEncoded> {
        let Problem { model, invariant } = problem;
        let circuit = Circuit::new(Box::new(Unsolved)).within(budget).keeping_constraints();
        let mut unrolling = Unrolling::from_any_state(model, circuit);
        let about_states = unrolling.circuit.constraints().len();
        let yes = unrolling.circuit.yes();
        unrolling.successor(0, yes);
        let constraints = unrolling.circuit.constraints();
        let (state, step) = constraints.split_at(about_states);
        let (state, step) = (state.to_vec(), step.to_vec());
        let initial = model.init.iter().map(|formula| unrolling.state_truth(formula, 0)).collect();
        let good = unrolling.state_truth(invariant, 0);

        let Unrolling { mut circuit, frames, .. } = unrolling;
        let (now, next) = (&frames[0], &frames[1]);
        let values = now.state.iter().zip(&next.state);
        let parts = values.flat_map(|(now, next)| now.parts(&mut circuit, next)).collect();
        let mut encoded = Self {
            variables: now.state.clone(),
            parts,
            state,
            step,
            initial,
            good,
            inputs: inputs(&circuit, next),
            labels: Vec::new(),
            letters: Vec::new(),
            definitions: Vec::new(),
        };
        let mut moments = Moments { model, automata, moment: now.clone(), without_label: Vec::new() };
        moments.read_without_label(&mut circuit);
        encoded.letters.push(moments.without_label.clone());
        for (index, action) in model.actions.iter().enumerate() {
            let lists = argument_lists(model, action).map_err(NotEncoded::Labels)?;
            for args in lists {
                circuit
                    .exhausted()
                    .or_else(|| budget.exhausted())
                    .map_or(Ok(()), Err)
                    .map_err(NotEncoded::Budget)?;
                let mut holding = Vec::new();
                for (symbolic, value) in next.args[index].iter().zip(&args) {
                    let literals = symbolic.literals(&circuit, Some(value));
                    holding.extend(literals.into_iter().map(|(lit, holds)| if holds { lit } else { !lit }));
                }
                holding.push(next.actions[index]);
                encoded.labels.push(holding);
                let label = Label { action: index, args };
                encoded.letters.push(moments.read(&mut circuit, &label, next));
            }
        }
        encoded.definitions = circuit.definitions();
        circuit.exhausted().map_or(Ok(encoded), |why| Err(NotEncoded::Budget(why)))
    }
}

/// The literals that say which label the step to a position has.
fn inputs(circuit: &Circuit, frame: &Frame) -> Vec<Lit> {
    let args = frame.args.iter().flatten().flat_map(|arg| arg.literals(circuit, None));
    let mut inputs: Vec<Lit> = args.map(|(lit, _)| lit).chain(frame.actions.iter().copied()).collect();
    inputs.retain(|&lit| lit != circuit.yes());
    inputs
}

/// All lists of arguments that an action could have.
fn argument_lists(model: &Model, action: &Action) -> Result<Vec<Vec<Value>>, TooMany> {
    let mut lists = vec![Vec::new()];
    for param in &action.params {
        let count = model.types.cardinality(&param.ty);
        if count.saturating_mul(lists.len() as u64) > MOST_LABELS as u64 {
            let what = format!("lists of arguments of action `{}`", action.name);
            return Err(TooMany { what, limit: MOST_LABELS });
        }
        let values = model.types.values(&param.ty);
        let longer = |list: Vec<Value>| {
            values.iter().map(move |value| list.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    Ok(lists)
}

/// Moments with any state and one label after the other, as the automata see them.
struct Moments<'m> {
    model: &'m Model,
    automata: &'m [Automaton],
    moment: Frame,
    /// The letters at a moment without label.
    without_label: Vec<Vec<Lit>>,
}

impl Moments<'_> {
    fn read_without_label(&mut self, circuit: &mut Circuit) {
        let frames = std::slice::from_ref(&self.moment);
        let letters = self.automata.iter().map(|a| a.letters_at(circuit, self.model, frames, 0));
        self.without_label = letters.collect();
    }

    /// The letters at a moment with a label; `step` has the literals of all labels.
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
        encoder.bind_position(letter.at, 0);
        encoder.truth(&letter.expr)
    }
}
