//! Classifications of all infinite traces, of however many steps: what holds up to a bound is decided over all states, or proved, and where a
//! lasso contradicts it, the classes are looked for anew up to its length.

use super::claims::{NoLassoClaim, claims};
use super::constraint::LassoConstraint;
use super::engine::classify_lassos;
use super::monitor_product::MonitorProduct;
use super::options::LassoProblem;
use super::proof::LassoProver;
use super::result::{Infinite, LassoBasis, LassoProof};
use crate::beyond::unbounded::MOST_ROUNDS;
use crate::facts::atom::Atoms;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Classification, Unbounded, UnknownReason, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Stopwatch};
use engines::explore::Graph;
use engines::ltl::NoProduct;
use engines::prove::other;
use itertools::Itertools;
use kit::budget::{Budget, Observer};
use lang::model::Vocabulary;
use lang::trace::Lasso;
use solvers::unroll::Lengths;

/// Classifies all fair infinite traces that violate the formula, as [`classify_lassos`] does those up to a bound; it begins with the
/// bound of the options, looks for the decisive steps of their representatives, and for all that counterexamples have in common if
/// everything is asked about that. Where there are more than `max_states` states, or the product is too large, it is proved as safety
/// (`LassoProver`). Where the budget ends before, the result is about the last bound, and the verdict is not one of those that a proof gives.
///
/// # Panics
/// Only on a bug in this program.
pub fn classify_lassos_unbounded(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    max_states: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification<Infinite> {
    let stopwatch = Stopwatch::start();
    // Most of the time is for the classes.
    let graph = Graph::explore(problem.model, None, max_states, &budget.share(4));
    let mut earlier = Statistics::default();
    earlier.seconds.add(Phase::Prove, stopwatch.seconds());
    let mut result =
        rounds((problem, graph.as_ref().ok()), vocabulary, options.clone(), budget, observer, &mut earlier);
    stopwatch.stop(&mut result.statistics);
    result
}

/// Classifies up to a bound, and decides the result for every length, until it is proved or open. `earlier` has the statistics of all
/// rounds, which those of the result include.
fn rounds(
    (problem, graph): (LassoProblem<'_>, Option<&Graph>),
    vocabulary: &Vocabulary,
    mut options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
    earlier: &mut Statistics,
) -> Classification<Infinite> {
    let mut bounds = Vec::new();
    let mut surpassed = None;
    loop {
        bounds.push(options.lengths.bound());
        let mut result = classify_lassos(problem, vocabulary, &options, budget, observer);
        earlier.add(&result.statistics);
        result.statistics = Statistics { redundant: result.statistics.redundant, ..earlier.clone() };
        if !matches!(result.verdict, Verdict::Holds | Verdict::Complete | Verdict::Remainder) {
            return given_up(problem, result, surpassed);
        }
        let clock = Stopwatch::start();
        let claims = claims(&result);
        let listed = graph.and_then(|graph| {
            let found = contradiction((problem, graph), &result.atoms, &claims, &budget.share(2)).ok()?;
            Some((found, LassoBasis::States(graph.states.len())))
        });
        let answer = match listed {
            Some(answer) => Ok(answer),
            None => {
                let (backend, atoms) = (options.backend, &result.atoms);
                let prover = &mut LassoProver { problem, atoms, claims: &claims, backend, budget, observer };
                let checked_by = other(backend).start(budget).name().to_owned();
                prover.contradiction().map(|found| (found, LassoBasis::Proofs(checked_by)))
            }
        };
        earlier.seconds.add(Phase::Prove, clock.seconds());
        result.statistics.seconds.add(Phase::Prove, clock.seconds());
        let answer = match answer {
            Ok((None, basis)) => match other_combination((problem, graph), &mut result, budget) {
                Some(lasso) => Ok((Some(lasso), basis)),
                None => Ok((None, basis)),
            },
            answer => answer,
        };
        match answer {
            Ok((None, basis)) => {
                result.unbounded = Some(Unbounded::Proved(LassoProof { basis, bounds }));
                result.add_decisions(problem, &options, graph, budget);
                if options.necessity == Necessity::Full {
                    result.add_necessary(problem, vocabulary, &options, graph, budget);
                }
                return result;
            }
            Ok((Some(lasso), _)) => {
                assert!(
                    lasso.len() > options.lengths.bound(),
                    "the search over all infinite traces finds {lasso:?}"
                );
                if bounds.len() >= MOST_ROUNDS {
                    let open = UnknownReason::Broken { steps: lasso.len(), why: None };
                    result.unbounded = Some(Unbounded::Open(open));
                    return result;
                }
                options = reaching(options, &lasso);
                surpassed = Some(RefutedLassoResult { result, lasso });
            }
            Err(open) => return result.left_open(open),
        }
    }
}

/// The options up to the length of a lasso that is longer than the bound.
fn reaching(options: Options, lasso: &Lasso) -> Options {
    let horizon = options.lasso_horizon() + lasso.len() - options.lengths.bound();
    Options { lengths: Lengths::UpTo(lasso.len()), horizon: Some(horizon), ..options }
}

/// The most classes of which all combinations are asked about.
const MOST_TOGETHER: usize = 5;

/// A fair lasso that violates the property and is in just such classes of a cover as no shorter one. Where that is not decided, because the
/// states are not listed, or for other limits, the combinations of the result are not said to be all.
fn other_combination(
    (problem, graph): (LassoProblem<'_>, Option<&Graph>),
    result: &mut Classification<Infinite>,
    budget: &Budget,
) -> Option<Lasso> {
    let cover = result.cover.as_mut().filter(|cover| cover.all && result.classes.len() > 1)?;
    let classes: Vec<&LassoConstraint> = result.classes.iter().map(|class| &class.constraint).collect();
    let every = (0..classes.len()).powerset().filter(|chosen| !chosen.is_empty());
    let listed = |chosen: &Vec<usize>| cover.combinations.iter().any(|known| known.classes == *chosen);
    let claims = every.take_while(|_| classes.len() <= MOST_TOGETHER).filter(|chosen| !listed(chosen));
    let claims: Vec<NoLassoClaim<'_>> = claims
        .map(|chosen| {
            let (inside, outside) = (0..classes.len()).partition::<Vec<usize>, _>(|at| chosen.contains(at));
            let of = |numbers: Vec<usize>| numbers.into_iter().map(|at| classes[at]).collect();
            NoLassoClaim { satisfied: false, inside: of(inside), outside: of(outside) }
        })
        .collect();
    let decided = graph
        .filter(|_| classes.len() <= MOST_TOGETHER)
        .and_then(|graph| contradiction((problem, graph), &result.atoms, &claims, &budget.share(2)).ok());
    cover.all = decided.is_some();
    decided.flatten()
}

/// A result for lassos up to a bound, and a longer one that contradicts it.
struct RefutedLassoResult {
    result: Classification<Infinite>,
    lasso: Lasso,
}

/// The result where a round does not give all classes. Where it ended early, what was complete for shorter lassos says more
/// than what the budget left of this round.
fn given_up(
    problem: LassoProblem<'_>,
    mut result: Classification<Infinite>,
    surpassed: Option<RefutedLassoResult>,
) -> Classification<Infinite> {
    if matches!(result.verdict, Verdict::TooWeak(_)) {
        let complete = surpassed.filter(|before| before.result.verdict == Verdict::Complete);
        let complete_up_to = complete.map(|before| before.result.lengths.bound());
        result.unbounded = Some(Unbounded::Open(UnknownReason::Weak { complete_up_to }));
        return result;
    }
    let (Some(why), Some(RefutedLassoResult { result: mut before, lasso })) =
        (result.verdict.exhausted(), surpassed)
    else {
        return result;
    };
    let model = problem.model;
    if before.verdict == Verdict::Holds {
        // The longer one is the first that violates the property.
        if let Verdict::Undecided { .. } = result.verdict {
            result.verdict = Verdict::Partial(Why::Exhausted(why));
            result.unclassified = Some(lasso);
        }
        return result;
    }
    before.statistics = result.statistics;
    let mut before = before.broken(lasso.len(), why);
    let is_in_a_class =
        before.classes.iter().any(|class| class.constraint.holds(model, &before.atoms, &lasso));
    if before.cover.is_none() && !is_in_a_class {
        before.unclassified = Some(lasso);
    }
    before
}

/// A fair lasso that contradicts one of the claims; `None` if there is none.
pub(crate) fn contradiction(
    (problem, graph): (LassoProblem<'_>, &Graph),
    atoms: &Atoms,
    claims: &[NoLassoClaim<'_>],
    budget: &Budget,
) -> Result<Option<Lasso>, NoProduct> {
    for claim in claims {
        let watched = MonitorProduct::new((problem, graph), atoms, &claim.constraints(), budget)?;
        if let Some(lasso) = watched.lasso(claim.satisfied, &claim.inside, &claim.outside, budget)? {
            return Ok(Some(lasso));
        }
    }
    Ok(None)
}
