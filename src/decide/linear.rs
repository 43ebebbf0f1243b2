//! Properties of linear time: over all states where they can be listed, otherwise up to a bound.

use crate::budget::{Budget, Exhausted, Observer};
use crate::explore::{Graph, Stop, TooMany};
use crate::ltl::{Bounded, Fairness, Listed, MOST_OPERATORS, NoProduct, Truth, bounded};
use crate::model::Model;
use crate::model::expr::Formula;
use crate::sat::Backend;
use crate::trace::Lasso;
use crate::unroll::Lengths;
use std::fmt;

/// How a property of linear time is decided for traces of every length.
#[derive(Debug, Clone, Copy)]
pub struct LinearOptions {
    /// If given, lassos of up to so many steps are searched for where the states cannot be listed.
    pub bound: Option<usize>,
    /// At most so many states are listed.
    pub max_states: usize,
    /// The solver of the bounded search.
    pub backend: Backend,
}

/// What is known of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Linear {
    /// Every fair infinite trace satisfies it.
    Holds {
        /// The system.
        of: System,
        /// Whether there is no fair infinite trace at all.
        is_vacuous: bool,
    },
    /// A fair lasso that violates it.
    Violated {
        /// The lasso.
        lasso: Lasso,
        /// The system.
        of: System,
        /// Whether it is proved that none has fewer steps.
        is_shortest: bool,
    },
    /// What a search up to the bound gave, and why nothing is known of all traces.
    UpToBound(Bounded, NotListed),
    /// Nothing is known, and no bound was given.
    Unknown(NotListed),
}

/// The states that were listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct System {
    /// How many there are.
    pub states: usize,
    /// How many of them have no successor: traces that end there are not infinite.
    pub dead_ends: usize,
}

/// Why a property is not decided over all states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotListed {
    /// There are more states than this.
    States(usize),
    /// The choices in a state are too many to list.
    Choices(TooMany),
    /// There are more pairs of a state and what remains of the formula than this.
    Product(usize),
    /// The formula has too many temporal operators.
    Operators,
    /// There are too many conditions of fairness.
    Conditions,
    /// The budget ended.
    Budget(Exhausted),
}

impl NotListed {
    /// A word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::States(_) | Self::Product(_) => "states",
            Self::Choices(_) => "choices",
            Self::Operators | Self::Conditions => "formula",
            Self::Budget(Exhausted::Time) => "time",
            Self::Budget(Exhausted::Memory) => "memory",
            Self::Budget(Exhausted::Interrupt) => "interrupt",
        }
    }
}

impl fmt::Display for NotListed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(limit) => write!(f, "there are more than {limit} states"),
            Self::Choices(too_many) => write!(f, "{too_many}"),
            Self::Product(limit) => {
                write!(f, "there are more than {limit} pairs of a state and what remains of the formula")
            }
            Self::Operators => {
                write!(f, "the formula has more than {MOST_OPERATORS} temporal operators in one part")
            }
            Self::Conditions => f.write_str("the formula and the conditions of fairness are too many"),
            Self::Budget(why) => f.write_str(match why {
                Exhausted::Time => "the time ran out",
                Exhausted::Memory => "the memory ran out",
                Exhausted::Interrupt => "the run was interrupted",
            }),
        }
    }
}

impl From<Stop> for NotListed {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::States(limit) => Self::States(limit),
            Stop::Choices(too_many) => Self::Choices(too_many),
            Stop::Budget(why) => Self::Budget(why),
        }
    }
}

impl From<NoProduct> for NotListed {
    fn from(why: NoProduct) -> Self {
        match why {
            NoProduct::Exhausted(why) => Self::Budget(why),
            NoProduct::States(limit) => Self::Product(limit),
            NoProduct::Operators => Self::Operators,
            NoProduct::Conditions => Self::Conditions,
        }
    }
}

/// Decides a property of linear time for every infinite trace that meets the conditions of fairness: over all states, or, where these
/// cannot be listed and there is a bound, for lassos up to that.
///
/// ```
/// use cladist::budget::Budget;
/// use cladist::decide::{self, Linear, LinearOptions};
/// use cladist::model::{self, PropertyKind};
/// use cladist::sat::Backend;
///
/// let model = model::load("specs/spin_lock.sts".as_ref(), &[]).model.expect("no mistakes");
/// let enters = &model.properties[model.property("p_enters").expect("a property of the model")];
/// let PropertyKind::Ltl(formula) = &enters.kind else { panic!("a property of ltl") };
/// let options = LinearOptions { bound: None, max_states: 100_000, backend: Backend::Cadical };
/// let decided = decide::linear(&model, formula, &[], options, &Budget::unlimited(), &mut ());
/// let Linear::Violated { lasso, is_shortest, .. } = decided else { panic!("Q may enter for ever") };
/// assert!(is_shortest && lasso.is_closed());
/// ```
pub fn linear(
    model: &Model,
    formula: &Formula,
    fairness: &[Fairness],
    options: LinearOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Linear {
    let LinearOptions { bound, max_states, backend } = options;
    let part = bound.map_or(budget.clone(), |_| budget.share(2));
    match (listed(model, formula, fairness, max_states, &part), bound) {
        (Ok(decided), _) => decided,
        (Err(why), None) => Linear::Unknown(why),
        (Err(why), Some(bound)) => {
            let lengths = Lengths::UpTo(bound);
            let found = bounded(model, formula, fairness, lengths, backend, budget, observer);
            Linear::UpToBound(found, why)
        }
    }
}

fn listed(
    model: &Model,
    formula: &Formula,
    fairness: &[Fairness],
    max_states: usize,
    budget: &Budget,
) -> Result<Linear, NotListed> {
    let graph = Graph::explore(model, None, max_states, budget)?;
    let listed = Listed { model, graph: &graph, fairness };
    let of = System { states: graph.states.len(), dead_ends: listed.dead_ends() };
    Ok(match listed.decide(formula, budget)? {
        Truth::Violated { lasso, is_shortest } => Linear::Violated { lasso, of, is_shortest },
        Truth::Holds => Linear::Holds { of, is_vacuous: !listed.has_fair_trace(budget)? },
    })
}
