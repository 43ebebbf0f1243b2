//! Linear time: formulas over the infinite traces of a model, with fairness.
//!
//! [`bounded`] searches with a solver for a lasso that violates a formula; [`Listed`] decides it over all states, and
//! [`Safety`] reduces it to safety. Results are evaluated again by the definition ([`satisfies`], [`is_fair`]). Finite
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
mod no_product;
mod places;
pub mod product;
mod tableau;

pub use as_safety::Safety;
pub use bounded::{Bounded, bounded, has_fair_lasso};
pub use definition::{is_fair, satisfies};
pub use encoding::LassoEncoding;
pub use fairness::{Fairness, is_meant};
pub use formula::{Linear, Node, Part};
pub use listed::{Listed, Truth};
pub use no_product::NoProduct;
pub use places::{Limits, Places, Unless};
pub use tableau::MOST_OPERATORS;
