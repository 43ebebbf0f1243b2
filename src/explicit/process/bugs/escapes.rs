//! Where a system avoids actions that every run should contain: the counterpart of bugs for inevitability.
//!
//! Let `k` be a sequence of actions. A place is a state with the length of the matched prefix of `k`; it is *open* if some run
//! from there contains the rest of `k`. An action of the text *loses* if it leads from an open place to one that is not: after it
//! `k` is no longer possible. It *postpones* if it lies on a cycle of open places that matches nothing of `k`: by
//! repeating the cycle forever, the system avoids `k` although it is still possible.
//!
//! Every maximal run contains `k` if and only if the initial place is open and no action loses or postpones: a run
//! without `k` leaves the open places eventually, or stays in them forever and thus traverses a cycle.

use super::BugsError;
use crate::lts::bugs::SearchTree;
use crate::lts::{
    Bits, Components, LabelId, LabelSequence, Labels, Lts, LtsBuilder, LtsTransition, Sequence, StateId,
    components, quotient,
};
use crate::process::program::{CodeId, ProcessProgram};
use crate::process::semantics::{GenerateOptions, GeneratedLabel, generate};
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::Span;
use kit::number::to_u32;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How an action avoids the actions that every run should contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EscapeKind {
    /// It can be repeated forever without them.
    Postpones,
    /// They are no longer possible after it.
    Loses,
}

/// An action of the text, or the end of the system, that loses or postpones.
#[derive(Debug, Clone)]
pub struct Escape {
    /// Where the action stands; `None` for the end, `exit`.
    pub place: Option<Span>,
    /// The kind of escape; an action of both kinds loses.
    pub kind: EscapeKind,
    /// The labels with which it does that.
    pub labels: Vec<String>,
    /// A shortest trace that ends with it.
    pub trace: Vec<String>,
    /// Alternatives to its last action: after it the actions are still possible, and it is on no such loop.
    pub instead: Vec<String>,
}

/// The result of [`escapes`].
#[derive(Debug)]
pub struct Escapes {
    /// True if some run contains the actions.
    pub possible: bool,
    /// The actions that lose or postpone, in the order of the text.
    pub escapes: Vec<Escape>,
    /// The system as it was generated.
    pub lts: Lts,
}

impl Escapes {
    /// True if every maximal run contains the actions.
    pub fn holds(&self) -> bool {
        self.possible && self.escapes.is_empty()
    }
}

/// Finds the actions that avoid a sequence of actions.
///
/// # Errors
/// If the complete system cannot be generated.
pub fn escapes(
    program: &ProcessProgram,
    sequence: &Sequence,
    most_states: usize,
    budget: &Budget,
) -> Result<Escapes, BugsError> {
    let options = GenerateOptions { tell_apart: true, most_states, ..GenerateOptions::default() };
    let generated = generate(program, options, budget);
    if let Some(trouble) = generated.stopped {
        return Err(BugsError::Failure(trouble));
    }
    let lts = quotient(&generated.lts, budget)?.lts;
    let steps = sequence.over(&generated.visible);
    let places = EscapeGraph::new(&lts, &steps, &generated.meanings, budget)?;
    let possible = places.is_open(places.start());
    let escapes = if possible { places.escapes(program, &generated.visible) } else { Vec::new() };
    let mut builder = LtsBuilder::with_labels(generated.visible);
    for LtsTransition { from, label, to } in generated.lts.all_transitions() {
        builder.add(from, visible(&generated.meanings[label.index()]), to);
    }
    let lts = builder.finish(StateId::FIRST, to_u32(generated.lts.states()));
    Ok(Escapes { possible, escapes, lts })
}

/// The label itself: nothing is left out here.
fn visible(meaning: &GeneratedLabel) -> LabelId {
    match meaning {
        GeneratedLabel::Actions { visible, .. } => *visible,
        GeneratedLabel::Dummy(_) | GeneratedLabel::Fails => unreachable!("there are no dummies"),
    }
}

/// The facts about an action that escapes.
struct EscapeFacts {
    kind: EscapeKind,
    labels: BTreeSet<LabelId>,
    /// A shortest trace that ends with the action.
    trace: Vec<LabelId>,
    /// Alternatives to its last action.
    instead: Vec<LabelId>,
}

/// Places: a state and the length of the matched prefix, in one number.
struct EscapeGraph<'a> {
    lts: &'a Lts,
    steps: &'a LabelSequence,
    meanings: &'a [GeneratedLabel],
    open: Bits,
    /// For each number of actions that have come the components of open places without progress.
    loops: Vec<Components>,
}

impl<'a> EscapeGraph<'a> {
    fn new(
        lts: &'a Lts,
        steps: &'a LabelSequence,
        meanings: &'a [GeneratedLabel],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut places = Self {
            lts,
            steps,
            meanings,
            open: Bits::new(lts.states() * (steps.len() + 1)),
            loops: Vec::new(),
        };
        places.find_open();
        places.loops = (0..steps.len())
            .map(|come| {
                let open = |state: StateId| places.is_open(places.place(state, come));
                components(lts, open, |step| places.forward(step.label, come) == come, budget)
            })
            .collect::<Result<_, _>>()?;
        Ok(places)
    }

    /// Backwards from where all actions have come.
    fn find_open(&mut self) {
        let backward = self.lts.backward();
        let mut found: Vec<usize> =
            self.lts.state_ids().map(|state| self.place(state, self.steps.len())).collect();
        found.iter().for_each(|&place| _ = self.open.insert(place));
        while let Some(place) = found.pop() {
            let (state, come) = self.parts(place);
            for (label, from) in backward.of(state) {
                for before in [come.checked_sub(1), Some(come)].into_iter().flatten() {
                    let from = self.place(from, before);
                    if self.forward(label, before) == come && self.open.insert(from) {
                        found.push(from);
                    }
                }
            }
        }
    }

    fn start(&self) -> usize {
        self.place(self.lts.initial(), 0)
    }

    fn place(&self, state: StateId, come: usize) -> usize {
        state.index() * (self.steps.len() + 1) + come
    }

    fn parts(&self, place: usize) -> (StateId, usize) {
        let length = self.steps.len() + 1;
        (StateId::new(place / length), place % length)
    }

    fn is_open(&self, place: usize) -> bool {
        self.open.has(place)
    }

    fn forward(&self, label: LabelId, come: usize) -> usize {
        self.steps.forward(visible(&self.meanings[label.index()]), come)
    }

    /// The effect of a transition from an open place.
    fn kind(&self, from: usize, label: LabelId, to: StateId) -> Option<EscapeKind> {
        let (state, come) = self.parts(from);
        let after = self.forward(label, come);
        if !self.is_open(self.place(to, after)) {
            return Some(EscapeKind::Loses);
        }
        let of = |state: StateId| self.loops[come].of[state.index()];
        (after == come && of(state) == of(to)).then_some(EscapeKind::Postpones)
    }

    fn escapes(&self, program: &ProcessProgram, labels: &Labels) -> Vec<Escape> {
        let mut found: BTreeMap<Option<CodeId>, EscapeFacts> = BTreeMap::new();
        // Breadth first through the open places.
        let mut tree = SearchTree::new(self.start());
        let mut seen = Bits::new(self.lts.states() * (self.steps.len() + 1));
        seen.insert(self.start());
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let place = tree.place(at);
            let (state, come) = self.parts(place);
            if come == self.steps.len() {
                continue;
            }
            for (label, to) in self.lts.out(state) {
                let after = self.place(to, self.forward(label, come));
                if self.is_open(after) && seen.insert(after) {
                    queue.push_back(tree.add(after, at, label));
                }
                let Some(kind) = self.kind(place, label, to) else { continue };
                let GeneratedLabel::Actions { visible: shown, who } = &self.meanings[label.index()] else {
                    continue;
                };
                let ends = who.is_empty().then_some(None);
                for code in who.iter().copied().map(Some).chain(ends) {
                    let known = found.get(&code).map(|found| found.kind);
                    if known.is_none_or(|known| known < kind) {
                        let trace = self.trace(&tree, at, label);
                        let instead = self.instead(place);
                        found.insert(code, EscapeFacts { kind, labels: BTreeSet::new(), trace, instead });
                    }
                    if known.is_none_or(|known| known <= kind) {
                        found.entry(code).and_modify(|found| _ = found.labels.insert(*shown));
                    }
                }
            }
        }
        let name = |label: &LabelId| labels.text(*label).into_owned();
        let escapes = found.into_iter().map(|(code, found)| Escape {
            place: code.map(|code| program.code[code.index()].span),
            kind: found.kind,
            labels: found.labels.iter().map(name).collect(),
            trace: found.trace.iter().map(name).collect(),
            instead: found.instead.iter().map(name).collect(),
        });
        let mut escapes: Vec<Escape> = escapes.collect();
        escapes.sort_by_key(|escape| escape.place.map(|span| (span.source, span.start)));
        escapes
    }

    /// The labels on the path to a place, and the label after it.
    fn trace(&self, tree: &SearchTree, end: usize, last: LabelId) -> Vec<LabelId> {
        let labels = tree.labels_to(end).into_iter().chain([last]);
        labels.map(|label| visible(&self.meanings[label.index()])).collect()
    }

    /// Labels at a place that escape nothing.
    fn instead(&self, place: usize) -> Vec<LabelId> {
        let (state, _) = self.parts(place);
        let right = self.lts.out(state).filter(|&(label, to)| self.kind(place, label, to).is_none());
        let mut right: Vec<LabelId> =
            right.map(|(label, _)| visible(&self.meanings[label.index()])).collect();
        right.sort_unstable();
        right.dedup();
        right
    }
}
