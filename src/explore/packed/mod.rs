//! States as words: where each variable is, and a table of states.

pub mod bits;
mod domain;
mod interner;
mod layout;
mod states;
mod table;

pub use domain::Domain;
pub use layout::{Code, Layout, Shape};
pub use states::StateLayout;
pub use table::StateTable;
