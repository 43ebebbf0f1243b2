//! Linear-time properties: over all states if they can be listed, otherwise by a proof that no loop violates them, and
//! up to a bound.

use crate::explore::{DEFAULT_SEARCH_LIMIT, Graph, Stop, TooMany};
use crate::ltl::{Bounded, Fairness, ListedSystem, LoopSafety, LtlTruth, MOST_OPERATORS, NoProduct, bounded};
use crate::prove::{InvariantDecision, InvariantEvidence, InvariantMethod, ProofEffort, Unproved, symbolic};
use kit::budget::{Budget, Exhausted, Observer};
use lang::model::Model;
use lang::model::expr::Formula;
use lang::trace::Lasso;
use solvers::sat::Backend;
use solvers::unroll::Lengths;
use std::fmt;
use std::time::Duration;

/// The most states that are listed before bounded search, and the longest time for it.
const FEW_STATES: usize = 10_000;
const SHORT: Duration = Duration::from_secs(1);

/// Options for deciding a linear-time property for traces of every length.
#[derive(Debug, Clone, Copy)]
pub struct LinearOptions {
    /// The way to prove it. [`InvariantMethod::Auto`] lists the states and, if there are too many, tries k-induction for small k
    /// and IC3 on the property reduced to safety; [`InvariantMethod::Explicit`] only lists the states, and the other ways skip the
    /// listing.
    pub way: InvariantMethod,
    /// If given, lassos of up to this many steps are searched for before a proof if the states are not listed.
    pub bound: Option<usize>,
    /// The most states that are listed.
    pub max_states: usize,
    /// The solver that searches.
    pub backend: Backend,
}

impl Default for LinearOptions {
    fn default() -> Self {
        Self {
            way: InvariantMethod::Auto,
            bound: None,
            max_states: DEFAULT_SEARCH_LIMIT,
            backend: Backend::Cadical,
        }
    }
}

/// The result for a property.
#[derive(Debug, Clone, PartialEq)]
pub enum LinearResult {
    /// Every fair infinite trace satisfies it.
    Holds {
        /// The system.
        of: LinearStates,
        /// True if there is no fair infinite trace at all.
        is_vacuous: bool,
    },
    /// Every fair infinite trace satisfies it, as proved without listing the states.
    Proved(InvariantEvidence),
    /// A fair lasso that violates it.
    Violated {
        /// The lasso.
        lasso: Lasso,
        /// The system, if its states were listed.
        of: Option<LinearStates>,
        /// True if no violating fair lasso has fewer steps, as proved.
        is_shortest: bool,
    },
    /// No fair lasso up to the bound violates it; with the reason why traces of every length are undecided.
    HoldsUpToBound(NotListed),
    /// The states were not listed, and no other way was requested.
    Unknown(NotListed),
    /// The search for a proof has ended.
    Unproved {
        /// The limit that ended it.
        why: Exhausted,
        /// The number of steps whose search was not completed: no fair lasso of fewer steps violates the formula.
        depth: usize,
    },
}

/// The listed states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearStates {
    /// The number of reachable states.
    pub states: usize,
    /// The number of them without successor: traces that end there are not infinite.
    pub dead_ends: usize,
}

/// The reason why a property is not decided over all states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotListed {
    /// There are more states than this.
    States(usize),
    /// There are too many choices in a state to list.
    Choices(TooMany),
    /// There are more states of the product with the formula's automaton than this.
    Product(usize),
    /// The formula has too many temporal operators.
    Operators,
    /// There are too many fairness conditions.
    Conditions,
    /// Decision diagrams would need more nodes than this.
    Nodes(usize),
    /// The formula depends on more than the state.
    Open,
    /// The budget ended.
    Budget(Exhausted),
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
            Self::Nodes(limit) => write!(f, "decision diagrams would need more than {limit} nodes"),
            Self::Open => f.write_str("the formula depends on more than the state"),
            Self::Budget(why) => f.write_str(why.ran_out()),
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

impl From<Unproved> for NotListed {
    fn from(why: Unproved) -> Self {
        match why {
            Unproved::Budget(why) => Self::Budget(why),
            Unproved::Choices(too_many) => Self::Choices(too_many),
            Unproved::Nodes(limit) => Self::Nodes(limit),
            Unproved::Open => Self::Open,
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

/// Decides a linear-time property for every infinite trace that meets the fairness conditions: over all states or, if
/// there are too many, by a proof that no loop violates it ([`LoopSafety`]). With a bound, lassos up to it are searched for
/// before the proof.
///
/// ```
/// use cladist::budget::Budget;
/// use cladist::decide::{self, LinearOptions, LinearResult};
/// use cladist::model::{self, PropertyKind};
///
/// let model = cladist::model::load("../../specs/spin_lock.sts".as_ref(), &[]).model.expect("no mistakes");
/// let enters = &model.properties[model.property("p_enters").expect("a property of the model")];
/// let PropertyKind::Ltl(formula) = &enters.kind else { panic!("a property of ltl") };
/// let options = LinearOptions::default();
/// let decided = decide::linear(&model, formula, &[], options, &Budget::unlimited(), &mut ());
/// let LinearResult::Violated { lasso, is_shortest, .. } = decided else { panic!("Q may enter for ever") };
/// assert!(is_shortest && lasso.is_closed());
/// ```
///
/// # Panics
/// If the bounded search does not find the violation that the proof search has found, or the other solver refuses a
/// proof, which is a bug in one of them.
pub fn linear(
    model: &Model,
    formula: &Formula,
    fairness: &[Fairness],
    options: LinearOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> LinearResult {
    LinearQuestion { model, formula, fairness, options }.decide(budget, observer)
}

/// Decides a linear-time property for lassos of up to `bound` steps, or of every length, by listing the states, if they are few.
/// `None` if the lassos that violate it are longer.
///
/// # Errors
/// The reason why the states are not listed; for another formula they are seldom listed either.
pub fn listed_linear(
    model: &Model,
    formula: &Formula,
    fairness: &[Fairness],
    bound: usize,
    budget: &Budget,
) -> Result<Option<LinearResult>, NotListed> {
    let options = LinearOptions { max_states: FEW_STATES, ..LinearOptions::default() };
    let question = LinearQuestion { model, formula, fairness, options };
    let decided = question.listed(&budget.at_most_work(SHORT))?;
    Ok(match &decided {
        LinearResult::Violated { lasso, is_shortest, .. } if !is_shortest || lasso.trace.len() > bound => {
            None
        }
        _ => Some(decided),
    })
}

/// A property with its model, fairness conditions and options.
struct LinearQuestion<'a> {
    model: &'a Model,
    formula: &'a Formula,
    fairness: &'a [Fairness],
    options: LinearOptions,
}

impl LinearQuestion<'_> {
    fn decide(&self, budget: &Budget, observer: &mut dyn Observer) -> LinearResult {
        let LinearOptions { way, bound, .. } = self.options;
        let is_last = way == InvariantMethod::Explicit;
        let mut unlisted = None;
        if matches!(way, InvariantMethod::Auto | InvariantMethod::Explicit) {
            let part = if is_last && bound.is_none() { budget.clone() } else { budget.share(2) };
            match self.listed(&part) {
                Ok(decided) => return decided,
                Err(why) => unlisted = Some(why),
            }
        }
        let (mut least, mut holds) = (0, false);
        if let Some(bound) = bound {
            let part = if is_last { budget.clone() } else { budget.share(2) };
            match self.bounded(bound, &part, observer) {
                Bounded::Holds => holds = true,
                Bounded::Violated(lasso) => {
                    return LinearResult::Violated { lasso, of: None, is_shortest: true };
                }
                Bounded::Undecided { why, depth } if is_last => return LinearResult::Unproved { why, depth },
                Bounded::Undecided { depth, .. } => least = depth,
            }
        }
        match unlisted.filter(|_| is_last) {
            Some(why) if holds => return LinearResult::HoldsUpToBound(why),
            Some(why) => return LinearResult::Unknown(why),
            None => {}
        }
        match self.proved(budget, observer) {
            LinearResult::Unproved { why, .. } if holds => {
                LinearResult::HoldsUpToBound(NotListed::Budget(why))
            }
            LinearResult::Unproved { why, depth } => LinearResult::Unproved { why, depth: depth.max(least) },
            decided => decided,
        }
    }

    /// Decides it over all states.
    fn listed(&self, budget: &Budget) -> Result<LinearResult, NotListed> {
        let Self { model, formula, fairness, .. } = *self;
        let graph = Graph::explore(model, None, self.options.max_states, budget)?;
        let listed = ListedSystem { model, graph: &graph, fairness };
        let of = LinearStates { states: graph.states.len(), dead_ends: listed.dead_ends() };
        Ok(match listed.decide(formula, budget)? {
            LtlTruth::Violated { lasso, is_shortest } => {
                LinearResult::Violated { lasso, of: Some(of), is_shortest }
            }
            LtlTruth::Holds => LinearResult::Holds { of, is_vacuous: !listed.has_fair_trace(budget)? },
        })
    }

    /// Decides it as safety.
    fn proved(&self, budget: &Budget, observer: &mut dyn Observer) -> LinearResult {
        let Self { model, formula, fairness, options } = *self;
        let LoopSafety { model: looping, never_closed } = LoopSafety::new(model, formula, fairness);
        let effort = ProofEffort { backend: options.backend, budget, observer: &mut *observer };
        match symbolic(&looping, &never_closed, options.way, effort) {
            InvariantDecision::Holds(evidence) => {
                LinearResult::Proved(InvariantEvidence::OfLoops(Box::new(evidence)))
            }
            InvariantDecision::Violated { steps, .. } => match self.bounded(steps, budget, observer) {
                Bounded::Violated(lasso) => LinearResult::Violated { lasso, of: None, is_shortest: true },
                Bounded::Undecided { why, depth } => LinearResult::Unproved { why, depth },
                Bounded::Holds => panic!("no violating lasso of up to {steps} steps was found"),
            },
            InvariantDecision::Unknown { why: Unproved::Budget(why), depth } => {
                LinearResult::Unproved { why, depth }
            }
            InvariantDecision::Unknown { why, .. } => LinearResult::Unknown(why.into()),
        }
    }

    fn bounded(&self, steps: usize, budget: &Budget, observer: &mut dyn Observer) -> Bounded {
        let Self { model, formula, fairness, options } = *self;
        bounded(model, formula, fairness, Lengths::UpTo(steps), options.backend, budget, observer)
    }
}
