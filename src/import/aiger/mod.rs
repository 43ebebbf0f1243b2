//! Circuits in AIGER: from a file to a text in the specification language.
//!
//! The format is that of A. Biere, K. Heljanko and S. Wieringa, *AIGER 1.9 and beyond* (2011): latches with initial values, bad states,
//! invariant constraints, justice and fairness, in ASCII or binary. Nothing below knows circuits: the text is read like any other.

mod circuit;
mod load;
mod read;
mod write;

pub use circuit::{Circuit, Gate, Latch, Literal};
pub use load::{import_file, is_aiger, load};
pub use read::{Malformed, read};
pub use write::model_text;
