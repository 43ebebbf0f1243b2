#![doc = include_str!("../README.md")]

pub mod budget;
pub mod classify;
pub mod cli;
pub mod diagnostics;
pub mod explore;
pub mod model;
pub mod report;
pub mod sat;
pub mod syntax;
pub mod trace;
pub mod unroll;
