//! AUT, the textual format of CADP, mCRL2 and others: a header `des (initial, transitions, states)` and a
//! line `(from, label, to)` for each transition.

pub mod line;
mod lines;
mod mistakes;
pub mod packing;
mod read;
mod write;

pub use line::Fault;
pub use lines::{Lines, pass};
pub use mistakes::Mistakes;
pub use packing::Packed;
pub use read::{Read, ReadError, read};
pub use write::{write, write_label};
