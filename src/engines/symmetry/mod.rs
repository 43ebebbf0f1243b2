//! Symmetries of models: permutations of named values that map first states to first states, steps to steps, and keep
//! invariants true.
//!
//! Candidates are guessed (`candidates.rs`): transpositions of two values of a type, together with those of other types that
//! definitions tie to them, and all values of a type that go to the next one or to the reverse order. None is trusted. The solver proves each on single
//! steps from any state of the right types (`proof.rs`), or refutes it by two states, which the reference semantics confirms.
//! What is not decided within the budget is not used.
//!
//! Proved ones are closed to a group (`group.rs`), of which [`crate::explore::Orbits`] makes normal forms of states.
//!
//! C. N. Ip, D. L. Dill, *Better verification through symmetry*, Formal Methods in System Design 9 (1996), where symmetric types
//! are restricted by syntax (scalarsets); E. A. Emerson, A. P. Sistla, *Symmetry and model checking*, ibid.

mod candidates;
mod declared;
mod group;
mod proof;
mod search;

pub use declared::{Declared, declared};
pub use group::{Group, MOST_ELEMENTS};
pub use proof::{Difference, Proof, Prover, Refutation};
pub use search::{Interchangeable, Question, Symmetries, exchanges, find};
