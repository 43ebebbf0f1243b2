//! How many bugs a process text has: the occurrences of last actions that violate a safety property, each of which can
//! be corrected by itself.
//!
//! After I. Faqrizal, G. Salaün, *Counting bugs in behavioural models using counterexample analysis*, FormaliSE 2022. A
//! *last action* makes a violation; beside each of its occurrences in the text a *dummy* is put that leaves it out. An
//! occurrence is a *bug* if it makes the first violation of some run, all dummies being there. It is *inevitable* if
//! every run has a violation once its own dummy is gone, otherwise *avoidable*. The system is generated with
//! all dummies under labels of their own, so that taking one away is deleting its transitions.

mod count;
mod error;
mod escapes;
mod final_lts;
mod marked;

mod paper;
mod rank;
mod result;
mod traces;

pub use count::count;
pub use error::BugsError;
pub use escapes::{Escape, Escapes, Kind, escapes};
pub use final_lts::{FinalLts, Size};
pub use rank::Rank;
pub use result::{Bugs, Limits, Occurrence, Verdict};
pub use traces::Way;
