//! Covers of the traces of one class: by which earlier facts do they differ? The traces may be of any kind.
//!
//! Candidates are the predicates of the vocabulary, and labels of steps for what these leave over. What every trace of the class
//! has takes no part. Labels do not make any predicate redundant. Where a trace of the class has none of all these, it needs
//! none of them: then whatever else happens is not how it came about.

use super::combinations::Combinations;
use super::cover_search::{CoverContext, CoverOracle, CoverSearch};
use super::level::{CoverLevel, CoverOutcome, SharedFactPolicy};
use crate::facts::index::CandidateId;
use crate::results::result::{Class, Cover, TraceKind};
use crate::search::score::Score;
use kit::budget::{Exhausted, Limited};

/// The search inside classes, with solvers for it and others that check its results.
pub trait CoverRefinement<K: TraceKind> {
    /// Answers questions during the search.
    type Search<'s>: CoverSearch<Trace = K::Trace>
    where
        Self: 's;
    /// Answers questions once more.
    type Fresh<'s>: CoverOracle<Trace = K::Trace>
    where
        Self: 's;

    /// The traces of a context in the solvers of the search.
    fn cover_search<'s>(&'s mut self, context: &'s CoverContext<K::Constraint>) -> Self::Search<'s>;
    /// The traces of a context in the solvers that check.
    fn fresh<'s>(&'s mut self, context: &'s CoverContext<K::Constraint>) -> Limited<Self::Fresh<'s>>;
    /// The cost of a candidate.
    fn score(&self, id: CandidateId) -> Score;
    fn constraint(&self, id: CandidateId) -> K::Constraint;
    /// The predicates that a context does not say by itself.
    fn predicates(&self, context: &CoverContext<K::Constraint>) -> Vec<CandidateId>;
    /// The labels that a context does not say by itself, the first one best, for what predicates leave over, of which one trace is known.
    fn labels(&self, context: &CoverContext<K::Constraint>, first: &K::Trace) -> Vec<CandidateId>;
    /// True if a candidate occurs in a trace.
    fn happens(&self, id: CandidateId, trace: &K::Trace) -> bool;
    /// The classes of an outcome in a context, and the combinations; what ended the search for them.
    fn classes(
        &mut self,
        context: &CoverContext<K::Constraint>,
        outcome: CoverOutcome<K::Trace>,
    ) -> (Vec<Class<K>>, Combinations<K::Trace>);
    /// Checks the classes of a context.
    ///
    /// # Panics
    /// If they are wrong: that is a bug in this program.
    fn check(&mut self, context: &CoverContext<K::Constraint>, classes: &[Class<K>]) -> Limited<()>;
    /// Notes the limit that ended a check.
    ///
    /// # Errors
    /// With this limit, if a result that is not checked is none.
    fn unchecked(&mut self, why: Exhausted) -> Limited<()> {
        Err(why)
    }

    /// Covers the traces of a context. There is no violation before `least` steps.
    fn node(&mut self, context: &CoverContext<K::Constraint>, least: usize) -> ContextAnalysis<K> {
        let mut node = ContextAnalysis { minimum: true, ..ContextAnalysis::default() };
        if let Err(why) = self.fill(context, least, &mut node) {
            // What was not checked is not shown.
            node = ContextAnalysis { ended: Some(why), traces: node.traces, ..ContextAnalysis::default() };
        }
        node
    }

    /// Fills what is known of a context.
    fn fill(
        &mut self,
        context: &CoverContext<K::Constraint>,
        least: usize,
        node: &mut ContextAnalysis<K>,
    ) -> Limited<()> {
        let predicates = self.by_predicates(context, least, node)?;
        let mut chosen = predicates.chosen.clone();
        if let Some(first) = node.remainder.clone() {
            chosen.extend(self.by_labels(context, least, predicates, first, node)?);
        }
        let scores = chosen.iter().map(|&id| self.score(id)).collect();
        let mut cover_search = self.cover_search(context);
        let mut all = CoverLevel::new(&mut cover_search, chosen.clone(), scores, Some(least));
        all.chosen = chosen;
        let outcome = all.outcome();
        drop(cover_search);
        (node.classes, node.combinations) = self.classes(context, outcome);
        node.combinations.ended.map_or(Ok(()), Err)?;
        self.check(context, &node.classes).or_else(|why| self.unchecked(why))
    }

    /// Covers a context by predicates as far as they happen in it.
    fn by_predicates(
        &mut self,
        context: &CoverContext<K::Constraint>,
        least: usize,
        node: &mut ContextAnalysis<K>,
    ) -> Limited<ChosenPredicates<K::Trace>> {
        let eligible = self.predicates(context);
        let scores = eligible.iter().map(|&id| self.score(id)).collect();
        let mut cover_search = self.cover_search(context);
        let mut level = CoverLevel::new(&mut cover_search, eligible, scores, Some(least))
            .leaving_out(SharedFactPolicy::Any);
        level.search(None)?;
        node.traces = level.traces().count();
        let own = level.drop_redundant()?;
        let claims = level.claims();
        drop(cover_search);
        let checked = self.fresh(context).and_then(|mut fresh| claims.check(&mut fresh));
        checked.or_else(|why| self.unchecked(why))?;
        node.minimum = claims.minimum;
        node.remainder = claims.remainder;
        node.necessary = claims.necessary.iter().map(|&id| self.constraint(id)).collect();
        Ok(ChosenPredicates { chosen: claims.chosen, own })
    }

    /// Covers what predicates leave over by labels, which must not make predicates redundant; none if these leave something
    /// over as well: then it comes about without anything that has a name. The first of the traces is known.
    fn by_labels(
        &mut self,
        context: &CoverContext<K::Constraint>,
        least: usize,
        predicates: ChosenPredicates<K::Trace>,
        first: K::Trace,
        node: &mut ContextAnalysis<K>,
    ) -> Limited<Vec<CandidateId>> {
        let mut eligible = self.labels(context, &first);
        eligible.retain(|&id| !predicates.own.iter().any(|trace| self.happens(id, trace)));
        let leaves_out =
            if predicates.chosen.is_empty() { SharedFactPolicy::Any } else { SharedFactPolicy::Stays };
        let rest = CoverContext { inside: context.inside.clone(), outside: predicates.chosen };
        let scores = eligible.iter().map(|&id| self.score(id)).collect();
        let mut cover_search = self.cover_search(&rest);
        let mut level =
            CoverLevel::new(&mut cover_search, eligible, scores, Some(least)).leaving_out(leaves_out).whole();
        level.search(Some(first))?;
        if level.remainder.is_some() {
            return Ok(Vec::new());
        }
        level.drop_redundant()?;
        let claims = level.claims();
        drop(cover_search);
        let checked = self.fresh(&rest).and_then(|mut fresh| claims.check(&mut fresh));
        checked.or_else(|why| self.unchecked(why))?;
        node.minimum &= claims.minimum;
        node.remainder = None;
        node.necessary.extend(claims.necessary.iter().map(|&id| self.constraint(id)));
        Ok(claims.chosen)
    }
}

pub struct ContextAnalysis<K: TraceKind> {
    /// Its causes.
    pub classes: Vec<Class<K>>,
    /// The combinations of them that occur.
    pub combinations: Combinations<K::Trace>,
    /// Constraints that every trace of the context satisfies.
    pub necessary: Vec<K::Constraint>,
    /// A trace without any of the causes.
    pub remainder: Option<K::Trace>,
    /// True if no smaller choice does.
    pub minimum: bool,
    /// The limit that ended the search.
    pub ended: Option<Exhausted>,
    /// How many traces of the context were looked at.
    pub traces: usize,
}

impl<K: TraceKind> ContextAnalysis<K> {
    /// The classes and the cover of the traces of one class, which says this.
    pub fn cover(self, context: K::Constraint) -> (Vec<Class<K>>, Cover<K>) {
        let Combinations { found: combinations, all, .. } = self.combinations;
        let (remainder, necessary, context) = (self.remainder, self.necessary, Some(context));
        (self.classes, Cover { combinations, all, remainder, necessary, context, ..Cover::default() })
    }
}

impl<K: TraceKind> Default for ContextAnalysis<K> {
    /// Nothing is known.
    fn default() -> Self {
        Self {
            classes: Vec::new(),
            combinations: Combinations::default(),
            necessary: Vec::new(),
            remainder: None,
            minimum: false,
            ended: None,
            traces: 0,
        }
    }
}

/// A class that covers a part of the traces of a context.
pub struct ChosenPredicates<T> {
    chosen: Vec<CandidateId>,
    /// For each of them a trace without the others.
    own: Vec<T>,
}
