//! From a violated property to the few kinds of violation there are (Algorithms 1–4 of the
//! classification paper).
//!
//! What differs from the paper, and why: traces of all lengths up to the bound are considered, each
//! ending anywhere, unless an exact length is asked for; the label of a step can be observed in the
//! state that it leads to; a constraint is checked with free positions, as it is printed; blocking
//! never expands position tuples; redundancy uses the shrinking set of section 3.1.1, because
//! Algorithm 4 as printed can drop two classes that only cover each other.

mod absences;
mod as_formula;
mod atom;
pub mod automaton;
mod baseline;
pub mod block;
pub mod collect;
mod constraint;
mod cores;
mod cover;
mod covering;
mod diagrams;
pub mod draft;
mod encoded;
mod engine;
mod example;
mod fact;
mod formula;
mod gathered;
mod generalise;
mod grounding;
mod hiding;
mod horizon;
mod images;
mod index;
mod kinds;
pub mod lassos;
mod lasting;
mod letter;
mod lifting;
mod listing;
mod members;
mod merge;
pub mod minimise;
mod necessary;
mod numbers;
mod occurrence;
mod one_of_each;
mod options;
mod oracle;
mod orbit;
mod permuted;
mod phrase;
mod places;
mod pool;
mod problem;
pub mod product;
mod proposition;
pub mod quick_xplain;
mod reader;
mod redundancy;
mod remembered;
mod restates;
mod restore;
mod result;
mod score;
mod scripts;
mod self_check;
pub mod space;
mod statements;
mod statistics;
#[cfg(test)]
mod tests;
mod unbounded;
mod watch;
mod weakness;
mod wishes;
mod work;

pub use atom::{Atom, Atoms, Compared, Conjunct, Names, Origin, Passed, ValueParam};
pub use automaton::NoAutomaton;
pub use baseline::{Comparison, KnownClass, Novelty};
pub use constraint::{Constraint, position_names};
pub use covering::{AtStart, classify_within};
pub use engine::classify;
pub use fact::{Assignment, Fact, FactKind, Order, Stretch};
pub use grounding::Grounding;
pub use hiding::{names_to_hide, shares_places};
pub use horizon::Farther;
pub use index::{AtomId, DomainId, IndividualVar, PlacedId, PositionVar};
pub use listing::Accepting;
pub use members::members;
pub use numbers::{Counted, numbers, numbers_by};
pub use options::{Mode, Necessity, Options, Preference};
pub use phrase::Phrase;
pub use problem::Problem;
pub use product::certificate::Confirmed;
pub use product::count::{Count, Tally};
pub use proposition::Proposition;
pub use restates::Restates;
pub use restore::{Restored, Shown, restore};
pub use result::{
    Basis, Cause, Class, Classification, Combination, CountMethod, Cover, Gap, Horizon, Image, ImageOf,
    Longer, Necessary, Numbers, Obstacle, Proof, Refinement, SharedFact, Silent, TooWeak, Unbounded, Verdict,
    Why,
};
pub use scripts::classify_by_scripts;
pub use statistics::{Seconds, Statistics};
pub use unbounded::{Reach, classify_unbounded};
