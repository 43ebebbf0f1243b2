//! Causal trees: the kinds of violation that the model itself tells apart, without a vocabulary.
//!
//! A violating trace *contains* the steps of another one if its last step is like the last one there and it has a step of its own for each other one, in
//! whatever order, with individuals for individuals, not necessarily one to one ([`pattern`]). Violating traces that contain no other one are
//! *irreducible*: no step can be left out. There are few of them, and every violating trace contains one ([`enumeration`]).
//!
//! In an irreducible trace each step has a reason: without it a later step is not possible, or does not violate the property. Reasons are found by
//! running the trace again without each step ([`replay`], [`reasons`]). Traces in which the last step breaks the property for the same reasons are
//! of one kind ([`kinds`]).

pub mod as_formula;
pub mod condition;
mod counters;
pub mod defences;
mod either;
pub mod enumeration;
pub mod every_length;
mod ground;
pub mod in_classes;
pub mod kinds;
pub mod lasso_replay;
pub mod pattern;
pub mod question;
pub mod reasons;
pub mod recurring;
pub mod replay;
pub mod tree;
pub mod way;
