//! The search for as few things as possible of which every violating trace of a context has one: an implicit hitting set.

use super::combinations::{self, Combinations};
use super::cover_search::{CoverOracle, CoverSearch, Demand};
use crate::facts::index::CandidateId;
use crate::results::statistics::Phase;
use crate::search::hitting_set;
use crate::search::hitting_set::HittingSet;
use crate::search::score::Score;
use kit::budget::Limited;
use rustc_hash::FxHashMap;

/// A violating trace, and what happens in it.
struct CoverSample<T> {
    trace: T,
    things: Vec<CandidateId>,
}

/// Treatment of a fact that all traces have: it distinguishes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedFactPolicy {
    /// It takes no part, unless it is a predicate: that all of them have this is worth being a class.
    Observed,
    /// It takes no part.
    Any,
    /// It is a class: these traces are a part of those that are to be told apart.
    Stays,
}

/// The violating traces of a context, and the things that are to cover them.
pub struct CoverLevel<'l, S: CoverSearch> {
    pub cover_search: &'l mut S,
    /// The things that may be chosen, but for those found to be necessary.
    eligible: Vec<CandidateId>,
    /// All that were eligible, in the order in which they are preferred where their scores are the same.
    ranking: Vec<CandidateId>,
    /// In the same order.
    scores: Vec<Score>,
    leaves_out: SharedFactPolicy,
    /// True if the search ends with the first remainder.
    whole: bool,
    samples: Vec<CoverSample<S::Trace>>,
    /// The least number of steps before a first violation that is not excluded; `None` before that was found.
    pub first_depth: Option<usize>,
    /// The choice.
    pub chosen: Vec<CandidateId>,
    /// True if there is no smaller choice.
    pub minimum: bool,
    /// Facts of every trace: they distinguish nothing and take no part.
    pub necessary: Vec<CandidateId>,
    /// The first of the shortest violating traces in which none of the things happens.
    pub remainder: Option<S::Trace>,
}

/// A chosen class as it is shown.
pub struct ShownClass<T> {
    /// The thing.
    pub id: CandidateId,
    /// A shortest trace in which it happens.
    pub representative: T,
    /// A shortest trace in which it happens and nothing else that was chosen.
    pub canonical: T,
}

/// A level as it is shown: its choice, shortest traces first, and the combinations that occur together.
pub struct CoverOutcome<T> {
    pub shown: Vec<ShownClass<T>>,
    pub combinations: Combinations<T>,
}

impl<'l, S: CoverSearch> CoverLevel<'l, S> {
    /// The traces of a cover_search, and some of the things with what they cost. What is known of the least number of steps of a violation is
    /// used.
    pub fn new(
        cover_search: &'l mut S,
        eligible: Vec<CandidateId>,
        scores: Vec<Score>,
        first_depth: Option<usize>,
    ) -> Self {
        Self {
            cover_search,
            ranking: eligible.clone(),
            eligible,
            scores,
            leaves_out: SharedFactPolicy::Observed,
            whole: false,
            samples: Vec::new(),
            first_depth,
            chosen: Vec::new(),
            minimum: true,
            necessary: Vec::new(),
            remainder: None,
        }
    }

    /// Sets the treatment of facts that all traces have.
    #[must_use]
    pub fn leaving_out(self, leaves_out: SharedFactPolicy) -> Self {
        Self { leaves_out, ..self }
    }

    /// Ends the search with the first remainder, for a cover that is of use only without one.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// Covers the traces, of which the first of the shortest may be known.
    pub fn search(&mut self, known: Option<S::Trace>) -> Limited<()> {
        let Some(first_depth) = self.first_depth else { return Ok(()) };
        let mut least = first_depth;
        let mut known = known;
        loop {
            if self.whole && self.remainder.is_some() {
                return Ok(());
            }
            self.cover_search.go_on(self.chosen.len())?;
            let found = match known.take() {
                Some(first) => Some(first),
                None => {
                    let outside = outside(&self.chosen, &self.eligible, self.remainder.is_some());
                    self.cover_search
                        .timed(Phase::Search, |cover_search| cover_search.first_from(least, &outside))?
                }
            };
            let before = self.chosen.clone();
            match found {
                Some(trace) => {
                    least = self.cover_search.steps(&trace);
                    self.add(trace);
                }
                None if self.drop_necessary() => {}
                None => return self.name_values(),
            }
            if !before.iter().all(|c| self.chosen.contains(c)) {
                // Shorter traces may have lost what covered them.
                least = first_depth;
            }
        }
    }

    /// Notes a violating trace outside of what was chosen, and chooses again.
    fn add(&mut self, trace: S::Trace) {
        self.cover_search.statistics().counterexamples += 1;
        let happens = |id: &CandidateId| self.cover_search.happens(*id, &trace);
        let things: Vec<CandidateId> = self.eligible.iter().copied().filter(happens).collect();
        if things.is_empty() {
            self.remainder = Some(trace);
            return;
        }
        self.samples.push(CoverSample { trace, things });
        self.choose();
    }

    fn choose(&mut self) {
        let ranks: FxHashMap<CandidateId, CandidateId> =
            self.ranking.iter().zip(0..).map(|(&id, rank)| (id, CandidateId::new(rank))).collect();
        let of_sample = |sample: &CoverSample<S::Trace>| sample.things.iter().map(|id| ranks[id]).collect();
        let covering: Vec<Vec<CandidateId>> = self.samples.iter().map(of_sample).collect();
        let HittingSet { chosen, minimum } = hitting_set::best(&covering, &self.scores);
        self.chosen = chosen.into_iter().map(|rank| self.ranking[rank.index()]).collect();
        self.minimum = minimum;
    }

    /// Where one thing happens in all violating traces, it tells nothing: it takes no part, and the traces found so far are
    /// looked at again. Returns whether that was so.
    fn drop_necessary(&mut self) -> bool {
        let &[only] = self.chosen.as_slice() else { return false };
        let stays = match self.leaves_out {
            SharedFactPolicy::Observed => self.cover_search.is_named(only),
            SharedFactPolicy::Any => false,
            SharedFactPolicy::Stays => true,
        };
        if stays || self.remainder.is_some() {
            return false;
        }
        self.necessary.push(only);
        let implied = self.cover_search.implied(only);
        let is_idle = |id: &CandidateId| *id == only || implied.contains(id);
        self.eligible.retain(|id| !is_idle(id));
        self.samples.iter_mut().for_each(|sample| sample.things.retain(|id| !is_idle(id)));
        let (left, over): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.samples).into_iter().partition(|sample| !sample.things.is_empty());
        self.samples = left;
        let least = |sample: &CoverSample<S::Trace>| self.cover_search.steps(&sample.trace);
        self.remainder = over.into_iter().min_by_key(least).map(|sample| sample.trace);
        self.choose();
        true
    }

    /// Names values instead of individuals where that leaves all traces to a thing.
    fn name_values(&mut self) -> Limited<()> {
        for index in 0..self.chosen.len() {
            self.chosen[index] = self.with_values(self.chosen[index])?;
        }
        for id in std::mem::take(&mut self.necessary) {
            let narrower = self.with_values(id)?;
            // With other values, it may happen in what is left over.
            let stays = self.remainder.is_some() && narrower != id;
            self.necessary.extend(stays.then_some(id).into_iter().chain([narrower]));
        }
        Ok(())
    }

    /// The narrower thing that happens in the same violating traces, if there is one and it has no equal, or the thing itself.
    fn with_values(&mut self, id: CandidateId) -> Limited<CandidateId> {
        let seen: Vec<&CoverSample<S::Trace>> =
            self.samples.iter().filter(|sample| sample.things.contains(&id)).collect();
        let everywhere = |narrower: &CandidateId| {
            seen.iter().all(|sample| self.cover_search.happens(*narrower, &sample.trace))
        };
        let narrower = self.cover_search.narrower(id).into_iter();
        let groups: Vec<Vec<CandidateId>> =
            narrower.map(|alike| alike.into_iter().filter(everywhere).collect()).collect();
        for alike in groups {
            let mut found = Vec::new();
            for narrower in alike {
                if self.cover_search.any(&[Demand::In(id), Demand::Outside(narrower)])?.is_none() {
                    found.push(narrower);
                }
            }
            // Where it is so of several values, none of them stands for all.
            match found.as_slice() {
                [] => {}
                &[only] => return Ok(only),
                _ => return Ok(id),
            }
        }
        Ok(id)
    }

    /// The candidates that were not chosen.
    pub fn others(&self) -> Vec<CandidateId> {
        let chosen = |id: &CandidateId| {
            let mut narrower = self.cover_search.narrower(*id).into_iter().flatten();
            self.chosen.contains(id) || narrower.any(|narrower| self.chosen.contains(&narrower))
        };
        self.eligible.iter().copied().filter(|id| !chosen(id)).collect()
    }

    /// The traces that were looked at.
    pub fn traces(&self) -> impl Iterator<Item = &S::Trace> {
        self.samples.iter().map(|sample| &sample.trace).chain(&self.remainder)
    }

    /// The choice with its traces, and the combinations that occur, as far as the budget goes.
    pub fn outcome(&mut self) -> CoverOutcome<S::Trace> {
        let mut shown = Vec::new();
        let mut ended = None;
        for id in self.chosen.clone() {
            match self.shown(id) {
                Ok(Some(class)) => shown.push(class),
                Ok(None) => self.chosen.retain(|c| *c != id),
                Err(why) => ended = Some(why),
            }
        }
        let length = |shown: &ShownClass<S::Trace>| self.cover_search.length(&shown.representative);
        shown.sort_by_key(length);
        self.chosen = shown.iter().map(|shown| shown.id).collect();
        let mut combinations = match self.first_depth {
            Some(least) => combinations::occurring(self.cover_search, &self.chosen, least),
            None => Combinations::default(),
        };
        combinations.ended = ended.or(combinations.ended);
        CoverOutcome { shown, combinations }
    }

    /// Drops what is redundant in the choice. Returns for each that stays the first of the shortest traces without the others.
    pub fn drop_redundant(&mut self) -> Limited<Vec<S::Trace>> {
        let mut own = Vec::new();
        for id in self.chosen.clone() {
            match self.alone(id)? {
                Some(trace) => own.push(trace),
                None => self.chosen.retain(|c| *c != id),
            }
        }
        Ok(own)
    }

    /// The first of the shortest traces with this thing and nothing else that was chosen.
    fn alone(&mut self, id: CandidateId) -> Limited<Option<S::Trace>> {
        let least = self.first_depth.unwrap_or_default();
        let others = self.chosen.iter().copied().filter(|&c| c != id);
        let demands: Vec<Demand> = others.map(Demand::Outside).chain([Demand::In(id)]).collect();
        self.cover_search.first_from(least, &demands)
    }

    /// A chosen class as it is shown; `None` if it is redundant.
    fn shown(&mut self, id: CandidateId) -> Limited<Option<ShownClass<S::Trace>>> {
        let least = self.first_depth.unwrap_or_default();
        let Some(canonical) = self.alone(id)? else { return Ok(None) };
        let shortest = self.cover_search.first_from(least, &[Demand::In(id)])?;
        let as_short =
            |trace: &S::Trace| self.cover_search.steps(trace) == self.cover_search.steps(&canonical);
        let representative = shortest.filter(|trace| !as_short(trace)).unwrap_or_else(|| canonical.clone());
        Ok(Some(ShownClass { id, representative, canonical }))
    }

    /// The claims about the traces.
    pub fn claims(&self) -> CoverClaims<S::Trace> {
        CoverClaims {
            eligible: self.eligible.clone(),
            chosen: self.chosen.clone(),
            minimum: self.minimum,
            necessary: self.necessary.clone(),
            remainder: self.remainder.clone(),
        }
    }
}

/// Claims about the traces of a context.
///
/// Every violating trace of the context in which one of the things happens has a chosen one, every one if there is no
/// remainder; nothing happens in the remainder, and what is necessary happens in every trace.
pub struct CoverClaims<T> {
    eligible: Vec<CandidateId>,
    pub chosen: Vec<CandidateId>,
    pub minimum: bool,
    pub necessary: Vec<CandidateId>,
    pub remainder: Option<T>,
}

impl<T: Clone + std::fmt::Debug> CoverClaims<T> {
    /// Checks them with other solvers, which know the same things.
    ///
    /// # Panics
    /// If any of this is wrong: that is a bug in this program.
    pub fn check(&self, fresh: &mut impl CoverOracle<Trace = T>) -> Limited<()> {
        for &id in &self.necessary {
            let found = fresh.any(&[Demand::Outside(id)])?;
            assert!(found.is_none(), "self-check: {} is not necessary: {found:?}", fresh.text(id));
        }
        if let Some(trace) = &self.remainder {
            let happening = self.eligible.iter().find(|id| fresh.happens(**id, trace));
            let happening = happening.map(|&id| fresh.text(id));
            assert!(happening.is_none(), "self-check: {happening:?} happens in the remainder: {trace:?}");
            assert!(fresh.contains(trace), "self-check: the remainder is not of the context: {trace:?}");
        }
        let found = fresh.any(&outside(&self.chosen, &self.eligible, self.remainder.is_some()))?;
        assert!(found.is_none(), "self-check: no class of the cover contains {found:?}");
        Ok(())
    }
}

/// Demands that none of the chosen facts holds; once there is a remainder, another fact has to hold.
fn outside(chosen: &[CandidateId], eligible: &[CandidateId], leaves_over: bool) -> Vec<Demand> {
    let something = || Demand::AnyOf(eligible.iter().map(|&id| Demand::In(id)).collect());
    chosen.iter().map(|&id| Demand::Outside(id)).chain(leaves_over.then(something)).collect()
}
