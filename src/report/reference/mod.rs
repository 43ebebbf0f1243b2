//! Reference pages of libraries and models, made of their declarations and doc comments.

mod declarations;
mod page;

pub use declarations::reference;
pub use page::{PageBlock, Reference};
