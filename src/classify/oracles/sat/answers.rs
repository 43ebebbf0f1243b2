//! Answers the questions of the classification loop with the unrolled model.

use super::{SatOracle, Sufficiency};
use crate::automata::listing::Listing;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Fact;
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::problem::Problem;
use crate::oracles::oracle::{Oracle, SampleCondition, Somewhere, Wish};
use crate::oracles::orbit::InterchangeableValues;
use crate::oracles::{block, occurrence};
use crate::results::statistics::Statistics;
use kit::budget::Limited;
use lang::model::Position;
use lang::trace::Trace;
use solvers::sat::Lit;
use solvers::unroll::Lengths;
use std::ops::RangeInclusive;
use std::sync::Arc;

impl SatOracle<'_> {
    /// Returns literals whose conjunction, when assumed, demands the conditions.
    pub fn literals(&mut self, conditions: &[SampleCondition]) -> Vec<Lit> {
        let mut literals = Vec::new();
        // The variables of questions about sufficiency serve one constraint.
        let mut is_first = true;
        for condition in conditions {
            match condition {
                SampleCondition::In(constraint) if std::mem::take(&mut is_first) => {
                    literals.extend(self.holding(&constraint.facts));
                }
                _ => literals.push(self.literal(condition)),
            }
        }
        literals
    }

    fn literal(&mut self, condition: &SampleCondition) -> Lit {
        match condition {
            SampleCondition::In(constraint) => self.present(constraint),
            SampleCondition::Outside(constraint) => !self.matched(constraint),
            SampleCondition::Formed(Somewhere(atoms)) => occurrence::somewhere(self, atoms),
            SampleCondition::AnyOf(conditions) => {
                let mut any = Vec::new();
                for condition in conditions {
                    any.push(match condition {
                        SampleCondition::Outside(constraint) => self.not_present(constraint),
                        _ => self.literal(condition),
                    });
                }
                self.circuit().any(&any)
            }
        }
    }

    /// Like [`SatOracle::literals`], with symmetry breaking, if only the existence of a counterexample matters.
    fn assumed(&mut self, conditions: &[SampleCondition]) -> Vec<Lit> {
        let constraints: Option<Vec<&Constraint>> = conditions
            .iter()
            .map(|condition| match condition {
                SampleCondition::In(constraint) | SampleCondition::Outside(constraint) => Some(constraint),
                SampleCondition::Formed(_) | SampleCondition::AnyOf(_) => None,
            })
            .collect();
        let in_order = constraints.and_then(|constraints| self.one_of_each_orbit(constraints.into_iter()));
        self.literals(conditions).into_iter().chain(in_order).collect()
    }

    /// Returns a literal that, when true, makes a constraint hold, with variables of its own.
    pub fn present(&mut self, constraint: &Constraint) -> Lit {
        if let Some(known) = self.occurring(constraint) {
            return known;
        }
        if let Some(&known) = self.present.get(constraint) {
            return known;
        }
        let number = self.present.len();
        let present = occurrence::anywhere(self, constraint, number);
        self.present.insert(constraint.clone(), present);
        present
    }

    /// Returns a literal that, when true in a gate, makes a constraint not hold.
    fn not_present(&mut self, constraint: &Constraint) -> Lit {
        if let Some(known) = self.occurring(constraint) {
            return !known;
        }
        let matched = self.matched(constraint);
        // The negated literal of a class that is excluded match by match says nothing of a match that no counterexample
        // has had.
        self.exclude_in_gates(matched);
        !matched
    }

    /// Returns a literal that is true exactly in the traces that satisfy a constraint, if the constraint is about one
    /// position and few choices of individuals.
    fn occurring(&mut self, constraint: &Constraint) -> Option<Lit> {
        if constraint.positions != 1 {
            return None;
        }
        if let Some(&known) = self.occurring.get(constraint) {
            return known;
        }
        let occurring = occurrence::occurring(self, constraint);
        self.occurring.insert(constraint.clone(), occurring);
        occurring
    }

    /// Returns a literal that is true in every trace that satisfies a constraint.
    pub fn matched(&mut self, constraint: &Constraint) -> Lit {
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

    fn accepted_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        let assumed = self.literals(conditions);
        SatOracle::accepted_from(self, least, &assumed)
    }

    fn any_trace(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        let assumed = self.literals(conditions);
        SatOracle::any_trace(self, &assumed)
    }

    fn wished(
        &mut self,
        steps: usize,
        conditions: &[SampleCondition],
        wish: Wish<'_>,
    ) -> Limited<Option<Trace>> {
        let mut assumed = self.literals(conditions);
        match wish {
            Wish::InViolation(formula) => assumed.push(self.state_truth(formula, Position::after(steps))),
            Wish::OtherActions(traces) => {
                for trace in traces {
                    let frames = self.unrolling.frames[1..].iter();
                    let others =
                        frames.zip(trace.labels()).map(|(frame, label)| !frame.actions[label.action]);
                    let others: Vec<Lit> = others.collect();
                    assumed.push(self.circuit().any(&others));
                }
            }
        }
        self.counterexample(steps, &assumed)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.circuit().limit_conflicts(most);
    }

    fn listing(&mut self) -> Option<&mut Listing<'m>> {
        SatOracle::listing(self)
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

    fn exchange(&mut self, values: &Arc<InterchangeableValues>) {
        SatOracle::exchange(self, Arc::clone(values));
    }

    fn variables(&self) -> usize {
        self.unrolling.circuit.variables()
    }

    fn is_sat(&self) -> bool {
        true
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
