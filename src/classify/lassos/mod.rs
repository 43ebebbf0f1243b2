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
mod collect;
pub mod condition;
pub mod constraint;
mod context_lassos;
mod covering;
mod decisive;
mod engine;
pub mod fact;
pub mod formula;
mod generalise;
pub(crate) mod monitor_product;
mod necessary;
pub mod normal_form;
pub mod options;
pub mod oracle;
pub(crate) mod proof;
mod refinement;
mod restates;
pub mod result;
mod space;
mod sufficiency;
pub mod symmetries;
mod things;
pub(crate) mod unbounded;

pub use collect::usable;
pub use constraint::LassoConstraint;
pub use engine::classify_lassos;
pub use fact::{AtomLiteral, AtomRef, LassoFact};
pub use options::LassoProblem;
pub use refinement::{LassoContext, classify_lassos_within};
pub use result::{Infinite, LassoBasis, LassoProof, OpenClaims};
pub use unbounded::classify_lassos_unbounded;
