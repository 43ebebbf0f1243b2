//! Tests of single modules: what they do by themselves.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../common/all_traces.rs"]
mod all_traces;
mod classify;
mod engines;
mod explicit;
#[path = "../common/fixture.rs"]
mod fixture;
mod import;
mod kit;
mod lang;
mod report;
mod solvers;
mod verify;
