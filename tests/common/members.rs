//! Enumerates the traces of a class with the solver.
#![allow(dead_code)]

use classify::facts::atom::Atoms;
use classify::facts::constraint::Constraint;
use classify::facts::problem::Problem;
use classify::oracles::sat::SatOracle;
use kit::budget::Budget;
use kit::diagnostics::Span;
use lang::model::Model;
use lang::model::expr::Expr;
use lang::trace::Trace;
use solvers::sat::{Answer, Backend, Lit};
use solvers::unroll::Lengths;

/// All traces of these lengths that satisfy a constraint, shortest first.
pub fn members(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    lengths: Lengths,
    backend: Backend,
) -> Vec<Trace> {
    let anything = Expr::bool(true, Span::default());
    let problem = Problem::new(model, &anything);
    let space = SatOracle::unrolled(problem, atoms, lengths, backend, &Budget::unlimited());
    let mut space = space.expect("there is no budget");
    let facts = space.holding(&constraint.facts);
    let mut traces = Vec::new();
    for length in lengths.all() {
        loop {
            let mut assumptions = space.unrolling.ends_at(length);
            assumptions.extend(&facts);
            if space.circuit().solve(&assumptions) != Answer::Sat {
                break;
            }
            let trace = space.unrolling.decode(length);
            let mut same = space.unrolling.ends_at(length);
            same.extend(is_trace(&mut space, &trace));
            let clause: Vec<Lit> = same.into_iter().map(|l| !l).collect();
            space.circuit().add_clause(&clause);
            traces.push(trace);
        }
    }
    traces
}

/// Literals that hold iff the first positions are exactly this trace.
pub fn is_trace(space: &mut SatOracle<'_>, trace: &Trace) -> Vec<Lit> {
    let frames = &space.unrolling.frames;
    let circuit = &mut space.unrolling.circuit;
    let mut lits = Vec::new();
    for (frame, moment) in frames.iter().zip(&trace.moments) {
        for (symbolic, value) in frame.state.iter().zip(&moment.state.0) {
            lits.push(symbolic.is_value(circuit, value));
        }
        let Some(label) = &moment.label else { continue };
        lits.push(frame.actions[label.action]);
        for (symbolic, value) in frame.args[label.action].iter().zip(&label.args) {
            lits.push(symbolic.is_value(circuit, value));
        }
    }
    lits
}
