//! One step of a model from any state as gates.

use crate::explore::TooMany;
use kit::budget::{Budget, Clock, Exhausted};
use lang::model::value::{Label, Value};
use lang::model::{Action, Model, Position};
use solvers::sat::{Circuit, CircuitConstraint, GateDefinition, Lit, Unsolved};
use solvers::unroll::{Frame, PairedLeaf, Symbolic, Unrolling};

/// The most labels that are read one by one for a step.
const MOST_LABELS: usize = 1 << 20;

/// One step of a model from any state that satisfies the assumptions, reachable or not.
#[derive(Debug)]
pub struct StepCircuit {
    /// The variables before the step.
    pub variables: Vec<Symbolic>,
    /// The parts of a state, each with its counterpart after the step.
    pub parts: Vec<PairedLeaf>,
    /// Constraints on every state.
    pub state: Vec<CircuitConstraint>,
    /// Constraints on the step.
    pub step: Vec<CircuitConstraint>,
    /// Literals that hold in the initial states.
    pub initial: Vec<Lit>,
    /// Literals that identify the label of the step.
    pub inputs: Vec<Lit>,
    /// The literals of `inputs` that hold for each label; all others are false. Negations of inputs may be listed, too.
    pub labels: Vec<Vec<Lit>>,
    /// The definition of each variable of the circuit.
    pub definitions: Vec<Option<GateDefinition>>,
}

/// A step that is being encoded, so that more gates over the state before it can be added.
pub struct OneStep<'m> {
    /// The state before the step, and the one after it.
    pub unrolling: Unrolling<'m>,
    state: Vec<CircuitConstraint>,
    step: Vec<CircuitConstraint>,
    budget: Budget,
}

impl<'m> OneStep<'m> {
    /// Encodes a step of a model with any label. If the budget ends, [`OneStep::finish`] returns the error.
    pub fn new(model: &'m Model, budget: &Budget) -> Self {
        let circuit = Circuit::new(Box::new(Unsolved)).within(budget).keeping_constraints();
        let mut unrolling = Unrolling::from_any_state(model, circuit);
        let about_states = unrolling.circuit.constraints().len();
        let yes = unrolling.circuit.yes();
        unrolling.successor(Position::FIRST, yes);
        let (state, step) = unrolling.circuit.constraints().split_at(about_states);
        let (state, step) = (state.to_vec(), step.to_vec());
        Self { unrolling, state, step, budget: budget.clone() }
    }

    /// Returns all labels that a step can have.
    ///
    /// # Errors
    /// If there are too many labels.
    pub fn labels(&self) -> Result<Vec<Label>, TooMany> {
        let model = self.unrolling.model;
        let mut labels = Vec::new();
        for (index, action) in model.actions.iter().enumerate() {
            let lists = argument_lists(model, action)?;
            labels.extend(lists.into_iter().map(|args| Label { action: index, args }));
            if labels.len() > MOST_LABELS {
                return Err(TooMany { what: "labels of a step".to_owned(), limit: MOST_LABELS });
            }
        }
        Ok(labels)
    }

    /// Returns the gates, with the literals of these labels.
    ///
    /// # Errors
    /// If the budget has ended.
    pub fn finish(self, labels: &[Label]) -> Result<StepCircuit, Exhausted> {
        let Self { mut unrolling, state, step, budget } = self;
        let model = unrolling.model;
        let initial =
            model.init.iter().map(|formula| unrolling.state_truth(formula, Position::FIRST)).collect();
        let Unrolling { mut circuit, frames, .. } = unrolling;
        let (now, next) = (&frames[0], &frames[1]);
        let values = now.state.iter().zip(&next.state);
        let parts = values.flat_map(|(now, next)| now.parts(&mut circuit, next)).collect();
        let mut clock = Clock::new(&budget, "labels read");
        let mut literals = Vec::new();
        for label in labels {
            let holding = holding(&circuit, next, label);
            clock.ticks(1 + holding.len())?;
            literals.push(holding);
        }
        let gates = StepCircuit {
            variables: now.state.clone(),
            parts,
            state,
            step,
            initial,
            inputs: inputs(&circuit, next),
            labels: literals,
            definitions: circuit.definitions(),
        };
        circuit.exhausted().map_or(Ok(gates), Err)
    }
}

/// Returns the literals that hold if the step to a position has a label.
fn holding(circuit: &Circuit, frame: &Frame, label: &Label) -> Vec<Lit> {
    let mut holding = Vec::new();
    for (symbolic, value) in frame.args[label.action].iter().zip(&label.args) {
        let literals = symbolic.literals(circuit, Some(value));
        holding.extend(literals.into_iter().map(|(lit, holds)| if holds { lit } else { !lit }));
    }
    holding.push(frame.actions[label.action]);
    holding
}

/// Returns the literals that identify the label of the step to a position.
fn inputs(circuit: &Circuit, frame: &Frame) -> Vec<Lit> {
    let args = frame.args.iter().flatten().flat_map(|arg| arg.literals(circuit, None));
    let mut inputs: Vec<Lit> = args.map(|(lit, _)| lit).chain(frame.actions.iter().copied()).collect();
    inputs.retain(|&lit| lit != circuit.yes());
    inputs
}

/// Returns all argument lists of an action.
fn argument_lists(model: &Model, action: &Action) -> Result<Vec<Vec<Value>>, TooMany> {
    let counts = action.params.iter().map(|param| model.types.cardinality(&param.ty));
    if counts.fold(1, u64::saturating_mul) > MOST_LABELS as u64 {
        let what = format!("lists of arguments of action `{}`", action.name);
        return Err(TooMany { what, limit: MOST_LABELS });
    }
    let mut lists = vec![Vec::new()];
    for param in &action.params {
        let values = model.types.values(&param.ty);
        let longer = |list: Vec<Value>| {
            values.iter().map(move |value| list.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    Ok(lists)
}
