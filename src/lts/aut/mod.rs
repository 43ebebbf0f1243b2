//! AUT, the textual format of CADP, mCRL2 and others: a header `des (initial, transitions, states)` and a
//! line `(from, label, to)` for each transition.

mod line;
mod mistakes;
mod read;
mod write;

pub use read::{Read, ReadError, read};
pub use write::{write, write_label};
