//! A reader of security protocols that was written from the definitions of C. Cremers and S. Mauw, *Operational Semantics and
//! Verification of Security Protocols* (2012), and from nothing else: what Cladist says of protocols is compared with it. It looks at
//! all interleavings of a few runs, one event a step, and takes nothing for granted about when messages are sent.

mod cast;
mod choice;
mod claim;
mod deduce;
pub mod generate;
mod run;
pub mod search;
pub mod term;
pub mod text;
