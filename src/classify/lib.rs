//! Groups the counterexamples of a property into a few classes (Algorithms 1–4 of the classification paper).
//!
//! Differences from the paper: traces of all lengths up to the bound are considered, each ending anywhere,
//! unless an exact length is required; the label of a step can be observed in the state that it leads to; a
//! constraint is checked with free positions, as it is printed; blocking never expands position tuples;
//! redundancy uses the shrinking set of section 3.1.1, because Algorithm 4 as printed can drop two classes
//! that only cover each other.
//!
//! The loop is in [`search::class_search`], for finite and infinite traces. [`search::engine`] asks an oracle ([`oracles`]) for a
//! finite counterexample outside of all classes, collects the facts that hold in it ([`facts::collect`]), and minimises them
//! ([`search::minimise`]); [`search::choice`] chooses classes. A new sort of atom begins in [`facts::atom`] and
//! [`facts::collect`], a new form of fact beside atoms, order and absence in [`facts::fact`].
//!
//! [`search::covering`] has covers, [`automata`] constraints decided step by step, [`beyond`] longer traces and every
//! length, [`lassos`] facts, constraints and questions of infinite traces, [`causes`] kinds without a vocabulary, [`vocabulary`] vocabularies
//! that the program finds, [`predicates`] tests of predicates.
//!
//! Prints nothing.
#![forbid(unsafe_code)]

pub mod automata;
pub mod beyond;
pub mod causes;
pub mod facts;
pub mod lassos;
pub mod oracles;
pub mod predicates;
pub mod results;
pub mod search;
pub mod vocabulary;

pub use automata::automaton::NoAutomaton;
pub use automata::listing::AcceptingTrace;
pub use automata::product::certificate::Confirmed;
pub use automata::product::count::{Count, Tally};
pub use beyond::horizon::BeyondBound;
pub use beyond::unbounded::{Reach, classify_unbounded};
pub use facts::atom::{
    Atom, AtomOrigin, Atoms, ComparisonOperand, Conjunct, Passed, ValueParam, VariableNames,
};
pub use facts::constraint::{Constraint, position_names};
pub use facts::fact::{Assignment, Fact, FactKind, OrderRelation, Stretch};
pub use facts::grounding::Grounding;
pub use facts::index::{AtomId, DomainId, IndividualVar, PlacedId, PositionVar};
pub use facts::phrase::Phrase;
pub use facts::problem::Problem;
pub use facts::restates::Restates;
pub use facts::restore::{Restored, ShownIndividual, restore};
pub use oracles::baseline::{Comparison, KnownClass, Novelty};
pub use oracles::numbers::{CountQuery, numbers, numbers_by};
pub use oracles::proposition::Proposition;
pub use results::options::{Mode, Necessity, Options, Preference};
pub use results::result::{
    AtStart, Class, Classification, Combination, CountMethod, Cover, DecisionPoints, Finite, Horizon, Image,
    ImageOf, Longer, NecessaryFacts, Obstacle, Proof, ProofBasis, SharedFact, SilentPredicates, TooWeak,
    TraceKind, TraceNumbers, Unbounded, UnknownReason, Verdict, Why,
};
pub use results::statistics::{Seconds, Statistics};
pub use search::covering::classify_within;
pub use search::engine::classify;
pub use search::hiding::{names_to_hide, shares_places};
pub use search::scripts::{classify_by_scripts, classify_within_by_scripts};
