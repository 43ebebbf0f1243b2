//! Covers: which of the things that a vocabulary names happen in the violating traces, and what is left over.
//!
//! A class of a cover need not suffice for a violation; every violating trace has one of them, as far as it has anything that
//! the vocabulary names, and none of them can be left out. So a complete cover says as well that nothing is violated
//! where none of them happens. The search is for an implicit hitting set: as few things as possible that occur in all
//! violating traces found so far, and then a violating trace without these.
//!
//! A cover can be about the traces of one class only: by which facts do they differ?

mod check;
pub(crate) mod combinations;
pub(crate) mod cover_search;
mod finite_refinement;
pub(crate) mod labels;
pub(crate) mod level;
pub(crate) mod refinement;
pub(crate) mod things;
mod traces;

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::facts::problem::Problem;
use crate::facts::restore::Restored;
use crate::oracles::oracle::Oracle;
use crate::oracles::orbit::soon;
use crate::oracles::work::Work;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Cover, Verdict, Why};
use crate::results::statistics::{Phase, Stopwatch, Timed};
use crate::search::images::images_among;
use crate::search::necessary::{KnownTraces, necessary};
use cover_search::CoverContext;
use engines::symmetry::exchanges;
use finite_refinement::FiniteRefinement;
use kit::budget::{Activity, Budget, Exhausted, Limited, Observer};
use lang::model::Vocabulary;
use lang::trace::Trace;
use level::CoverLevel;
use refinement::{ContextAnalysis, CoverRefinement};
use things::Things;
use traces::{ContextTraces, FiniteCoverQuestions};

pub(crate) use traces::at_start;

/// A violating trace with as few steps as any.
struct First {
    trace: Trace,
    steps: usize,
}

/// Covers all traces of the lengths asked for that violate the invariant.
pub(crate) fn cover(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let atoms = Atoms::default();
    let result = cover_by(Work::new(problem, &atoms, options, budget, observer), vocabulary, options);
    Classification { atoms, ..result }
}

/// The cover by an oracle; without the atoms.
pub(crate) fn cover_by<'m, O: Oracle<'m>>(
    mut work: Work<'_, O>,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Classification {
    let (problem, atoms, budget) = (work.oracle.problem(), work.oracle.atoms(), work.budget);
    let lifter = Lifter::new(problem.model, vocabulary, atoms, &options.grounding);
    let mut collector = Collector::new(problem.model, vocabulary, atoms);
    let Things { things, general, skipped } =
        things::of(&mut collector, &lifter, vocabulary, &options.preference);
    let all = (0..general).map(CandidateId::new).collect();
    let scores = things[..general].iter().map(|thing| thing.score).collect();
    let context = CoverContext::default();
    let (first, begun) = begin(&mut work, options);
    let depth = first.as_ref().map(|first| first.steps);
    let mut cover_search = FiniteCoverQuestions { work: &mut work, things: &things, context: &context };
    let mut level = CoverLevel::new(&mut cover_search, all, scores, depth);
    let searched = begun.and_then(|()| level.search(first.map(|first| first.trace)));
    let clock = Stopwatch::start();
    let outcome = level.outcome();
    let (classes, combinations) = level.cover_search.classes(outcome);
    level.cover_search.statistics().seconds.add(Phase::Redundancy, clock.seconds());
    let reached = level.cover_search.work.depth;
    let ended = searched.err().or(combinations.ended);
    let mut verdict = verdict_of(ended, depth, level.remainder.as_ref(), reached);
    let (mut checked_by, mut check_ended) = (None, None);
    if matches!(verdict, Verdict::Complete | Verdict::Remainder) {
        let clock = Stopwatch::start();
        match checked(&mut level, options, &classes) {
            Ok(solver) => checked_by = Some(solver),
            // The cover of an SMT solver is complete, whether a SAT solver confirms it in time or not.
            Err(why) if !level.cover_search.work.oracle.is_sat() => check_ended = Some(why),
            Err(why) => verdict = Verdict::Partial(Why::Exhausted(why)),
        }
        level.cover_search.statistics().seconds.add(Phase::Verify, clock.seconds());
    }
    let mut violating: Vec<Trace> = level.traces().cloned().collect();
    let others = level.others();
    let (observed, minimum, remainder) = (level.necessary, level.minimum, level.remainder);
    violating.sort_by_key(|trace| work.oracle.steps_to_violation(trace));
    let images = work.timed(Phase::Redundancy, |_| {
        let shown: Vec<Trace> = classes.iter().map(|class| class.representative.clone()).collect();
        let said: Vec<_> = classes.iter().map(Class::said).collect();
        images_among((problem.model, atoms), (&options.grounding, vocabulary), &said, |_| {
            soon(problem, &shown, budget, |question| exchanges(question).with_turns(question))
        })
    });
    let known =
        KnownTraces { violating, accepted: Vec::new(), least: depth.unwrap_or_default(), classes: &classes };
    let shared = work.timed(Phase::Necessary, |work| {
        let budget = work.budget_of_facts(options.necessity);
        necessary(&mut work.oracle, vocabulary, options, known, &budget)
    });
    let others = others.iter().map(|id| things[id.index()].constraint.clone()).collect();
    let necessary: Vec<Constraint> =
        observed.iter().map(|id| things[id.index()].constraint.clone()).collect();
    let at_start = necessary.iter().map(|constraint| at_start(problem, atoms, constraint, budget)).collect();
    let cover = Cover {
        combinations: combinations.found,
        all: combinations.all,
        remainder,
        necessary,
        skipped,
        predicates_only: things::are_predicates_only(vocabulary),
        others,
        at_start,
        context: None,
    };
    let (statistics, solver) = work.finish();
    Classification {
        classes,
        images,
        minimum,
        checked_by,
        check_ended,
        cover: Some(cover),
        necessary: shared,
        statistics,
        ..Classification::new(verdict, options.lengths, solver)
    }
}

/// Covers the violating traces that satisfy a constraint as well: what tells them apart. Predicates of the vocabulary come first,
/// then labels of steps for what these leave over; what all of the traces have takes no part.
///
/// The verdict is [`Verdict::Holds`] if no violating trace of the lengths asked for satisfies the constraint.
///
/// # Panics
/// Only on a bug in this program, as [`crate::search::engine::classify`].
pub fn classify_within(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    context: &Restored,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let atoms = context.atoms.clone();
    let work = Work::new(problem, &atoms, options, budget, observer);
    let result = within_by(work, vocabulary, &context.constraint, options);
    Classification { atoms, ..result }
}

/// The cover of the traces of a class by an oracle; without the atoms.
pub(crate) fn within_by<'a, 'm, O: Oracle<'m>>(
    work: Work<'a, O>,
    vocabulary: &Vocabulary,
    context: &Constraint,
    options: &'a Options,
) -> Classification {
    let constraint = context.clone();
    let mut room = FiniteRefinement::new(work, vocabulary, options);
    let (first, begun) = begin(&mut room.work, options);
    let depth = first.as_ref().map(|first| first.steps);
    let within = CoverContext::of(constraint.clone());
    let mut node = ContextAnalysis::default();
    match (begun, depth) {
        (Err(why), _) => node.ended = Some(why),
        (Ok(()), Some(least)) => node = room.node(&within, least),
        (Ok(()), None) => {}
    }
    let ContextAnalysis { minimum, ended, traces, .. } = node;
    let depth = depth.filter(|_| traces > 0 || ended.is_some());
    let (classes, cover) = node.cover(constraint);
    let verdict = verdict_of(ended, depth, cover.remainder.as_ref(), room.work.depth);
    let checked_by = room.checked_by().filter(|_| ended.is_none());
    let check_ended = room.check_ended;
    let (statistics, solver) = room.work.finish();
    // Symmetries need not keep the class that these are in.
    Classification {
        classes,
        minimum,
        checked_by,
        check_ended,
        cover: Some(cover),
        statistics,
        ..Classification::new(verdict, options.lengths, solver)
    }
}

/// The first of the shortest violating traces, and whether the search for it and unrolling up to the bound came to an end.
fn begin<'m>(work: &mut Work<'_, impl Oracle<'m>>, options: &Options) -> (Option<First>, Limited<()>) {
    let bound = options.lengths.bound();
    let trace = match work.first_counterexample(bound) {
        Ok(Some(trace)) => trace,
        Ok(None) => return (None, Ok(())),
        Err(why) => return (None, Err(why)),
    };
    let steps = work.oracle.steps_to_violation(&trace);
    let grown = work.timed(Phase::Unroll, |work| work.oracle.grow_to(bound));
    (Some(First { trace, steps }), grown)
}

fn verdict_of(
    ended: Option<Exhausted>,
    first_depth: Option<usize>,
    remainder: Option<&Trace>,
    depth: usize,
) -> Verdict {
    match (ended, first_depth, remainder) {
        (Some(why), None, _) => Verdict::Undecided { why, depth },
        (Some(why), Some(_), _) => Verdict::Partial(Why::Exhausted(why)),
        (None, None, _) => Verdict::Holds,
        (None, Some(_), Some(_)) => Verdict::Remainder,
        (None, Some(_), None) => Verdict::Complete,
    }
}

/// Checks a cover in a fresh solver; returns its name.
fn checked<'m, O: Oracle<'m>>(
    level: &mut CoverLevel<'_, FiniteCoverQuestions<'_, '_, O>>,
    options: &Options,
    classes: &[Class],
) -> Limited<String> {
    let claims = level.claims();
    let FiniteCoverQuestions { work, things, context } = &mut *level.cover_search;
    work.report(Activity::Check, classes.len(), None);
    let mut oracle = work.afresh(options)?;
    check::check_classes(&mut oracle, classes)?;
    claims.check(&mut ContextTraces { oracle: &mut oracle, things, context })?;
    level.cover_search.statistics().add_solver(oracle.circuit());
    Ok(oracle.circuit().solver_name().to_owned())
}
