//! Covers of violating lassos: which of the things that a vocabulary names happen in them, at some position or again and again, and what is
//! left over. The search is that of covers of finite traces.

use super::check::check_classes;
use super::condition::LassoCondition;
use super::context_lassos::ContextLassos;
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use super::symmetries::symmetries;
use super::things::{LassoCoverItem, LassoThings};
use crate::facts::atom::Atoms;
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::facts::restates::Restates;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Cover, Verdict, Why};
use crate::results::statistics::{Statistics, Stopwatch};
use crate::search::covering::combinations::Combinations;
use crate::search::covering::cover_search::{CoverContext, CoverOracle};
use crate::search::covering::level::{CoverLevel, CoverOutcome, ShownClass};
use crate::search::covering::things::are_predicates_only;
use crate::search::images::images_among;
use engines::ltl::LtlFormula;
use kit::budget::{Budget, Exhausted, Limited, Observer};
use lang::model::Vocabulary;
use lang::trace::Lasso;

/// Covers all fair lassos of up to the bound that violate the formula.
pub(super) fn cover_lassos(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification<Infinite> {
    let stopwatch = Stopwatch::start();
    let LassoProblem { model, formula, .. } = problem;
    let (violated, satisfied) = (LtlFormula::new(formula, false), LtlFormula::new(formula, true));
    let atoms = Atoms::default();
    let setup = options.setup(options.backend);
    let asked = LassoQuery::violating(problem, &atoms, &violated, options.lengths.bound());
    let mut violating = LassoOracle::new(asked, setup, budget);
    let mut accepting = LassoOracle::new(asked.accepting(&satisfied, options.lasso_horizon()), setup, budget);
    let lifter = Lifter::new(model, vocabulary, &atoms, &options.grounding);
    let things = LassoThings::of(model, (vocabulary, &options.preference), (&atoms, &lifter));
    let context = CoverContext::default();
    let mut statistics = Statistics::default();
    let mut cover_search = ContextLassos {
        search: &mut violating,
        things: &things.all,
        context: &context,
        budget,
        observer,
        statistics: &mut statistics,
    };
    let mut result = covered(&mut cover_search, vocabulary, &things, &mut accepting, options);
    let said: Vec<_> = result.classes.iter().map(Class::said).collect();
    result.images = images_among((model, &atoms), (&options.grounding, vocabulary), &said, |is_of_use| {
        let shown: Vec<&Lasso> = result.classes.iter().map(|class| &class.representative).collect();
        symmetries(problem, &shown, is_of_use, budget)
    });
    result.statistics = statistics;
    violating.add_to(&mut result.statistics);
    accepting.add_to(&mut result.statistics);
    stopwatch.stop(&mut result.statistics);
    Classification { atoms, ..result }
}

/// The result of a cover_search, without its atoms.
fn covered(
    cover_search: &mut ContextLassos<'_, '_>,
    vocabulary: &Vocabulary,
    things: &LassoThings,
    accepting: &mut LassoOracle<'_>,
    options: &Options,
) -> Classification<Infinite> {
    let constraint = |id: &CandidateId| things.all[id.index()].constraint.clone();
    let first = match cover_search.first_from(1, &[]) {
        Ok(Some(first)) => first,
        Ok(None) => return options.result(Verdict::Holds),
        Err(why) => return options.result(Verdict::Undecided { why, depth: 1 }),
    };
    let scores = things.general.iter().map(|id| things.all[id.index()].score).collect();
    let mut level = CoverLevel::new(cover_search, things.general.clone(), scores, Some(first.len()));
    let searched = level.search(Some(first));
    let outcome = level.outcome();
    let cover_search = &mut *level.cover_search;
    let (classes, combinations) = classes(outcome, &things.all, accepting, &mut |classes| {
        let atoms = cover_search.search.asked().atoms;
        cover_search.observer.found(&|| {
            let verdict = Verdict::Partial(Why::Exhausted(Exhausted::Time));
            Box::new(Classification {
                classes: classes.to_vec(),
                cover: Some(Cover::default()),
                atoms: atoms.clone(),
                ..options.result(verdict)
            })
        });
    });
    let ended = searched.err().or(combinations.ended);
    let mut verdict = verdict_of(ended, level.remainder.is_some());
    let mut checked_by = None;
    if ended.is_none() {
        match checked(&mut level, accepting, &classes, options) {
            Ok(solver) => checked_by = Some(solver),
            Err(why) => verdict = Verdict::Partial(Why::Exhausted(why)),
        }
    }
    Classification {
        classes,
        minimum: level.minimum,
        checked_by,
        cover: Some(Cover {
            combinations: combinations.found,
            all: combinations.all,
            necessary: level.necessary.iter().map(constraint).collect(),
            skipped: things.skipped.clone(),
            predicates_only: are_predicates_only(vocabulary),
            others: level.others().iter().map(constraint).collect(),
            remainder: level.remainder,
            at_start: Vec::new(),
            context: None,
        }),
        ..options.result(verdict)
    }
}

pub(super) fn verdict_of(ended: Option<Exhausted>, leaves_over: bool) -> Verdict<Infinite> {
    match ended {
        Some(why) => Verdict::Partial(Why::Exhausted(why)),
        None if leaves_over => Verdict::Remainder,
        None => Verdict::Complete,
    }
}

/// The classes of an outcome, with what ended the search for it or for them; then nothing is known of combinations. `heard` is told of
/// those that were found whenever there is one more.
pub(super) fn classes(
    outcome: CoverOutcome<Lasso>,
    things: &[LassoCoverItem],
    accepting: &mut LassoOracle<'_>,
    heard: &mut dyn FnMut(&[Class<Infinite>]),
) -> (Vec<Class<Infinite>>, Combinations<Lasso>) {
    let CoverOutcome { shown, mut combinations } = outcome;
    let mut classes = Vec::new();
    for ShownClass { id, representative, canonical } in shown {
        let constraint = things[id.index()].constraint.clone();
        let accepted = accepting.shortest(1, &[LassoCondition::In(constraint.clone())]);
        let looked_at = accepted.and_then(|accepted| {
            let restates = match accepted {
                None => accepting.restated(&constraint)?,
                Some(_) => Restates::Nothing,
            };
            Ok((accepted, restates))
        });
        match looked_at {
            Ok((accepted, restates)) => {
                let LassoQuery { model, atoms, .. } = accepting.asked();
                classes.push(Class {
                    sufficient: accepted.is_none(),
                    accepted,
                    restates,
                    canonical: Some(canonical),
                    ..Class::of_lasso((model, atoms), constraint, representative)
                });
                heard(&classes);
            }
            Err(why) => combinations = Combinations { ended: Some(why), ..Combinations::default() },
        }
    }
    (classes, combinations)
}

/// Checks a cover in fresh solvers; returns their name.
///
/// # Panics
/// If a claim is wrong: that is a bug in this program.
fn checked(
    level: &mut CoverLevel<'_, ContextLassos<'_, '_>>,
    accepting: &LassoOracle<'_>,
    classes: &[Class<Infinite>],
    options: &Options,
) -> Limited<String> {
    let ContextLassos { search, things, context, budget, .. } = &*level.cover_search;
    let (budget, setup) = (*budget, options.setup(options.check_backend));
    let mut satisfied = LassoOracle::new(accepting.asked(), setup, budget);
    check_classes(&mut satisfied, classes)?;
    let mut fresh = LassoOracle::new(search.asked(), setup, budget);
    let (observer, statistics) = (&mut (), &mut Statistics::default());
    level.claims().check(&mut ContextLassos {
        search: &mut fresh,
        things,
        context,
        budget,
        observer,
        statistics,
    })?;
    fresh.add_to(level.cover_search.statistics);
    satisfied.add_to(level.cover_search.statistics);
    Ok(options.check_backend.to_string())
}
