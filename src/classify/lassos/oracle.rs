//! Questions about all fair lassos of up to a bound that satisfy a formula.

use super::condition::{LassoCondition, meets};
use super::options::LassoProblem;
use super::space::{LassoPositions, LassoSpace};
use crate::facts::atom::Atoms;
use crate::results::statistics::Statistics;
use engines::ltl::{Fairness, LtlFormula, is_fair, satisfies};
use kit::budget::{Budget, Limited};
use lang::model::Model;
use lang::model::expr::Formula;
use lang::trace::Lasso;
use solvers::sat::{Lit, Setup};
use std::collections::BTreeMap;

/// The lassos of a model that are asked about.
#[derive(Clone, Copy)]
pub struct LassoQuery<'q> {
    /// The model.
    pub model: &'q Model,
    /// The atoms of all facts.
    pub atoms: &'q Atoms,
    /// The property.
    pub property: &'q Formula,
    /// True if they satisfy it; otherwise they violate it.
    pub satisfied: bool,
    /// The formula that they satisfy.
    pub formula: &'q LtlFormula,
    /// The conditions of fairness that they meet.
    pub fairness: &'q [Fairness],
    /// The greatest number of steps, at least 1.
    pub bound: usize,
}

impl<'q> LassoQuery<'q> {
    /// Those of up to a bound that violate the property; `violated` is its negation.
    pub fn violating(
        LassoProblem { model, formula, fairness }: LassoProblem<'q>,
        atoms: &'q Atoms,
        violated: &'q LtlFormula,
        bound: usize,
    ) -> Self {
        Self { model, atoms, property: formula, satisfied: false, formula: violated, fairness, bound }
    }

    /// Those of up to another bound that satisfy the property, which is `satisfied`.
    pub fn accepting(self, satisfied: &'q LtlFormula, bound: usize) -> Self {
        Self { satisfied: true, formula: satisfied, bound, ..self }
    }
}

/// Answers questions about lassos. For each number of steps that it comes to, it has a solver of its own. Each lasso that a solver finds
/// is evaluated by the definition; it is a bug in this program, and a panic, if that refuses it.
pub struct LassoOracle<'q> {
    asked: LassoQuery<'q>,
    pub(super) setup: Setup,
    pub(super) budget: &'q Budget,
    spaces: BTreeMap<usize, LassoSpace<'q>>,
}

impl<'q> LassoOracle<'q> {
    /// No question yet.
    pub fn new(asked: LassoQuery<'q>, setup: Setup, budget: &'q Budget) -> Self {
        Self { asked, setup, budget, spaces: BTreeMap::new() }
    }

    /// The question of the search.
    pub fn asked(&self) -> LassoQuery<'q> {
        self.asked
    }

    /// Any lasso that meets the conditions; it may go round its loop several times.
    pub fn any(&mut self, conditions: &[LassoCondition]) -> Limited<Option<Lasso>> {
        let (space, lits) = self.prepared(self.asked.bound, conditions)?;
        let found = space.any(&lits)?;
        Ok(found.inspect(|lasso| self.confirm(lasso, conditions)))
    }

    /// Any lasso, found with at most so many conflicts; an error where these do not suffice to tell.
    pub fn any_within(
        &mut self,
        conditions: &[LassoCondition],
        most_conflicts: Option<u32>,
    ) -> Limited<Option<Lasso>> {
        let (space, _) = self.prepared(self.asked.bound, &[])?;
        space.limit_conflicts(most_conflicts);
        let found = self.any(conditions);
        let (space, _) = self.prepared(self.asked.bound, &[])?;
        space.limit_conflicts(None);
        found
    }

    /// Of the lassos of at least so many steps that meet the conditions, one with the fewest, with the shortest stem, and the first one
    /// in the order of the model.
    pub fn shortest(&mut self, least: usize, conditions: &[LassoCondition]) -> Limited<Option<Lasso>> {
        if least < self.asked.bound && self.any(conditions)?.is_none() {
            return Ok(None);
        }
        for steps in least..=self.asked.bound {
            self.budget.check()?;
            let (space, lits) = self.prepared(steps, conditions)?;
            if let Some(lasso) = space.first(&lits)? {
                self.confirm(&lasso, conditions);
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    /// Asserts that a lasso meets the conditions, by the definition.
    fn confirm(&self, lasso: &Lasso, conditions: &[LassoCondition]) {
        let LassoQuery { model, atoms, property, satisfied, fairness, .. } = self.asked;
        let is_right = satisfies(model, property, lasso) == satisfied
            && is_fair(model, fairness, lasso)
            && conditions.iter().all(|condition| meets((model, atoms), lasso, condition));
        assert!(is_right, "the encoding and the definition disagree on {lasso:?}");
    }

    /// Adds the calls and sizes of the solvers.
    pub fn add_to(&self, statistics: &mut Statistics) {
        self.spaces.values().for_each(|space| statistics.add_solver(space.circuit()));
    }

    /// How often solvers were called, and for how many seconds.
    pub fn calls(&self) -> (u64, f64) {
        let circuits = self.spaces.values().map(LassoSpace::circuit);
        circuits.fold((0, 0.0), |(n, s), c| (n + c.solver_calls(), s + c.solver_seconds()))
    }

    /// The lassos of up to so many steps, with the literals of conditions.
    fn prepared(
        &mut self,
        steps: usize,
        conditions: &[LassoCondition],
    ) -> Limited<(&mut LassoSpace<'q>, Vec<Lit>)> {
        if !self.spaces.contains_key(&steps) {
            let LassoQuery { model, atoms, formula, fairness, .. } = self.asked;
            let of = (LassoPositions::OfModel, steps);
            let space = LassoSpace::new((model, atoms), (formula, fairness), of, self.setup, self.budget)?;
            self.spaces.insert(steps, space);
        }
        let space = self.spaces.get_mut(&steps).unwrap_or_else(|| unreachable!("it was just made"));
        let mut lits = Vec::new();
        for condition in conditions {
            match condition {
                LassoCondition::In(constraint) if constraint.individuals.is_empty() => {
                    lits.extend(constraint.facts.iter().map(|fact| space.fact(fact)));
                }
                _ => lits.push(space.condition(condition)),
            }
        }
        space.circuit().exhausted().map_or(Ok((space, lits)), Err)
    }
}
