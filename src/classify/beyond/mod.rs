//! Beyond the bound: longer traces, and classifications for every length.

pub mod horizon;
pub mod lasting;
pub(crate) mod rounds;
pub mod unbounded;
