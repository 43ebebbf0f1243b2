//! Compares a result about infinite traces with stored classes.

use super::condition::LassoCondition;
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use crate::oracles::baseline::{KnownClass, Novelty};
use crate::results::options::Options;
use crate::results::result::Classification;
use engines::ltl::LtlFormula;
use kit::budget::Budget;

impl Classification<Infinite> {
    /// Compares each class with the known ones, for violating lassos up to the bound. The constraints of `known` are over
    /// the atoms of this result.
    pub fn novelties(
        &self,
        problem: LassoProblem<'_>,
        known: &[KnownClass<Infinite>],
        options: &Options,
        budget: &Budget,
    ) -> Vec<Novelty<Infinite>> {
        let violated = LtlFormula::new(problem.formula, false);
        let asked = LassoQuery::violating(problem, &self.atoms, &violated, self.lengths.bound());
        let mut search = LassoOracle::new(asked, options.setup(options.backend), budget);
        let restored = known.iter().filter_map(|class| class.constraint.as_ref());
        let outside: Vec<LassoCondition> =
            restored.map(|known| LassoCondition::Outside(known.clone())).collect();
        self.novelties_by(problem.model, known, |constraint| {
            let inside = LassoCondition::In(constraint.clone());
            search.shortest(1, &[&outside[..], &[inside]].concat())
        })
    }
}
