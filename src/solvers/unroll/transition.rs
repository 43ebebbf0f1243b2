//! Single steps as literals: possible or not, rather than demanded.

use super::encode::Encoder;
use super::frame::Frame;
use super::frames::{Choices, Unrolling};
use super::symbolic::Symbolic as S;
use crate::sat::Lit;
use lang::model::{Action, Position};

/// A step by one action from one position to another.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The index of the action.
    pub action: usize,
    /// Its arguments.
    pub args: Vec<S>,
    /// The position it leads to.
    pub to: Position,
    /// True if there is such a step. Where there is none, the state that it leads to means nothing.
    pub possible: Lit,
}

impl Unrolling<'_> {
    /// Adds a position with a given state and returns it. The positions no longer form a path then, and expressions
    /// that read labels must not be encoded there.
    pub fn given_state(&mut self, state: Vec<S>) -> Position {
        let alive = self.circuit.yes();
        self.frames.push(Frame::of_state(alive, state));
        self.last()
    }

    /// Adds a position for the state after a step from another one by an action, with any arguments and choices. As with
    /// [`Unrolling::given_state`], the positions no longer form a path.
    pub fn step_by(&mut self, from: Position, action: usize) -> Transition {
        let model = self.model;
        let yes = self.circuit.yes();
        let params = model.actions[action].params.iter().enumerate();
        let args: Vec<S> = params
            .map(|(number, p)| {
                let form = self.forms.param(action, number);
                S::fresh(&mut self.circuit, &model.types, &p.ty, yes, form)
            })
            .collect();
        let effect = self.effect(&model.actions[action], &args, from, yes, Choices::Free);
        let state = effect.after(&self.frame(from).state);
        let to = self.given_state(state);
        let mut parts = vec![effect.allowed];
        self.conditions(&model.actions[action], &args, from, to, &mut parts);
        let possible = self.circuit.all(&parts);
        Transition { action, args, to, possible }
    }

    /// True if there is a step from one position to another by an action with these arguments.
    pub fn is_step(&mut self, from: Position, action: usize, args: &[S], to: Position) -> Lit {
        let model = self.model;
        let yes = self.circuit.yes();
        let next = self.frame(to).state.clone();
        let effect = self.effect(&model.actions[action], args, from, yes, Choices::Made(&next));
        let mut parts = vec![effect.allowed];
        if effect.allowed == self.circuit.no() {
            return effect.allowed;
        }
        for (expected, found) in effect.after(&self.frame(from).state).iter().zip(&next) {
            parts.push(expected.equal(&mut self.circuit, found));
        }
        self.conditions(&model.actions[action], args, from, to, &mut parts);
        self.circuit.all(&parts)
    }

    /// True if the assumptions about states hold at a position.
    pub fn assumed_of(&mut self, position: Position) -> Lit {
        let model = self.model;
        let about_states = model.assumptions.iter().filter(|assumption| !assumption.step);
        let parts: Vec<Lit> = about_states.map(|a| self.state_truth(&a.expr, position)).collect();
        self.circuit.all(&parts)
    }

    /// The conditions that the constraints of an action and the assumptions put on a step.
    fn conditions(
        &mut self,
        action: &Action,
        args: &[S],
        from: Position,
        to: Position,
        parts: &mut Vec<Lit>,
    ) {
        let model = self.model;
        let next = self.frame(to).state.clone();
        let mut encoder = Encoder::new(&mut self.circuit, model, &self.frames).at(from).with_next(&next);
        for (param, arg) in action.params.iter().zip(args) {
            encoder.bind(param.local, arg.assumed_present(encoder.circuit));
        }
        let about_steps = model.assumptions.iter().filter(|assumption| assumption.step).map(|a| &a.expr);
        parts.extend(action.constraints.iter().chain(about_steps).map(|formula| encoder.truth(formula)));
        let assumed = self.assumed_of(to);
        parts.push(assumed);
    }
}
