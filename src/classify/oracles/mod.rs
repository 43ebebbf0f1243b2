//! What the loop asks about traces, and who answers: the unrolled model in a SAT solver, or numbers of traces.

pub mod baseline;
pub mod block;
pub mod diagrams;
pub mod members;
pub mod numbers;
pub mod occurrence;
pub mod one_of_each;
pub mod oracle;
pub mod orbit;
pub mod proposition;
pub mod self_check;
pub mod space;
pub mod work;
