//! Trace constraints as finite automata: a finite memory of a trace of any length that decides whether the
//! trace is in a class.
//!
//! A constraint whose facts read one position each is a nondeterministic automaton over the moments of a
//! trace. Its states are the sets of position variables that have places; reading a moment places any number
//! of further variables. The subset construction runs on the fly, with sets of states as [`AutomatonStates`].

pub mod bits;
pub mod local;
mod reduce;
mod symbolic;

pub use bits::AutomatonStates;

use crate::automata::letter::{Letter, LocalConstraint};
use crate::automata::remembered;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use lang::model::Model;
use lang::model::value::Moment;
use local::{LocalRequirements, MOST_POSITIONS, PlacedVariables};
use rustc_hash::FxHashMap;

/// The greatest number of states of an automaton.
pub const MOST_STATES: usize = AutomatonStates::MOST;

/// The greatest number of choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 256;

/// A literal over letters: the letter's index, and its required truth value.
pub type LetterLiteral = (usize, bool);

/// A transition of an automaton: reads one moment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The state before the moment is read.
    pub from: usize,
    /// The state afterwards.
    pub to: usize,
    /// The conditions on the moment, all required; ascending, without duplicates.
    pub conditions: Vec<LetterLiteral>,
}

/// An automaton that accepts exactly the traces that satisfy a constraint.
#[derive(Debug, Clone)]
pub struct Automaton {
    /// The letters that edges test.
    pub letters: Vec<Letter>,
    /// The transitions, self-loops included. A run without a matching edge ends.
    pub edges: Vec<Edge>,
    /// The number of states.
    pub states: usize,
    start: AutomatonStates,
    accepting: AutomatonStates,
    /// For each state, the states that simulate it, including itself.
    simulating: Vec<AutomatonStates>,
    /// For each state, the states that make it superfluous in a set; one of several equivalent states stays.
    above: Vec<AutomatonStates>,
}

/// The reason why a constraint has no automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAutomaton {
    /// Comparisons between positions that neither a few remembered values nor a few cases decide.
    Comparison,
    /// Too many states.
    Size,
}

impl std::fmt::Display for NoAutomaton {
    /// Writes a predicate about the constraint: `compares …`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAutomaton::Comparison => "compares positions in a way that takes too many cases",
            NoAutomaton::Size => "needs too large an automaton",
        })
    }
}

impl std::error::Error for NoAutomaton {}

/// The error of a list of constraints: one of them has no automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsuitable {
    /// Index of the constraint.
    pub constraint: usize,
    /// The reason.
    pub why: NoAutomaton,
}

/// Returns the automata of some constraints.
///
/// # Errors
/// The first constraint without automaton.
pub fn automata<'c>(
    model: &Model,
    atoms: &Atoms,
    constraints: impl IntoIterator<Item = &'c Constraint>,
) -> Result<Vec<Automaton>, Unsuitable> {
    let automaton = |(constraint, of): (usize, &Constraint)| {
        Automaton::of(model, atoms, of).map_err(|why| Unsuitable { constraint, why })
    };
    constraints.into_iter().enumerate().map(automaton).collect()
}

impl Automaton {
    /// Builds the automaton of a constraint.
    ///
    /// # Errors
    /// If the constraint has none.
    pub fn of(model: &Model, atoms: &Atoms, constraint: &Constraint) -> Result<Self, NoAutomaton> {
        let choices = remembered::local_choices(model, atoms, constraint, MOST_CHOICES)
            .ok_or(NoAutomaton::Comparison)?;
        let mut raw = Raw::default();
        for choice in &choices {
            raw.add(choice)?;
        }
        reduce::reduced(raw)
    }

    /// Returns the states before the first moment.
    pub fn start(&self) -> AutomatonStates {
        self.start
    }

    /// Returns the states after a moment with the truth values `letter`, without superfluous states.
    pub fn step(&self, bits: AutomatonStates, letter: &dyn Fn(usize) -> bool) -> AutomatonStates {
        let possible = |edge: &&Edge| {
            bits.contains(edge.from) && edge.conditions.iter().all(|&(l, value)| letter(l) == value)
        };
        self.without_superfluous(self.edges.iter().filter(possible).map(|edge| edge.to).collect())
    }

    /// True if a trace that ends here is in the class.
    pub fn accepts(&self, bits: AutomatonStates) -> bool {
        bits.meets(&self.accepting)
    }

    /// True if a run that ends in this state is accepted.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting.contains(state)
    }

    /// Returns the states that make this one superfluous in a common set.
    pub fn above(&self, state: usize) -> AutomatonStates {
        self.above[state]
    }

    /// Returns the states that simulate this one, including itself: they accept every continuation that it accepts.
    pub fn simulating(&self, state: usize) -> AutomatonStates {
        self.simulating[state]
    }

    /// True if a whole trace is in the class.
    pub fn matches(&self, model: &Model, trace: &[Moment]) -> bool {
        let read = |bits, moment| self.step(bits, &|letter| self.letters[letter].holds(model, moment));
        self.accepts(trace.iter().fold(self.start, read))
    }

    fn without_superfluous(&self, bits: AutomatonStates) -> AutomatonStates {
        bits.states().filter(|&q| !bits.meets(&self.above[q])).collect()
    }
}

/// The greatest numbers of states and of edges before states are merged.
const MOST_RAW_STATES: usize = 20_000;
const MOST_RAW_EDGES: usize = 400_000;

/// A union of automata with unmerged states.
#[derive(Default)]
struct Raw {
    letters: Vec<Letter>,
    edges: Vec<Edge>,
    start: Vec<usize>,
    accepting: Vec<bool>,
}

impl Raw {
    fn add(&mut self, constraint: &LocalConstraint) -> Result<(), NoAutomaton> {
        if constraint.positions > MOST_POSITIONS {
            return Err(NoAutomaton::Size);
        }
        let local = LocalRequirements::of(constraint, &mut self.letters);
        let mut numbers: FxHashMap<PlacedVariables, usize> = FxHashMap::default();
        let mut states = vec![PlacedVariables::default()];
        let first = self.accepting.len();
        numbers.insert(PlacedVariables::default(), first);
        self.start.push(first);
        self.accepting.push(local.is_complete(PlacedVariables::default()));
        let mut done = 0;
        while let Some(&state) = states.get(done) {
            for (placed, conditions) in local.steps(state) {
                let to = *numbers.entry(placed).or_insert_with(|| {
                    states.push(placed);
                    self.accepting.push(local.is_complete(placed));
                    self.accepting.len() - 1
                });
                self.edges.push(Edge { from: first + done, to, conditions });
            }
            if self.accepting.len() > MOST_RAW_STATES || self.edges.len() > MOST_RAW_EDGES {
                return Err(NoAutomaton::Size);
            }
            done += 1;
        }
        Ok(())
    }
}
