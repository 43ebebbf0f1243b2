//! Analyses of explicit systems, and properties of branching time.

pub mod ctl;
pub mod lts;
mod object;
mod walk;

use crate::writing::paint::Paint;
use serde::Serialize;

/// A result as it is printed.
pub trait Report {
    /// The JSON document of `docs/schema`.
    fn document(&self) -> impl Serialize;

    /// The text, with lines that are broken at this width where they may be long.
    fn text(&self, paint: Paint, width: usize) -> String;
}
