//! The end of a run: the verdict, redundancy, the self-check, and the result.

use super::FiniteSearch;
use super::checking::{Checking, SelfCheckResult, SpeculativeCheck};
use crate::facts::index::CandidateId;
use crate::oracles::occurrence;
use crate::oracles::oracle::Oracle;
use crate::oracles::sat::SatOracle;
use crate::oracles::self_check::{ClassClaim, SelfCheckClaims};
use crate::oracles::work::Work;
use crate::results::result::{
    Class, Classification, Finite, ImageOf, NecessaryFacts, SilentPredicates, Verdict, Why,
};
use crate::results::statistics::{Phase, Timed};
use crate::search::class_search::{ClassSearch, SearchEnd};
use crate::search::merge;
use crate::search::necessary::{KnownTraces, necessary};
use crate::search::representatives::{show_as_wished, show_irreducible};
use kit::budget::{Activity, Limited};
use lang::model::PredicateId;
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;
use std::thread::Scope;

/// The most counterexamples of the pool that are looked at for what all of them have.
const MOST_TRACES: usize = 32;

/// The most conflicts of a question about predicates that hold in no trace of the lengths asked for.
const SILENT_CONFLICTS: u32 = 2_000;

/// Parts of a result beside its verdict.
struct ResultParts {
    silent: Option<SilentPredicates>,
    classes: Vec<Class>,
    images: Vec<ImageOf>,
    necessary: Option<NecessaryFacts>,
}

impl<'m, O: Oracle<'m>> FiniteSearch<'_, 'm, O> {
    /// The result of a search. The self-check is done beside what else there is to be found out, unless it was done beside the search.
    pub(super) fn conclude<'s>(
        mut self,
        outcome: Limited<SearchEnd<Finite>>,
        ahead: SpeculativeCheck<'s, '_>,
    ) -> Classification
    where
        'm: 's,
    {
        let mut verdict = self.verdict(outcome);
        if verdict == Verdict::Complete {
            self.report(Activity::Redundancy, None);
            if let Err(why) = self.timed(Phase::Redundancy, Self::settle_classes) {
                verdict = Verdict::Partial(Why::Exhausted(why));
            }
        } else {
            // If the budget ends here, classes are shown with what was found.
            let _ = self.timed(Phase::Minimise, |run| run.complete_classes(run.pool.choice.chosen.clone()));
        }
        let claims = self.claims(&verdict);
        if let Some(claims) = &claims {
            self.report(Activity::Check, None);
            self.timed(Phase::Verify, |_| claims.check_canonical());
        }
        let scope = ahead.scope();
        let begun = ahead.of(claims.as_ref());
        let checking = begun.or_else(|| Some(self.begin_check(scope, claims?)));
        let found = self.found(&verdict);
        let check = checking.map(Checking::end);
        self.shown(verdict, found, check)
    }

    fn begin_check<'s>(&mut self, scope: &'s Scope<'s, '_>, claims: SelfCheckClaims<'m>) -> Checking<'s>
    where
        'm: 's,
    {
        let setup = self.options.setup(self.options.check_backend);
        Checking::begin(scope, claims, setup, self.work.patience(), self.work.budget)
    }

    /// Looks for what is shown beside the verdict.
    fn found(&mut self, verdict: &Verdict) -> ResultParts {
        let mut silent = None;
        if matches!(verdict, Verdict::Complete | Verdict::TooWeak(_)) {
            // If the budget ends here, only this remark is missing from the result.
            silent = self.timed(Phase::Search, Self::silent).ok().flatten();
        }
        let mut kept = self.pool.choice.chosen.clone();
        if self.options.keep_redundant && *verdict == Verdict::Complete {
            kept.extend(self.pool.choice.passed_over());
            kept.sort_unstable();
        }
        let mut classes: Vec<Class> = kept.iter().map(|&c| self.pool.class(&self.work.oracle, c)).collect();
        if *verdict == Verdict::Complete {
            for (candidate, class) in kept.into_iter().zip(&mut classes) {
                // If the budget ends here, classes are shown with other traces of the same length.
                let _ = self.timed(Phase::Redundancy, |run| {
                    let Work { oracle, budget, .. } = &mut run.work;
                    show_irreducible(oracle, &mut run.pool, (candidate, class), budget)?;
                    show_as_wished(oracle, &mut run.pool, (candidate, class))
                });
            }
        }
        // A class found late may have a short member that older classes share.
        classes.sort_by_key(|class| class.representative.len());
        let images = self.timed(Phase::Redundancy, |run| run.images(&classes));
        let necessary = self.timed(Phase::Necessary, |run| run.necessary(verdict, &classes));
        ResultParts { silent, classes, images, necessary }
    }

    /// The result, once it is checked.
    fn shown(
        mut self,
        mut verdict: Verdict,
        found: ResultParts,
        check: Option<SelfCheckResult>,
    ) -> Classification {
        let ResultParts { silent, mut classes, mut images, necessary } = found;
        let (mut checked_by, mut check_ended) = (None, None);
        if let Some(SelfCheckResult { by, took }) = check {
            if self.work.oracle.is_sat() {
                self.work.statistics.add(&took);
            } else {
                // The size is that of another solver.
                self.work.statistics.solver_calls += took.solver_calls;
                self.work.statistics.seconds.add(Phase::Verify, took.seconds.verify);
            }
            match by {
                Ok(solver) => checked_by = Some(solver),
                // What an SMT solver found is complete, whether a SAT solver confirms it in time or not.
                Err(why) if verdict == Verdict::Complete && self.work.oracle.is_sat() => {
                    verdict = Verdict::Partial(Why::Exhausted(why));
                    classes.retain(|class| !class.redundant);
                    images.clear();
                }
                Err(why) => check_ended = Some(why),
            }
        }
        let (statistics, solver) = self.work.finish();
        Classification {
            classes,
            images,
            minimum: self.pool.choice.minimum,
            unclassified: self.unclassified.filter(|_| matches!(verdict, Verdict::Partial(_))),
            silent,
            checked_by,
            check_ended,
            start_unmatched: self.start_unmatched,
            necessary,
            statistics,
            ..Classification::new(verdict, self.options.lengths, solver)
        }
    }

    /// The necessary facts of all violating traces, as far as they are known.
    fn necessary(&mut self, verdict: &Verdict, classes: &[Class]) -> Option<NecessaryFacts> {
        let weak = match verdict {
            Verdict::TooWeak(weak) => Some(weak),
            _ => None,
        };
        let representatives = classes.iter().map(|class| &class.representative);
        let others = weak.map(|weak| &weak.counterexample).into_iter().chain(&self.unclassified);
        let mut violating: Vec<Trace> = representatives.chain(others).cloned().collect();
        violating.extend(classes.iter().filter_map(|class| class.canonical.clone()));
        violating.extend(self.pool.traces().take(MOST_TRACES).cloned());
        violating.sort_by_key(|trace| self.work.oracle.steps_to_violation(trace));
        violating.dedup();
        let accepted = classes.iter().flat_map(|class| class.needed.clone());
        let known = KnownTraces {
            violating,
            accepted: accepted.chain(weak.map(|weak| weak.accepting.clone())).collect(),
            least: self.first_depth,
            classes,
        };
        let budget = self.work.budget_of_facts(self.options.necessity);
        necessary(&mut self.work.oracle, self.vocabulary, self.options, known, &budget)
    }

    /// The predicates of the vocabulary that hold in no counterexample.
    ///
    /// The proof that there are none can be as hard as everything else. Where it is for the lengths that were asked for,
    /// traces are at most half as long again as the shortest counterexamples: a predicate that needs longer ones
    /// says little about how the property is violated.
    fn silent(&mut self) -> Limited<Option<SilentPredicates>> {
        let lengths = self.options.lengths;
        let candidates: BTreeSet<PredicateId> = self.predicates().difference(&self.seen).copied().collect();
        if candidates.is_empty() {
            return Ok(Some(SilentPredicates { never: Vec::new(), harmless: Vec::new(), lengths }));
        }
        if !self.work.oracle.is_sat() {
            let budget = self.work.budget_of_checks();
            let oracle = &mut self.work.oracle;
            oracle.limit_conflicts(Some(SILENT_CONFLICTS));
            let silent = occurrence::silent(oracle, &mut self.collector, candidates, &budget);
            oracle.limit_conflicts(None);
            return silent.map(Some);
        }
        match (self.silent_within(lengths, candidates.clone(), Some(SILENT_CONFLICTS)), lengths) {
            (Err(_), Lengths::UpTo(bound)) => {
                let shorter = Lengths::UpTo(bound.min(self.first_depth * 3 / 2));
                self.silent_within(shorter, candidates, None).map(Some)
            }
            (silent, _) => silent.map(Some),
        }
    }

    fn silent_within(
        &mut self,
        lengths: Lengths,
        candidates: BTreeSet<PredicateId>,
        conflicts: Option<u32>,
    ) -> Limited<SilentPredicates> {
        let setup = self.options.setup(self.options.backend);
        let (problem, atoms) = (self.work.oracle.problem(), self.work.oracle.atoms());
        let mut oracle = SatOracle::unrolled(problem, atoms, lengths, setup, self.work.budget)?;
        oracle.circuit().limit_conflicts(conflicts.filter(|_| matches!(lengths, Lengths::UpTo(_))));
        let silent = occurrence::silent(&mut oracle, &mut self.collector, candidates, self.work.budget);
        self.work.statistics.solver_calls += oracle.circuit().solver_calls();
        silent
    }

    /// Removes redundant classes and finds canonical counterexamples.
    fn settle_classes(&mut self) -> Limited<()> {
        merge::merge_positions(&mut self.work.oracle, &mut self.pool)?;
        let nameless = &self.options.nameless;
        merge::drop_individuals(&mut self.work.oracle, &mut self.pool, nameless)?;
        merge::free_nameless(&mut self.work.oracle, &mut self.pool, nameless)?;
        let known = self.prefer_images()?;
        // What classes are shown with is looked for once it is clear what they say.
        self.complete_classes(self.pool.choice.chosen.clone())?;
        self.settle(known)?;
        if self.options.keep_redundant {
            self.complete_classes(self.pool.choice.passed_over())?;
        }
        Ok(())
    }

    /// The claims of a result that are to be checked, if any.
    pub(super) fn claims(&mut self, verdict: &Verdict) -> Option<SelfCheckClaims<'m>> {
        let by_sat = self.work.oracle.is_sat();
        let complete = match verdict {
            Verdict::Complete => true,
            Verdict::TooWeak(_) | Verdict::Partial(Why::MaxClasses)
                if !self.pool.choice.chosen.is_empty() =>
            {
                false
            }
            // Another search by the same solver would say little.
            Verdict::Holds if !by_sat || self.options.check_backend != self.options.backend => true,
            _ => return None,
        };
        if !self.options.self_check {
            return None;
        }
        let with_redundant = self.options.keep_redundant && complete;
        let passed_over = if with_redundant { self.pool.choice.passed_over() } else { Vec::new() };
        let claim = |c: &CandidateId| {
            let candidate = self.pool.choice.candidate(*c);
            ClassClaim { constraint: candidate.constraint.clone(), canonical: candidate.canonical.clone() }
        };
        Some(SelfCheckClaims {
            problem: self.work.oracle.problem(),
            atoms: self.work.oracle.atoms().clone(),
            lengths: self.options.lengths,
            unrolled: self.options.unrolled(),
            classes: self.pool.choice.chosen.iter().chain(&passed_over).map(claim).collect(),
            complete,
            exchange: self.exchange.clone().flatten(),
        })
    }
}
