//! The system of a text with dummies, in which the occurrences of last actions are distinguished.

use super::BugsError;
use crate::lts::bugs::{self, Marked, MarkedLabel, OccurrenceId, OriginalSize};
use crate::lts::property::{Closure, ForbiddenTraces, LabelAutomaton};
use crate::lts::safety::{Incorrect, SafetyAnalysis};
use crate::lts::{LabelId, Labels, LtsBuilder, LtsTransition, StateId};
use crate::process::failure::ProcessFailure;
use crate::process::program::{CodeId, ProcessProgram};
use crate::process::semantics::{
    self, GenerateOptions, GeneratedSystem, StopReason, generate, generate_by_parts,
};
use kit::budget::Budget;
use kit::diagnostics::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The last actions of a property in a system.
struct LastActions {
    /// The numbers of the visible labels.
    labels: FxHashSet<LabelId>,
    /// The actions of the text that take part in transitions with such labels.
    actions: FxHashSet<CodeId>,
}

impl LastActions {
    fn new(property: &ForbiddenTraces, generated: &GeneratedSystem) -> Result<Self, BugsError> {
        let automaton = LabelAutomaton::new(property, &generated.visible, Closure::Prefix)
            .map_err(|_| BugsError::Automaton)?;
        let labels: FxHashSet<LabelId> = automaton.last_labels().into_iter().collect();
        let actions = generated.meanings.iter().filter_map(|meaning| match meaning {
            semantics::GeneratedLabel::Actions { visible, who } if labels.contains(visible) => Some(who),
            _ => None,
        });
        let actions = actions.flatten().copied().collect();
        Ok(Self { labels, actions })
    }
}

/// The system of a text, with dummies and marks.
pub struct MarkedText {
    pub marked: Marked,
    /// Why the system with dummies is incomplete.
    pub stopped: Option<StopReason>,
    /// Where a value cannot be computed because actions were omitted before: the first such place.
    pub fails: Option<(ProcessFailure, Vec<String>)>,
}

impl MarkedText {
    /// Generates the system, and if it violates the property, again with dummies for all last actions. The set of last
    /// actions depends on the labels, and dummies can lead to new labels: so generation is repeated until a fixpoint. If a
    /// limit is reached with dummies, the result is the system without them. Each time, a fifth of the remaining time is
    /// reserved for the analysis.
    pub fn new(
        program: &ProcessProgram,
        property: &ForbiddenTraces,
        most_states: usize,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let generated = |options| Ok(generate(program, options, &budget.all_but_one(5)));
        Self::of(program, property, most_states, generated, budget)
    }

    /// As [`Marked::new`], with parallel branches reduced before they are composed, as far as the property cannot tell. There is no
    /// result for a part of the system.
    pub fn by_parts(
        program: &ProcessProgram,
        property: &ForbiddenTraces,
        most_states: usize,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let generated = |options| {
            let found = generate_by_parts(program, options, property, &budget.all_but_one(5));
            found.map_err(BugsError::Failure)?.ok_or(BugsError::Automaton)
        };
        Self::of(program, property, most_states, generated, budget)
    }

    fn of(
        program: &ProcessProgram,
        property: &ForbiddenTraces,
        most_states: usize,
        generate: impl Fn(GenerateOptions) -> Result<GeneratedSystem, BugsError>,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let generated = |dummies: &FxHashSet<CodeId>| {
            generate(GenerateOptions { dummies: dummies.clone(), tell_apart: true, most_states })
        };
        let mut dummies: FxHashSet<CodeId> = FxHashSet::default();
        let plain = generated(&dummies)?;
        if let Some(trouble @ StopReason::Failure(..)) = plain.stopped {
            return Err(BugsError::Failure(trouble));
        }
        let size = OriginalSize {
            states: plain.lts.states(),
            transitions: distinct_transitions(&plain),
            labels: plain.visible.len(),
        };
        let last = LastActions::new(property, &plain)?;
        dummies.extend(&last.actions);
        let original = Self::mark(program, property, &plain, &last.labels, &dummies, size, budget)?;
        if original.stopped.is_some() || dummies.is_empty() || holds(&original.marked, budget)? {
            return Ok(original);
        }
        loop {
            let generated = generated(&dummies)?;
            if generated.stopped.is_some() {
                let marked = Marked { complete: true, partial: true, ..original.marked };
                return Ok(Self { marked, stopped: generated.stopped, ..original });
            }
            let last = LastActions::new(property, &generated)?;
            let before = dummies.len();
            dummies.extend(&last.actions);
            if dummies.len() == before {
                return Self::mark(program, property, &generated, &last.labels, &dummies, size, budget);
            }
        }
    }

    fn mark(
        program: &ProcessProgram,
        property: &ForbiddenTraces,
        generated: &GeneratedSystem,
        last: &FxHashSet<LabelId>,
        dummies: &FxHashSet<CodeId>,
        original: OriginalSize,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let span = |code: CodeId| program.code[code.index()].span;
        let mut occurrences: Vec<CodeId> = dummies.iter().copied().collect();
        occurrences.sort_by_key(|&code| (span(code).source, span(code).start));
        let ids: FxHashMap<CodeId, OccurrenceId> =
            occurrences.iter().enumerate().map(|(at, &code)| (code, OccurrenceId::new(at))).collect();
        let meaning = |of: &semantics::GeneratedLabel| match of {
            semantics::GeneratedLabel::Actions { visible, who } => {
                let is_last = last.contains(visible);
                let who = who.iter().filter(|_| is_last).filter_map(|code| ids.get(code).copied());
                let mut who: Vec<OccurrenceId> = who.collect();
                who.sort_unstable();
                MarkedLabel::Actions { visible: *visible, who }
            }
            semantics::GeneratedLabel::Dummy(code) => MarkedLabel::Dummy(ids[code]),
            semantics::GeneratedLabel::Fails => MarkedLabel::Fails,
        };
        let meanings: Vec<MarkedLabel> = generated.meanings.iter().map(meaning).collect();
        let spans: Vec<Span> = occurrences.iter().map(|&code| span(code)).collect();
        let (stopped, fails) = (generated.stopped.clone(), generated.fails.clone());
        let is_partial = stopped.is_some();
        let system = bugs::DummySystem {
            lts: &generated.lts,
            meanings: &meanings,
            visible: &generated.visible,
            occurrences: &spans,
            original,
            complete: !is_partial,
            partial: is_partial,
        };
        let automaton = |names: &Labels| {
            LabelAutomaton::new(property, names, Closure::Prefix).map_err(|_| BugsError::Automaton)
        };
        Ok(Self { marked: Marked::new(system, automaton, budget)?, stopped, fails })
    }
}

/// True if the generated part of the system satisfies the property without omissions.
fn holds(marked: &Marked, budget: &Budget) -> Result<bool, BugsError> {
    let lts = marked.only(|meaning| meaning.visible().is_some());
    Ok(SafetyAnalysis::new(&lts, &marked.seeing_actions(), Incorrect::EveryRun, budget)?.holds())
}

/// The number of transitions; those with the same visible label count once.
fn distinct_transitions(generated: &GeneratedSystem) -> usize {
    let mut builder = LtsBuilder::with_labels(generated.visible.clone());
    for LtsTransition { from, label, to } in generated.lts.all_transitions() {
        if let semantics::GeneratedLabel::Actions { visible, .. } = generated.meanings[label.index()] {
            builder.add(from, visible, to);
        }
    }
    builder.finish(StateId::FIRST, 0).transitions()
}
