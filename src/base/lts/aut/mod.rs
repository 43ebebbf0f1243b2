//! AUT, the textual format of CADP, mCRL2 and others: a header `des (initial, transitions, states)` and a
//! line `(from, label, to)` for each transition.

mod line;
mod lines;
mod mistakes;
mod packing;
mod read;
mod write;

pub(in crate::lts) use line::Fault;
pub(in crate::lts) use lines::{Lines, pass};
pub(in crate::lts) use mistakes::Mistakes;
pub use packing::Packed;
pub use read::{Read, ReadError, read};
pub use write::{write, write_label};
