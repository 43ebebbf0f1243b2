//! The least deterministic automaton of a property over the labels of one system.

use super::formula::{Closure, ForbiddenTraces, LabelSet};
use super::subset::{Phase, TransitionTable, determinise};
use crate::lts::labels::{LabelId, Labels};
use crate::lts::{LtsBuilder, StateId, quotient};
use kit::budget::Budget;
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// The limit on the number of states before minimisation.
pub const MOST_STATES: usize = 20_000;

/// The automaton of a property would have more than [`MOST_STATES`] states before minimisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutomatonTooLarge;

impl std::fmt::Display for AutomatonTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the automaton of the property would have more than {MOST_STATES} states")
    }
}

impl std::error::Error for AutomatonTooLarge {}

/// A total deterministic automaton; its states are numbered from 0, the initial one.
///
/// Labels that the property does not distinguish form a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelAutomaton {
    class_of: Vec<u32>,
    classes: usize,
    /// The next state, at `state * classes + class`.
    next: Vec<Phase>,
    /// True if a trace that leads to a state is bad.
    bad: Vec<bool>,
}

impl LabelAutomaton {
    /// The minimal automaton that says which traces over these labels are bad.
    ///
    /// # Errors
    /// If the automaton needs more than [`MOST_STATES`] states.
    pub fn new(
        property: &ForbiddenTraces,
        labels: &Labels,
        closure: Closure,
    ) -> Result<Self, AutomatonTooLarge> {
        let mut actions = Vec::new();
        property.forbidden.iter().for_each(|regular| regular.for_each(&mut |action| actions.push(action)));
        let (class_of, members) = classes(&actions, labels);
        // For each class which actions mean its labels.
        let meant: Vec<Vec<bool>> = members
            .iter()
            .map(|&label| actions.iter().map(|action| action.matches(labels, label)).collect())
            .collect();
        let table = determinise(property, &meant, closure, MOST_STATES).map_err(|_| AutomatonTooLarge)?;
        let TransitionTable { next, bad } = minimise(&table, members.len());
        Ok(Self { class_of, classes: members.len(), next, bad })
    }

    /// The automaton of a property that no label violates: one state, which is not bad.
    pub fn blind(labels: &Labels) -> Self {
        Self { class_of: vec![0; labels.len()], classes: 1, next: vec![Phase::FIRST], bad: vec![false] }
    }

    /// The automaton that is bad after any of these labels, or from the start on.
    pub fn reaching(labels: &Labels, is_bad: impl Fn(LabelId) -> bool, from_start: bool) -> Self {
        let class_of: Vec<_> = labels.ids().map(|label| u32::from(is_bad(label))).collect();
        if from_start || !class_of.contains(&1) {
            return Self { bad: vec![from_start], ..Self::blind(labels) };
        }
        let (good, bad) = (Phase::FIRST, Phase::new(1));
        Self { class_of, classes: 2, next: vec![good, bad, bad, bad], bad: vec![false, true] }
    }

    /// The automaton over other labels, each of which stands for one of these, or for nothing that it sees: then its
    /// state stays.
    #[must_use]
    pub fn renamed(&self, meanings: &[Option<LabelId>]) -> Self {
        let classes = self.classes + 1;
        let unseen = to_u32(self.classes);
        let class_of =
            meanings.iter().map(|meaning| meaning.map_or(unseen, |label| self.class_of[label.index()]));
        let row = |state| (0..self.classes).map(move |class| self.next_by_class(state, class)).chain([state]);
        let next = self.phases().flat_map(row).collect();
        Self { class_of: class_of.collect(), classes, next, bad: self.bad.clone() }
    }

    /// The labels that can make a trace over these labels bad for the first time, ascending.
    pub fn last_labels(&self) -> Vec<LabelId> {
        let mut seen = vec![false; self.states()];
        let mut open = vec![Phase::FIRST];
        let mut is_last = vec![false; self.classes];
        seen[0] = true;
        while let Some(state) = open.pop() {
            if self.is_bad(state) {
                continue;
            }
            for (class, last) in is_last.iter_mut().enumerate() {
                let next = self.next_by_class(state, class);
                *last |= self.is_bad(next);
                if !std::mem::replace(&mut seen[next.index()], true) {
                    open.push(next);
                }
            }
        }
        (0..self.class_of.len()).map(LabelId::new).filter(|&label| is_last[self.class_of(label)]).collect()
    }

    /// The states, starting with the initial one.
    pub fn phases(&self) -> impl Iterator<Item = Phase> + Clone + use<> {
        (0..self.bad.len()).map(Phase::new)
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.bad.len()
    }

    /// The number of classes of labels.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The class of a label.
    #[inline]
    pub fn class_of(&self, label: LabelId) -> usize {
        self.class_of[label.index()] as usize
    }

    /// The state after a label of a class.
    #[inline]
    pub fn next_by_class(&self, state: Phase, class: usize) -> Phase {
        self.next[state.index() * self.classes + class]
    }

    /// The state after a label.
    #[inline]
    pub fn next(&self, state: Phase, label: LabelId) -> Phase {
        self.next_by_class(state, self.class_of(label))
    }

    /// True if a trace that leads to this state is bad.
    #[inline]
    pub fn is_bad(&self, state: Phase) -> bool {
        self.bad[state.index()]
    }
}

/// The class of each label, and a member of each class: labels belong to the same class if no action distinguishes them.
fn classes(actions: &[&LabelSet], labels: &Labels) -> (Vec<u32>, Vec<LabelId>) {
    let mut members = Vec::new();
    let mut known: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let class_of = labels
        .ids()
        .map(|label| {
            let mut row = vec![0u64; actions.len().div_ceil(64)];
            for (at, _) in actions.iter().enumerate().filter(|(_, action)| action.matches(labels, label)) {
                row[at / 64] |= 1 << (at % 64);
            }
            *known.entry(row).or_insert_with(|| {
                members.push(label);
                to_u32(members.len()) - 1
            })
        })
        .collect();
    (class_of, members)
}

/// Minimises a total automaton with the initial state 0. For deterministic automata, equivalence is strong bisimilarity if
/// bad states have a transition of their own, so this is the quotient of a system (Paige and Tarjan). In the result, states
/// have the order in which a breadth-first search finds them.
pub fn minimise(table: &TransitionTable, classes: usize) -> TransitionTable {
    let mut builder = LtsBuilder::new();
    let label_of: Vec<LabelId> =
        (0..=classes).map(|class| builder.labels.intern(class.to_string().as_bytes())).collect();
    for (state, &bad) in table.bad.iter().enumerate() {
        let state = StateId::new(state);
        let row = &table.next[state.index() * classes..(state.index() + 1) * classes];
        for (&label, &to) in label_of.iter().zip(row) {
            builder.add(state, label, StateId::from_u32(to.to_u32()));
        }
        if bad {
            builder.add(state, label_of[classes], state);
        }
    }
    let lts = builder.finish(StateId::FIRST, to_u32(table.bad.len()));
    let reduced = quotient(&lts, &Budget::unlimited()).unwrap_or_else(|_| unreachable!("there is no limit"));
    let mut minimal = TransitionTable { next: Vec::new(), bad: Vec::new() };
    for state in reduced.lts.state_ids() {
        let row = reduced.lts.out(state).filter(|&(label, _)| label != label_of[classes]);
        let before = minimal.next.len();
        minimal.next.extend(row.map(|(_, to)| Phase::from_u32(to.to_u32())));
        debug_assert_eq!(minimal.next.len() - before, classes, "the automaton is total and deterministic");
        minimal.bad.push(reduced.lts.out(state).any(|(label, _)| label == label_of[classes]));
    }
    minimal
}
