//! Whether a constraint only restates the property.

use super::atom::Atoms;
use super::constraint::Constraint;
use super::problem::Problem;
use crate::budget::Budget;
use crate::model::Model;
use crate::sat::{Answer, Backend, Circuit};
use crate::unroll::{Encoder, Frame, Symbolic};

/// Whether the facts at their positions violate the invariant there whatever the model does: with any states of
/// the right types and any labels, reachable or not, in any order. Such a constraint is true and explains
/// nothing. Not known to do so if the budget ends first.
pub fn restates(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> bool {
    let Problem { model, invariant } = problem;
    let mut circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let frames: Vec<Frame> = (0..constraint.positions).map(|_| any_frame(&mut circuit, model)).collect();
    let mut assumed = Vec::new();
    let mut individuals = Vec::new();
    for &domain in &constraint.individuals {
        let yes = circuit.yes();
        individuals.push(Symbolic::fresh(&mut circuit, &model.types, atoms.type_of(domain), yes));
    }
    for (atom, fact) in constraint.atoms(atoms) {
        let mut encoder = Encoder::new(&mut circuit, model, &frames);
        for (&param, position) in atom.params.iter().zip(&fact.positions) {
            encoder.bind_position(param, position.index());
        }
        for (param, individual) in atom.values.iter().zip(&fact.individuals) {
            encoder.bind(param.local, individuals[individual.index()].clone());
        }
        assumed.push(encoder.truth(&atom.expr));
    }
    for position in 0..constraint.positions {
        assumed.push(Encoder::new(&mut circuit, model, &frames).at(position).truth(invariant));
    }
    circuit.solve(&assumed) == Answer::Unsat
}

/// A position with any state and any label.
fn any_frame(circuit: &mut Circuit, model: &Model) -> Frame {
    let alive = circuit.yes();
    let state =
        model.variables.iter().map(|v| Symbolic::fresh(circuit, &model.types, &v.ty, alive)).collect();
    let actions: Vec<_> = model.actions.iter().map(|_| circuit.fresh()).collect();
    circuit.at_most_one(&actions);
    let unlabelled = Some(!circuit.any(&actions));
    let mut args = Vec::new();
    for (action, &taken) in model.actions.iter().zip(&actions) {
        let of = action.params.iter().map(|p| Symbolic::fresh(circuit, &model.types, &p.ty, taken));
        args.push(of.collect());
    }
    Frame { actions, unlabelled, args, ..Frame::of_state(alive, state) }
}
