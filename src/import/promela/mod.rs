//! Programs in Promela, the language of Spin: from a file to a text in the specification language.
//!
//! The language is that of G. J. Holzmann, *The Spin Model Checker*, 2003, with the precedences, locations and steps of Spin 6. A text is read
//! (`text`), its names are resolved and its statements become automata (`flow`), the processes that there can be are found (`instances`) and
//! integers get bounds (`ranges`); each way through an automaton from one location where others may go on to the next is a step (`steps`), which
//! `write` prints. Nothing below knows these programs: the text is read like any other.

mod evaluate;
mod flow;
mod instances;
mod listed;
mod load;
mod names;
mod print;
mod program;
mod ranges;
mod steps;
mod term;
mod text;
mod trail;
mod write;

pub use crate::written::Refused;
pub use load::{import_file, import_text, program_steps};
pub use trail::{ProgramSteps, Trail, TrailFault};
