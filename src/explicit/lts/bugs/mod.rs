//! The bugs of a system whose labels tell by which places of a text its steps are made: the places each of which can be
//! corrected separately.
//!
//! After I. Faqrizal, G. Salaün, *Counting bugs in behavioural models using counterexample analysis*, FormaliSE 2022. A
//! *last action* makes a violation; each of its *occurrences* in the text gets a *dummy*, an alternative that omits it. An
//! occurrence is a *bug* if it makes the first violation of some run in the system with all dummies. It is *inevitable* if
//! every run has a violation once its own dummy is removed, otherwise *avoidable*. The system has all dummies under labels
//! of their own ([`Marked`]), so that removing a dummy means removing its transitions. What dummies do is up to those who
//! make the system: process texts and models.

mod count;
mod marked;
mod rank;
mod result;
mod traces;

pub use count::count;
pub use marked::{DummySystem, Marked, MarkedLabel, OccurrenceId, OriginalSize};
pub use rank::Rank;
pub use result::{BugVerdict, Bugs, Occurrence};
pub use result::{CounterexampleSize, FinalLts};
pub use traces::{SearchTree, ViolatingRun};
