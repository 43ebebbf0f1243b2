//! The specification language: from a text to a typed, finite model, and what the model means.
//!
//! [`syntax`] makes a tree of a text, [`model::load`] a checked model of the tree: errors about types are made in
//! `model/check`, those of operators in `operators.rs`. [`model::eval`] is the reference semantics, by which every engine is judged. [`trace`] has traces and their files.
//!
//! Knows no engine and no solver.
#![forbid(unsafe_code)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod model;
pub mod syntax;
pub mod trace;
