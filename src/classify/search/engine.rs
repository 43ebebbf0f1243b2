//! Algorithm 1 of the classification paper for finite traces: the search for a shortest counterexample outside all classes, its facts,
//! and its candidates. The loop itself is `ClassSearch::classify_all`.

pub mod checking;
mod classes;
mod conclusion;

use crate::automata::listing::AcceptingTrace;
use crate::facts::atom::Atoms;
use crate::facts::collect::{Collector, PlacedAtom};
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::facts::problem::Problem;
use crate::oracles::occurrence;
use crate::oracles::oracle::{Oracle, SampleCondition, Somewhere};
use crate::oracles::orbit::{InterchangeableValues, soon};
use crate::oracles::sat::Sufficiency;
use crate::oracles::work::Work;
use crate::results::options::{Mode, Options};
use crate::results::result::{Class, Classification, Finite, TooWeak, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Timed};
use crate::search::class_search::{ClassSearch, SearchEnd};
use crate::search::covering::cover;
use crate::search::draft::{CounterexampleFacts, Orders};
use crate::search::pool::Pool;
use checking::SpeculativeCheck;
use engines::symmetry::{self, Symmetries};
use kit::budget::{Activity, Budget, Exhausted, Limited, Observer};
use lang::model::{Position, PredicateId, Vocabulary, VocabularyItem};
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Classifies all traces of the lengths asked for that violate the invariant.
///
/// Never fails: mistakes in the input are reported when a model is loaded, and a budget that ends gives a partial
/// result, or none ([`crate::results::result::Verdict`]).
///
/// # Panics
/// Only on a bug in this program: when a trace from the solver is refused by the reference
/// semantics, or the self-check contradicts the result.
///
/// ```
/// # use std::io::ErrorKind;
/// use cladist::budget::Budget;
/// use cladist::classify::{Options, Problem, classify};
///
/// let text = "model door; var open: bool; var locked: bool; init { not open; not locked; } \
///             action push { open' = true; } action lock { locked' = true; } \
///             invariant safe: not (open and locked); vocabulary v = { eq(open, locked) };";
/// let loaded = cladist::model::load_text("door.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
/// let model = loaded.model.expect("no mistakes");
/// let problem = Problem::first(&model).expect("an invariant");
/// let (options, budget) = (Options::default(), Budget::unlimited());
/// let result = classify(problem, &model.vocabularies[0], &options, &budget, &mut ());
/// let classes: Vec<String> =
///     result.classes.iter().map(|class| class.constraint.show(&model, &result.atoms)).collect();
/// assert_eq!(classes, ["∃ i ∈ [0..len(ρ)] : open@i = true ∧ locked@i = true"]);
/// ```
pub fn classify(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    if options.mode == Mode::Cover {
        return cover(problem, vocabulary, options, budget, observer);
    }
    let atoms = Atoms::default();
    let work = Work::new(problem, &atoms, options, budget, observer);
    let result = classify_by(work, vocabulary, options);
    Classification { atoms, ..result }
}

/// The classification by whoever answers questions here; without the atoms.
pub fn classify_by<'a, 'm, O: Oracle<'m>>(
    work: Work<'a, O>,
    vocabulary: &'m Vocabulary,
    options: &'a Options,
) -> Classification {
    FiniteSearch::new(work, vocabulary, options).run()
}

/// Why a counterexample is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExaminationReason {
    /// No chosen class has it.
    Outside,
    /// A shortest one in which the predicate to start with holds.
    Start,
    /// A predicate holds in it that is in no class.
    With(PredicateId),
}

struct FiniteSearch<'a, 'm, O> {
    work: Work<'a, O>,
    collector: Collector<'m>,
    vocabulary: &'m Vocabulary,
    options: &'a Options,
    pool: Pool<'a, 'm>,
    /// Predicates that hold in some counterexample of the pool.
    seen: BTreeSet<PredicateId>,
    /// The least number of steps before a first violation.
    first_depth: usize,
    /// A counterexample that is in no class yet.
    unclassified: Option<Trace>,
    /// The symmetries of the model that exchange two values, as far as they were soon found, once they were looked for.
    exchanges: Option<Symmetries>,
    /// All symmetries, likewise.
    symmetries: Option<Symmetries>,
    /// Values that are interchangeable, or that there are none, once that was asked.
    exchange: Option<Option<Arc<InterchangeableValues>>>,
    /// True if only counterexamples of `start_with` are looked at.
    starting: bool,
    /// True if no counterexample satisfies `start_with`.
    start_unmatched: bool,
}

/// A class that was chosen is completed early if so many more counterexamples were found and it is still chosen.
const SETTLED_AFTER: usize = 16;

impl<O> Timed for FiniteSearch<'_, '_, O> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.work.statistics
    }
}

impl<'a, 'm, O: Oracle<'m>> FiniteSearch<'a, 'm, O> {
    fn new(work: Work<'a, O>, vocabulary: &'m Vocabulary, options: &'a Options) -> Self {
        let (model, atoms) = (work.oracle.problem().model, work.oracle.atoms());
        let lifter = Lifter::new(model, vocabulary, atoms, &options.grounding);
        FiniteSearch {
            collector: Collector::new(model, vocabulary, atoms),
            vocabulary,
            options,
            pool: Pool::new(&options.preference, lifter, work.budget),
            work,
            seen: BTreeSet::new(),
            first_depth: 0,
            unclassified: None,
            exchanges: None,
            symmetries: None,
            exchange: None,
            starting: false,
            start_unmatched: false,
        }
    }

    fn run(mut self) -> Classification {
        std::thread::scope(|scope| {
            let mut ahead = SpeculativeCheck::new(scope);
            let outcome = self.search(&mut ahead);
            self.conclude(outcome, ahead)
        })
    }

    fn search<'s>(&mut self, ahead: &mut SpeculativeCheck<'s, '_>) -> Limited<SearchEnd<Finite>>
    where
        'm: 's,
    {
        let Some(first) = self.work.first_counterexample(self.bound())? else {
            return Ok(SearchEnd::Holds);
        };
        self.first_depth = self.work.oracle.steps_to_violation(&first);
        self.unclassified = Some(first.clone());
        self.timed(Phase::Unroll, |run| run.work.oracle.grow_to(run.options.unrolled().bound()))?;
        for trace in &self.options.doubtful {
            if let Err(weak) =
                self.timed(Phase::Facts, |run| run.facts_of(trace, ExaminationReason::Outside))?
            {
                return Ok(SearchEnd::TooWeak(weak));
            }
        }
        if let Some(predicate) = self.options.start_with {
            let begins = SampleCondition::Formed(Somewhere(self.collector.instances(predicate)));
            self.starting = true;
            if let Some(end) = self.classify_from(&[begins], None, ahead)? {
                return Ok(end);
            }
            self.starting = false;
            self.start_unmatched = self.pool.is_empty();
        }
        let first = self.pool.is_empty().then_some(first);
        let mut end = self.classify_from(&[], first, ahead)?;
        if end.is_none() && self.options.keep_redundant && self.bring_in_predicates()? {
            end = self.classify_from(&[], None, ahead)?;
        }
        Ok(end.unwrap_or(SearchEnd::Exhaustive))
    }

    /// Where redundant classes are wanted: looks for a counterexample with each predicate of the vocabulary that is in no
    /// class, and makes its class. Returns whether there were any.
    fn bring_in_predicates(&mut self) -> Limited<bool> {
        let before = self.pool.len();
        for predicate in self.predicates() {
            if self.options.max_classes.is_some_and(|max| self.pool.choice.chosen.len() >= max) {
                break;
            }
            if self.pool.mentions(self.work.oracle.atoms(), predicate) {
                continue;
            }
            let holds = SampleCondition::Formed(Somewhere(self.collector.instances(predicate)));
            if let Some(trace) = self.work.oracle.shortest_from(self.first_depth, &[holds])? {
                let weak = self.add_counterexample(trace, ExaminationReason::With(predicate))?;
                assert!(weak.is_none(), "it is in a class, so its facts suffice");
            }
        }
        Ok(self.pool.len() > before)
    }

    /// The predicates that the vocabulary names.
    fn predicates(&self) -> BTreeSet<PredicateId> {
        let named = |item: &VocabularyItem| match item {
            VocabularyItem::Predicate(id, _) => Some(*id),
            _ => None,
        };
        self.vocabulary.items.iter().filter_map(named).collect()
    }

    /// Classifies until no counterexample under `assumed` is left; `Some` if that had to be given up. The first one may
    /// be known.
    fn classify_from<'s>(
        &mut self,
        assumed: &[SampleCondition],
        mut known: Option<Trace>,
        ahead: &mut SpeculativeCheck<'s, '_>,
    ) -> Limited<Option<SearchEnd<Finite>>>
    where
        'm: 's,
    {
        let mut width = 1;
        self.classify_all(&mut |run, least| match known.take() {
            Some(first) => Ok(Some(first)),
            None => run.next_counterexample(assumed, least, &mut width, ahead),
        })
    }

    /// Looks for a shortest counterexample under `assumed` that no chosen class has, at `width` lengths at a time.
    fn next_counterexample<'s>(
        &mut self,
        assumed: &[SampleCondition],
        least: usize,
        width: &mut usize,
        ahead: &mut SpeculativeCheck<'s, '_>,
    ) -> Limited<Option<Trace>>
    where
        'm: 's,
    {
        let mut depth = least;
        let mut conditions = assumed.to_vec();
        conditions.extend(self.pool.outside(&self.pool.choice.chosen));
        while depth <= self.bound() {
            self.work.depth = depth;
            self.work.limit()?;
            self.report(Activity::Search, None);
            self.tell_found();
            self.exchange_values();
            self.timed(Phase::Block, |run| run.work.oracle.prepare(&conditions));
            let depths = depth..=self.bound().min(depth + *width - 1);
            let found =
                self.timed(Phase::Search, |run| run.work.oracle.shortest(depths.clone(), &conditions))?;
            if found.is_some() {
                ahead.give_up();
                *width = 1;
                return Ok(found);
            }
            depth = depths.end() + 1;
            if assumed.is_empty() {
                depths.for_each(|depth| self.work.oracle.note(depth, &conditions));
                if depth <= self.bound() {
                    self.check_ahead(ahead);
                }
            }
            *width = self.work.oracle.wider(*width);
        }
        Ok(None)
    }

    /// Begins the self-check of what has been found if that is likely to be all.
    fn check_ahead<'s>(&mut self, ahead: &mut SpeculativeCheck<'s, '_>)
    where
        'm: 's,
    {
        // What classes make redundant is checked as well where it is kept.
        if self.options.keep_redundant
            || self.pool.choice.chosen.is_empty()
            || !ahead.is_possible(self.work.budget)
            || !self.work.oracle.is_sat()
        {
            return;
        }
        if let Some(claims) = self.claims(&Verdict::Complete) {
            let setup = self.options.setup(self.options.check_backend);
            ahead.begin(claims, setup, self.work.seconds(), self.work.budget);
        }
    }

    /// Looks once for values that are interchangeable, where classes can have individuals and questions are large.
    fn exchange_values(&mut self) {
        // Of an exact length, what comes after a violation is up to the solver, and would be another then.
        let exactly = matches!(self.options.lengths, Lengths::Exactly(_));
        if exactly || self.exchange.is_some() || !self.pool.can_have_individuals() {
            return;
        }
        let oracle = &self.work.oracle;
        if !oracle.is_sat() || oracle.variables() < self.options.orbits_from {
            return;
        }
        let model = oracle.problem().model;
        let found = InterchangeableValues::of(model, self.exchanges());
        found.iter().for_each(|values| self.work.oracle.exchange(values));
        self.exchange = Some(found);
    }

    /// The symmetries of the model that exchange two values.
    fn exchanges(&mut self) -> &Symmetries {
        if self.exchanges.is_none() {
            let (problem, shown) = (self.work.oracle.problem(), self.few_counterexamples());
            self.exchanges = Some(soon(problem, &shown, self.work.budget, symmetry::exchanges));
        }
        self.exchanges.get_or_insert_default()
    }

    /// Some counterexamples.
    fn few_counterexamples(&self) -> Vec<Trace> {
        const FEW: usize = 4;
        self.pool.traces().take(FEW).cloned().collect()
    }

    /// True if a chosen class has every trace in which the predicate to start with holds.
    fn start_is_a_class(&mut self) -> bool {
        let Some(predicate) = self.options.start_with else { return false };
        let Self { pool, collector, .. } = self;
        pool.choice
            .chosen
            .iter()
            .any(|&c| occurrence::is_alone(&pool.choice.candidate(c).constraint, collector, predicate))
    }

    /// Makes candidates of a counterexample that no chosen class covers, or of one that was asked for because a predicate
    /// holds anywhere in it, and chooses again.
    fn add_counterexample(
        &mut self,
        trace: Trace,
        sought: ExaminationReason,
    ) -> Limited<Option<Box<TooWeak>>> {
        self.work.statistics.counterexamples += 1;
        let facts = match self.timed(Phase::Facts, |run| run.facts_of(&trace, sought))? {
            Ok(facts) => facts,
            Err(weak) => return Ok(Some(weak)),
        };
        let initial = facts.placed.len();
        let before = self.pool.choice.chosen.clone();
        let add = |run: &mut Self| {
            run.pool.add(&mut run.work.oracle, trace, facts, sought == ExaminationReason::Outside)
        };
        let size = self.timed(Phase::Minimise, add)?;
        self.report(Activity::Shorten, Some((initial, size)));
        // A class that was chosen of late may soon give way to another one.
        let settled = |c: &CandidateId| {
            self.pool.choice.chosen.contains(c)
                && self.pool.len() - self.pool.choice.candidate(*c).origin.sample.index() > SETTLED_AFTER
        };
        let stayed = before.into_iter().filter(settled).collect();
        self.timed(Phase::Minimise, |run| run.complete_classes(stayed))?;
        Ok(None)
    }

    /// The facts of a counterexample, which suffice for a violation, or that those of the whole of it do not.
    ///
    /// The part after the first violation in a trace of exact length is up to the solver; so is what holds there. It is
    /// looked at only where what comes before does not suffice, or where a counterexample was asked for in which a
    /// predicate holds anywhere.
    fn facts_of(
        &mut self,
        trace: &Trace,
        sought: ExaminationReason,
    ) -> Limited<Result<CounterexampleFacts, Box<TooWeak>>> {
        let orders = Orders { before: self.collector.has_before(), next: self.collector.has_next() };
        let placed = self.collector.collect(&trace.moments, self.work.budget)?;
        self.seen.extend(occurrence::predicates(self.work.oracle.atoms(), &placed));
        let absent = self.collector.occurrences(&trace.moments);
        let violation = Position::after(self.work.oracle.steps_to_violation(trace));
        let exactly = matches!(self.options.lengths, Lengths::Exactly(_));
        if let ExaminationReason::With(predicate) = sought
            && exactly
        {
            // Other predicates may hold after the violation by chance, and carry a class that there is already.
            let own = |p: &&PlacedAtom| {
                self.work.oracle.atoms().get(p.atom).predicate().is_none_or(|other| other == predicate)
            };
            let mut facts =
                CounterexampleFacts::new(placed.iter().filter(own).cloned().collect(), orders, trace.last());
            let everything = facts.everything();
            if facts.is_sufficient(&mut self.work.oracle, &everything)? {
                return Ok(Ok(facts));
            }
        }
        if violation < trace.last() && sought == ExaminationReason::Outside {
            let before = placed.iter().filter(|p| p.positions.iter().all(|&p| p <= violation));
            let mut facts = CounterexampleFacts::new(before.cloned().collect(), orders, violation);
            facts.allow_absences(&mut self.work.oracle, absent.clone(), false)?;
            let everything = facts.everything();
            if facts.is_sufficient(&mut self.work.oracle, &everything)? {
                return Ok(Ok(facts));
            }
        }
        let mut facts = CounterexampleFacts::new(placed, orders, trace.last());
        facts.allow_absences(&mut self.work.oracle, absent, exactly)?;
        let everything = facts.everything();
        // What is too weak is shown; that most are not is seen in one question.
        if facts.is_sufficient(&mut self.work.oracle, &everything)? {
            return Ok(Ok(facts));
        }
        match facts.ask_for_show(&mut self.work.oracle, &everything)? {
            Sufficiency::Sufficient(_) => Ok(Ok(facts)),
            Sufficiency::Insufficient(AcceptingTrace { trace: accepting, assigned }) => {
                let (constraint, _) = facts.constraint(&everything);
                let earliest = self.work.oracle.matches(&constraint, &accepting);
                let positions = earliest.unwrap_or(assigned).positions;
                let counterexample = trace.clone();
                let atoms = self.work.oracle.atoms().clone();
                let covered = None;
                Ok(Err(Box::new(TooWeak {
                    counterexample,
                    constraint,
                    atoms,
                    accepting,
                    positions,
                    covered,
                })))
            }
        }
    }

    fn complete_classes(&mut self, classes: Vec<CandidateId>) -> Limited<()> {
        classes.into_iter().try_for_each(|c| self.pool.complete(&mut self.work.oracle, c, self.first_depth))
    }

    fn bound(&self) -> usize {
        self.options.lengths.bound()
    }

    /// Tells the observer of the classes that were found.
    fn tell_found(&mut self) {
        let Self { pool, options, unclassified, starting, .. } = self;
        if pool.choice.chosen.is_empty() {
            return;
        }
        let why = if *starting { Why::StartWithOnly } else { Why::Exhausted };
        self.work.found(&|oracle| {
            let verdict = Verdict::Partial(why(Exhausted::Time));
            let mut classes: Vec<Class> = pool.choice.chosen.iter().map(|&c| pool.bare_class(c)).collect();
            classes.sort_by_key(|class| class.representative.len());
            Classification {
                classes,
                unclassified: unclassified.clone(),
                atoms: oracle.atoms().clone(),
                ..Classification::new(verdict, options.lengths, oracle.solver())
            }
        });
    }

    fn report(&mut self, activity: Activity, facts: Option<(usize, usize)>) {
        self.work.report(activity, self.pool.choice.chosen.len(), facts);
    }
}
