//! What is new in a result: violating lassos that are in none of the classes that were known before.

use super::condition::Condition;
use super::constraint::LassoConstraint;
use super::options::{LassoOptions, LassoProblem};
use super::result::{LassoClass, LassoClassification, LassoVerdict};
use super::search::{Asked, Search};
use crate::oracles::baseline::{Comparison, KnownClass, Novelty};
use engines::ltl::Linear;
use kit::budget::Budget;
use lang::trace::Lasso;

/// A class that was known before the classification.
pub type KnownLassoClass = KnownClass<LassoConstraint>;
/// What a class is, compared with those that were known.
pub type LassoNovelty = Novelty<Lasso>;
/// A result beside the classes that were known before.
pub type LassoComparison = Comparison<LassoConstraint, Lasso>;

impl LassoClassification {
    /// Whether its classes have every violating lasso that was asked for.
    pub fn has_all(&self) -> bool {
        matches!(self.verdict, LassoVerdict::Holds | LassoVerdict::Complete)
    }

    /// For each class whether its violating lassos of up to the bound are of kinds that were known before. The constraints of `known`
    /// are over the atoms of this result.
    pub fn novelties(
        &self,
        problem: LassoProblem<'_>,
        known: &[KnownLassoClass],
        options: &LassoOptions,
        budget: &Budget,
    ) -> Vec<LassoNovelty> {
        let model = problem.model;
        let violated = Linear::new(problem.formula, false);
        let asked = Asked::violating(problem, &self.atoms, &violated, self.bound);
        let setup = options.setup(options.backend);
        let mut search = Search::new(asked, setup, budget);
        let restored = known.iter().filter_map(|class| class.constraint.as_ref());
        let outside: Vec<Condition> = restored.map(|known| Condition::Outside(known.clone())).collect();
        let novelty = |class: &LassoClass| {
            let text = class.constraint.show(model, &self.atoms);
            if let Some(same) = known.iter().find(|known| known.text == text) {
                return Novelty::Same(same.id);
            }
            let mut conditions = outside.clone();
            conditions.push(Condition::In(class.constraint.clone()));
            match search.shortest(1, &conditions) {
                Ok(Some(lasso)) => Novelty::New(lasso),
                Ok(None) => Novelty::Covered,
                Err(why) => Novelty::Open(why),
            }
        };
        self.classes.iter().map(novelty).collect()
    }
}
