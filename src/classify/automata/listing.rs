//! Sufficiency of a constraint for a violation, decided on a list of the model's states instead of by the solver. Where
//! there are few states, one walk over them proves that no trace satisfies the constraint without a violation; by SAT, the
//! proof goes through every step up to the bound.

use crate::automata::automaton::local::{LocalRequirements, MOST_POSITIONS};
use crate::automata::letter::Letter;
use crate::automata::reader::{Codes, LetterReader};
use crate::automata::remembered;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Assignment;
use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use engines::explore::{DEFAULT_SEARCH_LIMIT, Exploration, Graph, Reachable, Stop};
use explicit::lts::Bits;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use lang::model::Model;
use lang::trace::Trace;
pub use occurring::ViolationTraces;
use std::time::{Duration, Instant};
use walk::{ConstraintWalk, comes_before};

mod occurring;
mod walk;

/// The greatest number of states listed.
const MOST_STATES: usize = 20_000;
/// The greatest number of states listed before any time was spent on proofs.
const FEW_STATES: usize = 6_000;
/// The greatest number of choices of an action in that first listing.
const FEW_CHOICES: usize = 500;
/// The time limit of the first listing. Usually far from reached, so that the list is the same on every machine.
const SOON: Duration = Duration::from_secs(1);
/// The greatest number of steps, which take more memory than the states.
const MOST_STEPS: usize = 500_000;
/// The time of proofs by the solver after which listing goes on.
const LITTLE: Duration = Duration::from_millis(500);
/// The shortest slice of time for listing.
const LEAST: Duration = Duration::from_millis(100);
/// The greatest number of choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 16;
/// The greatest number of letters of one constraint.
const MOST_LETTERS: usize = u128::BITS as usize;
/// The budget is checked once per this many combinations or arrivals.
const POLL: usize = 4096;

/// The states of a model, listed if there are few, or once proofs by the solver have taken some time, and
/// then for no longer than the proofs.
pub struct ListedModel<'m> {
    problem: Problem<'m>,
    listing: Option<Listing<'m>>,
    exploration: Option<Exploration<'m>>,
    /// True if a few were listed, or tried to be.
    begun: bool,
    proving: Duration,
    exploring: Duration,
    slice: Duration,
}

impl<'m> ListedModel<'m> {
    /// Starts without any listed state.
    pub fn new(problem: Problem<'m>) -> Self {
        Self {
            problem,
            listing: None,
            exploration: Some(Exploration::default()),
            begun: false,
            proving: Duration::ZERO,
            exploring: Duration::ZERO,
            slice: LEAST,
        }
    }

    /// Adds the time of a proof by the solver.
    pub fn proved_for(&mut self, time: Duration) {
        self.proving += time;
    }

    /// Returns the list, if it exists or can be completed now.
    pub fn list(&mut self, budget: &Budget) -> Option<&mut Listing<'m>> {
        if !self.begun {
            self.begun = true;
            self.go_on(FEW_STATES, FEW_CHOICES, &budget.at_most(SOON));
        }
        while self.exploration.is_some()
            && self.proving >= LITTLE
            && self.proving.saturating_sub(self.exploring) >= self.slice
            && budget.exhausted().is_none()
        {
            self.go_on(MOST_STATES, DEFAULT_SEARCH_LIMIT, &budget.at_most(self.slice));
        }
        self.listing.as_mut()
    }

    fn go_on(&mut self, states: usize, choices: usize, budget: &Budget) {
        let Some(mut exploration) = self.exploration.take() else { return };
        let clock = Instant::now();
        let (problem, steps_before) = (self.problem, exploration.steps());
        let Problem { model, invariant } = problem;
        let stopped = exploration.go_on(model, invariant, states, choices, budget).cloned();
        match stopped {
            _ if exploration.steps() > MOST_STEPS => {}
            None => self.listing = Listing::new(problem, exploration.into_reached(budget), budget).ok(),
            Some(Stop::Budget(_)) => {
                // A state whose steps take longer than a slice is restarted in the next one.
                if exploration.steps() == steps_before {
                    self.slice *= 2;
                }
                self.exploration = Some(exploration);
            }
            Some(Stop::States(_)) if states < MOST_STATES => self.exploration = Some(exploration),
            Some(Stop::Choices(_)) if choices < DEFAULT_SEARCH_LIMIT => self.exploration = Some(exploration),
            Some(Stop::States(_) | Stop::Choices(_)) => {}
        }
        self.exploring += clock.elapsed();
    }
}

/// The states reached by traces without violation, and the truth values of letters on the way.
pub struct Listing<'m> {
    model: &'m Model,
    graph: Graph,
    violates: Vec<bool>,
    letters: Vec<Letter>,
    /// For each letter, the arrivals of the graph where it holds.
    truth: Vec<Bits>,
}

/// A trace without violation that satisfies a constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptingTrace {
    /// The trace.
    pub trace: Trace,
    /// The values of the constraint's variables in the trace.
    pub assigned: Assignment,
}

/// The answer of a search.
pub enum ListedAnswer {
    /// No trace without violation satisfies the constraint.
    Nothing,
    /// A trace without violation satisfies the constraint.
    Accepted(AcceptingTrace),
    /// The list cannot decide the constraint.
    Unknown,
}

impl<'m> Listing<'m> {
    fn new(problem: Problem<'m>, reached: Reachable, budget: &Budget) -> Limited<Self> {
        if let Some(Stop::Budget(why)) = reached.stopped {
            return Err(why);
        }
        let graph = Graph::of(reached, budget)?;
        let violates = graph.states.iter().map(|state| problem.is_violated_in(state)).collect();
        Ok(Self { model: problem.model, graph, violates, letters: Vec::new(), truth: Vec::new() })
    }

    /// Searches the shortest traces of up to `steps` steps, without violation, that satisfy the constraint
    /// for the first in display order.
    pub fn accepting(
        &mut self,
        atoms: &Atoms,
        constraint: &Constraint,
        steps: usize,
        budget: &Budget,
    ) -> Limited<ListedAnswer> {
        let Some(choices) = remembered::local_choices(self.model, atoms, constraint, MOST_CHOICES) else {
            return Ok(ListedAnswer::Unknown);
        };
        if choices.iter().any(|choice| choice.positions > MOST_POSITIONS) {
            return Ok(ListedAnswer::Unknown);
        }
        let mut best: Option<AcceptingTrace> = None;
        for choice in &choices {
            let local = LocalRequirements::of(choice, &mut self.letters);
            let steps = best.as_ref().map_or(steps, |best| best.trace.len());
            match self.search(&local, steps, budget)? {
                ListedAnswer::Nothing => {}
                ListedAnswer::Unknown => return Ok(ListedAnswer::Unknown),
                ListedAnswer::Accepted(mut found) => {
                    let place = |variable: &PositionVar| found.assigned.positions[variable.index()];
                    found.assigned.positions = choice.places.iter().map(place).collect();
                    if best.as_ref().is_none_or(|best| comes_before(&found.trace, &best.trace)) {
                        best = Some(found);
                    }
                }
            }
        }
        Ok(best.map_or(ListedAnswer::Nothing, ListedAnswer::Accepted))
    }

    /// Answers for a constraint whose facts read one position each.
    fn search(&mut self, local: &LocalRequirements, steps: usize, budget: &Budget) -> Limited<ListedAnswer> {
        let letters = local.letters();
        if letters.len() > MOST_LETTERS {
            return Ok(ListedAnswer::Unknown);
        }
        self.evaluate(budget)?;
        ConstraintWalk::new(self, local, &letters).run(steps, budget)
    }

    /// Evaluates the new letters.
    fn evaluate(&mut self, budget: &Budget) -> Limited<()> {
        let new = &self.letters[self.truth.len()..];
        if new.is_empty() {
            return Ok(());
        }
        let arrivals = self.graph.arrivals.len();
        let mut truth = vec![Bits::new(arrivals); new.len()];
        let mut codes = Codes::new(self.model, &self.graph);
        let mut readers: Vec<LetterReader<'_>> =
            new.iter().map(|letter| LetterReader::new(letter, &mut codes)).collect();
        for arrival in 0..arrivals {
            if arrival.is_multiple_of(POLL) {
                budget.check()?;
            }
            for (reader, truth) in readers.iter_mut().zip(&mut truth) {
                if reader.holds(self.model, &self.graph, to_u32(arrival)) {
                    truth.insert(arrival);
                }
            }
        }
        self.truth.extend(truth);
        Ok(())
    }
}
