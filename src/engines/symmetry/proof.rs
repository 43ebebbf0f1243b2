//! Proofs that a permutation is a symmetry: queries to the solver about single steps from any state.

use kit::budget::{Budget, Limited};
use lang::model::eval::{Scope, allows_step, is_initial};
use lang::model::expr::Expr;
use lang::model::permutation::Permutation;
use lang::model::value::{Label, State};
use lang::model::{Model, Position};
use solvers::sat::{Backend, Circuit, Lit};
use solvers::unroll::{Lengths, Symbolic, Transition, Unrolling};

/// The result for a permutation.
#[derive(Debug, Clone, PartialEq)]
pub enum PermutationProof {
    /// The permutation is a symmetry.
    Proved,
    /// The permutation is not a symmetry.
    Refuted(PermutationRefutation),
}

/// Two states that show that a permutation is not a symmetry. They are of the right types, but need not be reachable.
#[derive(Debug, Clone, PartialEq)]
pub struct PermutationRefutation {
    /// A state.
    pub state: State,
    /// The image of the state under the permutation.
    pub image: State,
    /// The property that holds of the state, but not of its image.
    pub differs: ImageDifference,
}

/// A property that holds of a state, but not of its image.
#[derive(Debug, Clone, PartialEq)]
pub enum ImageDifference {
    /// Being an initial state.
    First,
    /// Satisfying the assumptions.
    Assumed,
    /// Satisfying the invariant with this index among the given ones.
    Invariant(usize),
    /// Having a step.
    Step {
        /// The label of the step.
        label: Label,
        /// The state after the step.
        after: State,
        /// The label of the image of the step.
        image_label: Label,
        /// The state after the image of the step.
        image_after: State,
    },
}

/// Asks the solver about permutations of one model. Parts that do not depend on the permutation are encoded once.
///
/// Permutations are bijections and there are finitely many states, so inclusions suffice: if each initial state is
/// mapped to an initial state, no other state is, and likewise for steps and for states that satisfy an invariant.
pub struct PermutationProver<'m> {
    model: &'m Model,
    invariants: Vec<&'m Expr>,
    /// An unrolling whose first position is any initial state.
    start: Unrolling<'m>,
    /// An unrolling whose first position is any state that satisfies the assumptions.
    anywhere: Unrolling<'m>,
    /// A step from there for each action.
    steps: Vec<Transition>,
}

impl<'m> PermutationProver<'m> {
    /// Prepares questions about a model and invariants of it.
    pub fn new(model: &'m Model, invariants: Vec<&'m Expr>, budget: &Budget) -> Self {
        let circuit = || Circuit::new(Backend::Cadical.start(budget)).within(budget);
        let start = Unrolling::new(model, Lengths::UpTo(0), circuit());
        let mut anywhere = Unrolling::from_any_state(model, circuit());
        let steps =
            (0..model.actions.len()).map(|action| anywhere.step_by(Position::FIRST, action)).collect();
        Self { model, invariants, start, anywhere, steps }
    }

    /// Proves or refutes that a permutation is a symmetry of the model and of each of the invariants.
    ///
    /// # Errors
    /// If the budget ends first.
    ///
    /// # Panics
    /// If the reference semantics does not confirm a refutation, which is a bug in the encoding.
    pub fn decide(&mut self, by: &Permutation) -> Limited<PermutationProof> {
        let found = match self.first_states(by)? {
            None => self.other_states(by)?,
            found => found,
        };
        Ok(match found {
            Some(refutation) => {
                assert!(
                    self.confirms(by, &refutation),
                    "the encoding and the reference semantics disagree on {refutation:?}"
                );
                PermutationProof::Refuted(refutation)
            }
            None => PermutationProof::Proved,
        })
    }

    /// Returns an initial state whose image is not initial.
    fn first_states(&mut self, by: &Permutation) -> Limited<Option<PermutationRefutation>> {
        let model = self.model;
        let state = self.start.frame(Position::FIRST).state.clone();
        let image = permuted(&mut self.start, &state, by);
        let image = self.start.given_state(image);
        let mut parts: Vec<Lit> =
            model.init.iter().map(|formula| self.start.state_truth(formula, image)).collect();
        parts.push(self.start.assumed_of(image));
        let is_first = self.start.circuit.all(&parts);
        let found = self.start.circuit.solve(&[!is_first]).is_sat()?;
        Ok(found.then(|| refutation(&self.start, image, ImageDifference::First)))
    }

    /// Returns a state, or a step from it, with a property that its image lacks.
    fn other_states(&mut self, by: &Permutation) -> Limited<Option<PermutationRefutation>> {
        let anywhere = &mut self.anywhere;
        let state = anywhere.frame(Position::FIRST).state.clone();
        let image = permuted(anywhere, &state, by);
        let image = anywhere.given_state(image);
        let assumed = anywhere.assumed_of(image);
        if anywhere.circuit.solve(&[!assumed]).is_sat()? {
            return Ok(Some(refutation(anywhere, image, ImageDifference::Assumed)));
        }
        for (index, invariant) in self.invariants.iter().enumerate() {
            let question =
                [anywhere.state_truth(invariant, Position::FIRST), !anywhere.state_truth(invariant, image)];
            if anywhere.circuit.solve(&question).is_sat()? {
                return Ok(Some(refutation(anywhere, image, ImageDifference::Invariant(index))));
            }
        }
        for Transition { action, args, to, possible } in &self.steps {
            let after = anywhere.frame(*to).state.clone();
            let image_after = permuted(anywhere, &after, by);
            let image_after = anywhere.given_state(image_after);
            let params = self.model.actions[*action].params.iter().zip(args);
            let (circuit, types) = (&mut anywhere.circuit, &self.model.types);
            let image_args: Vec<Symbolic> =
                params.map(|(param, arg)| arg.permuted(circuit, types, &param.ty, by)).collect();
            let is_step = anywhere.is_step(image, *action, &image_args, image_after);
            if anywhere.circuit.solve(&[*possible, !is_step]).is_sat()? {
                let label = |args: &[Symbolic]| {
                    let args = args.iter().map(|arg| arg.decode(&anywhere.circuit)).collect();
                    Label { action: *action, args }
                };
                let step = ImageDifference::Step {
                    label: label(args),
                    after: anywhere.state_at(*to),
                    image_label: label(&image_args),
                    image_after: anywhere.state_at(image_after),
                };
                return Ok(Some(refutation(anywhere, image, step)));
            }
        }
        Ok(None)
    }

    /// True if the reference semantics agrees.
    fn confirms(&self, by: &Permutation, refutation: &PermutationRefutation) -> bool {
        let PermutationRefutation { state, image, differs } = refutation;
        let model = self.model;
        let holds = |state: &State, formula: &Expr| Scope::new(model).with_state(state).holds(formula);
        let assumed = |state: &State| {
            model.assumptions.iter().all(|assumption| assumption.step || holds(state, &assumption.expr))
        };
        by.state(model, state) == *image
            && match differs {
                ImageDifference::First => is_initial(model, state) && !is_initial(model, image),
                ImageDifference::Assumed => assumed(state) && !assumed(image),
                ImageDifference::Invariant(index) => {
                    holds(state, self.invariants[*index]) && !holds(image, self.invariants[*index])
                }
                ImageDifference::Step { label, after, image_label, image_after } => {
                    by.label(model, label) == *image_label
                        && by.state(model, after) == *image_after
                        && allows_step(model, state, label, after)
                        && !allows_step(model, image, image_label, image_after)
                }
            }
    }
}

fn permuted(unrolling: &mut Unrolling<'_>, state: &[Symbolic], by: &Permutation) -> Vec<Symbolic> {
    let model = unrolling.model;
    let values = state.iter().zip(&model.variables);
    values.map(|(value, var)| value.permuted(&mut unrolling.circuit, &model.types, &var.ty, by)).collect()
}

/// The first position and the one with its image, as the solver has assigned them.
fn refutation(unrolling: &Unrolling<'_>, image: Position, differs: ImageDifference) -> PermutationRefutation {
    PermutationRefutation {
        state: unrolling.state_at(Position::FIRST),
        image: unrolling.state_at(image),
        differs,
    }
}
