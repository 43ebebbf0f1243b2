//! Trace constraints as finite automata: what has to be remembered of a trace, however long it is, to know
//! whether it is in a class.
//!
//! A constraint whose facts read one position each is a nondeterministic automaton over the moments of a
//! trace. Its states say which position variables have found their places; reading a moment gives
//! places to any number of them. Sets of its states are used deterministically, as [`Bits`].

mod bits;
mod build;
pub mod local;
mod reduce;
mod symbolic;

use super::constraint::Constraint;
use super::remembered;
use crate::model::expr::{Expr, LocalId};
use crate::model::value::{Moment, Value};
use crate::model::{Model, eval};

pub use bits::Bits;

/// The most states an automaton can have.
pub const MOST_STATES: usize = Bits::MOST;

/// The most choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 256;

/// Something that is true or false of a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// The truth value, over one position parameter.
    pub expr: Expr,
    /// The position parameter.
    pub at: LocalId,
}

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
    /// It compares positions in a way that remembering a few values does not decide.
    Comparison,
    /// It would have too many states.
    Size,
}

impl NoAutomaton {
    /// The end of a sentence about a constraint: `it …`.
    pub fn reason(self) -> &'static str {
        match self {
            NoAutomaton::Comparison => "compares what is read at several positions, over too many values",
            NoAutomaton::Size => "needs too much to be remembered of a trace",
        }
    }
}

impl Automaton {
    /// The automaton of a constraint.
    pub fn of(model: &Model, constraint: &Constraint) -> Result<Self, NoAutomaton> {
        let choices =
            remembered::local_choices(model, constraint, MOST_CHOICES).ok_or(NoAutomaton::Comparison)?;
        let mut raw = build::Raw::default();
        for choice in &choices {
            raw.add(model, choice)?;
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

    /// Whether a trace that ends here is in the class.
    pub fn accepts(&self, bits: Bits) -> bool {
        bits.meets(&self.accepting)
    }

    /// Whether a run that ends in this state is accepted.
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

    /// Whether a whole trace is in the class.
    pub fn matches(&self, model: &Model, trace: &[Moment]) -> bool {
        let read = |bits, moment| self.step(bits, &|letter| self.letters[letter].holds(model, moment));
        self.accepts(trace.iter().fold(self.start, read))
    }

    fn without_superfluous(&self, bits: Bits) -> Bits {
        bits.states().filter(|&q| !bits.meets(&self.above[q])).collect()
    }
}

impl Letter {
    /// Whether it is true of a moment, by the reference semantics.
    pub fn holds(&self, model: &Model, moment: &Moment) -> bool {
        let trace = std::slice::from_ref(moment);
        eval::eval_trace(model, &self.expr, trace, &[(self.at, Value::Int(0))]).is_true()
    }
}
