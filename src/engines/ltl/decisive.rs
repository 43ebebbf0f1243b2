//! The position from which on an infinite trace can no longer satisfy a formula.

use super::emptiness::fair_loops;
use super::formula::LtlFormula;
use super::listed::ListedSystem;
use super::places::{LoopDemands, LtlPlaces, NoProduct};
use super::product::TableauProduct;
use explicit::lts::{Components, StateId};
use itertools::Itertools;
use kit::budget::Budget;
use kit::number::to_u32;
use lang::model::Position;
use lang::model::expr::Formula;
use lang::trace::Lasso;
use rustc_hash::FxHashSet;

impl ListedSystem<'_> {
    /// Returns for each lasso the first position of its infinite trace, counted on through the rounds of its loop, from
    /// which on the formula cannot be met: no fair infinite trace with the same states up to there satisfies it. `None`
    /// if every beginning can still be continued to a satisfying trace.
    ///
    /// # Errors
    /// If the limits do not allow a decision.
    pub fn decided(
        &self,
        formula: &Formula,
        lassos: &[&Lasso],
        budget: &Budget,
    ) -> Result<Vec<Option<Position>>, NoProduct> {
        let places = LtlPlaces::states(self.graph, budget)?;
        let mut ways = Vec::new();
        for part in LtlFormula::new(formula, true).alternatives() {
            let product = TableauProduct::new(
                (self.model, self.graph),
                (&places, &LoopDemands::default()),
                &part,
                self.fairness,
                budget,
            )?;
            if !product.places.is_empty() {
                let live = live(&product, budget)?;
                ways.push((product, live));
            }
        }
        let decided = |lasso: &&Lasso| self.first_decided(&ways, lasso, budget);
        lassos.iter().map(decided).collect()
    }

    /// The prefix of a trace corresponds to a set of pairs in each product; it decides if none of them is live. Each
    /// set depends on the last one and the next state, so the sequence of sets is eventually periodic.
    fn first_decided(
        &self,
        ways: &[(TableauProduct, Vec<bool>)],
        lasso: &Lasso,
        budget: &Budget,
    ) -> Result<Option<Position>, NoProduct> {
        let is_there = |product: &TableauProduct, pair: usize, at: Position| {
            self.graph.states[product.places[pair] as usize] == *lasso.trace.state(at)
        };
        let mut now: Vec<Vec<usize>> = Vec::new();
        for (product, _) in ways {
            let first = (0..product.places.len()).filter(|&pair| product.from[pair].is_none());
            now.push(first.filter(|&pair| is_there(product, pair, Position::FIRST)).collect());
        }
        let mut known: FxHashSet<(Position, Vec<Vec<usize>>)> = FxHashSet::default();
        let (mut position, mut at) = (Position::FIRST, Position::FIRST);
        loop {
            budget.check()?;
            let is_live = |((_, live), pairs): (&(TableauProduct, Vec<bool>), &Vec<usize>)| {
                pairs.iter().any(|&p| live[p])
            };
            if !ways.iter().zip(&now).any(is_live) {
                return Ok(Some(position));
            }
            if !known.insert((at, now.clone())) {
                return Ok(None);
            }
            (position, at) = (position.next(), lasso.after(at));
            for ((product, _), pairs) in ways.iter().zip(&mut now) {
                let next = pairs.iter().flat_map(|&pair| product.lts.out(StateId::new(pair)));
                let next = next.map(|(_, to)| to.index()).filter(|&pair| is_there(product, pair, at));
                *pairs = next.sorted_unstable().dedup().collect();
            }
        }
    }
}

/// Returns for each pair of a product whether a fair loop is reachable from it.
fn live(product: &TableauProduct, budget: &Budget) -> Result<Vec<bool>, NoProduct> {
    const PACE: usize = 1 << 10;
    let fair = fair_loops(product, budget)?;
    let mut live: Vec<bool> = fair.iter().map(|&own| own != Components::NONE).collect();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); live.len()];
    for pair in 0..live.len() {
        for (_, to) in product.lts.out(StateId::new(pair)) {
            before[to.index()].push(to_u32(pair));
        }
    }
    let mut open: Vec<usize> = (0..live.len()).filter(|&pair| live[pair]).collect();
    let mut done = 0;
    while let Some(pair) = open.pop() {
        if done % PACE == 0 {
            budget.check()?;
        }
        done += 1;
        for &earlier in &before[pair] {
            if !std::mem::replace(&mut live[earlier as usize], true) {
                open.push(earlier as usize);
            }
        }
    }
    Ok(live)
}
