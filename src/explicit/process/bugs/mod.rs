//! The bugs of a process text: the occurrences of last actions that violate a safety property, each of which can be
//! corrected separately ([`crate::lts::bugs`]). A dummy omits an action, and nothing of it is observed. The system is
//! generated with all dummies under labels of their own.

mod count;
mod error;
mod escapes;
mod marked;

pub use count::{Limits, TextBugs, count, count_by_parts};
pub use error::BugsError;
pub use escapes::{Escape, Escapes, Kind, escapes};
