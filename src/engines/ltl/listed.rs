//! Formulas decided over all states of a model.

use super::definition::{is_fair, satisfies};
use super::emptiness::{LassoWalk, fair_loops, one_fair_loop, shortest};
use super::fairness::Fairness;
use super::formula::LtlFormula;
use super::places::{LoopDemands, LtlPlaces, NoProduct};
use super::product::TableauProduct;
use crate::explore::Graph;
use explicit::lts::Components;
use kit::budget::Budget;
use lang::model::expr::Formula;
use lang::model::value::Moment;
use lang::model::{Model, Position};
use lang::trace::{Lasso, Trace};

/// All states of a model, with the fairness conditions on its infinite traces.
pub struct ListedSystem<'a> {
    /// The model.
    pub model: &'a Model,
    /// All of its reachable states.
    pub graph: &'a Graph,
    /// The conditions that infinite traces meet.
    pub fairness: &'a [Fairness],
}

/// The truth of a formula.
#[derive(Debug, Clone, PartialEq)]
pub enum LtlTruth {
    /// Every fair infinite trace satisfies it.
    Holds,
    /// A fair lasso that violates it.
    Violated {
        /// One with the fewest steps, including the one that closes the loop; among these, one with the shortest stem.
        lasso: Lasso,
        /// True if the lasso is proved to be shortest; the budget may end before.
        is_shortest: bool,
    },
}

impl ListedSystem<'_> {
    /// Decides a formula.
    ///
    /// # Errors
    /// If the limits do not allow a decision.
    ///
    /// # Panics
    /// If the definition does not confirm the result, which is a bug in the search.
    pub fn decide(&self, formula: &Formula, budget: &Budget) -> Result<LtlTruth, NoProduct> {
        let mut best: Option<(Lasso, bool)> = None;
        // A lasso that violates the formula satisfies one of these; hence a shortest of all is shortest for one.
        for negated in LtlFormula::new(formula, false).alternatives() {
            let known = best.as_ref().map(|(lasso, _)| (lasso.len(), lasso.start.steps()));
            match self.find(&negated, known, budget) {
                Ok(Some((lasso, is_shortest))) => {
                    let so_far = best.is_none_or(|(_, so_far)| so_far);
                    best = Some((lasso, is_shortest && so_far));
                }
                Ok(None) => {}
                Err(why) => match best.take() {
                    None => return Err(why),
                    Some((lasso, _)) => {
                        best = Some((lasso, false));
                        break;
                    }
                },
            }
        }
        let Some((lasso, is_shortest)) = best else { return Ok(LtlTruth::Holds) };
        let violates = !satisfies(self.model, formula, &lasso) && is_fair(self.model, self.fairness, &lasso);
        assert!(violates, "the search and the definition disagree on {lasso:?}");
        Ok(LtlTruth::Violated { lasso, is_shortest })
    }

    /// True if there is a fair infinite trace at all.
    ///
    /// # Errors
    /// If the limits do not allow a decision.
    pub fn has_fair_trace(&self, budget: &Budget) -> Result<bool, NoProduct> {
        let product = self.product(
            &LtlPlaces::states(self.graph, budget)?,
            &LoopDemands::default(),
            &LtlFormula::anything(),
            budget,
        )?;
        Ok(fair_loops(&product, budget)?.iter().any(|&own| own != Components::NONE))
    }

    /// Returns the number of states without successor.
    pub fn dead_ends(&self) -> usize {
        self.graph.steps.iter().filter(|steps| steps.is_empty()).count()
    }

    /// Returns a shortest fair lasso that satisfies the formula, if there is one better than the best known, with true
    /// if it is proved to be shortest.
    fn find(
        &self,
        formula: &LtlFormula,
        best: Option<(usize, usize)>,
        budget: &Budget,
    ) -> Result<Option<(Lasso, bool)>, NoProduct> {
        let places = LtlPlaces::states(self.graph, budget)?;
        let product = self.product(&places, &LoopDemands::default(), formula, budget)?;
        if product.places.is_empty() {
            return Ok(None);
        }
        let fair = fair_loops(&product, budget)?;
        let walk = shortest(&product, &fair, best, budget)?;
        Ok(walk.map(|walk| (self.lasso(&places, &product, &walk), walk.is_shortest)))
    }

    /// Returns a fair lasso that satisfies the formula, or violates it if `positive` is false, and whose loop meets the
    /// limits. It need not be a shortest one, since its loop is one of places.
    ///
    /// # Errors
    /// If the limits do not allow a decision.
    pub fn lasso_within(
        &self,
        (formula, positive): (&Formula, bool),
        places: &LtlPlaces,
        limits: &LoopDemands,
        budget: &Budget,
    ) -> Result<Option<Lasso>, NoProduct> {
        for part in LtlFormula::new(formula, positive).alternatives() {
            let product = self.product(places, limits, &part, budget)?;
            if product.places.is_empty() {
                continue;
            }
            let Some(fair) = one_fair_loop(&product, budget)? else { continue };
            if let Some(walk) = shortest(&product, &fair, None, budget)? {
                return Ok(Some(self.lasso(places, &product, &walk)));
            }
        }
        Ok(None)
    }

    fn product(
        &self,
        places: &LtlPlaces,
        limits: &LoopDemands,
        formula: &LtlFormula,
        budget: &Budget,
    ) -> Result<TableauProduct, NoProduct> {
        TableauProduct::new((self.model, self.graph), (places, limits), formula, self.fairness, budget)
    }

    /// Returns the lasso of a walk.
    fn lasso(&self, places: &LtlPlaces, product: &TableauProduct, walk: &LassoWalk) -> Lasso {
        let mut at = walk.start;
        let mut stem = Vec::new();
        while let Some((from, label)) = product.from[at as usize] {
            stem.push((label, at));
            at = from;
        }
        stem.reverse();
        let start = Position::after(stem.len());
        let state = |pair: u32| {
            let place = product.places[pair as usize];
            self.graph.states[places.states[place as usize] as usize].clone()
        };
        let first = Moment { label: None, state: state(at) };
        let moments = stem.iter().chain(&walk.round).map(|&(label, to)| Moment {
            label: self.graph.labels.get(label as usize).cloned(),
            state: state(to),
        });
        Lasso { trace: Trace { moments: std::iter::once(first).chain(moments).collect() }, start }
    }
}
