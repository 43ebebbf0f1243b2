//! Engines that decide properties of models: listed states ([`explore`]), induction and IC3 ([`prove`]), branching time ([`ctl`]),
//! linear time ([`ltl`]), and the choice among them ([`decide`]).
//!
//! Symmetries ([`symmetry`]) and steps as decision diagrams ([`relations`]) serve several of them. Independent of facts
//! and classes.
#![forbid(unsafe_code)]

pub mod ctl;
pub mod decide;
pub mod explore;
pub mod ltl;
pub mod prove;
pub mod relations;
pub mod symmetry;
