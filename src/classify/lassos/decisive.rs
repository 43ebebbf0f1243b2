//! Decisive steps of infinite traces: from which position on the property cannot be met any more.

use super::condition::{LassoCondition, LassoForm};
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, DecisionPoints};
use engines::explore::Graph;
use engines::ltl::{ListedSystem, LtlFormula};
use kit::budget::{Budget, Limited};
use lang::model::Position;
use lang::trace::Lasso;

impl Classification<Infinite> {
    /// Looks for the decisive step of the representative of each class: among all infinite traces, if a graph has all states, and
    /// otherwise among those of up to the horizon. Leaves it open where the limits do not allow to tell.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn add_decisions(
        &mut self,
        problem: LassoProblem<'_>,
        options: &Options,
        graph: Option<&Graph>,
        budget: &Budget,
    ) {
        let LassoProblem { model, formula, fairness } = problem;
        let lassos: Vec<&Lasso> = self.classes.iter().map(|class| &class.representative).collect();
        let every = graph.and_then(|graph| {
            let listed = ListedSystem { model, graph, fairness };
            listed.decided(formula, &lassos, budget).ok()
        });
        let is_of_all = every.is_some();
        let positions = match every {
            Some(positions) => Some(positions),
            None => {
                let satisfied = LtlFormula::new(formula, true);
                let violated = LtlFormula::new(formula, false);
                let asked = LassoQuery::violating(problem, &self.atoms, &violated, self.lengths.bound());
                let asked = asked.accepting(&satisfied, self.sufficient_up_to);
                let mut search = LassoOracle::new(asked, options.setup(options.backend), budget);
                let decided = |class: &Class<Infinite>| decided(&mut search, &class.representative);
                self.classes.iter().map(decided).collect::<Limited<_>>().ok()
            }
        };
        self.decisions = positions.map(|positions| DecisionPoints { positions, is_of_all });
    }
}

/// The first position of a lasso such that no lasso which satisfies the property begins with the same states; `None` if there is none up to
/// the end of its first round.
fn decided(accepting: &mut LassoOracle<'_>, lasso: &Lasso) -> Limited<Option<Position>> {
    let mut can_be_met = |to: Position| -> Limited<bool> {
        let states = lasso.trace.moments[..=to.index()].iter().map(|moment| moment.state.clone());
        Ok(accepting.any(&[LassoCondition::Formed(LassoForm::Begins(states.collect()))])?.is_some())
    };
    if can_be_met(lasso.trace.last())? {
        return Ok(None);
    }
    // What can still be met at a position could be met before.
    let (mut least, mut most) = (0, lasso.len());
    while least < most {
        let middle = usize::midpoint(least, most);
        if can_be_met(Position::new(middle))? {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    Ok(Some(Position::new(most)))
}
