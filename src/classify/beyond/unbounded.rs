//! Classification for traces of every length: a bounded classification is proved sufficient and complete for
//! all lengths; if a proof fails, the bound is raised to the length of the failure.

mod prover;

use crate::automata::product::certificate::Confirmed;
use crate::automata::product::search::SearchTarget;
use crate::beyond::rounds::{MOST_ROUNDS, Refutation, RoundOutcome, UnboundedClassification};
use crate::facts::problem::Problem;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Classification, Finite, NecessaryFacts, Obstacle, Verdict};
use crate::results::statistics::{Phase, Statistics, Stopwatch};
use crate::search::engine::classify;
use crate::search::necessary::{EveryLength, necessary_for_every_length};
use engines::explore::{Graph, Stop};
use kit::budget::{Activity, Budget, Observer, Progress};
use lang::model::Vocabulary;
use prover::UnboundedProver;
use solvers::unroll::Lengths;
use std::time::{Duration, Instant};

/// The least time for claims other than the classes.
const LEAST_PATIENCE: Duration = Duration::from_secs(2);

/// The limits of a classification for every length.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// The first bound, in steps; by default the length of the shortest counterexample.
    pub start: Option<usize>,
    /// The first bound, in steps, if that length is unknown: there are too many states, or none violates the invariant.
    pub otherwise: usize,
    /// The greatest numbers of states, and of combinations of states with memories of the classes.
    pub limit: usize,
}

impl Default for Reach {
    /// Starts at the shortest counterexample, or with 10 steps; visits up to a million states.
    fn default() -> Self {
        Self { start: None, otherwise: 10, limit: 1_000_000 }
    }
}

/// Classifies all violating traces, of any length. `options.lengths` is ignored.
///
/// If the budget ends before a proof, the verdict is [`Verdict::Undecided`] if no violation is known,
/// otherwise [`Verdict::Partial`].
///
/// # Panics
/// Only on a bug in this program, as [`crate::search::engine::classify`].
///
/// ```
/// # use std::io::ErrorKind;
/// use cladist::budget::Budget;
/// use cladist::classify::{Options, Problem, Reach, classify_unbounded};
///
/// let text = "model clock; var hour: 0..11; init { hour = 0; } \
///             action tick { hour' = if hour = 11 then 0 else hour + 1; } \
///             invariant never_eleven: hour != 11; vocabulary v = { eq(hour) };";
/// let loaded = cladist::model::load_text("clock.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
/// let model = loaded.model.expect("no mistakes");
/// let problem = Problem::first(&model).expect("an invariant");
/// let (options, budget) = (Options::default(), Budget::unlimited());
/// let result =
///     classify_unbounded(problem, &model.vocabularies[0], &options, Reach::default(), &budget, &mut ());
/// assert!(result.is_unbounded());
/// ```
pub fn classify_unbounded(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    reach: Reach,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let stopwatch = Stopwatch::start();
    observer.progress(&Progress { activity: Activity::List, ..Progress::default() });
    // Most of the time is for the classes, and for induction if there are too many states.
    let graph = Graph::explore(problem.model, Some(problem.invariant), reach.limit, &budget.share(4));
    let bound = first_bound(problem, reach, graph.as_ref());
    let mut run = UnboundedRun {
        problem,
        vocabulary,
        options,
        graph: graph.as_ref(),
        limit: reach.limit,
        budget,
        observer,
        statistics: Statistics::default(),
    };
    run.statistics.seconds.add(Phase::Prove, stopwatch.seconds());
    let mut result = run.run(bound);
    result.necessary = run.necessary(&result).or(result.necessary);
    let mut statistics = run.statistics;
    statistics.redundant = result.statistics.redundant;
    stopwatch.stop(&mut statistics);
    Classification { statistics, ..result }
}

/// Returns the bound of the first round: at least the length of the shortest counterexample, if known.
fn first_bound(problem: Problem<'_>, reach: Reach, graph: Result<&Graph, &Stop>) -> usize {
    let shortest = graph.ok().and_then(|graph| graph.depth_of(&mut |state| problem.is_violated_in(state)));
    let bound = reach.start.or(shortest).unwrap_or(reach.otherwise);
    bound.max(shortest.unwrap_or(0))
}

struct UnboundedRun<'a> {
    problem: Problem<'a>,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    graph: Result<&'a Graph, &'a Stop>,
    limit: usize,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
}

impl UnboundedClassification<Finite> for UnboundedRun<'_> {
    fn classify(&mut self, bound: usize) -> Classification {
        // Necessary facts are computed once, for every length.
        let necessity = match self.options.necessity {
            Necessity::Full => Necessity::Unasked,
            necessity => necessity,
        };
        let options = Options { lengths: Lengths::UpTo(bound), necessity, ..self.options.clone() };
        classify(self.problem, self.vocabulary, &options, self.budget, self.observer)
    }

    fn is_provable(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Holds | Verdict::Complete)
    }

    fn prove(&mut self, result: &mut Classification, bounds: &[usize]) -> RoundOutcome<Finite> {
        let clock = Instant::now();
        self.observer.progress(&Progress {
            activity: Activity::Prove,
            depth: result.lengths.bound(),
            counterexamples: self.statistics.counterexamples,
            classes: result.classes.len(),
            solver_calls: self.statistics.solver_calls,
            ..Progress::default()
        });
        let (budget, graph) = (self.budget, self.graph);
        let outcome = self.prover(result, bounds, budget).round(graph);
        self.statistics.seconds.add(Phase::Prove, clock.elapsed().as_secs_f64());
        let outcome = outcome.unwrap_or_else(|why| RoundOutcome::Open(Obstacle::Budget(why)));
        let RoundOutcome::Proved(proof) = outcome else { return outcome };
        if let Some(steps) = self.beside(result, bounds, clock.elapsed()) {
            return RoundOutcome::Refuted(Refutation { steps, unclassified: None });
        }
        let Confirmed { solver_calls, variables, clauses, .. } = proof.confirmed;
        self.statistics.solver_calls += solver_calls;
        self.statistics.peak_variables = self.statistics.peak_variables.max(variables);
        self.statistics.peak_clauses = self.statistics.peak_clauses.max(clauses);
        RoundOutcome::Proved(proof)
    }

    fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl UnboundedRun<'_> {
    fn prover<'r>(
        &'r mut self,
        result: &'r Classification,
        bounds: &'r [usize],
        budget: &'r Budget,
    ) -> UnboundedProver<'r> {
        UnboundedProver {
            problem: self.problem,
            classes: &result.classes,
            atoms: &result.atoms,
            bounds,
            limit: self.limit,
            backend: self.options.backend,
            budget,
            observer: &mut *self.observer,
        }
    }

    /// Decides for every length the claims of a cover other than its classes: their combinations, and the
    /// facts of every violating trace. Returns the bound at which such a claim fails, if rounds are left.
    /// Drops claims that remain undecided in the time that the proof of the classes took, or two seconds:
    /// completeness of the combinations, and necessity of a fact.
    fn beside(&mut self, result: &mut Classification, bounds: &[usize], taken: Duration) -> Option<usize> {
        let mut cover = result.cover.take()?;
        let clock = Stopwatch::start();
        let budget = self.budget.at_most(taken.max(LEAST_PATIENCE));
        let mut raise = None;
        if cover.all && result.classes.len() > 1 {
            let known: Vec<Vec<usize>> = cover.combinations.iter().map(|one| one.classes.clone()).collect();
            let graph = self.graph;
            let found = self.prover(result, bounds, &budget).together(graph, &known);
            cover.all = found == Ok(None);
            raise = found.ok().flatten();
        }
        let mut every = self.every_length();
        let mut at_start = cover.at_start.into_iter();
        cover.at_start = Vec::new();
        cover.necessary.retain(|constraint| {
            let found = every.exists(&result.atoms, constraint, SearchTarget::UNCOVERED, &budget);
            raise = raise.max(found.ok().flatten());
            cover.at_start.extend(at_start.next().filter(|_| found == Ok(None)));
            found == Ok(None)
        });
        result.cover = Some(cover);
        self.statistics.seconds.add(Phase::Prove, clock.seconds());
        raise.filter(|_| bounds.len() < MOST_ROUNDS)
    }

    /// Returns the necessary facts for every length, if all are requested.
    fn necessary(&mut self, result: &Classification) -> Option<NecessaryFacts> {
        if self.options.necessity != Necessity::Full {
            return None;
        }
        let clock = Stopwatch::start();
        let (vocabulary, options, budget) = (self.vocabulary, self.options, self.budget);
        let found = necessary_for_every_length(&mut self.every_length(), vocabulary, options, result, budget);
        self.statistics.seconds.add(Phase::Necessary, clock.seconds());
        found
    }

    fn every_length(&mut self) -> EveryLength<'_> {
        EveryLength {
            problem: self.problem,
            graph: self.graph,
            limit: self.limit,
            backend: self.options.backend,
            observer: &mut *self.observer,
        }
    }
}
