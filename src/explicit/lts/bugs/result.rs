//! The result of counting bugs.

use super::marked::{Marked, OccurrenceId, OriginalSize};
use super::rank::Rank;
use super::traces::ViolatingRun;
use crate::lts::drawing::{ArrowEnd, Drawing};
use crate::lts::property::LabelAutomaton;
use crate::lts::safety::{AnalysisError, Incorrect, SafetyAnalysis};
use crate::lts::{Lts, LtsBuilder, LtsTransition, quotient};
use kit::budget::Budget;
use kit::diagnostics::Span;

/// The verdict about an occurrence of a last action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BugVerdict {
    /// It makes the first violation of no run.
    None,
    /// It makes the first violation of no run of the generated part; the system is incomplete.
    Unknown,
    /// It makes the first violation of some run, but its kind is unknown: the system is incomplete.
    Undecided,
    /// It makes the first violation of some run, and some run has no violation without its dummy.
    Avoidable,
    /// It makes the first violation of some run, and every run has a violation without its dummy.
    Inevitable,
}

/// An occurrence of a last action in the text.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// Its number.
    pub id: OccurrenceId,
    /// Where it stands.
    pub span: Span,
    /// The last labels among those of its transitions.
    pub actions: Vec<String>,
    /// The verdict of the corrected algorithm.
    pub verdict: BugVerdict,
    /// The verdict of Algorithm 1 of the paper.
    pub paper: BugVerdict,
    /// A shortest run whose first violation it makes; of a bug only.
    pub way: Option<ViolatingRun>,
    /// Of an avoidable bug that no choice of actions avoids, not even with inevitable ones left out: the other occurrences
    /// each of which, left out as well, lets some run avoid it. Empty if it takes several of them.
    pub avoided_without: Option<Vec<Span>>,
    /// How often it happens; of a bug only, and only if the system is complete.
    pub rank: Option<Rank>,
}

/// The bugs of a text.
#[derive(Debug)]
pub struct Bugs {
    /// True if the property holds, as far as the system was generated.
    pub holds: bool,
    /// The occurrences of last actions in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// The system without dummies.
    pub original: OriginalSize,
    /// The counterexample LTS in which inevitable bugs can be omitted.
    pub final_lts: FinalLts,
    /// True if the system without dummies is complete.
    pub complete: bool,
    /// True if the system with dummies is incomplete, so that there may be more bugs.
    pub partial: bool,
    /// True if steps that do not matter were merged before: then all sizes are those of what is left, there are no traces, and
    /// the paper's verdicts are unknown.
    pub by_parts: bool,
}

impl Bugs {
    /// How many occurrences have a verdict.
    pub fn number(&self, verdict: BugVerdict) -> usize {
        self.occurrences.iter().filter(|occurrence| occurrence.verdict == verdict).count()
    }
}

/// The sizes of a counterexample LTS. The states after the first violation, and those where no violation is
/// possible, are merged into one state each. All sizes are 0 if the property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterexampleSize {
    /// The number of states.
    pub states: usize,
    /// The number of transitions.
    pub transitions: usize,
    /// The number of faulty states: transitions with different tags leave them.
    pub faulty: usize,
}

/// The system with the dummies of inevitable bugs, in which dummies are actions like others.
#[derive(Debug)]
pub struct FinalLts {
    /// The system, reduced modulo strong bisimulation.
    pub lts: Lts,
    /// The automaton of the property over its labels.
    pub automaton: LabelAutomaton,
    /// The sizes of its counterexample LTS.
    pub size: CounterexampleSize,
}

impl FinalLts {
    /// Of the system with the dummies of inevitable bugs only.
    pub fn new(marked: &Marked, kept: &Lts, budget: &Budget) -> Result<Self, AnalysisError> {
        let mut builder = LtsBuilder::with_labels(marked.names.clone());
        kept.all_transitions().for_each(|LtsTransition { from, label, to }| {
            builder.add(from, marked.name_of[label.index()], to)
        });
        let lts = builder.finish(kept.initial(), 0).choosing_start(kept.chooses_start());
        let lts = quotient(&lts, budget)?.lts;
        let automaton = marked.automaton.clone();
        let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, budget)?;
        if analysis.holds() {
            let size = CounterexampleSize { states: 0, transitions: 0, faulty: 0 };
            return Ok(Self { lts, automaton, size });
        }
        let drawing = Drawing::of_safety(&analysis, budget)?;
        let leads_to =
            |end: ArrowEnd| drawing.nodes.iter().any(|node| node.out.iter().any(|arrow| arrow.end == end));
        let sinks = [ArrowEnd::Right, ArrowEnd::Wrong].into_iter().filter(|&end| leads_to(end)).count();
        let size = CounterexampleSize {
            states: drawing.nodes.len() + sinks,
            transitions: drawing.nodes.iter().map(|node| node.out.len()).sum(),
            faulty: drawing.nodes.iter().filter(|node| node.kind.is_some()).count(),
        };
        Ok(Self { lts, automaton, size })
    }
}
