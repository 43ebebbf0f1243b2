//! Linear time: formulas over the infinite traces of a model, with fairness.
//!
//! [`bounded`] searches with a solver for a lasso that violates a formula; [`ListedSystem`] decides it over all states, and
//! [`LoopSafety`] reduces it to safety. Results are evaluated again by the definition ([`satisfies`], [`is_fair`]). Finite
//! traces, including those that end in a state without successor, neither satisfy nor violate anything here.

mod as_safety;
mod bounded;
mod decisive;
mod definition;
pub mod emptiness;
mod encoding;
mod fairness;
mod formula;
mod listed;
mod places;
pub mod product;
mod tableau;

pub use as_safety::LoopSafety;
pub use bounded::{Bounded, bounded, has_fair_lasso};
pub use definition::{is_fair, satisfies};
pub use encoding::LassoEncoding;
pub use fairness::{Fairness, is_meant};
pub use formula::{LtlFormula, LtlOp, LtlPart};
pub use listed::{ListedSystem, LtlTruth};
pub use places::{LoopDemands, LtlPlaces, NoProduct, Unless};
pub use tableau::MOST_OPERATORS;
