//! Facts of the initial state: they explain no violation.

use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use crate::facts::problem::Problem;
use crate::facts::restates::facts_at;
use crate::results::result::AtStart;
use itertools::Itertools;
use kit::budget::Budget;
use lang::model::Position;
use solvers::sat::{Answer, Backend, Circuit, Lit};
use solvers::unroll::{Lengths, Unrolling};

/// The most choices of individuals that are looked at.
const MOST_INSTANCES: usize = 256;
/// The most positions that something is asked about.
const MOST_POSITIONS: usize = 4;

/// Decides if a constraint holds before the first step, as far as that is found within the budget.
pub fn at_start(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> AtStart {
    let Problem { model, invariant } = problem;
    let is_known = constraint.facts.iter().all(|fact| matches!(fact.kind, FactKind::Atom(_)));
    let instances = constraint.instances(model, atoms, MOST_INSTANCES).filter(|_| is_known);
    let Some(instances) = instances.filter(|_| (1..=MOST_POSITIONS).contains(&constraint.positions)) else {
        return AtStart::Never;
    };
    let circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let mut unrolling = Unrolling::new(model, Lengths::UpTo(0), circuit);
    let frames = vec![unrolling.frames[0].clone(); constraint.positions];
    let positions: Vec<Position> = Position::all(frames.len()).collect();
    let mut ways = Vec::new();
    for places in (0..positions.len()).map(|_| positions.iter().copied()).multi_cartesian_product() {
        for instance in &instances {
            let facts = facts_at(&mut unrolling.circuit, model, atoms, instance, &frames, &places);
            ways.push(unrolling.circuit.all(&facts));
        }
    }
    let holds = unrolling.circuit.any(&ways);
    let good = unrolling.state_truth(invariant, Position::FIRST);
    let mut is_possible = |demands: &[Lit]| unrolling.circuit.solve(demands);
    match (is_possible(&[!holds]), is_possible(&[holds])) {
        (Answer::Unsat, Answer::Sat) => AtStart::Always,
        (_, Answer::Sat) if is_possible(&[holds, good]) == Answer::Sat => AtStart::Sometimes,
        _ => AtStart::Never,
    }
}
