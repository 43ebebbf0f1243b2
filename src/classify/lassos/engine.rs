//! Algorithm 1 of the classification paper for infinite traces. The loop itself is `ClassSearch::classify_all`.

mod classes;
mod conclusion;

use super::collect::LassoFactCollector;
use super::condition::LassoCondition;
use super::constraint::LassoConstraint;
use super::covering::cover_lassos;
use super::fact::LassoFact;
use super::generalise::Generaliser;
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use super::sufficiency::LassoSufficiency;
use crate::facts::atom::Atoms;
use crate::facts::index::{CandidateId, SampleId};
use crate::facts::lifting::Lifter;
use crate::results::options::Mode;
use crate::results::options::Options;
use crate::results::result::{Classification, TooWeak, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Stopwatch, Timed};
use crate::search::choice::{Choice, ClassCandidate, MOST_JOINED};
use crate::search::class_search::{ClassSearch, SearchEnd};
use conclusion::bare_classes;
use engines::ltl::LtlFormula;
use engines::symmetry::Symmetries;
use itertools::Itertools;
use kit::budget::{Activity, Budget, Exhausted, Limited, Observer, Progress};
use lang::model::Vocabulary;
use lang::trace::Lasso;

/// Classifies all fair lassos of up to the bound that violate the formula, over the items of a vocabulary that speak of one position
/// ([`super::usable`]); there must be no others.
///
/// # Panics
/// Only on a bug in this program: when the definition refuses what the solver finds, or the self-check contradicts the result.
pub fn classify_lassos(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification<Infinite> {
    let stopwatch = Stopwatch::start();
    if options.mode == Mode::Cover {
        return cover_lassos(problem, vocabulary, options, budget, observer);
    }
    let LassoProblem { model, formula, .. } = problem;
    let (violated, satisfied) = (LtlFormula::new(formula, false), LtlFormula::new(formula, true));
    let atoms = Atoms::default();
    let setup = options.setup(options.backend);
    let asked = LassoQuery::violating(problem, &atoms, &violated, options.lengths.bound());
    let accepting = LassoOracle::new(asked.accepting(&satisfied, options.lasso_horizon()), setup, budget);
    let mut run = LassoSearch {
        problem,
        vocabulary,
        options,
        budget,
        observer,
        violating: LassoOracle::new(asked, setup, budget),
        sufficiency: LassoSufficiency::new(accepting, &options.preference),
        collector: LassoFactCollector::new(model, vocabulary, &atoms),
        generaliser: Generaliser::new(Lifter::new(model, vocabulary, &atoms, &options.grounding)),
        samples: Vec::new(),
        choice: Choice::default(),
        unclassified: None,
        symmetries: None,
        statistics: Statistics::default(),
    };
    let outcome = run.search();
    let mut result = run.conclude(outcome);
    stopwatch.stop(&mut result.statistics);
    Classification { atoms, ..result }
}

/// A violating lasso that was examined.
struct LassoSample {
    lasso: Lasso,
    /// The facts from which its constraints are drawn; together they suffice.
    facts: Vec<LassoFact>,
}

/// The form of a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LassoOrigin {
    /// Facts of lassos, without individuals.
    Ground,
    /// Likewise, and its general form is a candidate as well, if it has one.
    Generalised,
    /// A general form, about individuals.
    General,
}

/// The most facts of a first constraint that are forbidden, one at a time, for another one.
const MOST_FORBIDDEN: usize = 4;

struct LassoSearch<'a, 'q> {
    problem: LassoProblem<'q>,
    vocabulary: &'q Vocabulary,
    options: &'a Options,
    budget: &'q Budget,
    observer: &'a mut dyn Observer,
    violating: LassoOracle<'q>,
    sufficiency: LassoSufficiency<'a, 'q>,
    collector: LassoFactCollector<'q>,
    generaliser: Generaliser<'q>,
    samples: Vec<LassoSample>,
    choice: Choice<Infinite, LassoOrigin>,
    unclassified: Option<Lasso>,
    /// The symmetries of the model and the property, as far as they were soon found, once they were looked for.
    symmetries: Option<Symmetries>,
    statistics: Statistics,
}

impl Timed for LassoSearch<'_, '_> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl<'q> LassoSearch<'_, 'q> {
    fn search(&mut self) -> Limited<SearchEnd<Infinite>> {
        let end = self.classify_all(&mut |run, least| {
            run.report(least);
            run.tell_found();
            let outside = run.outside(&run.choice.chosen);
            run.timed(Phase::Search, |run| run.violating.shortest(least, &outside))
        })?;
        let everything = if self.samples.is_empty() { SearchEnd::Holds } else { SearchEnd::Exhaustive };
        Ok(end.unwrap_or(everything))
    }

    /// Makes candidates of a violating lasso, and chooses again.
    fn add(&mut self, lasso: Lasso) -> Limited<Option<Box<TooWeak<Infinite>>>> {
        self.statistics.counterexamples += 1;
        let budget = self.budget;
        let tiers = self.timed(Phase::Facts, |run| run.collector.facts(&lasso, budget))?;
        let singles = tiers.unordered[0].clone();
        let mut facts = Vec::new();
        let mut set = None;
        let orders = self.options.in_order.then_some(tiers.in_order);
        for tier in tiers.unordered.into_iter().chain(orders.into_iter().flatten()) {
            facts.extend(tier);
            set = self.timed(Phase::Minimise, |run| run.sufficiency.smallest(&facts))?;
            if set.is_some() {
                break;
            }
        }
        let Some(set) = set else { return self.weak(lasso, singles, facts).map(Some) };
        self.timed(Phase::Minimise, |run| {
            run.add_candidates(lasso, facts, set)?;
            run.choice.choose();
            run.free()
        })?;
        Ok(None)
    }

    /// Makes candidates about individuals of chosen classes that name values, where they can cover samples that these do not, and
    /// chooses again.
    fn free(&mut self) -> Limited<()> {
        for class in self.choice.chosen.clone() {
            if self.choice.candidate(class).origin != LassoOrigin::Ground {
                continue;
            }
            let ground = self.choice.candidate(class).constraint.clone();
            let Some(most) = self.generaliser.most_general(&ground) else { continue };
            let covers_more = |sample: &LassoSample| !self.has(&ground, sample) && self.has(&most, sample);
            if self.samples.iter().any(covers_more) {
                self.choice.candidate_mut(class).origin = LassoOrigin::Generalised;
                for general in self.generaliser.general(&mut self.sufficiency, &ground)? {
                    let general = self.admit(general, LassoOrigin::General);
                    self.choice.candidate_mut(general).ground.get_or_insert(class);
                }
            }
        }
        // Of the smallest choices the best, also without general candidates.
        self.choice.choose();
        Ok(())
    }

    /// The pair that shows that all facts of a lasso do not suffice.
    fn weak(
        &mut self,
        violating: Lasso,
        singles: Vec<LassoFact>,
        facts: Vec<LassoFact>,
    ) -> Limited<Box<TooWeak<Infinite>>> {
        let condition = LassoCondition::In(LassoConstraint::ground(facts));
        let accepting = self.sufficiency.accepting.shortest(1, &[condition])?;
        let accepting = accepting.unwrap_or_else(|| unreachable!("these facts do not suffice"));
        let atoms = self.sufficiency.accepting.asked().atoms.clone();
        Ok(Box::new(TooWeak {
            counterexample: violating,
            constraint: LassoConstraint::ground(singles),
            atoms,
            accepting,
            positions: Vec::new(),
            covered: None,
        }))
    }

    /// Adds a lasso with its candidates: the smallest constraint, others without one of its facts, and what it has in common with
    /// earlier lassos.
    fn add_candidates(&mut self, lasso: Lasso, facts: Vec<LassoFact>, set: Vec<LassoFact>) -> Limited<()> {
        let constraint = self.sufficiency.refined(set.clone())?;
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        let earlier: Vec<SampleId> = self.choice.samples().rev().take(MOST_JOINED).collect();
        let covers = |candidate: &ClassCandidate<Infinite, LassoOrigin>| {
            candidate.constraint.holds(model, atoms, &lasso)
        };
        let sample = self.choice.add_sample(covers, true);
        self.samples.push(LassoSample { lasso, facts });
        for forbidden in set.iter().take(MOST_FORBIDDEN) {
            let facts = &self.samples[sample.index()].facts;
            let others: Vec<LassoFact> = facts.iter().filter(|other| *other != forbidden).cloned().collect();
            self.add_smallest(&others)?;
        }
        let own = self.admit(constraint, LassoOrigin::Ground);
        self.choice.set_own_candidate(sample, own);
        for earlier in earlier {
            let [LassoSample { lasso, facts }, LassoSample { lasso: other, facts: its }] =
                [sample, earlier].map(|sample| &self.samples[sample.index()]);
            let common = facts.iter().filter(|fact| fact.holds((model, atoms), other, &[]));
            let of_it = its.iter().filter(|fact| fact.holds((model, atoms), lasso, &[]));
            let common: Vec<LassoFact> = common.chain(of_it).cloned().sorted_unstable().dedup().collect();
            self.add_smallest(&common)?;
        }
        Ok(())
    }

    /// Adds a candidate of some of these facts, if they suffice.
    fn add_smallest(&mut self, facts: &[LassoFact]) -> Limited<()> {
        if let Some(set) = self.sufficiency.smallest(facts)? {
            let constraint = self.sufficiency.refined(set)?;
            self.admit(constraint, LassoOrigin::Ground);
        }
        Ok(())
    }

    /// The candidate of a constraint.
    fn admit(&mut self, constraint: LassoConstraint, origin: LassoOrigin) -> CandidateId {
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        let Self { choice, sufficiency, samples, .. } = self;
        let create = |constraint: &LassoConstraint| (sufficiency.score(constraint), origin);
        choice.admit(constraint, create, |constraint, sample| {
            constraint.holds(model, atoms, &samples[sample.index()].lasso)
        })
    }

    fn has(&self, constraint: &LassoConstraint, sample: &LassoSample) -> bool {
        constraint.holds(self.problem.model, self.violating.asked().atoms, &sample.lasso)
    }

    fn outside(&self, classes: &[CandidateId]) -> Vec<LassoCondition> {
        let constraint = |&class: &CandidateId| self.choice.candidate(class).constraint.clone();
        classes.iter().map(constraint).map(LassoCondition::Outside).collect()
    }

    /// Tells the observer of the classes that were found.
    fn tell_found(&mut self) {
        if self.choice.chosen.is_empty() {
            return;
        }
        let Self { violating, samples, choice, unclassified, statistics, options, .. } = self;
        let asked = violating.asked();
        self.observer.found(&|| {
            let verdict = Verdict::Partial(Why::Exhausted(Exhausted::Time));
            Box::new(Classification {
                classes: bare_classes(&asked, choice, samples),
                unclassified: unclassified.clone(),
                atoms: asked.atoms.clone(),
                statistics: statistics.clone(),
                ..options.result(verdict)
            })
        });
    }

    fn report(&mut self, depth: usize) {
        let (calls, more) = (self.violating.calls(), self.sufficiency.accepting.calls());
        let (counterexamples, classes) = (self.statistics.counterexamples, self.choice.chosen.len());
        let done = Progress::of(Activity::Search, depth, (calls.0 + more.0, calls.1 + more.1));
        self.observer.progress(&Progress { counterexamples, classes, ..done });
    }
}
