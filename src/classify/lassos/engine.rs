//! The loop: a shortest violating lasso outside all classes, its facts, as few of them as suffice, and the next lasso.

mod conclusion;
mod images;

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
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::results::options::Mode;
use crate::results::options::Options;
use crate::results::result::{Classification, TooWeak, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Stopwatch, Timed};
use crate::search::hitting_set;
use crate::search::orbits::OrbitSearch;
use crate::search::score::Score;
use conclusion::bare_classes;
use engines::ltl::LtlFormula;
use engines::symmetry::Symmetries;
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
        candidates: Vec::new(),
        chosen: Vec::new(),
        minimum: true,
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

/// A constraint that may become a class.
struct LassoCandidate {
    constraint: LassoConstraint,
    score: Score,
    /// True if its general form, if it has one, is a candidate as well.
    is_generalised: bool,
    /// The candidate that it is a general form of, if it is one.
    ground: Option<CandidateId>,
}

/// The most chosen classes that the facts of a new lasso are compared with.
const MOST_JOINED: usize = 6;
/// The most facts of a first constraint that are forbidden, one at a time, for another one.
const MOST_FORBIDDEN: usize = 4;

/// How the search ended.
enum LassoSearchEnd {
    Holds,
    Exhaustive,
    MaxClasses,
    TooWeak(Box<TooWeak<Infinite>>),
}

struct LassoSearch<'a, 'q> {
    problem: LassoProblem<'q>,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    budget: &'q Budget,
    observer: &'a mut dyn Observer,
    violating: LassoOracle<'q>,
    sufficiency: LassoSufficiency<'a, 'q>,
    collector: LassoFactCollector<'q>,
    generaliser: Generaliser<'q>,
    samples: Vec<LassoSample>,
    candidates: Vec<LassoCandidate>,
    /// The candidates that are chosen as classes: they cover all samples.
    chosen: Vec<CandidateId>,
    minimum: bool,
    unclassified: Option<Lasso>,
    /// The symmetries of what is classified, as far as they were soon found, once they were looked for.
    symmetries: Option<Symmetries>,
    statistics: Statistics,
}

impl Timed for LassoSearch<'_, '_> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl<'q> LassoSearch<'_, 'q> {
    fn search(&mut self) -> Limited<LassoSearchEnd> {
        let mut least = 1;
        loop {
            self.report(least);
            self.tell_found();
            let outside = self.lacking(&self.chosen);
            let found = self.timed(Phase::Search, |run| run.violating.shortest(least, &outside))?;
            let Some(lasso) = found else {
                return Ok(if self.samples.is_empty() {
                    LassoSearchEnd::Holds
                } else {
                    LassoSearchEnd::Exhaustive
                });
            };
            self.statistics.counterexamples += 1;
            self.unclassified = Some(lasso.clone());
            if self.options.max_classes.is_some_and(|most| self.chosen.len() >= most) {
                return Ok(LassoSearchEnd::MaxClasses);
            }
            let first = self.samples.first().map_or(lasso.len(), |sample| sample.lasso.len());
            least = lasso.len();
            let before = self.chosen.clone();
            if let Some(weak) = self.add(lasso)? {
                return Ok(LassoSearchEnd::TooWeak(weak));
            }
            self.unclassified = None;
            if !before.iter().all(|class| self.chosen.contains(class)) {
                // Shorter lassos may have lost their class.
                least = first;
            }
        }
    }

    /// Makes constraints of a violating lasso, and chooses anew.
    fn add(&mut self, lasso: Lasso) -> Limited<Option<Box<TooWeak<Infinite>>>> {
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
        self.timed(Phase::Minimise, |run| run.add_candidates(&lasso, &facts, set))?;
        self.samples.push(LassoSample { lasso, facts });
        self.choose();
        self.timed(Phase::Minimise, Self::unite)?;
        Ok(None)
    }

    /// Makes candidates about individuals of chosen classes that name values, where they can cover samples that these do not, and
    /// chooses anew.
    fn unite(&mut self) -> Limited<()> {
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        for class in self.chosen.clone() {
            let LassoCandidate { constraint, is_generalised, .. } = &self.candidates[class.index()];
            if *is_generalised {
                continue;
            }
            let ground = constraint.clone();
            let Some(most) = self.generaliser.most_general(&ground) else { continue };
            let covers_more = |sample: &LassoSample| {
                !ground.holds(model, atoms, &sample.lasso) && most.holds(model, atoms, &sample.lasso)
            };
            if self.samples.iter().any(covers_more) {
                self.candidates[class.index()].is_generalised = true;
                let general = self.generaliser.general(&mut self.sufficiency, &ground)?;
                general.into_iter().for_each(|general| _ = self.admit(general, Some(class)));
            }
        }
        self.choose();
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

    /// Candidates of a new lasso: the smallest constraint, others without one of its facts, and what it has in common with lassos of
    /// chosen classes.
    fn add_candidates(&mut self, lasso: &Lasso, facts: &[LassoFact], set: Vec<LassoFact>) -> Limited<()> {
        for fact in set.iter().take(MOST_FORBIDDEN) {
            let others: Vec<LassoFact> = facts.iter().filter(|other| *other != fact).cloned().collect();
            self.add_smallest(&others)?;
        }
        self.add_candidate(set)?;
        let model = self.problem.model;
        let atoms = self.violating.asked().atoms;
        let joined: Vec<usize> = (0..self.samples.len()).rev().take(MOST_JOINED).collect();
        for sample in joined {
            let LassoSample { lasso: other, facts: its } = &self.samples[sample];
            let common = facts.iter().filter(|fact| fact.holds((model, atoms), other, &[]));
            let of_it = its.iter().filter(|fact| fact.holds((model, atoms), lasso, &[]));
            let mut common: Vec<LassoFact> = common.chain(of_it).cloned().collect();
            common.sort_unstable();
            common.dedup();
            self.add_smallest(&common)?;
        }
        Ok(())
    }

    /// A candidate of some of these facts, if they suffice.
    fn add_smallest(&mut self, facts: &[LassoFact]) -> Limited<()> {
        match self.sufficiency.smallest(facts)? {
            Some(set) => self.add_candidate(set),
            None => Ok(()),
        }
    }

    fn add_candidate(&mut self, set: Vec<LassoFact>) -> Limited<()> {
        let constraint = self.sufficiency.refined(set)?;
        self.admit(constraint, None);
        Ok(())
    }

    /// The candidate of a constraint; if it is new, a general form of another one or of none.
    fn admit(&mut self, constraint: LassoConstraint, ground: Option<CandidateId>) -> CandidateId {
        let known = self.candidates.iter().position(|known| known.constraint == constraint);
        CandidateId::new(known.unwrap_or_else(|| {
            let score = self.sufficiency.score(&constraint);
            let is_generalised = !constraint.individuals.is_empty();
            self.candidates.push(LassoCandidate { constraint, score, is_generalised, ground });
            self.candidates.len() - 1
        }))
    }

    /// Chooses as few candidates as cover all samples.
    fn choose(&mut self) {
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        let covering: Vec<Vec<CandidateId>> = self
            .samples
            .iter()
            .map(|sample| {
                let covers = |c: &LassoCandidate| c.constraint.holds(model, atoms, &sample.lasso);
                let by = self.candidates.iter().enumerate().filter(|(_, c)| covers(c));
                by.map(|(index, _)| CandidateId::new(index)).collect()
            })
            .collect();
        let scores: Vec<Score> = self.candidates.iter().map(|c| c.score).collect();
        let best = hitting_set::best(&covering, &scores);
        self.chosen = best.chosen;
        self.minimum = best.minimum;
    }

    fn lacking(&self, classes: &[CandidateId]) -> Vec<LassoCondition> {
        classes.iter().map(|&class| LassoCondition::Outside(self.constraint(class).clone())).collect()
    }

    /// Tells the observer of the classes that were found.
    fn tell_found(&mut self) {
        if self.chosen.is_empty() {
            return;
        }
        let Self { violating, samples, candidates, chosen, unclassified, statistics, options, .. } = self;
        let asked = violating.asked();
        self.observer.found(&|| {
            let verdict = Verdict::Partial(Why::Exhausted(Exhausted::Time));
            Box::new(Classification {
                classes: bare_classes(&asked, chosen, candidates, samples),
                unclassified: unclassified.clone(),
                atoms: asked.atoms.clone(),
                statistics: statistics.clone(),
                ..options.result(verdict)
            })
        });
    }

    fn report(&mut self, depth: usize) {
        let (calls, more) = (self.violating.calls(), self.sufficiency.accepting.calls());
        let (counterexamples, classes) = (self.statistics.counterexamples, self.chosen.len());
        let done = Progress::of(Activity::Search, depth, (calls.0 + more.0, calls.1 + more.1));
        self.observer.progress(&Progress { counterexamples, classes, ..done });
    }
}
