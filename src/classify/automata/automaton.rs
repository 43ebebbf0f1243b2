//! Trace constraints as finite automata: what has to be remembered of a trace, however long it is, to know
//! whether it is in a class.
//!
//! A constraint whose facts read one position each is a nondeterministic automaton over the moments of a
//! trace. Its states say which position variables have found their places; reading a moment gives
//! places to any number of them. Sets of its states are used deterministically, as [`Bits`].

pub mod bits;
mod build;
pub mod local;
mod reduce;
mod symbolic;

use crate::automata::letter::Letter;
use crate::automata::remembered;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use lang::model::Model;
use lang::model::value::Moment;

pub use bits::Bits;

/// The most states an automaton can have.
pub const MOST_STATES: usize = Bits::MOST;

/// The most choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 256;

/// A literal over letters: which one, and whether it must be true.
pub type Condition = (usize, bool);

/// A way to read one moment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The state before the moment is read.
    pub from: usize,
    /// The state afterwards.
    pub to: usize,
    /// All of these must hold at the moment; ascending, without duplicates.
    pub conditions: Vec<Condition>,
}

/// An automaton that accepts exactly the traces that satisfy a constraint.
#[derive(Debug, Clone)]
pub struct Automaton {
    /// What moments are asked.
    pub letters: Vec<Letter>,
    /// The transitions, staying in a state among them. What no edge allows ends the run.
    pub edges: Vec<Edge>,
    /// The number of states.
    pub states: usize,
    start: Bits,
    accepting: Bits,
    /// For each state those, itself among them, that accept whatever it accepts.
    simulating: Vec<Bits>,
    /// For each state those that make it superfluous in a set: of states that accept the same, one stays.
    above: Vec<Bits>,
}

/// Why there is no automaton for a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAutomaton {
    /// It compares positions in a way that remembering a few values, or telling a few cases apart, does not decide.
    Comparison,
    /// It would have too many states.
    Size,
}

impl std::fmt::Display for NoAutomaton {
    /// A predicate about the constraint: `compares …`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAutomaton::Comparison => "compares positions in a way that takes too many cases",
            NoAutomaton::Size => "needs too large an automaton",
        })
    }
}

impl std::error::Error for NoAutomaton {}

/// A constraint of a list has no automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsuitable {
    /// Index of the constraint.
    pub constraint: usize,
    /// Why it has none.
    pub why: NoAutomaton,
}

/// The automata of some constraints.
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
    /// The automaton of a constraint.
    ///
    /// # Errors
    /// Why it has none.
    pub fn of(model: &Model, atoms: &Atoms, constraint: &Constraint) -> Result<Self, NoAutomaton> {
        let choices = remembered::local_choices(model, atoms, constraint, MOST_CHOICES)
            .ok_or(NoAutomaton::Comparison)?;
        let mut raw = build::Raw::default();
        for choice in &choices {
            raw.add(choice)?;
        }
        reduce::reduced(raw)
    }

    /// The states before the first moment is read.
    pub fn start(&self) -> Bits {
        self.start
    }

    /// The states after a moment of which `letter` says what holds, without those that are superfluous.
    pub fn step(&self, bits: Bits, letter: &dyn Fn(usize) -> bool) -> Bits {
        let possible = |edge: &&Edge| {
            bits.contains(edge.from) && edge.conditions.iter().all(|&(l, value)| letter(l) == value)
        };
        self.without_superfluous(self.edges.iter().filter(possible).map(|edge| edge.to).collect())
    }

    /// True if a trace that ends here is in the class.
    pub fn accepts(&self, bits: Bits) -> bool {
        bits.meets(&self.accepting)
    }

    /// True if a run that ends in this state is accepted.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting.contains(state)
    }

    /// The states that make this one superfluous when they are in a set with it.
    pub fn above(&self, state: usize) -> Bits {
        self.above[state]
    }

    /// States, this one among them, that accept whatever can follow, if this one does.
    pub fn simulating(&self, state: usize) -> Bits {
        self.simulating[state]
    }

    /// True if a whole trace is in the class.
    pub fn matches(&self, model: &Model, trace: &[Moment]) -> bool {
        let read = |bits, moment| self.step(bits, &|letter| self.letters[letter].holds(model, moment));
        self.accepts(trace.iter().fold(self.start, read))
    }

    fn without_superfluous(&self, bits: Bits) -> Bits {
        bits.states().filter(|&q| !bits.meets(&self.above[q])).collect()
    }
}
