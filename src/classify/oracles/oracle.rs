//! What the loop asks about the traces of a model, whoever answers: the unrolled model in a SAT solver, or an SMT solver that is
//! asked with scripts.

use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::example::Example;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::problem::Problem;
use crate::oracles::orbit::Exchange;
use crate::oracles::space::{Space, Sufficiency};
use crate::results::statistics::Statistics;
use kit::budget::Limited;
use lang::model::eval;
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::ops::RangeInclusive;

/// What is demanded of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It satisfies a constraint. At most one such condition is demanded at a time.
    In(Constraint),
    /// It does not satisfy a constraint.
    Outside(Constraint),
    /// It satisfies one of several atoms, at any positions.
    Somewhere(Vec<AtomId>),
}

/// Answers questions about the traces of a model.
///
/// Counterexamples end in their first violation, unless the length of traces is given.
pub trait Oracle<'m> {
    /// What is classified.
    fn problem(&self) -> Problem<'m>;

    /// The atoms of all facts and constraints.
    fn atoms(&self) -> &'m Atoms;

    /// Which traces are considered.
    fn lengths(&self) -> Lengths;

    /// The greatest number of steps that there are positions for so far.
    fn longest(&self) -> usize;

    /// The greatest number of steps of counterexamples.
    fn most_steps(&self) -> usize;

    /// Adds positions until there are enough for counterexamples whose first violation comes after up to so many steps. Not to be
    /// called after the first question about sufficiency.
    fn grow_to(&mut self, steps: usize) -> Limited<()>;

    /// Whether an atom of one position may hold anywhere. Where it is false, it holds nowhere.
    fn may_hold(&mut self, atom: AtomId) -> bool;

    /// Prepares for questions with these conditions, where that takes time of its own.
    fn prepare(&mut self, conditions: &[Condition]) {
        let _ = conditions;
    }

    /// A counterexample that satisfies the conditions, with as few steps before its first violation as any among these numbers of
    /// steps.
    fn shortest(&mut self, steps: RangeInclusive<usize>, conditions: &[Condition]) -> Limited<Option<Trace>>;

    /// A counterexample that satisfies the conditions, with as few steps before its first violation as any that takes at least so
    /// many.
    fn shortest_from(&mut self, least: usize, conditions: &[Condition]) -> Limited<Option<Trace>>;

    /// Any counterexample that satisfies the conditions.
    fn any(&mut self, conditions: &[Condition]) -> Limited<Option<Trace>>;

    /// Notes what was just proved: no counterexample has its first violation after so many steps and satisfies the conditions.
    fn note(&mut self, steps: usize, conditions: &[Condition]);

    /// How many numbers of steps are asked about at once after there was no counterexample for so many.
    fn wider(&self, width: usize) -> usize;

    /// Whether the facts imply a violation in every trace of up to so many steps. `used` lists the position variables, ascending;
    /// the positions of an accepting trace come in its order.
    fn sufficiency_within(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency>;

    /// The same in all traces, with a shortest accepting trace, because somebody will look at it.
    fn sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency>;

    /// The values that are known to be interchangeable.
    fn symmetries(&self) -> Option<&Exchange> {
        None
    }

    /// The unrolled model, if questions are answered by a SAT solver.
    fn space(&mut self) -> Option<&mut Space<'m>> {
        None
    }

    /// The name of the solver.
    fn solver(&self) -> String;

    /// How often a solver was called, and how many seconds that took.
    fn calls(&self) -> (u64, f64);

    /// Adds the calls and the size of the solver.
    fn add_to(&self, statistics: &mut Statistics);

    /// After how many steps a counterexample has its first violation.
    fn steps_to_violation(&self, trace: &Trace) -> usize {
        let Problem { model, invariant } = self.problem();
        eval::first_violation(model, invariant, &trace.moments).unwrap_or(trace.last()).steps()
    }

    /// What the variables stand for where a trace satisfies a constraint; `None` when the trace is not in the class.
    fn matches(&self, constraint: &Constraint, trace: &Trace) -> Option<Assignment> {
        constraint.matches(self.problem().model, self.atoms(), &trace.moments)
    }

    /// Whether a trace that is asked about many constraints satisfies one.
    fn has(&self, constraint: &Constraint, example: &Example) -> bool {
        constraint.has(self.problem().model, self.atoms(), example)
    }
}
