//! Classifications of all infinite traces, of however many steps: what holds up to a bound is decided over all states, or proved, and where a
//! lasso contradicts it, the classes are looked for anew up to its length.

use super::claims::{NoLassoClaim, claims};
use super::constraint::LassoConstraint;
use super::engine::classify_lassos;
use super::monitor_product::MonitorProduct;
use super::options::LassoProblem;
use super::proof::LassoProver;
use super::result::{Infinite, LassoBasis, LassoProof};
use crate::beyond::rounds::{Refutation, RoundOutcome, UnboundedClassification};
use crate::facts::atom::Atoms;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Class, Classification, Unbounded, Verdict};
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
    let mut run = UnboundedLassoRun {
        problem,
        vocabulary,
        options: options.clone(),
        graph: graph.as_ref().ok(),
        budget,
        observer,
        statistics: Statistics::default(),
    };
    run.statistics.seconds.add(Phase::Prove, stopwatch.seconds());
    let result = run.run(options.lengths.bound());
    let UnboundedLassoRun { options, statistics, .. } = run;
    let statistics = Statistics { redundant: result.statistics.redundant, ..statistics };
    let mut result = Classification { statistics, ..result };
    if matches!(result.unbounded, Some(Unbounded::Proved(_))) {
        let graph = graph.as_ref().ok();
        result.add_decisions(problem, &options, graph, budget);
        if options.necessity == Necessity::Full {
            result.add_necessary(problem, vocabulary, &options, graph, budget);
        }
    }
    stopwatch.stop(&mut result.statistics);
    result
}

struct UnboundedLassoRun<'a> {
    problem: LassoProblem<'a>,
    vocabulary: &'a Vocabulary,
    /// The options of the current round.
    options: Options,
    graph: Option<&'a Graph>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
}

impl UnboundedClassification<Infinite> for UnboundedLassoRun<'_> {
    fn classify(&mut self, bound: usize) -> Classification<Infinite> {
        let raised = bound - self.options.lengths.bound();
        if raised > 0 {
            let horizon = Some(self.options.lasso_horizon() + raised);
            self.options = Options { lengths: Lengths::UpTo(bound), horizon, ..self.options.clone() };
        }
        classify_lassos(self.problem, self.vocabulary, &self.options, self.budget, self.observer)
    }

    fn is_provable(verdict: &Verdict<Infinite>) -> bool {
        matches!(verdict, Verdict::Holds | Verdict::Complete | Verdict::Remainder)
    }

    fn prove(&mut self, result: &mut Classification<Infinite>, bounds: &[usize]) -> RoundOutcome<Infinite> {
        let Self { problem, graph, budget, .. } = *self;
        let clock = Stopwatch::start();
        let claims = claims(result);
        let listed = graph.and_then(|graph| {
            let found = contradiction((problem, graph), &result.atoms, &claims, &budget.share(2)).ok()?;
            Some((found, LassoBasis::States(graph.states.len())))
        });
        let answer = match listed {
            Some(answer) => Ok(answer),
            None => {
                let (backend, atoms, observer) = (self.options.backend, &result.atoms, &mut *self.observer);
                let prover = &mut LassoProver { problem, atoms, claims: &claims, backend, budget, observer };
                let checked_by = other(backend).start(budget).name().to_owned();
                prover.contradiction().map(|found| (found, LassoBasis::Proofs(checked_by)))
            }
        };
        self.statistics.seconds.add(Phase::Prove, clock.seconds());
        let (found, basis) = match answer {
            Ok(answer) => answer,
            Err(open) => return RoundOutcome::Open(open),
        };
        let found = found.or_else(|| other_combination((problem, graph), result, budget));
        let Some(lasso) = found else {
            return RoundOutcome::Proved(LassoProof { basis, bounds: bounds.to_vec() });
        };
        let steps = lasso.len();
        let has = |class: &Class<Infinite>| class.constraint.holds(problem.model, &result.atoms, &lasso);
        let names_all = result.cover.is_none() || result.verdict == Verdict::Holds;
        let is_outside = names_all && !result.classes.iter().any(has);
        RoundOutcome::Refuted(Refutation { steps, unclassified: is_outside.then_some(lasso) })
    }

    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
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
