//! The oracles of the classification loop: questions about traces, the unrolled model in a SAT solver that
//! answers them, and counting.

pub mod baseline;
pub mod block;
pub mod condition;
pub mod diagrams;
pub mod numbers;
pub mod occurrence;
pub mod one_of_each;
pub mod oracle;
pub mod orbit;
pub mod proposition;
pub mod sat;
pub mod self_check;
pub mod work;
