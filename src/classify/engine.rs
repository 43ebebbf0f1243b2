//! The loop: find a shortest counterexample outside all classes, collect what holds in it, keep what
//! is needed, block it, go on (Algorithm 1 of the classification paper).

use super::collect::Atoms;
use super::constraint::Constraint;
use super::draft::{Facts, Orders};
use super::pool::Pool;
use super::result::{Class, Classification, Silent, Statistics, TooWeak, Verdict, Why};
use super::space::{Limited, Space, Sufficiency};
use super::{Options, merge, occurrence, redundancy, self_check};
use crate::budget::{Budget, Exhausted, Observer, Progress, cpu_seconds, peak_memory_kb};
use crate::model::expr::Expr;
use crate::model::{Model, PredicateId, Vocabulary, VocabularyItem};
use crate::sat::{Lit, Setup};
use crate::trace::Trace;
use crate::unroll::Lengths;
use std::collections::BTreeSet;
use std::time::Instant;

/// Classifies all traces of the lengths asked for that violate the invariant.
///
/// Never fails: what can be wrong with the input was reported before, and running out of budget is a
/// verdict.
///
/// # Panics
/// Only on a mistake in this program: when a trace from the solver is refused by the reference
/// semantics, or the self-check contradicts the result.
pub fn classify(
    model: &Model,
    invariant: &Expr,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let start = Start { clock: Instant::now(), cpu: cpu_seconds() };
    let space = Space::new(model, invariant, options.lengths, options.setup(options.backend), budget);
    let mut run = Run {
        solver: space.unrolling.circuit.solver_name().to_owned(),
        space,
        atoms: Atoms::new(model, vocabulary),
        vocabulary,
        options,
        budget,
        observer,
        pool: Pool::new(&options.preference, invariant, budget),
        spoken: BTreeSet::new(),
        statistics: Statistics::default(),
        depth: 0,
        first_depth: 0,
        unclassified: None,
        starting: false,
        start_unmatched: false,
    };
    let outcome = run.search();
    run.finish(outcome, model, invariant, start)
}

/// What the clocks said at the start.
struct Start {
    clock: Instant,
    cpu: Option<f64>,
}

/// How the search ended.
enum Outcome {
    Holds,
    Exhaustive,
    TooWeak(Box<TooWeak>),
    MaxClasses,
    Exhausted(Exhausted),
}

struct Run<'a, 'm> {
    space: Space<'m>,
    atoms: Atoms<'m>,
    vocabulary: &'m Vocabulary,
    options: &'a Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    pool: Pool<'a>,
    /// Predicates that hold in some counterexample that was looked at.
    spoken: BTreeSet<PredicateId>,
    statistics: Statistics,
    depth: usize,
    /// The least number of steps before a first violation.
    first_depth: usize,
    /// A counterexample that is in no class yet.
    unclassified: Option<Trace>,
    /// Whether only counterexamples of `start_with` are looked at.
    starting: bool,
    /// Whether no counterexample satisfies `start_with`.
    start_unmatched: bool,
    solver: String,
}

/// A class that was chosen is completed early if so many more counterexamples were found and it is still chosen.
const SETTLED_AFTER: usize = 4;

impl<'m> Run<'_, 'm> {
    fn search(&mut self) -> Outcome {
        match self.try_search() {
            Ok(outcome) => outcome,
            Err(why) => Outcome::Exhausted(why),
        }
    }

    fn try_search(&mut self) -> Limited<Outcome> {
        let Some(first) = self.first_counterexample()? else { return Ok(Outcome::Holds) };
        let clock = Instant::now();
        self.first_depth = self.space.steps_to_violation(&first);
        self.unclassified = Some(first.clone());
        let grown = self.space.grow_to(self.bound());
        self.statistics.seconds.unroll += clock.elapsed().as_secs_f64();
        grown?;
        if let Some(predicate) = self.options.start_with {
            let begins = occurrence::somewhere(&mut self.space, &mut self.atoms, predicate);
            self.starting = true;
            if let Some(end) = self.classify_from(&[begins], None)? {
                return Ok(end);
            }
            self.starting = false;
            self.start_unmatched = self.pool.samples.is_empty();
        }
        let first = self.pool.samples.is_empty().then_some(first);
        let mut end = self.classify_from(&[], first)?;
        if end.is_none() && self.options.keep_redundant && self.bring_in_predicates()? {
            end = self.classify_from(&[], None)?;
        }
        Ok(end.unwrap_or(Outcome::Exhaustive))
    }

    /// Where redundant classes are wanted: looks for a counterexample with each predicate of the vocabulary that no class
    /// speaks of, and makes its class. Returns whether there were any.
    fn bring_in_predicates(&mut self) -> Limited<bool> {
        let before = self.pool.samples.len();
        for predicate in self.predicates() {
            if self.options.max_classes.is_some_and(|max| self.pool.chosen.len() >= max) {
                break;
            }
            if self.pool.speaks_of(predicate) {
                continue;
            }
            let holds = occurrence::somewhere(&mut self.space, &mut self.atoms, predicate);
            if let Some(trace) = self.space.first_from(self.first_depth, &[holds])? {
                let weak = self.add_counterexample(trace, true)?;
                assert!(weak.is_none(), "it is in a class, so its facts suffice");
            }
        }
        Ok(self.pool.samples.len() > before)
    }

    /// The predicates that the vocabulary names.
    fn predicates(&self) -> BTreeSet<PredicateId> {
        let named = |item: &VocabularyItem| match item {
            VocabularyItem::Predicate(id, _) => Some(*id),
            _ => None,
        };
        self.vocabulary.items.iter().filter_map(named).collect()
    }

    /// The unrolling grows with the search, so that a violation after few steps costs few steps.
    fn first_counterexample(&mut self) -> Limited<Option<Trace>> {
        for depth in 0..=self.bound() {
            self.depth = depth;
            self.limit()?;
            let clock = Instant::now();
            let grown = self.space.grow_to(depth);
            self.statistics.seconds.unroll += clock.elapsed().as_secs_f64();
            grown?;
            self.report("search", None);
            let clock = Instant::now();
            let found = self.space.counterexample(depth, &[]);
            self.statistics.seconds.search += clock.elapsed().as_secs_f64();
            if let Some(trace) = found? {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Classifies until no counterexample under `assumed` is left; `Some` if that had to be given up. The first one may
    /// be known.
    fn classify_from(&mut self, assumed: &[Lit], mut known: Option<Trace>) -> Limited<Option<Outcome>> {
        let mut depth = self.first_depth;
        let mut width = 1;
        while depth <= self.bound() {
            self.depth = depth;
            self.limit()?;
            self.report("search", None);
            let mut assumptions: Vec<Lit> = assumed.to_vec();
            let clock = Instant::now();
            assumptions.extend(self.pool.outside(&mut self.space));
            self.statistics.seconds.block += clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let depths = depth..=self.bound().min(depth + width - 1);
            let found = match known.take() {
                Some(first) => Ok(Some(first)),
                None => self.space.first_among(depths.clone(), &assumptions),
            };
            self.statistics.seconds.search += clock.elapsed().as_secs_f64();
            let Some(trace) = found? else {
                depth = depths.end() + 1;
                if assumed.is_empty() {
                    depths.for_each(|depth| self.space.settle(depth, &assumptions));
                }
                width = self.space.wider(width);
                continue;
            };
            depth = self.space.steps_to_violation(&trace);
            width = 1;
            self.unclassified = Some(trace.clone());
            if self.options.max_classes.is_some_and(|max| self.pool.chosen.len() >= max) {
                return Ok(Some(Outcome::MaxClasses));
            }
            let before = self.pool.chosen.clone();
            if let Some(weak) = self.add_counterexample(trace, self.starting)? {
                return Ok(Some(Outcome::TooWeak(weak)));
            }
            if !before.iter().all(|c| self.pool.chosen.contains(c)) {
                // Shorter counterexamples may have lost their class.
                depth = self.first_depth;
            }
            if self.starting && self.start_is_a_class() {
                break;
            }
        }
        Ok(None)
    }

    /// Whether a chosen class has every trace in which the predicate to start with holds.
    fn start_is_a_class(&mut self) -> bool {
        let Some(predicate) = self.options.start_with else { return false };
        let Self { pool, atoms, .. } = self;
        pool.chosen.iter().any(|&c| occurrence::is_alone(&pool.candidates[c].constraint, atoms, predicate))
    }

    /// One round of the loop: a counterexample that no chosen class covers, or one that was asked for because a predicate
    /// holds anywhere in it.
    fn add_counterexample(&mut self, trace: Trace, asked_for: bool) -> Limited<Option<Box<TooWeak>>> {
        self.statistics.counterexamples += 1;
        let clock = Instant::now();
        let facts = self.facts_of(&trace, asked_for);
        self.statistics.seconds.facts += clock.elapsed().as_secs_f64();
        let facts = match facts? {
            Ok(facts) => facts,
            Err(weak) => return Ok(Some(weak)),
        };
        let initial = facts.placed.len();
        let clock = Instant::now();
        let before = self.pool.chosen.clone();
        let size = self.pool.add(&mut self.space, trace, facts, !asked_for);
        self.statistics.seconds.minimise += clock.elapsed().as_secs_f64();
        self.report("minimise", Some((initial, size?)));
        self.unclassified = None;
        let clock = Instant::now();
        // A class that was chosen of late may soon give way to another one.
        let settled = |c: &usize| {
            self.pool.chosen.contains(c)
                && self.pool.samples.len() - self.pool.candidates[*c].sample > SETTLED_AFTER
        };
        let stayed = before.into_iter().filter(settled).collect();
        let completed = self.complete_classes(stayed);
        self.statistics.seconds.minimise += clock.elapsed().as_secs_f64();
        completed?;
        Ok(None)
    }

    /// The facts of a counterexample, which suffice for a violation, or that those of the whole of it do not.
    ///
    /// What comes after the first violation in a trace of exact length is up to the solver; so is what holds there. It is
    /// looked at only where what comes before does not suffice, or where a counterexample was asked for in which a
    /// predicate holds anywhere.
    fn facts_of(&mut self, trace: &Trace, asked_for: bool) -> Limited<Result<Facts, Box<TooWeak>>> {
        let orders = Orders { before: self.atoms.has_before(), next: self.atoms.has_next() };
        let placed = self.atoms.collect(&trace.moments, self.budget)?;
        self.spoken.extend(occurrence::predicates(&placed));
        let absent = self.atoms.occurrences(&trace.moments);
        let violation = self.space.steps_to_violation(trace);
        if violation < trace.len() && !asked_for {
            let before = placed.iter().filter(|p| p.positions.iter().all(|&p| p <= violation));
            let mut facts = Facts::new(before.cloned().collect(), orders, violation);
            facts.allow_absences(&mut self.space, absent.clone(), false)?;
            let everything = facts.everything();
            if facts.is_sufficient(&mut self.space, &everything)? {
                return Ok(Ok(facts));
            }
        }
        let mut facts = Facts::new(placed, orders, trace.len());
        let exactly = matches!(self.options.lengths, Lengths::Exactly(_));
        facts.allow_absences(&mut self.space, absent, exactly)?;
        let everything = facts.everything();
        // What is too weak is shown; that most are not is seen in one question.
        if facts.is_sufficient(&mut self.space, &everything)? {
            return Ok(Ok(facts));
        }
        match facts.ask_for_show(&mut self.space, &everything)? {
            Sufficiency::Sufficient => Ok(Ok(facts)),
            Sufficiency::Insufficient(accepting, positions) => {
                let (constraint, _) = facts.constraint(&everything);
                let earliest = constraint.matches(self.space.unrolling.model, &accepting.moments);
                let positions = earliest.unwrap_or(positions);
                let counterexample = trace.clone();
                Ok(Err(Box::new(TooWeak { counterexample, constraint, accepting, positions })))
            }
        }
    }

    fn complete_classes(&mut self, classes: Vec<usize>) -> Limited<()> {
        classes.into_iter().try_for_each(|c| self.pool.complete(&mut self.space, c, self.first_depth))
    }

    fn finish(mut self, outcome: Outcome, model: &Model, invariant: &Expr, start: Start) -> Classification {
        let mut verdict = match outcome {
            Outcome::Holds => Verdict::Holds,
            Outcome::Exhaustive => Verdict::Complete,
            Outcome::TooWeak(weak) => Verdict::TooWeak(weak),
            Outcome::MaxClasses => Verdict::Partial(Why::MaxClasses),
            Outcome::Exhausted(why) if self.unclassified.is_none() && self.pool.chosen.is_empty() => {
                Verdict::Undecided { why, depth: self.depth }
            }
            Outcome::Exhausted(why) if self.starting => Verdict::Partial(Why::StartWithOnly(why)),
            Outcome::Exhausted(why) => Verdict::Partial(Why::Exhausted(why)),
        };
        let mut silent = None;
        let clock = Instant::now();
        // Where the budget has ended, classes are shown with what was found.
        let _ = self.complete_classes(self.pool.chosen.clone());
        self.statistics.seconds.minimise += clock.elapsed().as_secs_f64();
        if matches!(verdict, Verdict::Complete | Verdict::TooWeak(_)) {
            // A budget that ends here takes nothing from the result but this remark.
            silent = self.silent(model, invariant).ok();
        }
        let (mut checked_by, mut check_ended) = (None, None);
        if verdict == Verdict::Complete {
            match self.conclude(model, invariant) {
                Ok(solver) => checked_by = Some(solver),
                Err(why) => verdict = Verdict::Partial(Why::Exhausted(why)),
            }
        } else if matches!(verdict, Verdict::TooWeak(_) | Verdict::Partial(Why::MaxClasses))
            && !self.pool.chosen.is_empty()
        {
            match self.check(model, invariant, false) {
                Ok(solver) => checked_by = Some(solver),
                Err(why) => check_ended = Some(why),
            }
        } else if verdict == Verdict::Holds && self.options.check_backend != self.options.backend {
            // Another search by the same solver would say little; by another one it does.
            match self.check(model, invariant, true) {
                Ok(solver) => checked_by = Some(solver),
                Err(why) => check_ended = Some(why),
            }
        }
        let mut kept = self.pool.chosen.clone();
        if self.options.keep_redundant && verdict == Verdict::Complete {
            kept.extend(self.pool.passed_over());
            kept.sort_unstable();
        }
        let mut classes: Vec<Class> = kept.into_iter().map(|c| self.pool.class(model, c)).collect();
        // A class found late may have a short member that older classes share.
        classes.sort_by_key(|class| class.representative.len());
        let circuit = &self.space.unrolling.circuit;
        self.statistics.solver_calls += circuit.solver_calls();
        self.statistics.peak_variables = self.statistics.peak_variables.max(circuit.variables());
        self.statistics.peak_clauses = self.statistics.peak_clauses.max(circuit.clauses());
        self.statistics.seconds.total = start.clock.elapsed().as_secs_f64();
        self.statistics.cpu_seconds = cpu_seconds().zip(start.cpu).map(|(now, then)| now - then);
        self.statistics.peak_memory_kb = peak_memory_kb();
        let unclassified = self.unclassified.filter(|_| matches!(verdict, Verdict::Partial(_)));
        Classification {
            verdict,
            lengths: self.options.lengths,
            classes,
            minimum: self.pool.minimum,
            unclassified,
            silent,
            checked_by,
            check_ended,
            start_unmatched: self.start_unmatched,
            solver: self.solver,
            unbounded: None,
            counts: None,
            statistics: self.statistics,
        }
    }

    /// Asked of traces up to half as long again as the shortest counterexamples: a predicate that needs longer
    /// ones says little about how the property is violated, and the proof that there are none can be
    /// as hard as everything else.
    fn silent(&mut self, model: &Model, invariant: &Expr) -> Limited<Silent> {
        let clock = Instant::now();
        let lengths = match self.options.lengths {
            Lengths::UpTo(bound) => Lengths::UpTo(bound.min(self.first_depth * 3 / 2)),
            exactly => exactly,
        };
        let candidates: BTreeSet<PredicateId> = self.predicates().difference(&self.spoken).copied().collect();
        let mut silent = Silent { never: Vec::new(), harmless: Vec::new(), lengths };
        if !candidates.is_empty() {
            let mut space = Space::new(model, invariant, lengths, self.setup(), self.budget);
            space.grow_to(lengths.bound())?;
            silent = occurrence::silent(&mut space, &mut self.atoms, candidates, self.budget)?;
            self.statistics.solver_calls += space.circuit().solver_calls();
        }
        self.statistics.seconds.search += clock.elapsed().as_secs_f64();
        Ok(silent)
    }

    /// Removes what is redundant, finds canonical counterexamples, checks everything afresh.
    fn conclude(&mut self, model: &Model, invariant: &Expr) -> Limited<String> {
        self.report("redundancy", None);
        let clock = Instant::now();
        let concluded = self.settle_classes();
        self.statistics.seconds.redundancy += clock.elapsed().as_secs_f64();
        concluded?;
        self.check(model, invariant, true)
    }

    fn settle_classes(&mut self) -> Limited<()> {
        merge::merge_positions(&mut self.space, &mut self.pool, self.first_depth)?;
        redundancy::settle(&mut self.space, &mut self.pool)?;
        let passed_over = self.pool.passed_over();
        self.statistics.redundant = passed_over.len();
        if self.options.keep_redundant {
            self.complete_classes(passed_over)?;
        }
        Ok(())
    }

    /// The self-check: that the classes found, perhaps none, are right and, if `complete`, leave nothing out.
    fn check(&mut self, model: &Model, invariant: &Expr, complete: bool) -> Limited<String> {
        self.report("verify", None);
        let clock = Instant::now();
        let kept = self.options.keep_redundant && complete;
        let passed_over = if kept { self.pool.passed_over() } else { Vec::new() };
        let candidates = &self.pool.candidates;
        let classes: Vec<(&Constraint, Option<&Trace>)> = (self.pool.chosen.iter().chain(&passed_over))
            .map(|&c| (&candidates[c].constraint, candidates[c].canonical.as_ref()))
            .collect();
        let checked = self_check::check(
            model,
            invariant,
            &classes,
            complete,
            self.options.lengths,
            self.options.setup(self.options.check_backend),
            self.budget,
        );
        self.statistics.seconds.verify += clock.elapsed().as_secs_f64();
        let checked = checked?;
        self.statistics.solver_calls += checked.solver_calls;
        self.statistics.peak_variables = checked.variables;
        self.statistics.peak_clauses = checked.clauses;
        Ok(checked.solver)
    }

    fn setup(&self) -> Setup {
        self.options.setup(self.options.backend)
    }

    fn bound(&self) -> usize {
        self.options.lengths.bound()
    }

    fn limit(&self) -> Limited<()> {
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    fn report(&mut self, phase: &'static str, facts: Option<(usize, usize)>) {
        let circuit = &self.space.unrolling.circuit;
        self.observer.progress(&Progress {
            phase,
            depth: self.depth,
            counterexamples: self.statistics.counterexamples,
            classes: self.pool.chosen.len(),
            facts,
            solver_calls: circuit.solver_calls(),
            solver_seconds: circuit.solver_seconds(),
        });
    }
}
