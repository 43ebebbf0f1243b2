//! Classification for traces of every length: a bounded classification whose classes are proved sufficient and
//! complete for all lengths, or the bound is raised to where one of these fails.

use super::automaton::{Automaton, NoAutomaton};
use super::engine::classify;
use super::product::Product;
use super::product::certificate::{Certificate, Confirmed};
use super::product::coverage::{Covered, coverage};
use super::product::sufficiency::{Sufficient, sufficiency};
use super::result::{Class, Classification, Statistics, Verdict};
use super::space::Limited;
use super::watch::{Never, never};
use super::{Constraint, Options};
use crate::budget::{Budget, Exhausted, Observer, Progress, cpu_seconds, peak_memory_kb};
use crate::explore::{Graph, Stop};
use crate::model::eval::Scope;
use crate::model::expr::Expr;
use crate::model::value::State;
use crate::model::{Model, Vocabulary};
use crate::prove::other;
use crate::sat::Backend;
use crate::unroll::Lengths;
use std::time::Instant;

/// The most rounds. Where the vocabulary needs ever more classes for ever longer traces, there is no end.
const MOST_ROUNDS: usize = 40;

/// What a classification for every length may use.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// The first bound in steps; that of the shortest counterexample if not given.
    pub start: Option<usize>,
    /// The bound in steps where the states are too many to find out a better one.
    pub otherwise: usize,
    /// The most states of the model, and the most combinations of states with what classes remember.
    pub limit: usize,
}

/// What is known beyond the bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Unbounded {
    /// The verdict, `Holds` or `Complete`, is about traces of every length.
    Proved(Proof),
    /// It is about traces up to the bound only.
    Open(Gap),
}

/// A proof for traces of every length.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// How it was found.
    pub basis: Basis,
    /// The bounds in steps at which classes were looked for; the last one gave the result.
    pub bounds: Vec<usize>,
    /// What confirmed the proof.
    pub confirmed: Confirmed,
}

/// What a proof consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// All states were visited.
    States {
        /// The states that traces without violation lead to.
        states: usize,
        /// The steps from these.
        steps: usize,
        /// The combinations of these states with what the classes remember.
        combinations: usize,
    },
    /// A symbolic proof by induction.
    Induction,
}

/// Why nothing is known beyond the bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Gap {
    /// The product of model and classes could not be explored.
    Obstacle(Obstacle),
    /// The classes are known to fail in longer traces, and no better ones were found.
    Broken {
        /// How many steps the shortest of these traces have.
        steps: usize,
        /// What ended the search; `None` if it was the number of rounds.
        why: Option<Exhausted>,
    },
}

/// Why the product of a model and classes could not be explored.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle {
    /// The states could not all be listed.
    States(Stop),
    /// The class with this index has no automaton.
    Class(usize, NoAutomaton),
    /// There are more combinations of states with what the classes remember than this.
    Combinations(usize),
    /// Decision diagrams would need more nodes than this.
    Nodes(usize),
    /// The budget ended before.
    Budget(Exhausted),
}

/// What the proof of one round came to.
enum Round {
    Proved(Proof),
    /// The bound must be raised to this. Classes that are right for every length come out again: what the
    /// minimisation found to suffice on the way to them still does.
    Raise(usize),
    Open(Obstacle),
}

/// Classifies all traces, of whatever length, that violate the invariant. `options.lengths` is not looked at.
///
/// # Panics
/// Only on a mistake in this program, as [`super::classify`].
pub fn classify_unbounded(
    model: &Model,
    invariant: &Expr,
    vocabulary: &Vocabulary,
    options: &Options,
    reach: Reach,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let mut spent = Spent { cpu: cpu_seconds(), proving: 0.0 };
    let clock = Instant::now();
    observer.progress(&Progress { phase: "explore", ..Progress::default() });
    let mut violates = |state: &State| !Scope::new(model).with_state(state).holds(invariant);
    // Most of the time is for the classes, and for induction where the states are too many.
    let explored = Graph::explore(model, reach.limit, &budget.share(4), &mut violates);
    spent.proving += clock.elapsed().as_secs_f64();
    let (mut bound, shortest) = match &explored {
        Ok(graph) => {
            let shortest = graph.depth_of(&mut violates);
            (reach.start.or(shortest).unwrap_or(reach.otherwise), shortest)
        }
        Err(_) => (reach.start.unwrap_or(reach.otherwise), None),
    };
    if let Some(shortest) = shortest {
        bound = bound.max(shortest);
    }
    let mut bounds = Vec::new();
    let mut statistics = Statistics::default();
    let mut complete: Option<(Classification, usize)> = None;
    loop {
        let options = Options { lengths: Lengths::UpTo(bound), ..options.clone() };
        let mut result = classify(model, invariant, vocabulary, &options, budget, observer);
        bounds.push(bound);
        statistics.add(&result.statistics);
        let ended = match &result.verdict {
            Verdict::Holds | Verdict::Complete => None,
            verdict => Some(verdict.exhausted()),
        };
        if let Some(ended) = ended {
            // What was complete for shorter traces says more than what the budget left of this round.
            if let (Some((before, steps)), Some(why)) = (complete, ended) {
                result = before;
                result.unbounded = Some(Unbounded::Open(Gap::Broken { steps, why: Some(why) }));
            }
            return finished(result, statistics, &spent);
        }
        let clock = Instant::now();
        observer.progress(&Progress {
            phase: "prove",
            depth: bound,
            counterexamples: statistics.counterexamples,
            classes: result.classes.len(),
            solver_calls: statistics.solver_calls,
            ..Progress::default()
        });
        let (graph, backend, limit) = (explored.as_ref(), options.backend, reach.limit);
        let mut prover = Prover { model, invariant, graph, backend, limit, budget, observer };
        let round =
            prover.round(&result.classes, bound).unwrap_or_else(|why| Round::Open(Obstacle::Budget(why)));
        spent.proving += clock.elapsed().as_secs_f64();
        match round {
            Round::Proved(proof) => {
                result.unbounded = Some(Unbounded::Proved(Proof { bounds, ..proof }));
                return finished(result, statistics, &spent);
            }
            Round::Open(obstacle) => {
                result.unbounded = Some(open(obstacle));
                return finished(result, statistics, &spent);
            }
            Round::Raise(to) if bounds.len() >= MOST_ROUNDS => {
                result.unbounded = Some(Unbounded::Open(Gap::Broken { steps: to, why: None }));
                return finished(result, statistics, &spent);
            }
            Round::Raise(to) => {
                complete = Some((result, to));
                bound = to;
            }
        }
    }
}

/// What is measured over all rounds.
struct Spent {
    /// The processor time of the process at the start, where the system tells.
    cpu: Option<f64>,
    /// Seconds spent on proofs.
    proving: f64,
}

/// The result with what all rounds took.
fn finished(mut result: Classification, mut statistics: Statistics, spent: &Spent) -> Classification {
    statistics.redundant = result.statistics.redundant;
    if let Some(Unbounded::Proved(proof)) = &result.unbounded {
        statistics.solver_calls += proof.confirmed.solver_calls;
        statistics.peak_variables = statistics.peak_variables.max(proof.confirmed.variables);
        statistics.peak_clauses = statistics.peak_clauses.max(proof.confirmed.clauses);
    }
    statistics.seconds.prove = spent.proving;
    statistics.seconds.total += spent.proving;
    statistics.cpu_seconds = cpu_seconds().zip(spent.cpu).map(|(now, then)| now - then);
    statistics.peak_memory_kb = peak_memory_kb();
    result.statistics = statistics;
    result
}

/// The questions of one round.
struct Prover<'a> {
    model: &'a Model,
    invariant: &'a Expr,
    graph: Result<&'a Graph, &'a Stop>,
    backend: Backend,
    limit: usize,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
}

impl Prover<'_> {
    /// Looks at classes that are sufficient and complete up to the bound.
    fn round(&mut self, classes: &[Class], bound: usize) -> Limited<Round> {
        let automata = match automata(self.model, classes) {
            Ok(automata) => automata,
            Err(obstacle) => return Ok(Round::Open(obstacle)),
        };
        match self.graph {
            Ok(graph) => match self.visited(graph, classes, &automata, bound)? {
                Round::Open(Obstacle::Combinations(_)) => self.symbolic(classes, &automata, bound),
                round => Ok(round),
            },
            Err(_) => {
                self.budget.exhausted().map_or(Ok(()), Err)?;
                self.symbolic(classes, &automata, bound)
            }
        }
    }

    /// By induction over the latches of model and automata.
    fn symbolic(&mut self, classes: &[Class], automata: &[Automaton], bound: usize) -> Limited<Round> {
        let mut raise = None;
        for (class, automaton) in classes.iter().zip(automata) {
            if let Some(steps) = self.never(&[automaton], Never::Insufficient)? {
                assert_beyond(steps, bound, &class.constraint, self.model);
                raise = raise.max(Some(steps));
            }
        }
        if let Some(to) = raise {
            return Ok(Round::Raise(to));
        }
        let covering = classes.iter().zip(automata).filter(|(class, _)| !class.redundant);
        let covering: Vec<&Automaton> = covering.map(|(_, automaton)| automaton).collect();
        if let Some(steps) = self.never(&covering, Never::Uncovered)? {
            assert!(steps > bound, "a counterexample of {steps} steps is in no class of a complete result");
            return Ok(Round::Raise(steps));
        }
        let solver = other(self.backend).start(self.budget).name().to_owned();
        let confirmed = Confirmed { solver, solver_calls: 0, variables: 0, clauses: 0 };
        Ok(Round::Proved(Proof { basis: Basis::Induction, bounds: Vec::new(), confirmed }))
    }

    fn never(&mut self, automata: &[&Automaton], what: Never) -> Limited<Option<usize>> {
        never((self.model, self.invariant), automata, what, self.backend, self.budget, self.observer)
    }

    /// By what was visited.
    fn visited(
        &self,
        graph: &Graph,
        classes: &[Class],
        automata: &[Automaton],
        bound: usize,
    ) -> Limited<Round> {
        let product = Product::new(self.model, self.invariant, graph, automata, self.budget)?;
        let mut possible = Vec::new();
        let mut raise = None;
        for (index, class) in classes.iter().enumerate() {
            match sufficiency(&product, index, self.budget)? {
                Sufficient::Always(states) => possible.push(states),
                Sufficient::Until(steps) => {
                    assert_beyond(steps, bound, &class.constraint, self.model);
                    raise = raise.max(Some(steps));
                }
            }
        }
        if let Some(to) = raise {
            return Ok(Round::Raise(to));
        }
        let covering: Vec<usize> = (0..classes.len()).filter(|&c| !classes[c].redundant).collect();
        let memories = match coverage(&product, &covering, self.limit, self.budget)? {
            Covered::Always(memories) => memories,
            Covered::Until(steps) => {
                assert!(
                    steps > bound,
                    "a counterexample of {steps} steps is in no class of a complete result"
                );
                return Ok(Round::Raise(steps));
            }
            Covered::TooMany(limit) => return Ok(Round::Open(Obstacle::Combinations(limit))),
        };
        let combinations = memories.iter().map(Vec::len).sum();
        let certificate = Certificate {
            graph,
            automata,
            covering: &covering,
            violates: &product.violates,
            possible,
            memories,
        };
        let checked = certificate.check(self.model, self.invariant, other(self.backend), self.budget)?;
        let confirmed = checked.unwrap_or_else(|refused| {
            panic!("the proof for every length fails at {}: {:?}", refused.at, certificate.covering)
        });
        let states = product.violates.iter().filter(|v| !**v).count();
        let basis = Basis::States { states, steps: graph.step_count(), combinations };
        Ok(Round::Proved(Proof { basis, bounds: Vec::new(), confirmed }))
    }
}

/// The automata of all classes.
pub(super) fn automata(model: &Model, classes: &[Class]) -> Result<Vec<Automaton>, Obstacle> {
    let automaton = |(index, class): (usize, &Class)| {
        Automaton::of(model, &class.constraint).map_err(|why| Obstacle::Class(index, why))
    };
    classes.iter().enumerate().map(automaton).collect()
}

fn open(obstacle: Obstacle) -> Unbounded {
    Unbounded::Open(Gap::Obstacle(obstacle))
}

/// The self-check found the class sufficient up to the bound.
fn assert_beyond(steps: usize, bound: usize, constraint: &Constraint, model: &Model) {
    assert!(
        steps > bound,
        "a trace of {steps} steps without violation is in the sufficient class {}",
        constraint.show(model)
    );
}
