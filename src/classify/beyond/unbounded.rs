//! Classification for traces of every length: a bounded classification is proved sufficient and complete for
//! all lengths; if a proof fails, the bound is raised to the length of the failure.

mod prover;

use crate::automata::product::search::SearchTarget;
use crate::facts::problem::Problem;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Classification, Obstacle, Proof, Unbounded, UnknownReason, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Stopwatch};
use crate::search::engine::classify;
use crate::search::necessary::{EveryLength, necessary_for_every_length};
use engines::explore::{Graph, Stop};
use kit::budget::{Activity, Budget, Exhausted, Observer, Progress};
use lang::model::Vocabulary;
use prover::{ProofRound, UnboundedProver};
use solvers::unroll::Lengths;
use std::time::{Duration, Instant};

/// The greatest number of rounds. A vocabulary may need ever more classes for ever longer traces.
pub(crate) const MOST_ROUNDS: usize = 40;

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
    let mut run = UnboundedRun {
        problem,
        vocabulary,
        options,
        limit: reach.limit,
        budget,
        observer,
        statistics: Statistics::default(),
        bounds: Vec::new(),
        surpassed: None,
    };
    run.statistics.seconds.add(Phase::Prove, stopwatch.seconds());
    let mut bound = first_bound(problem, reach, graph.as_ref());
    loop {
        match run.round(bound, graph.as_ref()) {
            RoundEnd::Raise(to) => bound = to,
            RoundEnd::End(result) => {
                let result = run.with_necessary(*result, graph.as_ref());
                return run.finished(result, &stopwatch);
            }
        }
    }
}

/// Returns the bound of the first round: at least the length of the shortest counterexample, if known.
fn first_bound(problem: Problem<'_>, reach: Reach, graph: Result<&Graph, &Stop>) -> usize {
    let shortest = graph.ok().and_then(|graph| graph.depth_of(&mut |state| problem.is_violated_in(state)));
    let bound = reach.start.or(shortest).unwrap_or(reach.otherwise);
    bound.max(shortest.unwrap_or(0))
}

/// The continuation after a round.
enum RoundEnd {
    /// Another round with this bound.
    Raise(usize),
    /// End with this result.
    End(Box<Classification>),
}

/// A result that is complete up to its bound and fails in traces of this length.
struct RefutedBeyondBound {
    result: Classification,
    steps: usize,
}

struct UnboundedRun<'a> {
    problem: Problem<'a>,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    limit: usize,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    /// The bounds so far.
    bounds: Vec<usize>,
    /// The result of the previous round.
    surpassed: Option<RefutedBeyondBound>,
}

impl UnboundedRun<'_> {
    /// Classifies up to a bound and tries to prove the result for every length.
    fn round(&mut self, bound: usize, graph: Result<&Graph, &Stop>) -> RoundEnd {
        // Necessary facts are computed once, for every length.
        let necessity = match self.options.necessity {
            Necessity::Full => Necessity::Unasked,
            necessity => necessity,
        };
        let options = Options { lengths: Lengths::UpTo(bound), necessity, ..self.options.clone() };
        let mut result = classify(self.problem, self.vocabulary, &options, self.budget, self.observer);
        self.bounds.push(bound);
        self.statistics.add(&result.statistics);
        if !matches!(result.verdict, Verdict::Holds | Verdict::Complete) {
            return RoundEnd::End(Box::new(self.given_up(result)));
        }
        let clock = Instant::now();
        match self.prove(&result, graph) {
            ProofRound::Proved { basis, confirmed } => {
                if let Some(to) = self.beside(&mut result, graph, clock.elapsed()) {
                    self.surpassed = Some(RefutedBeyondBound { result, steps: to });
                    return RoundEnd::Raise(to);
                }
                self.statistics.solver_calls += confirmed.solver_calls;
                self.statistics.peak_variables = self.statistics.peak_variables.max(confirmed.variables);
                self.statistics.peak_clauses = self.statistics.peak_clauses.max(confirmed.clauses);
                let bounds = std::mem::take(&mut self.bounds);
                result.unbounded = Some(Unbounded::Proved(Proof { basis, bounds, confirmed }));
            }
            ProofRound::Open(obstacle) => {
                if let Some(why) = obstacle.exhausted() {
                    result.verdict = unproved(&result, why);
                }
                result.unbounded = Some(Unbounded::Open(UnknownReason::Obstacle(obstacle)));
            }
            ProofRound::Raise(steps) if self.bounds.len() >= MOST_ROUNDS => {
                result.unbounded = Some(Unbounded::Open(UnknownReason::Broken { steps, why: None }));
            }
            ProofRound::Raise(steps) => {
                self.surpassed = Some(RefutedBeyondBound { result, steps });
                return RoundEnd::Raise(steps);
            }
        }
        RoundEnd::End(Box::new(result))
    }

    fn prove(&mut self, result: &Classification, graph: Result<&Graph, &Stop>) -> ProofRound {
        let clock = Instant::now();
        self.observer.progress(&Progress {
            activity: Activity::Prove,
            depth: result.lengths.bound(),
            counterexamples: self.statistics.counterexamples,
            classes: result.classes.len(),
            solver_calls: self.statistics.solver_calls,
            ..Progress::default()
        });
        let budget = self.budget;
        let round = self
            .prover(result, budget)
            .round(graph)
            .unwrap_or_else(|why| ProofRound::Open(Obstacle::Budget(why)));
        self.statistics.seconds.add(Phase::Prove, clock.elapsed().as_secs_f64());
        round
    }

    fn prover<'r>(&'r mut self, result: &'r Classification, budget: &'r Budget) -> UnboundedProver<'r> {
        UnboundedProver {
            problem: self.problem,
            classes: &result.classes,
            atoms: &result.atoms,
            bound: result.lengths.bound(),
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
    fn beside(
        &mut self,
        result: &mut Classification,
        graph: Result<&Graph, &Stop>,
        taken: Duration,
    ) -> Option<usize> {
        let mut cover = result.cover.take()?;
        let clock = Stopwatch::start();
        let bound = result.lengths.bound();
        let budget = self.budget.at_most(taken.max(LEAST_PATIENCE));
        let mut raise = None;
        if cover.all && result.classes.len() > 1 {
            let known: Vec<Vec<usize>> = cover.combinations.iter().map(|one| one.classes.clone()).collect();
            let found = self.prover(result, &budget).together(graph, &known);
            cover.all = found == Ok(None);
            raise = found.ok().flatten();
        }
        let mut every = EveryLength {
            problem: self.problem,
            graph,
            limit: self.limit,
            backend: self.options.backend,
            observer: &mut *self.observer,
        };
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
        assert!(raise.is_none_or(|steps| steps > bound), "a claim about {bound} steps fails in {raise:?}");
        raise.filter(|_| self.bounds.len() < MOST_ROUNDS)
    }

    /// Returns the result of a round that does not give all classes. If the budget ended it, the complete
    /// result for shorter traces is more informative.
    fn given_up(&mut self, mut result: Classification) -> Classification {
        if matches!(result.verdict, Verdict::TooWeak(_)) {
            let complete = self.surpassed.take().filter(|before| before.result.verdict == Verdict::Complete);
            let complete_up_to = complete.map(|before| before.result.lengths.bound());
            result.unbounded = Some(Unbounded::Open(UnknownReason::Weak { complete_up_to }));
            return result;
        }
        let Some(why) = result.verdict.exhausted() else { return result };
        let Some(RefutedBeyondBound { result: mut before, steps }) = self.surpassed.take() else {
            return result;
        };
        if before.verdict == Verdict::Holds && matches!(result.verdict, Verdict::Partial(_)) {
            // A known violation says more than the absence of shorter ones.
            return result;
        }
        before.verdict = unproved(&before, why);
        before.unbounded = Some(Unbounded::Open(UnknownReason::Broken { steps, why: Some(why) }));
        before
    }

    /// Adds the necessary facts to the result, if all are requested.
    fn with_necessary(&mut self, mut result: Classification, graph: Result<&Graph, &Stop>) -> Classification {
        if self.options.necessity == Necessity::Full {
            let clock = Stopwatch::start();
            let mut every = EveryLength {
                problem: self.problem,
                graph,
                limit: self.limit,
                backend: self.options.backend,
                observer: &mut *self.observer,
            };
            let (vocabulary, options) = (self.vocabulary, self.options);
            result.necessary =
                necessary_for_every_length(&mut every, vocabulary, options, &result, self.budget);
            self.statistics.seconds.add(Phase::Necessary, clock.seconds());
        }
        result
    }

    /// Adds the statistics of all rounds to the result.
    fn finished(self, mut result: Classification, stopwatch: &Stopwatch) -> Classification {
        let mut statistics = self.statistics;
        statistics.redundant = result.statistics.redundant;
        stopwatch.stop(&mut statistics);
        result.statistics = statistics;
        result
    }
}

/// Returns the verdict of a bounded result whose proof for all lengths ran out of budget.
fn unproved(result: &Classification, why: Exhausted) -> Verdict {
    match result.verdict {
        Verdict::Holds => Verdict::Undecided { why, depth: result.lengths.bound() + 1 },
        _ => Verdict::Partial(Why::Unproved(why)),
    }
}
