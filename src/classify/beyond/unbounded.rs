//! Classification for traces of every length: a bounded classification whose classes are proved sufficient and
//! complete for all lengths, or the bound is raised to where one of these fails.

mod prover;

use crate::automata::product::search::Sought;
use crate::facts::problem::Problem;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Classification, Gap, Obstacle, Proof, Unbounded, Verdict, Why};
use crate::results::statistics::{Phase, Statistics, Stopwatch};
use crate::search::engine::classify;
use crate::search::necessary::{EveryLength, necessary_for_every_length};
use engines::explore::{Graph, Stop};
use kit::budget::{Budget, Exhausted, Observer, Progress};
use lang::model::Vocabulary;
use prover::{Prover, Round};
use solvers::unroll::Lengths;
use std::time::{Duration, Instant};

/// The most rounds. Where the vocabulary needs ever more classes for ever longer traces, there is no end.
const MOST_ROUNDS: usize = 40;

/// The least time for what is said beside classes.
const LEAST_PATIENCE: Duration = Duration::from_secs(2);

/// What a classification for every length may use.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// The first bound in steps; that of the shortest counterexample if not given.
    pub start: Option<usize>,
    /// The first bound in steps where neither is known: there are too many states, or none violates the invariant.
    pub otherwise: usize,
    /// The most states of the model, and the most combinations of states with what classes remember.
    pub limit: usize,
}

impl Default for Reach {
    /// Starts at the shortest counterexample, or with 10 steps; up to a million states are visited.
    fn default() -> Self {
        Self { start: None, otherwise: 10, limit: 1_000_000 }
    }
}

/// Classifies all traces, of whatever length, that violate the invariant. `options.lengths` is ignored.
///
/// If the budget ends before a proof, the verdict is not one of those that a proof gives: [`Verdict::Undecided`] where no
/// violation is known, else [`Verdict::Partial`].
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
    observer.progress(&Progress { phase: "explore", ..Progress::default() });
    // Most of the time is for the classes, and for induction where there are too many states.
    let graph = Graph::explore(problem.model, Some(problem.invariant), reach.limit, &budget.share(4));
    let mut run = Run {
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
            Next::Raise(to) => bound = to,
            Next::End(result) => {
                let result = run.with_necessary(*result, graph.as_ref());
                return run.finished(result, &stopwatch);
            }
        }
    }
}

/// The bound of the first round: at least that of the shortest counterexample, if it is known.
fn first_bound(problem: Problem<'_>, reach: Reach, graph: Result<&Graph, &Stop>) -> usize {
    let shortest = graph.ok().and_then(|graph| graph.depth_of(&mut |state| problem.is_violated_in(state)));
    let bound = reach.start.or(shortest).unwrap_or(reach.otherwise);
    bound.max(shortest.unwrap_or(0))
}

/// What follows a round.
enum Next {
    /// Another round with this bound.
    Raise(usize),
    /// This result.
    End(Box<Classification>),
}

/// A result that was complete up to its bound and fails in traces of this many steps.
struct Surpassed {
    result: Classification,
    steps: usize,
}

struct Run<'a> {
    problem: Problem<'a>,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    limit: usize,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    /// The bounds so far.
    bounds: Vec<usize>,
    /// The result of the round before.
    surpassed: Option<Surpassed>,
}

impl Run<'_> {
    /// Classifies up to a bound and tries to prove the result for every length.
    fn round(&mut self, bound: usize, graph: Result<&Graph, &Stop>) -> Next {
        // What all violating traces have is asked once, of every length.
        let necessity = match self.options.necessity {
            Necessity::Full => Necessity::Unasked,
            necessity => necessity,
        };
        let options = Options { lengths: Lengths::UpTo(bound), necessity, ..self.options.clone() };
        let mut result = classify(self.problem, self.vocabulary, &options, self.budget, self.observer);
        self.bounds.push(bound);
        self.statistics.add(&result.statistics);
        if !matches!(result.verdict, Verdict::Holds | Verdict::Complete) {
            return Next::End(Box::new(self.given_up(result)));
        }
        let clock = Instant::now();
        match self.prove(&result, graph) {
            Round::Proved { basis, confirmed } => {
                if let Some(to) = self.beside(&mut result, graph, clock.elapsed()) {
                    self.surpassed = Some(Surpassed { result, steps: to });
                    return Next::Raise(to);
                }
                self.statistics.solver_calls += confirmed.solver_calls;
                self.statistics.peak_variables = self.statistics.peak_variables.max(confirmed.variables);
                self.statistics.peak_clauses = self.statistics.peak_clauses.max(confirmed.clauses);
                let bounds = std::mem::take(&mut self.bounds);
                result.unbounded = Some(Unbounded::Proved(Proof { basis, bounds, confirmed }));
            }
            Round::Open(obstacle) => {
                if let Some(why) = obstacle.exhausted() {
                    result.verdict = unproved(&result, why);
                }
                result.unbounded = Some(Unbounded::Open(Gap::Obstacle(obstacle)));
            }
            Round::Raise(steps) if self.bounds.len() >= MOST_ROUNDS => {
                result.unbounded = Some(Unbounded::Open(Gap::Broken { steps, why: None }));
            }
            Round::Raise(steps) => {
                self.surpassed = Some(Surpassed { result, steps });
                return Next::Raise(steps);
            }
        }
        Next::End(Box::new(result))
    }

    fn prove(&mut self, result: &Classification, graph: Result<&Graph, &Stop>) -> Round {
        let clock = Instant::now();
        self.observer.progress(&Progress {
            phase: "prove",
            depth: result.lengths.bound(),
            counterexamples: self.statistics.counterexamples,
            classes: result.classes.len(),
            solver_calls: self.statistics.solver_calls,
            ..Progress::default()
        });
        let budget = self.budget;
        let round =
            self.prover(result, budget).round(graph).unwrap_or_else(|why| Round::Open(Obstacle::Budget(why)));
        self.statistics.seconds.add(Phase::Prove, clock.elapsed().as_secs_f64());
        round
    }

    fn prover<'r>(&'r mut self, result: &'r Classification, budget: &'r Budget) -> Prover<'r> {
        Prover {
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

    /// Decides for every length what a cover says beside its classes: which of them occur together, and what every violating trace has.
    /// Returns the bound to which something else is so, if rounds are left for it. What is not decided, in the time that the proof of the
    /// classes took or two seconds, is not said: that the combinations are all there are, and that a fact is necessary.
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
        let lacking = Sought { violating: true, inside: false, least: 0 };
        let mut at_start = cover.at_start.into_iter();
        cover.at_start = Vec::new();
        cover.necessary.retain(|constraint| {
            let found = every.exists(&result.atoms, constraint, lacking, &budget);
            raise = raise.max(found.ok().flatten());
            cover.at_start.extend(at_start.next().filter(|_| found == Ok(None)));
            found == Ok(None)
        });
        result.cover = Some(cover);
        self.statistics.seconds.add(Phase::Prove, clock.seconds());
        assert!(raise.is_none_or(|steps| steps > bound), "a claim about {bound} steps fails in {raise:?}");
        raise.filter(|_| self.bounds.len() < MOST_ROUNDS)
    }

    /// The result where a round does not give all classes. Where it ended early, what was complete for shorter traces says more
    /// than what the budget left of this round.
    fn given_up(&mut self, mut result: Classification) -> Classification {
        if matches!(result.verdict, Verdict::TooWeak(_)) {
            let complete = self.surpassed.take().filter(|before| before.result.verdict == Verdict::Complete);
            let complete_up_to = complete.map(|before| before.result.lengths.bound());
            result.unbounded = Some(Unbounded::Open(Gap::Weak { complete_up_to }));
            return result;
        }
        let Some(why) = result.verdict.exhausted() else { return result };
        let Some(Surpassed { result: mut before, steps }) = self.surpassed.take() else { return result };
        if before.verdict == Verdict::Holds && matches!(result.verdict, Verdict::Partial(_)) {
            // That there is a violation says more than that shorter traces have none.
            return result;
        }
        before.verdict = unproved(&before, why);
        before.unbounded = Some(Unbounded::Open(Gap::Broken { steps, why: Some(why) }));
        before
    }

    /// The result with what every violating trace has, if everything about that is asked for.
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

    /// The result with what all rounds took.
    fn finished(self, mut result: Classification, stopwatch: &Stopwatch) -> Classification {
        let mut statistics = self.statistics;
        statistics.redundant = result.statistics.redundant;
        stopwatch.stop(&mut statistics);
        result.statistics = statistics;
        result
    }
}

/// The verdict of a result for some lengths where the budget ended before it was proved for all.
fn unproved(result: &Classification, why: Exhausted) -> Verdict {
    match result.verdict {
        Verdict::Holds => Verdict::Undecided { why, depth: result.lengths.bound() + 1 },
        _ => Verdict::Partial(Why::Unproved(why)),
    }
}
