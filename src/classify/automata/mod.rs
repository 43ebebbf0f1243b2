//! Constraints decided without unrolling: as automata, on lists of states, and on the product of a graph with automata.

pub mod automaton;
pub mod encoded;
pub mod letter;
pub mod listing;
pub mod product;
pub mod reader;
pub mod remembered;
pub mod watch;
