//! The bugs of a process text: the occurrences of last actions that violate a safety property, each of which can be
//! corrected separately.
//!
//! After I. Faqrizal, G. Salaün, *Counting bugs in behavioural models using counterexample analysis*, FormaliSE 2022. A
//! *last action* makes a violation; each of its occurrences in the text gets a *dummy*, an alternative that omits it. An
//! occurrence is a *bug* if it makes the first violation of some run in the system with all dummies. It is *inevitable* if
//! every run has a violation once its own dummy is removed, otherwise *avoidable*. The system is generated with
//! all dummies under labels of their own, so that removing a dummy means removing its transitions.

mod count;
mod error;
mod escapes;
mod final_lts;
mod marked;

mod paper;
mod rank;
mod result;
mod search_tree;
mod traces;

pub use count::count;
pub use error::BugsError;
pub use escapes::{Escape, Escapes, Kind, escapes};
pub use final_lts::{FinalLts, Size};
pub use marked::OriginalSize;
pub use rank::Rank;
pub use result::{Bugs, Limits, Occurrence, Verdict};
pub use traces::Way;
