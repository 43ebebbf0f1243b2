//! Violating lassos as what is covered.

use super::condition::LassoCondition;
use super::constraint::LassoConstraint;
use super::oracle::LassoOracle;
use super::things::LassoCoverItem;
use crate::facts::index::CandidateId;
use crate::results::statistics::{Statistics, Timed};
use crate::search::covering::cover_search::{CoverContext, CoverOracle, CoverSearch, Demand};
use kit::budget::{Activity, Budget, Limited, Observer, Progress};
use lang::trace::Lasso;

/// The violating lassos of a context, and what happens in them.
pub struct ContextLassos<'l, 'q> {
    pub search: &'l mut LassoOracle<'q>,
    pub things: &'l [LassoCoverItem],
    pub context: &'l CoverContext<LassoConstraint>,
    pub budget: &'l Budget,
    pub observer: &'l mut dyn Observer,
    pub statistics: &'l mut Statistics,
}

impl ContextLassos<'_, '_> {
    fn conditions(&self, demands: &[Demand]) -> Vec<LassoCondition> {
        self.context.conditions(demands, &|id| self.things[id.index()].constraint.clone())
    }
}

impl Timed for ContextLassos<'_, '_> {
    fn statistics(&mut self) -> &mut Statistics {
        self.statistics
    }
}

impl CoverOracle for ContextLassos<'_, '_> {
    type Trace = Lasso;

    fn first_from(&mut self, least: usize, demands: &[Demand]) -> Limited<Option<Lasso>> {
        let conditions = self.conditions(demands);
        self.search.shortest(least.max(1), &conditions)
    }

    fn any(&mut self, demands: &[Demand]) -> Limited<Option<Lasso>> {
        let conditions = self.conditions(demands);
        self.search.any(&conditions)
    }

    fn happens(&self, id: CandidateId, lasso: &Lasso) -> bool {
        let asked = self.search.asked();
        self.things[id.index()].constraint.holds(asked.model, asked.atoms, lasso)
    }

    fn contains(&self, lasso: &Lasso) -> bool {
        let asked = self.search.asked();
        let has = |constraint: &LassoConstraint| constraint.holds(asked.model, asked.atoms, lasso);
        self.context.inside.iter().all(has) && !self.context.outside.iter().any(|id| self.happens(*id, lasso))
    }

    fn steps(&self, lasso: &Lasso) -> usize {
        lasso.len()
    }

    fn length(&self, lasso: &Lasso) -> usize {
        lasso.len()
    }

    fn text(&self, id: CandidateId) -> String {
        let asked = self.search.asked();
        self.things[id.index()].constraint.show(asked.model, asked.atoms)
    }
}

impl CoverSearch for ContextLassos<'_, '_> {
    fn is_named(&self, id: CandidateId) -> bool {
        self.things[id.index()].is_named
    }

    fn narrower(&self, id: CandidateId) -> Vec<Vec<CandidateId>> {
        self.things[id.index()].narrower.clone()
    }

    fn implied(&self, id: CandidateId) -> Vec<CandidateId> {
        self.things[id.index()].implied.clone()
    }

    fn go_on(&mut self, chosen: usize) -> Limited<()> {
        self.budget.check()?;
        let counterexamples = self.statistics.counterexamples;
        let done = Progress::of(Activity::Search, self.search.asked().bound, self.search.calls());
        self.observer.progress(&Progress { counterexamples, classes: chosen, ..done });
        Ok(())
    }
}
