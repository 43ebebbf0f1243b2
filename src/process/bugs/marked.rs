//! The system with dummies, in which the occurrences of last actions are distinguished.

use super::error::BugsError;
use crate::budget::Budget;
use crate::lts::property::{Automaton, Closure, Property};
use crate::lts::safety::{Analysis, Incorrect};
use crate::lts::{Bits, Builder, LabelId, Labels, Lts, StateId, Transition, quotient};
use crate::process::failure::Failure;
use crate::process::program::{CodeId, Program};
use crate::process::semantics::{Generated, Meaning, Options, StopReason, generate};
use rustc_hash::FxHashSet;

/// A system, reduced modulo strong bisimulation.
#[derive(Debug)]
pub struct Marked {
    /// The system; its labels distinguish occurrences.
    pub lts: Lts,
    /// The meanings of its labels; only last actions are distinguished.
    pub meanings: Vec<Meaning>,
    /// The visible labels, followed by the names of the dummies.
    pub names: Labels,
    /// For each label its visible label, as an index into `names`.
    pub name_of: Vec<LabelId>,
    /// The automaton of the property over `names`.
    pub automaton: Automaton,
    /// The occurrences of last actions in the order of the text.
    pub occurrences: Vec<CodeId>,
    /// The system without dummies as it was generated.
    pub original: OriginalSize,
    /// Whether the system without dummies is complete.
    pub complete: bool,
    /// Why the system with dummies is incomplete.
    pub stopped: Option<StopReason>,
    /// Where a value cannot be computed because actions were omitted before: the first such place.
    pub fails: Option<(Failure, Vec<String>)>,
}

/// The sizes of the system without dummies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginalSize {
    /// The number of states.
    pub states: usize,
    /// The number of transitions; those with the same visible label count once.
    pub transitions: usize,
    /// The number of visible labels.
    pub labels: usize,
}

/// The last actions of a property in a system.
struct LastActions {
    /// The numbers of the visible labels.
    labels: FxHashSet<LabelId>,
    /// The actions of the text that take part in transitions with such labels.
    actions: FxHashSet<CodeId>,
}

impl LastActions {
    fn new(property: &Property, generated: &Generated) -> Result<Self, BugsError> {
        let automaton = Automaton::new(property, &generated.visible, Closure::Prefix)
            .map_err(|_| BugsError::Automaton)?;
        let labels: FxHashSet<LabelId> = automaton.last_labels().into_iter().collect();
        let actions = generated.meanings.iter().filter_map(|meaning| match meaning {
            Meaning::Actions { visible, who } if labels.contains(visible) => Some(who),
            _ => None,
        });
        let actions = actions.flatten().copied().collect();
        Ok(Self { labels, actions })
    }
}

impl Marked {
    /// Generates the system, and if it violates the property, again with dummies for all last actions. The set of last
    /// actions depends on the labels, and dummies can lead to new labels: so generation is repeated until a fixpoint. If a
    /// limit is reached with dummies, the result is the system without them. Each time, a fifth of the remaining time is
    /// reserved for the analysis.
    pub fn new(
        program: &Program,
        property: &Property,
        most_states: usize,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let generated = |dummies: &FxHashSet<CodeId>| {
            let options = Options { dummies: dummies.clone(), tell_apart: true, most_states };
            generate(program, options, &budget.all_but_one(5))
        };
        let mut dummies: FxHashSet<CodeId> = FxHashSet::default();
        let plain = generated(&dummies);
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
        if original.stopped.is_some() || dummies.is_empty() || original.holds(budget)? {
            return Ok(original);
        }
        loop {
            let generated = generated(&dummies);
            if generated.stopped.is_some() {
                return Ok(Self { stopped: generated.stopped, complete: true, ..original });
            }
            let last = LastActions::new(property, &generated)?;
            let before = dummies.len();
            dummies.extend(&last.actions);
            if dummies.len() == before {
                return Self::mark(program, property, &generated, &last.labels, &dummies, size, budget);
            }
        }
    }

    /// Whether the generated part of the system satisfies the property without omissions.
    fn holds(&self, budget: &Budget) -> Result<bool, BugsError> {
        let lts = self.only(|meaning| matches!(meaning, Meaning::Actions { .. }));
        Ok(Analysis::new(&lts, &self.seeing_actions(), Incorrect::EveryRun, budget)?.holds())
    }

    fn mark(
        program: &Program,
        property: &Property,
        generated: &Generated,
        last: &FxHashSet<LabelId>,
        dummies: &FxHashSet<CodeId>,
        original: OriginalSize,
        budget: &Budget,
    ) -> Result<Self, BugsError> {
        let mut occurrences: Vec<CodeId> = dummies.iter().copied().collect();
        occurrences.sort_by_key(|&code| {
            let span = program.code[code.index()].span;
            (span.source, span.start)
        });
        let mut names = generated.visible.clone();
        let fresh = |number: usize| {
            let name = format!("DUMMY{number}");
            if generated.visible.find(name.as_bytes()).is_some() { format!("{name}_") } else { name }
        };
        let dummy_names: Vec<LabelId> =
            (1..=occurrences.len()).map(|number| names.intern(fresh(number).as_bytes())).collect();
        let place = |code: &CodeId| occurrences.iter().position(|other| other == code);
        // Labels that differ only in actions other than last ones are merged.
        let (mut labels, mut meanings, mut name_of) = (Labels::default(), Vec::new(), Vec::new());
        let mut becomes = Vec::new();
        for meaning in &generated.meanings {
            let (meaning, name) = match meaning {
                Meaning::Actions { visible, who } => {
                    let who = if last.contains(visible) { who.clone() } else { Vec::new() };
                    (Meaning::Actions { visible: *visible, who }, *visible)
                }
                Meaning::Dummy(code) => {
                    (meaning.clone(), place(code).map_or(LabelId::FIRST, |at| dummy_names[at]))
                }
                // No analysis uses it.
                Meaning::Fails => (Meaning::Fails, LabelId::FIRST),
            };
            let number = labels.intern(format!("{meaning:?}").as_bytes());
            if number.index() == meanings.len() {
                meanings.push(meaning);
                name_of.push(name);
            }
            becomes.push(number);
        }
        let mut builder = Builder::with_labels(labels);
        generated
            .lts
            .all_transitions()
            .for_each(|Transition { from, label, to }| builder.add(from, becomes[label.index()], to));
        let lts = quotient(&builder.finish(StateId::FIRST, generated.lts.states() as u32), budget)?.lts;
        let automaton =
            Automaton::new(property, &names, Closure::Prefix).map_err(|_| BugsError::Automaton)?;
        let (stopped, fails) = (generated.stopped.clone(), generated.fails.clone());
        let complete = stopped.is_none();
        Ok(Self { lts, meanings, names, name_of, automaton, occurrences, original, complete, stopped, fails })
    }

    /// The system with some of its labels only, without the runs that reach a value that cannot be computed: these are
    /// not runs of the text.
    pub fn only(&self, keep: impl Fn(&Meaning) -> bool) -> Lts {
        let kept = |meaning: &Meaning| *meaning != Meaning::Fails && keep(meaning);
        let kept: Vec<bool> = self.meanings.iter().map(kept).collect();
        let failing = self.failing(&kept);
        let mut builder = Builder::with_labels(self.lts.labels().clone());
        let transitions = self
            .lts
            .all_transitions()
            .filter(|step| kept[step.label.index()] && !failing.has(step.to.index()));
        transitions.for_each(|Transition { from, label, to }| builder.add(from, label, to));
        builder.finish(self.lts.initial(), self.lts.states() as u32)
    }

    /// The states from which every run with these labels reaches a value that cannot be computed.
    fn failing(&self, kept: &[bool]) -> Bits {
        let mut failing = Bits::new(self.lts.states());
        let mut open: Vec<StateId> = self
            .lts
            .all_transitions()
            .filter(|step| self.meanings[step.label.index()] == Meaning::Fails)
            .map(|step| step.from)
            .collect();
        if open.is_empty() {
            return failing;
        }
        open.iter().for_each(|&state| _ = failing.insert(state.index()));
        let is_kept = |label: LabelId| kept[label.index()];
        let mut ways: Vec<usize> = self
            .lts
            .state_ids()
            .map(|state| self.lts.out(state).filter(|&(label, _)| is_kept(label)).count())
            .collect();
        let backward = self.lts.backward();
        while let Some(state) = open.pop() {
            for (_, from) in backward.of(state).filter(|&(label, _)| is_kept(label)) {
                ways[from.index()] -= 1;
                if ways[from.index()] == 0 && failing.insert(from.index()) {
                    open.push(from);
                }
            }
        }
        failing
    }

    /// The automaton over the labels of the system. Dummies are invisible, as if the action did not exist.
    pub fn seeing_actions(&self) -> Automaton {
        let seen = self.meanings.iter().zip(&self.name_of);
        let seen: Vec<Option<LabelId>> =
            seen.map(|(meaning, name)| matches!(meaning, Meaning::Actions { .. }).then_some(*name)).collect();
        self.automaton.renamed(&seen)
    }

    /// The same with dummies visible, as in the paper.
    pub fn seeing_dummies(&self) -> Automaton {
        let seen: Vec<Option<LabelId>> = self.name_of.iter().map(|&name| Some(name)).collect();
        self.automaton.renamed(&seen)
    }
}

/// The number of transitions; those with the same visible label count once.
fn distinct_transitions(generated: &Generated) -> usize {
    let mut builder = Builder::with_labels(generated.visible.clone());
    for Transition { from, label, to } in generated.lts.all_transitions() {
        if let Meaning::Actions { visible, .. } = generated.meanings[label.index()] {
            builder.add(from, visible, to);
        }
    }
    builder.finish(StateId::FIRST, 0).transitions()
}
