//! Counterexamples for different purposes: which of all violating traces is shown.
//!
//! The eleven strategies of *Counting bugs in behavioural models using counterexample analysis* (FormaliSE 2022,
//! section 3.5), as far as it names them; the shortest path to a neighbourhood and patterns of *Counterexample
//! simplification for liveness property violation* (SEFM 2018); and one that is best to read.

mod cases;
mod choose;
mod cost;
mod counterexample;
mod most;
mod violations;

pub use cases::Cases;
pub use choose::{Choice, Chosen, NoCounterexample, choose};
pub use cost::Path;
pub use counterexample::{Counterexample, of_inevitable, of_safety, shortest_of_inevitable};
pub use violations::{Inevitable, Safety, Violations};

/// Which counterexample is asked for. Paths through a system are as long as they like; where the longest or the like
/// is meant, it is among those that come to no place twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Of the shortest the one whose abstraction keeps fewest actions, but not none if that can be helped.
    #[default]
    Readable,
    /// One that chance finds, without repetition.
    Random {
        /// The same seed finds the same.
        seed: u64,
    },
    /// A shortest one.
    Shortest,
    /// A longest one without repetition.
    Longest,
    /// The shortest way to a faulty state, and from there the shortest one to the violation.
    FaultyFirst,
    /// One that leaves as few faulty states as possible; of these one that keeps fewest actions.
    FewestFaulty,
    /// One that leaves as many faulty states as possible without repetition; of these a shortest.
    MostFaulty,
    /// The shortest of those that leave fewest faulty states.
    ShortestFewestFaulty,
    /// The one that is most probable when all transitions of a state are equally probable.
    MostProbable,
    /// The one that is least probable without repetition.
    LeastProbable,
    /// The shortest one through a faulty state that is as near to the violation as any.
    ClosestFaulty,
    /// The same with as few faulty states as possible.
    ClosestFewestFaulty,
    /// The shortest way to a neighbourhood: it does not go on to the violation.
    Neighbourhood,
}
