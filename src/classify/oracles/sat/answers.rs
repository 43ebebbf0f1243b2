//! Answers the questions of the classification loop with the unrolled model.

use super::{SatOracle, Sufficiency};
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Fact;
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::problem::Problem;
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::orbit::InterchangeableValues;
use crate::oracles::{block, occurrence};
use crate::results::statistics::Statistics;
use kit::budget::Limited;
use lang::trace::Trace;
use solvers::sat::Lit;
use solvers::unroll::Lengths;
use std::ops::RangeInclusive;

impl SatOracle<'_> {
    /// Returns literals whose conjunction, when assumed, demands the conditions.
    pub fn literals(&mut self, conditions: &[SampleCondition]) -> Vec<Lit> {
        let mut literals = Vec::new();
        for condition in conditions {
            match condition {
                SampleCondition::In(constraint) => literals.extend(self.holding(&constraint.facts)),
                SampleCondition::Outside(constraint) => literals.push(!self.matched(constraint)),
                SampleCondition::Somewhere(atoms) => literals.push(occurrence::somewhere(self, atoms)),
            }
        }
        literals
    }

    /// Like [`SatOracle::literals`], with symmetry breaking, if only the existence of a counterexample matters.
    fn assumed(&mut self, conditions: &[SampleCondition]) -> Vec<Lit> {
        let constraints: Option<Vec<&Constraint>> = conditions
            .iter()
            .map(|condition| match condition {
                SampleCondition::In(constraint) | SampleCondition::Outside(constraint) => Some(constraint),
                SampleCondition::Somewhere(_) => None,
            })
            .collect();
        let in_order = constraints.and_then(|constraints| self.one_of_each_orbit(constraints.into_iter()));
        self.literals(conditions).into_iter().chain(in_order).collect()
    }

    /// Returns a literal that is true in every trace that satisfies a constraint.
    fn matched(&mut self, constraint: &Constraint) -> Lit {
        if let Some(&known) = self.matched.get(constraint) {
            return known;
        }
        let matched = block::matched(self, constraint);
        self.matched.insert(constraint.clone(), matched);
        matched
    }
}

impl<'m> Oracle<'m> for SatOracle<'m> {
    fn problem(&self) -> Problem<'m> {
        self.problem
    }

    fn atoms(&self) -> &'m Atoms {
        self.atoms
    }

    fn lengths(&self) -> Lengths {
        SatOracle::lengths(self)
    }

    fn longest(&self) -> usize {
        SatOracle::longest(self)
    }

    fn most_steps(&self) -> usize {
        SatOracle::most_steps(self)
    }

    fn grow_to(&mut self, steps: usize) -> Limited<()> {
        SatOracle::grow_to(self, steps)
    }

    fn may_hold(&mut self, atom: AtomId) -> bool {
        let no = self.unrolling.circuit.no();
        self.positions().any(|t| self.atom_at(atom, t) != no)
    }

    fn prepare(&mut self, conditions: &[SampleCondition]) {
        self.literals(conditions);
    }

    fn shortest(
        &mut self,
        steps: RangeInclusive<usize>,
        conditions: &[SampleCondition],
    ) -> Limited<Option<Trace>> {
        let assumed = self.assumed(conditions);
        self.first_among(steps, &assumed)
    }

    fn shortest_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        let assumed = self.assumed(conditions);
        self.first_from(least, &assumed)
    }

    fn any(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        let assumed = self.assumed(conditions);
        self.any_counterexample(&assumed)
    }

    fn note(&mut self, steps: usize, conditions: &[SampleCondition]) {
        let assumed = self.literals(conditions);
        self.settle(steps, &assumed);
    }

    fn wider(&self, width: usize) -> usize {
        self.more(width)
    }

    fn sufficiency_within(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency> {
        self.harmless()?.own_sufficiency_within(steps, facts, used)
    }

    fn sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        self.harmless()?.own_sufficiency_shown(facts, used)
    }

    fn symmetries(&self) -> Option<&InterchangeableValues> {
        self.exchange.as_deref()
    }

    fn sat(&mut self) -> Option<&mut SatOracle<'m>> {
        Some(self)
    }

    fn solver(&self) -> String {
        self.unrolling.circuit.solver_name().to_owned()
    }

    fn calls(&self) -> (u64, f64) {
        self.circuits().fold((0, 0.0), |(calls, seconds), circuit| {
            (calls + circuit.solver_calls(), seconds + circuit.solver_seconds())
        })
    }

    fn add_to(&self, statistics: &mut Statistics) {
        self.circuits().for_each(|circuit| statistics.add_solver(circuit));
    }
}
