//! The questions of the classification loop about the traces of a model, answered by the unrolled model in a
//! SAT solver, or by an SMT solver that runs scripts.

use crate::automata::listing::Listing;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::memoised_trace::MemoisedTrace;
use crate::facts::problem::Problem;
use crate::oracles::condition::TraceCondition;
use crate::oracles::orbit::InterchangeableValues;
use crate::oracles::sat::Sufficiency;
use crate::results::statistics::Statistics;
use kit::budget::Limited;
use lang::model::eval;
use lang::model::expr::Expr;
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A condition on a finite trace.
pub type SampleCondition = TraceCondition<Constraint, Somewhere>;

/// The occurrence of one of several atoms, at any positions. There is at most one such condition at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Somewhere(pub Vec<AtomId>);

/// A preference among the counterexamples of a class that are equally long.
#[derive(Debug, Clone, Copy)]
pub enum Wish<'w> {
    /// The actions are not those of any of these traces.
    OtherActions(&'w [Trace]),
    /// The first state with a violation satisfies a formula.
    InViolation(&'w Expr),
}

/// Answers questions about the traces of a model.
///
/// Counterexamples end in their first violation, unless the length of traces is given.
pub trait Oracle<'m> {
    /// Returns the problem to classify.
    fn problem(&self) -> Problem<'m>;

    /// Returns the atoms of all facts and constraints.
    fn atoms(&self) -> &'m Atoms;

    /// Returns the lengths of the traces considered.
    fn lengths(&self) -> Lengths;

    /// Returns the greatest number of steps unrolled so far.
    fn longest(&self) -> usize;

    /// Returns the greatest number of steps of counterexamples.
    fn most_steps(&self) -> usize;

    /// Adds positions for counterexamples with their first violation after up to `steps` steps. Must not be
    /// called after the first question about sufficiency.
    fn grow_to(&mut self, steps: usize) -> Limited<()>;

    /// Returns false only if an atom of one position holds nowhere.
    fn may_hold(&mut self, atom: AtomId) -> bool;

    /// Prepares for questions with these conditions, if that takes time of its own.
    fn prepare(&mut self, conditions: &[SampleCondition]) {
        let _ = conditions;
    }

    /// Returns a counterexample that satisfies the conditions, with the fewest steps before its first
    /// violation in this range.
    fn shortest(
        &mut self,
        steps: RangeInclusive<usize>,
        conditions: &[SampleCondition],
    ) -> Limited<Option<Trace>>;

    /// Returns a counterexample that satisfies the conditions, with the fewest steps before its first
    /// violation, at least `least`.
    fn shortest_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>>;

    /// Returns any counterexample that satisfies the conditions.
    fn any(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>>;

    /// Returns a trace without violation, of at least `least` steps and at most the length of counterexamples, that
    /// satisfies the conditions.
    fn accepted_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>>;

    /// Returns any trace of at most the length of counterexamples, violating or not, that satisfies the conditions.
    fn any_trace(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>>;

    /// Returns the first counterexample with its first violation after `steps` steps that satisfies the conditions and
    /// the wish; `None` also if the solver has no order among counterexamples.
    fn wished(
        &mut self,
        steps: usize,
        conditions: &[SampleCondition],
        wish: Wish<'_>,
    ) -> Limited<Option<Trace>> {
        let _ = (steps, conditions, wish);
        Ok(None)
    }

    /// Limits the work for each question beside the search from now on, in conflicts of a SAT solver; an SMT solver has a
    /// second for a thousand.
    fn limit_conflicts(&mut self, most: Option<u32>);

    /// Returns the list of states, if there is one and traces may end anywhere.
    fn listing(&mut self) -> Option<&mut Listing<'m>> {
        None
    }

    /// Records a proved fact: no counterexample with its first violation after `steps` steps satisfies the conditions.
    fn note(&mut self, steps: usize, conditions: &[SampleCondition]);

    /// Returns the number of lengths to ask about at once after there was no counterexample of `width` lengths.
    fn wider(&self, width: usize) -> usize;

    /// Decides if the facts imply a violation in every trace of up to `steps` steps. `used` lists the
    /// position variables, ascending; the positions of an accepting trace are in its order.
    fn sufficiency_within(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency>;

    /// Like [`Oracle::sufficiency_within`], over all traces; on failure returns a shortest accepting trace, for display.
    fn sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency>;

    /// Returns the values known to be interchangeable.
    fn symmetries(&self) -> Option<&InterchangeableValues> {
        None
    }

    /// Breaks the symmetry of interchangeable values from now on, if that helps.
    fn exchange(&mut self, values: &Arc<InterchangeableValues>) {
        let _ = values;
    }

    /// Returns the number of variables of a SAT solver; 0 if another one answers.
    fn variables(&self) -> usize {
        0
    }

    /// True if a SAT solver answers, so that another one can check the result in about the same time.
    fn is_sat(&self) -> bool {
        false
    }

    /// Returns the name of the solver.
    fn solver(&self) -> String;

    /// Returns the number of solver calls, and their time in seconds.
    fn calls(&self) -> (u64, f64);

    /// Adds the calls and the size of the solver.
    fn add_to(&self, statistics: &mut Statistics);

    /// Returns the number of steps before the first violation of a counterexample.
    fn steps_to_violation(&self, trace: &Trace) -> usize {
        let Problem { model, invariant } = self.problem();
        eval::first_violation(model, invariant, &trace.moments).unwrap_or(trace.last()).steps()
    }

    /// Returns the assignment with which a trace satisfies a constraint; `None` if the trace is not in the class.
    fn matches(&self, constraint: &Constraint, trace: &Trace) -> Option<Assignment> {
        constraint.matches(self.problem().model, self.atoms(), &trace.moments)
    }

    /// True if a trace meets a condition, by the reference semantics.
    fn meets(&self, trace: &Trace, condition: &SampleCondition) -> bool {
        let has = |constraint: &Constraint| self.matches(constraint, trace).is_some();
        let occurs = |Somewhere(atoms): &Somewhere| {
            atoms.iter().any(|&atom| has(&Constraint::of_atom(self.atoms(), atom)))
        };
        condition.is_met(&has, &occurs)
    }

    /// True if a trace with memoised truth values satisfies a constraint.
    fn has(&self, constraint: &Constraint, example: &MemoisedTrace) -> bool {
        constraint.has(self.problem().model, self.atoms(), example)
    }
}
