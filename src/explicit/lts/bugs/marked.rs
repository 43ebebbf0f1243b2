//! The system with dummies, in which the occurrences of last actions are distinguished.

use crate::lts::property::LabelAutomaton;
use crate::lts::{Bits, LabelId, Labels, Lts, LtsBuilder, LtsTransition, StateId, quotient};
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::Span;
use kit::index;
use kit::number::to_u32;

index! {
    /// An occurrence of a last action, by its place in the text.
    OccurrenceId
}

/// The meaning of a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MarkedLabel {
    /// A step of the text.
    Actions {
        /// Its visible label.
        visible: LabelId,
        /// The occurrences that take part in it, ascending; none if the label is not a last one.
        who: Vec<OccurrenceId>,
    },
    /// A step of the environment, which the text does not choose.
    Environment {
        /// Its visible label.
        visible: LabelId,
    },
    /// The dummy of an omitted occurrence.
    Dummy(OccurrenceId),
    /// A value cannot be computed, so the behaviour is unknown.
    Fails,
}

impl MarkedLabel {
    /// The visible label; `None` of a dummy, and where a value cannot be computed.
    pub fn visible(&self) -> Option<LabelId> {
        match self {
            MarkedLabel::Actions { visible, .. } | MarkedLabel::Environment { visible } => Some(*visible),
            MarkedLabel::Dummy(_) | MarkedLabel::Fails => None,
        }
    }
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

/// A system with dummies as it was generated.
#[derive(Debug, Clone, Copy)]
pub struct DummySystem<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// For each of its labels what it means; several may mean the same.
    pub meanings: &'a [MarkedLabel],
    /// The visible labels.
    pub visible: &'a Labels,
    /// Where the occurrences stand in the text, in its order.
    pub occurrences: &'a [Span],
    /// The system without dummies.
    pub original: OriginalSize,
    /// True if the system without dummies is complete.
    pub complete: bool,
    /// True if the system with dummies is incomplete.
    pub partial: bool,
}

/// A system, reduced modulo strong bisimulation.
#[derive(Debug)]
pub struct Marked {
    /// The system; its labels distinguish occurrences.
    pub lts: Lts,
    /// The meanings of its labels.
    pub meanings: Vec<MarkedLabel>,
    /// The visible labels, followed by the names of the dummies.
    pub names: Labels,
    /// For each label its visible label, as an index into `names`.
    pub name_of: Vec<LabelId>,
    /// The automaton of the property over `names`.
    pub automaton: LabelAutomaton,
    /// The places of the occurrences in the order of the text.
    pub occurrences: Vec<Span>,
    /// The system without dummies as it was generated.
    pub original: OriginalSize,
    /// True if the system without dummies is complete.
    pub complete: bool,
    /// True if the system with dummies is incomplete.
    pub partial: bool,
}

impl Marked {
    /// Reduces a system. `automaton` gets the visible labels, which are those given, followed by the names of dummies.
    ///
    /// # Errors
    /// If the budget is exhausted, or there is no automaton.
    pub fn new<E: From<Exhausted>>(
        generated: DummySystem<'_>,
        automaton: impl FnOnce(&Labels) -> Result<LabelAutomaton, E>,
        budget: &Budget,
    ) -> Result<Self, E> {
        let DummySystem { visible, occurrences, original, complete, partial, .. } = generated;
        let mut names = visible.clone();
        let fresh = |number: usize| {
            let name = format!("DUMMY{number}");
            if visible.find(name.as_bytes()).is_some() { format!("{name}_") } else { name }
        };
        let dummies: Vec<LabelId> =
            (1..=occurrences.len()).map(|number| names.intern(fresh(number).as_bytes())).collect();
        // Labels with the same meaning are merged.
        let (mut labels, mut meanings, mut name_of) = (Labels::default(), Vec::new(), Vec::new());
        let mut becomes = Vec::new();
        for meaning in generated.meanings {
            let number = labels.intern(format!("{meaning:?}").as_bytes());
            if number.index() == meanings.len() {
                name_of.push(match meaning {
                    MarkedLabel::Actions { visible, .. } | MarkedLabel::Environment { visible } => *visible,
                    MarkedLabel::Dummy(occurrence) => dummies[occurrence.index()],
                    // No analysis uses it.
                    MarkedLabel::Fails => LabelId::FIRST,
                });
                meanings.push(meaning.clone());
            }
            becomes.push(number);
        }
        let mut builder = LtsBuilder::with_labels(labels);
        generated
            .lts
            .all_transitions()
            .for_each(|LtsTransition { from, label, to }| builder.add(from, becomes[label.index()], to));
        let lts = builder.finish(generated.lts.initial(), to_u32(generated.lts.states()));
        let lts = quotient(&lts.choosing_start(generated.lts.chooses_start()), budget)?.lts;
        let automaton = automaton(&names)?;
        let occurrences = occurrences.to_vec();
        Ok(Self { lts, meanings, names, name_of, automaton, occurrences, original, complete, partial })
    }

    /// The occurrences in the order of the text.
    pub fn ids(&self) -> impl Iterator<Item = OccurrenceId> + use<> {
        (0..self.occurrences.len()).map(OccurrenceId::new)
    }

    /// The system with some of its labels only, without the runs that reach a value that cannot be computed: these are
    /// not runs of the text.
    pub fn only(&self, keep: impl Fn(&MarkedLabel) -> bool) -> Lts {
        let kept = |meaning: &MarkedLabel| *meaning != MarkedLabel::Fails && keep(meaning);
        let kept: Vec<bool> = self.meanings.iter().map(kept).collect();
        let failing = self.failing(&kept);
        let mut builder = LtsBuilder::with_labels(self.lts.labels().clone());
        let transitions = self
            .lts
            .all_transitions()
            .filter(|step| kept[step.label.index()] && !failing.has(step.to.index()));
        transitions.for_each(|LtsTransition { from, label, to }| builder.add(from, label, to));
        let lts = builder.finish(self.lts.initial(), to_u32(self.lts.states()));
        lts.choosing_start(self.lts.chooses_start())
    }

    /// The states from which every run with these labels reaches a value that cannot be computed.
    fn failing(&self, kept: &[bool]) -> Bits {
        let mut failing = Bits::new(self.lts.states());
        let mut open: Vec<StateId> = self
            .lts
            .all_transitions()
            .filter(|step| self.meanings[step.label.index()] == MarkedLabel::Fails)
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
    pub fn seeing_actions(&self) -> LabelAutomaton {
        let seen: Vec<Option<LabelId>> = self.meanings.iter().map(MarkedLabel::visible).collect();
        self.automaton.renamed(&seen)
    }

    /// The automaton that sees dummies, as in the paper.
    pub fn seeing_dummies(&self) -> LabelAutomaton {
        let seen: Vec<Option<LabelId>> = self.name_of.iter().map(|&name| Some(name)).collect();
        self.automaton.renamed(&seen)
    }
}
