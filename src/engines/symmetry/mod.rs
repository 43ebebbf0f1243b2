//! Symmetries of models: permutations of named values that map initial states to initial states, steps to steps, and
//! keep invariants true.
//!
//! Candidates are guessed (`candidates.rs`): transpositions of two values of a type, together with those of other types
//! that definitions tie to them, and rotations and reversals of all values of a type. None is trusted. The solver
//! proves each on single steps from any state of the right types (`proof.rs`), or refutes it by two states, which the
//! reference semantics confirms. Candidates not decided within the budget are not used.
//!
//! Proved symmetries are closed to a group (`group.rs`), from which [`crate::explore::Orbits`] computes normal forms of
//! states.
//!
//! C. N. Ip, D. L. Dill, *Better verification through symmetry*, Formal Methods in System Design 9 (1996), where symmetric types
//! are restricted by syntax (scalarsets); E. A. Emerson, A. P. Sistla, *Symmetry and model checking*, ibid.

mod candidates;
mod declared;
mod group;
mod proof;
mod search;

pub use declared::{DeclaredSymmetry, declared};
pub use group::{Group, MOST_ELEMENTS};
pub use proof::{ImageDifference, PermutationProof, PermutationProver, PermutationRefutation};
pub use search::{Interchangeable, PermutationQuestion, Symmetries, exchanges, find};
