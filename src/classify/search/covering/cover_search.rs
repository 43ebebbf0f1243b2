//! Questions of a cover about violating traces, finite or infinite.

use super::things::CoverItem;
use crate::facts::constraint::Constraint;
use crate::facts::index::CandidateId;
use crate::oracles::condition::TraceCondition;
use crate::oracles::oracle::Oracle;
use crate::results::statistics::Timed;
use kit::budget::Limited;
use lang::trace::Trace;
use std::convert::Infallible;

/// A condition on a violating trace, with facts by number.
pub type Demand = TraceCondition<CandidateId, Infallible>;

/// The violating traces that are to be covered. Without anything, they are all.
#[derive(Debug, Clone)]
pub struct CoverContext<C> {
    /// Constraints that they satisfy.
    pub inside: Vec<C>,
    /// Facts that do not hold in them, by number.
    pub outside: Vec<CandidateId>,
}

impl<C> Default for CoverContext<C> {
    fn default() -> Self {
        Self { inside: Vec::new(), outside: Vec::new() }
    }
}

impl<C: Clone> CoverContext<C> {
    /// The violating traces of a class.
    pub fn of(constraint: C) -> Self {
        Self { inside: vec![constraint], outside: Vec::new() }
    }

    /// Returns the conditions on a trace of the context that meets the demands; `constraint` gives the constraint of a number.
    pub fn conditions<F>(
        &self,
        demands: &[Demand],
        constraint: &dyn Fn(CandidateId) -> C,
    ) -> Vec<TraceCondition<C, F>> {
        let inside = self.inside.iter().cloned().map(TraceCondition::In);
        let outside = self.outside.iter().map(|&id| TraceCondition::Outside(constraint(id)));
        inside.chain(outside).chain(demands.iter().map(|demand| condition(demand, constraint))).collect()
    }

    /// True if the context has all violating traces.
    pub fn is_empty(&self) -> bool {
        self.inside.is_empty() && self.outside.is_empty()
    }
}

fn condition<C, F>(demand: &Demand, constraint: &dyn Fn(CandidateId) -> C) -> TraceCondition<C, F> {
    match demand {
        Demand::In(id) => TraceCondition::In(constraint(*id)),
        Demand::Outside(id) => TraceCondition::Outside(constraint(*id)),
        Demand::AnyOf(demands) => {
            TraceCondition::AnyOf(demands.iter().map(|demand| condition(demand, constraint)).collect())
        }
        Demand::Formed(never) => match *never {},
    }
}

/// Answers questions about the violating traces of a context: those that are to be covered.
pub trait CoverOracle {
    /// A violating trace.
    type Trace: Clone + std::fmt::Debug;

    /// The first of the shortest that meet the demands and are violated after at least so many steps.
    fn first_from(&mut self, least: usize, demands: &[Demand]) -> Limited<Option<Self::Trace>>;
    /// Any that meets the demands.
    fn any(&mut self, demands: &[Demand]) -> Limited<Option<Self::Trace>>;
    /// True if a fact holds in a trace, by the reference semantics.
    fn happens(&self, id: CandidateId, trace: &Self::Trace) -> bool;
    /// True if a violating trace is one of the context, by the reference semantics.
    fn contains(&self, trace: &Self::Trace) -> bool;
    /// After how many steps a trace is violated.
    fn steps(&self, trace: &Self::Trace) -> usize;
    /// How many steps a trace has.
    fn length(&self, trace: &Self::Trace) -> usize;
    /// A thing as text.
    fn text(&self, id: CandidateId) -> String;
}

/// [`CoverOracle`] with everything else that a search needs: names, implications, limits.
pub trait CoverSearch: CoverOracle + Timed {
    /// True if a fact has a name, and is not just observed.
    fn is_named(&self, id: CandidateId) -> bool;
    /// Facts that hold less often than a fact and say more: groups of which the first comes first, and in which there must be only
    /// one.
    fn narrower(&self, id: CandidateId) -> Vec<Vec<CandidateId>>;
    /// Facts that hold wherever a fact does, and say less.
    fn implied(&self, id: CandidateId) -> Vec<CandidateId>;
    /// Looks at the limits and shows how far the search is, with so many things chosen.
    ///
    /// # Errors
    /// If the budget has ended.
    fn go_on(&mut self, chosen: usize) -> Limited<()>;
}

impl CoverContext<Constraint> {
    /// True if a violating trace is one of them, by the reference semantics.
    pub fn contains(&self, oracle: &dyn Oracle<'_>, things: &[CoverItem], trace: &Trace) -> bool {
        let has = |constraint: &Constraint| oracle.matches(constraint, trace).is_some();
        self.inside.iter().all(has) && !self.outside.iter().any(|id| has(&things[id.index()].constraint))
    }
}
