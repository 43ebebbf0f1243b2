//! States as words: the places of variables, and a table of states.

pub mod bits;
pub mod image;
pub mod layout;
pub mod states;
mod table;

pub use image::PackedImage;
pub use layout::{Domain, Layout, LayoutShape, PackedCode};
pub use states::StateLayout;
pub use table::{StateTable, hash};
