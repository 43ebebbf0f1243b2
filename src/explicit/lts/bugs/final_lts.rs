//! The final counterexample LTS: only the occurrences of inevitable bugs can be omitted, so that all bugs show.

use super::marked::Marked;
use crate::lts::drawing::{Drawing, End};
use crate::lts::property::Automaton;
use crate::lts::safety::{Analysis, AnalysisError, Incorrect};
use crate::lts::{Builder, Lts, Transition, quotient};
use kit::budget::Budget;

/// The sizes of a counterexample LTS. The states after the first violation, and those where no violation is
/// possible, are merged into one state each. All sizes are 0 if the property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
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
    pub automaton: Automaton,
    /// The sizes of its counterexample LTS.
    pub size: Size,
}

impl FinalLts {
    /// Of the system with the dummies of inevitable bugs only.
    pub fn new(marked: &Marked, kept: &Lts, budget: &Budget) -> Result<Self, AnalysisError> {
        let mut builder = Builder::with_labels(marked.names.clone());
        kept.all_transitions()
            .for_each(|Transition { from, label, to }| builder.add(from, marked.name_of[label.index()], to));
        let lts = builder.finish(kept.initial(), 0).choosing_start(kept.chooses_start());
        let lts = quotient(&lts, budget)?.lts;
        let automaton = marked.automaton.clone();
        let analysis = Analysis::new(&lts, &automaton, Incorrect::NoWayOut, budget)?;
        if analysis.holds() {
            let size = Size { states: 0, transitions: 0, faulty: 0 };
            return Ok(Self { lts, automaton, size });
        }
        let drawing = Drawing::of_safety(&analysis, budget)?;
        let leads_to =
            |end: End| drawing.nodes.iter().any(|node| node.out.iter().any(|arrow| arrow.end == end));
        let sinks = [End::Right, End::Wrong].into_iter().filter(|&end| leads_to(end)).count();
        let size = Size {
            states: drawing.nodes.len() + sinks,
            transitions: drawing.nodes.iter().map(|node| node.out.len()).sum(),
            faulty: drawing.nodes.iter().filter(|node| node.kind.is_some()).count(),
        };
        Ok(Self { lts, automaton, size })
    }
}
