//! The bugs of a text, and limits for counting them.

use super::BugsError;
use super::marked::MarkedText;
use crate::lts::bugs::{self, BugVerdict, Bugs};
use crate::lts::property::ForbiddenTraces;
use crate::process::failure::ProcessFailure;
use crate::process::program::ProcessProgram;
use crate::process::semantics::StopReason;
use kit::budget::Budget;

/// The limits of an analysis.
#[derive(Debug, Clone, Copy)]
pub struct CountLimits {
    /// The maximum number of states to generate.
    pub most_states: usize,
    /// Violating traces are counted up to this length.
    pub longest: usize,
}

/// The bugs of a text.
#[derive(Debug)]
pub struct TextBugs {
    /// The bugs.
    pub bugs: Bugs,
    /// Why the system with dummies is incomplete.
    pub stopped: Option<StopReason>,
    /// Where a value cannot be computed, but only because actions were left out before: the first such place, with what
    /// leads there. Runs that come to such places do not count.
    pub fails: Option<(ProcessFailure, Vec<String>)>,
}

/// Counts the bugs of a program.
///
/// # Errors
/// If the system cannot be generated or analysed at all; limits of the generation are part of the result.
pub fn count(
    program: &ProcessProgram,
    property: &ForbiddenTraces,
    limits: CountLimits,
    budget: &Budget,
) -> Result<TextBugs, BugsError> {
    let MarkedText { marked, stopped, fails } =
        MarkedText::new(program, property, limits.most_states, budget)?;
    let bugs = bugs::count(marked, limits.longest, budget)?;
    Ok(TextBugs { bugs, stopped, fails })
}

/// Counts the bugs of a program whose parallel branches are reduced before they are composed. The verdicts are those of
/// [`count()`]; traces, their numbers and what the paper counts are not known then.
///
/// # Errors
/// If the system cannot be generated or analysed within the limits.
pub fn count_by_parts(
    program: &ProcessProgram,
    property: &ForbiddenTraces,
    most_states: usize,
    budget: &Budget,
) -> Result<Bugs, BugsError> {
    let marked = MarkedText::by_parts(program, property, most_states, budget)?.marked;
    let mut bugs = bugs::count(marked, 0, budget)?;
    bugs.by_parts = true;
    for occurrence in &mut bugs.occurrences {
        (occurrence.way, occurrence.rank) = (None, None);
        occurrence.paper = BugVerdict::Undecided;
    }
    Ok(bugs)
}
