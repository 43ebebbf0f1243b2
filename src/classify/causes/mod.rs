//! Causal trees: the kinds of violation that the model itself tells apart, without a vocabulary.
//!
//! The *steps* of a trace are its labels without their order ([`pattern`]). A trace *contains* the steps of another one if it has one of its own for
//! each of them, with individuals for individuals, not necessarily one to one. The violating traces whose steps contain those of no other one are
//! irreducible: no step can be left out. There are few of them, and every violating trace contains one ([`enumeration`]).
//!
//! In an irreducible trace each step is there for a reason: without it a later step is not possible, or does not violate the property. So the
//! reasons are found by running the trace again without each step ([`replay`], [`reasons`]). Traces in which the last step breaks the property
//! for the same reasons are of one kind ([`kinds`]).

pub mod condition;
pub mod defences;
pub mod enumeration;
pub mod kinds;
pub mod pattern;
pub mod reasons;
pub mod replay;
pub mod tree;
