//! The loop: find a shortest counterexample outside all classes, collect what holds in it, keep what
//! is needed, block it, go on (Algorithm 1 of the classification paper).

use super::collect::Atoms;
use super::constraint::Constraint;
use super::minimise::{Minimised, Minimiser, Orders};
use super::redundancy::{self, Found};
use super::result::{Class, Classification, Silent, Statistics, TooWeak, Verdict, Why};
use super::self_check;
use super::space::{Limited, Space, Sufficiency};
use super::{Options, block, occurrence};
use crate::budget::{Budget, Exhausted, Observer, Progress, cpu_seconds, peak_memory_kb};
use crate::model::expr::Expr;
use crate::model::{Model, PredicateId, Vocabulary, VocabularyItem};
use crate::sat::Lit;
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
    classify_with(model, invariant, vocabulary, options, Vec::new(), budget, observer)
}

/// The same with classes that are known to be sufficient; only what is in none of them is classified anew.
pub(super) fn classify_with(
    model: &Model,
    invariant: &Expr,
    vocabulary: &Vocabulary,
    options: &Options,
    known: Vec<Class>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let start = Start { clock: Instant::now(), cpu: cpu_seconds() };
    let space = Space::new(model, invariant, options.lengths, options.backend, budget);
    let mut run = Run {
        solver: space.unrolling.circuit.solver_name().to_owned(),
        space,
        atoms: Atoms::new(model, vocabulary),
        vocabulary,
        options,
        budget,
        observer,
        found: Vec::new(),
        spoken: BTreeSet::new(),
        statistics: Statistics::default(),
        depth: 0,
        first_depth: 0,
        unclassified: None,
        starting: false,
        start_unmatched: false,
    };
    let outcome = run.search(known);
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
    found: Vec<Found>,
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

impl<'m> Run<'_, 'm> {
    fn search(&mut self, known: Vec<Class>) -> Outcome {
        match self.try_search(known) {
            Ok(outcome) => outcome,
            Err(why) => Outcome::Exhausted(why),
        }
    }

    fn try_search(&mut self, known: Vec<Class>) -> Limited<Outcome> {
        let Some(first) = self.first_counterexample()? else { return Ok(Outcome::Holds) };
        let clock = Instant::now();
        self.first_depth = self.space.steps_to_violation(&first);
        self.unclassified = Some(first);
        let grown = self.space.grow_to(self.bound());
        self.statistics.seconds.unroll += clock.elapsed().as_secs_f64();
        grown?;
        for class in known {
            let matched = block::matched(&mut self.space, &class.constraint);
            self.found.push(Found { matched, class: Class { canonical: None, redundant: false, ..class } });
        }
        if !self.found.is_empty() {
            self.unclassified = None;
        }
        if let Some(predicate) = self.options.start_with {
            let begins = occurrence::somewhere(&mut self.space, &mut self.atoms, predicate);
            self.starting = true;
            if let Some(end) = self.classify_from(&[begins])? {
                return Ok(end);
            }
            self.starting = false;
            self.start_unmatched = self.found.is_empty();
        }
        Ok(self.classify_from(&[])?.unwrap_or(Outcome::Exhaustive))
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

    /// Classifies until no counterexample under `assumed` is left; `Some` if that had to be given up.
    fn classify_from(&mut self, assumed: &[Lit]) -> Limited<Option<Outcome>> {
        for depth in self.first_depth..=self.bound() {
            self.depth = depth;
            loop {
                self.limit()?;
                self.report("search", None);
                let mut assumptions: Vec<Lit> = assumed.to_vec();
                assumptions.extend(self.found.iter().map(|f| !f.matched));
                let clock = Instant::now();
                let found = self.space.counterexample(depth, &assumptions);
                self.statistics.seconds.search += clock.elapsed().as_secs_f64();
                let Some(trace) = found? else {
                    if assumed.is_empty() {
                        self.space.settle(depth, &assumptions);
                    }
                    break;
                };
                self.unclassified = Some(trace.clone());
                if self.options.max_classes.is_some_and(|max| self.found.len() >= max) {
                    return Ok(Some(Outcome::MaxClasses));
                }
                if let Some(weak) = self.add_class(trace)? {
                    return Ok(Some(Outcome::TooWeak(weak)));
                }
            }
        }
        Ok(None)
    }

    /// One round of the loop: a class around this counterexample.
    fn add_class(&mut self, trace: Trace) -> Limited<Option<Box<TooWeak>>> {
        self.statistics.counterexamples += 1;
        let clock = Instant::now();
        let placed = self.atoms.collect(&trace.moments, self.budget)?;
        self.spoken.extend(occurrence::predicates(&placed));
        let orders = Orders { before: self.atoms.has_before(), next: self.atoms.has_next() };
        let mut minimiser = Minimiser::new(&mut self.space, &placed, orders);
        let whole = minimiser.whole(trace.len());
        self.statistics.seconds.facts += clock.elapsed().as_secs_f64();
        if let Sufficiency::Insufficient(accepting, positions) = whole? {
            let constraint = minimiser.everything(trace.len());
            let earliest = constraint.matches(self.space.unrolling.model, &accepting.moments);
            let positions = earliest.unwrap_or(positions);
            return Ok(Some(Box::new(TooWeak { counterexample: trace, constraint, accepting, positions })));
        }
        let clock = Instant::now();
        let minimised = minimiser.run(trace.len());
        self.statistics.seconds.minimise += clock.elapsed().as_secs_f64();
        let minimised = minimised?;
        let (representative, positions) = self.shortest_member(trace, &minimised)?;
        self.report("minimise", Some((placed.len(), minimised.constraint.facts.len())));
        let clock = Instant::now();
        let matched = block::matched(&mut self.space, &minimised.constraint);
        self.statistics.seconds.block += clock.elapsed().as_secs_f64();
        self.unclassified = None;
        self.found.push(Found {
            matched,
            class: Class {
                constraint: minimised.constraint,
                representative,
                positions,
                needed: minimised.needed,
                canonical: None,
                redundant: false,
                initial_facts: placed.len(),
            },
        });
        Ok(None)
    }

    /// A shortest counterexample of a class, with the places of its position variables. The counterexample that
    /// the class was made from is a shortest one outside the older classes, but these may share
    /// shorter ones with it.
    fn shortest_member(&mut self, trace: Trace, class: &Minimised) -> Limited<(Trace, Vec<usize>)> {
        for length in self.first_depth..self.space.steps_to_violation(&trace) {
            let facts = self.space.holding(&class.constraint.facts);
            if let Some(shorter) = self.space.counterexample(length, &facts)? {
                let positions = class.constraint.matches(self.space.unrolling.model, &shorter.moments);
                return Ok((shorter, positions.unwrap_or_default()));
            }
        }
        Ok((trace, class.positions.clone()))
    }

    fn finish(mut self, outcome: Outcome, model: &Model, invariant: &Expr, start: Start) -> Classification {
        let mut verdict = match outcome {
            Outcome::Holds => Verdict::Holds,
            Outcome::Exhaustive => Verdict::Complete,
            Outcome::TooWeak(weak) => Verdict::TooWeak(weak),
            Outcome::MaxClasses => Verdict::Partial(Why::MaxClasses),
            Outcome::Exhausted(why) if self.unclassified.is_none() && self.found.is_empty() => {
                Verdict::Undecided { why, depth: self.depth }
            }
            Outcome::Exhausted(why) if self.starting => Verdict::Partial(Why::StartWithOnly(why)),
            Outcome::Exhausted(why) => Verdict::Partial(Why::Exhausted(why)),
        };
        let mut silent = None;
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
            && !self.found.is_empty()
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
        // A class found late may have a short member that older classes share.
        self.found.sort_by_key(|f| f.class.representative.len());
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
            classes: self.found.into_iter().map(|f| f.class).collect(),
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
        let named = self.vocabulary.items.iter().filter_map(|item| match item {
            VocabularyItem::Predicate(id, _) => Some(*id),
            _ => None,
        });
        let candidates: BTreeSet<PredicateId> = named.filter(|id| !self.spoken.contains(id)).collect();
        let mut silent = Silent { never: Vec::new(), harmless: Vec::new(), lengths };
        if !candidates.is_empty() {
            let mut space = Space::new(model, invariant, lengths, self.options.backend, self.budget);
            space.grow_to(lengths.bound())?;
            silent = occurrence::silent(&mut space, &mut self.atoms, candidates, self.budget)?;
            self.statistics.solver_calls += space.circuit().solver_calls();
        }
        self.statistics.seconds.search += clock.elapsed().as_secs_f64();
        Ok(silent)
    }

    /// Removes redundant classes, finds canonical counterexamples, checks everything afresh.
    fn conclude(&mut self, model: &Model, invariant: &Expr) -> Limited<String> {
        self.report("redundancy", None);
        let clock = Instant::now();
        let removed = redundancy::remove(&mut self.space, &mut self.found, self.options.keep_redundant);
        self.statistics.seconds.redundancy += clock.elapsed().as_secs_f64();
        self.statistics.redundant = removed?;
        self.check(model, invariant, true)
    }

    /// The self-check: that the classes found, perhaps none, are right and, if `complete`, leave nothing out.
    fn check(&mut self, model: &Model, invariant: &Expr, complete: bool) -> Limited<String> {
        self.report("verify", None);
        let clock = Instant::now();
        let classes: Vec<(&Constraint, Option<&Trace>)> =
            self.found.iter().map(|f| (&f.class.constraint, f.class.canonical.as_ref())).collect();
        let checked = self_check::check(
            model,
            invariant,
            &classes,
            complete,
            self.options.lengths,
            self.options.check_backend,
            self.budget,
        );
        self.statistics.seconds.verify += clock.elapsed().as_secs_f64();
        let checked = checked?;
        self.statistics.solver_calls += checked.solver_calls;
        self.statistics.peak_variables = checked.variables;
        self.statistics.peak_clauses = checked.clauses;
        Ok(checked.solver)
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
            classes: self.found.len(),
            facts,
            solver_calls: circuit.solver_calls(),
            solver_seconds: circuit.solver_seconds(),
        });
    }
}
