//! Whether a constraint only restates the property, or says no more than the step that violates it.

use crate::facts::atom::{Atom, Atoms};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, Order, Stretch};
use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use kit::budget::Budget;
use lang::model::expr::{ExprKind, VarId};
use lang::model::{Model, Position, Variable};
use solvers::sat::{Answer, Backend, Circuit, Lit};
use solvers::unroll::{Encoder, Form, Forms, Frame, Symbolic, Unrolling};

/// What the facts of a constraint leave to the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Restates {
    /// They violate the property by themselves, with any states of the right types and any labels, reachable or not: the constraint
    /// is true and explains nothing.
    Property,
    /// Together with single steps of the model they do: whatever state the steps to its positions, or the next ones, start from,
    /// reachable or not. How that came about is not said.
    Step,
    /// More than that.
    #[default]
    Nothing,
}

/// What a constraint restates, as far as that is found within the budget.
pub fn restated(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> Restates {
    if restates(problem, atoms, constraint, budget) {
        Restates::Property
    } else if restates_step(problem, atoms, constraint, budget) {
        Restates::Step
    } else {
        Restates::Nothing
    }
}

/// Whether the facts say no more than that the property is violated: they violate the invariant at their positions whatever the model does, or
/// are just what violates it in one state, spread over several. Not known to do so if the budget ends first, or if a predicate
/// compares its positions so that they cannot follow each other directly in the order of their names.
pub fn restates(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> bool {
    restates_apart(problem, atoms, constraint, budget)
        || restates_together(problem, atoms, constraint, budget)
}

/// Whether the facts violate the invariant in a state of which all of them are true, whatever else is so there, and none of them can be
/// left out: that they hold at all, at any positions and in any order, names the parts of the violation.
fn restates_together(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> bool {
    let Problem { model, invariant } = problem;
    let of_state = |fact: &Fact| matches!(fact.kind, FactKind::Atom(atom) if !atoms.get(atom).reads_label());
    if constraint.positions < 2 || !constraint.facts.iter().all(of_state) {
        return false;
    }
    let mut circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let frames = [any_frame(&mut circuit, model)];
    let places = vec![Position::FIRST; constraint.positions];
    let facts = facts_at(&mut circuit, model, atoms, constraint, &frames, &places);
    let good = Encoder::new(&mut circuit, model, &frames).at(Position::FIRST).truth(invariant);
    let good_with = |circuit: &mut Circuit, facts: &[Lit]| circuit.solve(&[facts, &[good]].concat());
    if circuit.solve(&facts) != Answer::Sat || good_with(&mut circuit, &facts) != Answer::Unsat {
        return false;
    }
    let mut needed =
        constraint.facts.iter().enumerate().filter(|(_, fact)| !fact.is_about_individuals(atoms));
    needed.all(|(number, _)| {
        let others: Vec<Lit> =
            facts.iter().enumerate().filter(|(n, _)| *n != number).map(|(_, &l)| l).collect();
        good_with(&mut circuit, &others) == Answer::Sat
    })
}

/// Whether the facts at their positions violate the invariant there whatever the model does: with any states of
/// the right types and any labels, reachable or not, and whatever lies before and between them. Not known of what is said of all positions between
/// two.
fn restates_apart(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> bool {
    let Problem { model, invariant } = problem;
    if reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Never { .. })) {
        return false;
    }
    // Before each position there is any state, if that is read.
    let apart = if reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Previous(_))) { 2 } else { 1 };
    let mut circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let count = constraint.positions * apart;
    let frames: Vec<Frame> = (0..count).map(|_| any_frame(&mut circuit, model)).collect();
    let places: Vec<Position> = Position::all(count).skip(apart - 1).step_by(apart).collect();
    let mut assumed = facts_at(&mut circuit, model, atoms, constraint, &frames, &places);
    if circuit.solve(&assumed) != Answer::Sat {
        return false;
    }
    for position in places {
        assumed.push(Encoder::new(&mut circuit, model, &frames).at(position).truth(invariant));
    }
    circuit.solve(&assumed) == Answer::Unsat
}

/// Whether the facts, and single steps of the model from any states to their positions and to the next ones, violate the invariant
/// in one of these states. A position without a step to it is a first state.
fn restates_step(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> bool {
    let Problem { model, invariant } = problem;
    let around = |kind: &ExprKind| matches!(kind, ExprKind::Previous(_) | ExprKind::Never { .. });
    if reads(atoms, constraint, &around) {
        return false;
    }
    let circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let mut unrolling = Unrolling::from_any_state(model, circuit);
    let mut places = Vec::new();
    for _ in 0..constraint.positions {
        let frame = any_frame(&mut unrolling.circuit, model);
        unrolling.frames.push(frame);
        places.push(unrolling.last());
    }
    let steps = Steps::of(constraint);
    for (&place, before) in places.iter().zip(&steps.before) {
        let before = before.map_or_else(|| unrolling.any_state(), |i| places[i.index()]);
        arrive(&mut unrolling, before, place);
    }
    for &position in &steps.left {
        let yes = unrolling.circuit.yes();
        unrolling.successor(places[position.index()], yes);
    }
    let mut assumed = facts_at(&mut unrolling.circuit, model, atoms, constraint, &unrolling.frames, &places);
    if unrolling.circuit.solve(&assumed) != Answer::Sat {
        return false;
    }
    for position in unrolling.positions() {
        assumed.push(unrolling.state_truth(invariant, position));
    }
    unrolling.circuit.solve(&assumed) == Answer::Unsat
}

/// Whether a fact of a constraint has a form in it.
fn reads(atoms: &Atoms, constraint: &Constraint, form: &dyn Fn(&ExprKind) -> bool) -> bool {
    constraint.facts.iter().any(|fact| match fact.kind {
        FactKind::Order(_) => false,
        FactKind::Atom(atom) | FactKind::Absent(atom, _) => {
            let mut found = false;
            atoms.get(atom).expr.walk(&mut |e| found |= form(&e.kind));
            found
        }
    })
}

/// Which steps the order of positions speaks of.
struct Steps {
    /// For each position the one that it comes right after, if that is said.
    before: Vec<Option<PositionVar>>,
    /// Positions with a later one, so that the trace goes on after them.
    left: Vec<PositionVar>,
}

impl Steps {
    fn of(constraint: &Constraint) -> Self {
        let mut before = vec![None; constraint.positions];
        let mut left = Vec::new();
        for fact in &constraint.facts {
            let FactKind::Order(order) = fact.kind else { continue };
            let [first, second] = [fact.positions[0], fact.positions[1]];
            left.push(first);
            if order == Order::Next {
                before[second.index()] = Some(first);
            }
        }
        left.sort_unstable();
        left.dedup();
        Self { before, left }
    }
}

/// Demands that a position is a first state, if it has no label, or the state after such a step from another one.
fn arrive(unrolling: &mut Unrolling<'_>, from: Position, to: Position) {
    let model = unrolling.model;
    let Frame { actions, args, unlabelled, .. } = unrolling.frame(to).clone();
    for (action, (taken, args)) in actions.into_iter().zip(args).enumerate() {
        let step = unrolling.is_step(from, action, &args, to);
        unrolling.circuit.add_clause(&[!taken, step]);
    }
    let first = unlabelled.unwrap_or(unrolling.circuit.no());
    for formula in &model.init {
        let holds = unrolling.state_truth(formula, to);
        unrolling.circuit.add_clause(&[!first, holds]);
    }
    let assumed = unrolling.assumed_of(to);
    unrolling.circuit.add_clause(&[assumed]);
}

/// Literals that say that the facts hold where position variables lie in these frames. Of absences, that is what they say of
/// positions that the order puts into their stretches.
pub(crate) fn facts_at(
    circuit: &mut Circuit,
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    frames: &[Frame],
    places: &[Position],
) -> Vec<Lit> {
    let mut lits = Vec::new();
    let mut individuals = Vec::new();
    for &domain in &constraint.individuals {
        let yes = circuit.yes();
        individuals.push(Symbolic::fresh(circuit, &model.types, atoms.type_of(domain), yes, Form::default()));
    }
    let mut says = |atom: &Atom, fact: &Fact, at: &[PositionVar]| {
        let mut encoder = Encoder::new(circuit, model, frames);
        for (&param, position) in atom.params.iter().zip(at) {
            encoder.bind_position(param, places[position.index()]);
        }
        for (param, individual) in atom.values.iter().zip(&fact.individuals) {
            encoder.bind(param.local, individuals[individual.index()].clone());
        }
        encoder.truth(&atom.expr)
    };
    for fact in &constraint.facts {
        match fact.kind {
            FactKind::Order(_) => {}
            FactKind::Atom(atom) => lits.push(says(atoms.get(atom), fact, &fact.positions)),
            FactKind::Absent(atom, stretch) => {
                let inside =
                    constraint.variables().filter(|&p| lies_in(constraint, stretch, &fact.positions, p));
                lits.extend(inside.map(|p| !says(atoms.get(atom), fact, &[p])));
            }
        }
    }
    lits
}

/// Whether the order of positions says that one of them is in a stretch with these bounds.
fn lies_in(constraint: &Constraint, stretch: Stretch, bounds: &[PositionVar], position: PositionVar) -> bool {
    match stretch {
        Stretch::Between => constraint.orders(bounds[0], position) && constraint.orders(position, bounds[1]),
        Stretch::Before => constraint.orders(position, bounds[0]),
        Stretch::After => constraint.orders(bounds[0], position),
    }
}

/// A position with any state and any label.
pub(crate) fn any_frame(circuit: &mut Circuit, model: &Model) -> Frame {
    let alive = circuit.yes();
    let forms = Forms::of(model);
    let variables = model.variables.iter().enumerate();
    let any = |(index, v): (usize, &Variable)| {
        let form = forms.variable(VarId(index as u32));
        Symbolic::fresh(circuit, &model.types, &v.ty, alive, form)
    };
    let state = variables.map(any).collect();
    let actions: Vec<_> = model.actions.iter().map(|_| circuit.fresh()).collect();
    circuit.at_most_one(&actions);
    let unlabelled = Some(!circuit.any(&actions));
    let mut args = Vec::new();
    for (index, (action, &taken)) in model.actions.iter().zip(&actions).enumerate() {
        let of = action.params.iter().enumerate().map(|(number, p)| {
            Symbolic::fresh(circuit, &model.types, &p.ty, taken, forms.param(index, number))
        });
        args.push(of.collect());
    }
    Frame { actions, unlabelled, args, ..Frame::of_state(alive, state) }
}
