//! From a violated property of linear time to the few kinds of infinite traces that violate it.
//!
//! The loop is that of invariants: a shortest violating lasso outside all classes, its facts, as few of them as suffice, and the next lasso.
//! Facts are about what happens again and again, what lasts for ever, what happens at all, and in which order ([`LassoFact`]). A lasso has
//! as many positions as its stem and one round of its loop, so that what is said of one position is decided there; what happens one after
//! the other may take more rounds.

mod as_linear;
mod baseline;
mod candidates;
mod check;
pub(crate) mod claims;
pub mod condition;
pub mod constraint;
mod covering;
mod decisive;
mod engine;
pub(crate) mod every_length;
pub mod fact;
pub mod formula;
mod gather;
mod generalise;
mod judge;
mod necessary;
pub mod normal_form;
pub mod options;
pub(crate) mod proof;
mod restates;
pub mod result;
mod room;
pub mod search;
mod space;
pub mod symmetries;
mod things;
mod violations;
pub(crate) mod watched;

pub use constraint::LassoConstraint;
pub use engine::classify_lassos;
pub use every_length::classify_every_lasso;
pub use fact::{AtomLiteral, AtomRef, LassoFact, When};
pub use gather::usable;
pub use options::LassoProblem;
pub use result::{Infinite, LassoBasis, LassoProof, OpenClaims};
pub use room::{LassoContext, classify_lassos_within};
