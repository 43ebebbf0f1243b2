//! Strategies that choose one of the counterexamples.
//!
//! The eleven strategies of *Counting bugs in behavioural models using counterexample analysis* (FormaliSE 2022,
//! section 3.5), as far as it names them; the shortest path to a neighbourhood and patterns of *Counterexample
//! simplification for liveness property violation* (SEFM 2018); and the most readable one.

mod cases;
mod choose;
mod cost;
mod counterexample;
mod most;
mod violations;

pub use cases::Cases;
pub use choose::{ChosenPath, NoCounterexample, StrategyChoice, choose};
pub use cost::CostPath;
pub use counterexample::{Counterexample, of_inevitable, of_safety, shortest_of_inevitable};
pub use violations::{Inevitable, SafetyProduct, ViolationPlaces};

/// The criterion that chooses a counterexample. Paths of a system are unbounded, so strategies that maximise consider
/// only paths without repeated places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Among the shortest, one whose abstraction keeps the fewest actions, but at least one where possible.
    #[default]
    Readable,
    /// A random one without repetition.
    Random {
        /// The random seed: the same seed gives the same counterexample.
        seed: u64,
    },
    /// A shortest one.
    Shortest,
    /// A longest one without repetition.
    Longest,
    /// The shortest path to a faulty state, then the shortest path to the violation.
    FaultyFirst,
    /// One with the fewest faulty states; among these, one whose abstraction keeps the fewest actions.
    FewestFaulty,
    /// One with the most faulty states, without repetition; among these, a shortest one.
    MostFaulty,
    /// A shortest one among those with the fewest faulty states.
    ShortestFewestFaulty,
    /// The most probable one if all transitions of a state are equally probable.
    MostProbable,
    /// The least probable one without repetition.
    LeastProbable,
    /// The shortest one through a faulty state nearest to the violation.
    ClosestFaulty,
    /// As `Closest`, with the fewest faulty states.
    ClosestFewestFaulty,
    /// The shortest path to a neighbourhood, which stops before the violation.
    Neighbourhood,
}
