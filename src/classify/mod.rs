//! From a violated property to the few kinds of violation there are (Algorithms 1–4 of the
//! classification paper).
//!
//! What differs from the paper, and why: traces of all lengths up to the bound are considered, each
//! ending anywhere, unless an exact length is asked for; the label of a step can be observed in the
//! state that it leads to; a constraint is checked with free positions, as it is printed; blocking
//! never expands position tuples; redundancy uses the shrinking set of section 3.1.1, because
//! Algorithm 4 as printed can drop two classes that only cover each other.

mod absences;
pub mod automaton;
pub mod block;
pub mod collect;
mod constraint;
mod cores;
mod cover;
mod diagrams;
pub mod draft;
mod engine;
mod fact;
mod listing;
mod members;
mod merge;
pub mod minimise;
mod numbers;
mod occurrence;
mod pool;
pub mod product;
pub mod quick_xplain;
mod redundancy;
mod remembered;
mod restates;
mod restore;
mod result;
mod score;
mod self_check;
pub mod space;
#[cfg(test)]
mod tests;
mod unbounded;
mod watch;

pub use automaton::NoAutomaton;
pub use constraint::Constraint;
pub use engine::classify;
pub use fact::{Atom, Conjunct, Fact, FactKind, Origin, Stretch};
pub use members::members;
pub use minimise::Preference;
pub use numbers::{CountMethod, Numbers, numbers, numbers_by};
pub use product::certificate::Confirmed;
pub use product::count::{Count, Tally};
pub use restore::restore;
pub use result::{Class, Classification, Seconds, Silent, Statistics, TooWeak, Verdict, Why};
pub use unbounded::{Basis, Gap, Obstacle, Proof, Reach, Unbounded, classify_unbounded};

use crate::model::PredicateId;
use crate::sat::{Backend, Setup};
use crate::unroll::Lengths;

/// What the user can choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// The traces that are considered.
    pub lengths: Lengths,
    /// First classify the counterexamples that satisfy this predicate at some positions.
    pub start_with: Option<PredicateId>,
    /// Keep classes that the others cover, marked as redundant.
    pub keep_redundant: bool,
    /// Stop after this many classes.
    pub max_classes: Option<usize>,
    /// Which facts are wanted most.
    pub preference: Preference,
    /// Decides in which order solvers search; 0 is the usual one. Results do not depend on it.
    pub seed: u64,
    /// The solver.
    pub backend: Backend,
    /// The solver of the final self-check, always a fresh instance. That a property holds is only checked
    /// again if this is another solver.
    pub check_backend: Backend,
}

impl Options {
    /// The usual choices for these traces: all classes, none of them redundant, by CaDiCaL alone.
    pub fn of(lengths: Lengths) -> Self {
        Self {
            lengths,
            start_with: None,
            keep_redundant: false,
            max_classes: None,
            preference: Preference::default(),
            seed: 0,
            backend: Backend::Cadical,
            check_backend: Backend::Cadical,
        }
    }

    /// A back end, searching in the order that is asked for.
    fn setup(&self, backend: Backend) -> Setup {
        Setup { backend, seed: self.seed }
    }
}
