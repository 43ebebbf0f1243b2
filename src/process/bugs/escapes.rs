//! Where a system avoids actions that every run should contain: the counterpart of bugs for inevitability.
//!
//! Let `k` be a sequence of actions. A place is a state with the length of the matched prefix of `k`; it is *open* if some run
//! from there contains the rest of `k`. An action of the text *loses* if it leads from an open place to one that is not: after it
//! `k` is no longer possible. It *postpones* if it lies on a cycle of open places that matches nothing of `k`: by
//! repeating the cycle forever, the system avoids `k` although it is still possible.
//!
//! Every maximal run contains `k` if and only if the initial place is open and no action loses or postpones: a run
//! without `k` leaves the open places eventually, or stays in them forever and thus traverses a cycle.

use super::error::BugsError;
use crate::budget::{Budget, Exhausted};
use crate::diagnostics::Span;
use crate::lts::{Bits, Builder, Components, Labels, Lts, Sequence, Steps, components, quotient};
use crate::process::program::{CodeId, Program};
use crate::process::semantics::{Meaning, Options, generate};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How an action avoids the actions that every run should contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
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
    /// What it does; if it does both, it loses.
    pub kind: Kind,
    /// The labels with which it does that.
    pub labels: Vec<String>,
    /// A shortest trace that ends with it.
    pub trace: Vec<String>,
    /// What could have been done instead of its last action: after it the actions are still possible, and it is on no
    /// such loop.
    pub instead: Vec<String>,
}

/// The result of [`escapes`].
#[derive(Debug)]
pub struct Escapes {
    /// Whether some run contains the actions.
    pub possible: bool,
    /// The actions that lose or postpone, in the order of the text.
    pub escapes: Vec<Escape>,
    /// The system as it was generated.
    pub lts: Lts,
}

impl Escapes {
    /// Whether every maximal run contains the actions.
    pub fn holds(&self) -> bool {
        self.possible && self.escapes.is_empty()
    }
}

/// Finds the actions that avoid a sequence of actions.
///
/// # Errors
/// If the complete system cannot be generated.
pub fn escapes(
    program: &Program,
    sequence: &Sequence,
    most_states: usize,
    budget: &Budget,
) -> Result<Escapes, BugsError> {
    let options = Options { tell_apart: true, most_states, ..Options::default() };
    let generated = generate(program, options, budget);
    if let Some(trouble) = generated.stopped {
        return Err(BugsError::Failure(trouble));
    }
    let lts = quotient(&generated.lts, budget)?.lts;
    let steps = sequence.over(&generated.visible);
    let places = Places::new(&lts, &steps, &generated.meanings, budget)?;
    let possible = places.is_open(places.start());
    let escapes = if possible { places.escapes(program, &generated.visible) } else { Vec::new() };
    let mut builder = Builder::with_labels(generated.visible);
    for (from, label, to) in generated.lts.triples() {
        builder.add(from, visible(&generated.meanings[label as usize]), to);
    }
    let lts = builder.finish(0, generated.lts.states() as u32);
    Ok(Escapes { possible, escapes, lts })
}

/// What is seen of a label; nothing is left out here.
fn visible(meaning: &Meaning) -> u32 {
    match meaning {
        Meaning::Actions { visible, .. } => *visible,
        Meaning::Dummy(_) | Meaning::Fails => unreachable!("there are no dummies"),
    }
}

/// Places: a state and the length of the matched prefix, in one number.
struct Places<'a> {
    lts: &'a Lts,
    steps: &'a Steps,
    meanings: &'a [Meaning],
    open: Bits,
    /// For each number of actions that have come the components of open places without progress.
    loops: Vec<Components>,
}

impl<'a> Places<'a> {
    fn new(
        lts: &'a Lts,
        steps: &'a Steps,
        meanings: &'a [Meaning],
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
                let open = |state: u32| places.is_open(places.place(state, come));
                components(lts, open, |_, label, _| places.forward(label, come) == come, budget)
            })
            .collect::<Result<_, _>>()?;
        Ok(places)
    }

    /// Backwards from where all actions have come.
    fn find_open(&mut self) {
        let backward = self.lts.backward();
        let mut found: Vec<usize> =
            (0..self.lts.states() as u32).map(|state| self.place(state, self.steps.len())).collect();
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

    fn place(&self, state: u32, come: usize) -> usize {
        state as usize * (self.steps.len() + 1) + come
    }

    fn parts(&self, place: usize) -> (u32, usize) {
        let length = self.steps.len() + 1;
        ((place / length) as u32, place % length)
    }

    fn is_open(&self, place: usize) -> bool {
        self.open.has(place)
    }

    fn forward(&self, label: u32, come: usize) -> usize {
        self.steps.forward(visible(&self.meanings[label as usize]), come)
    }

    /// The effect of a transition from an open place.
    fn kind(&self, from: usize, label: u32, to: u32) -> Option<Kind> {
        let (state, come) = self.parts(from);
        let after = self.forward(label, come);
        if !self.is_open(self.place(to, after)) {
            return Some(Kind::Loses);
        }
        let of = |state: u32| self.loops[come].of[state as usize];
        (after == come && of(state) == of(to)).then_some(Kind::Postpones)
    }

    fn escapes(&self, program: &Program, labels: &Labels) -> Vec<Escape> {
        // Kind, labels, a trace, and what could have been done instead.
        type Found = (Kind, BTreeSet<u32>, Vec<u32>, Vec<u32>);
        let mut found: BTreeMap<Option<CodeId>, Found> = BTreeMap::new();
        // Breadth first through the open places; each with how it was reached.
        let mut order: Vec<(usize, usize, u32)> = vec![(self.start(), 0, 0)];
        let mut seen = Bits::new(self.lts.states() * (self.steps.len() + 1));
        seen.insert(self.start());
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let place = order[at].0;
            let (state, come) = self.parts(place);
            if come == self.steps.len() {
                continue;
            }
            for (label, to) in self.lts.out(state) {
                let after = self.place(to, self.forward(label, come));
                if self.is_open(after) && seen.insert(after) {
                    queue.push_back(order.len());
                    order.push((after, at, label));
                }
                let Some(kind) = self.kind(place, label, to) else { continue };
                let Meaning::Actions { visible: shown, who } = &self.meanings[label as usize] else {
                    continue;
                };
                let ends = who.is_empty().then_some(None);
                for code in who.iter().copied().map(Some).chain(ends) {
                    let known = found.get(&code).map(|(kind, ..)| *kind);
                    if known.is_none_or(|known| known < kind) {
                        let trace = self.trace(&order, at, label);
                        found.insert(code, (kind, BTreeSet::new(), trace, self.instead(place)));
                    }
                    if known.is_none_or(|known| known <= kind) {
                        found.entry(code).and_modify(|(_, labels, ..)| _ = labels.insert(*shown));
                    }
                }
            }
        }
        let name = |label: &u32| labels.text(*label).into_owned();
        let escapes = found.into_iter().map(|(code, (kind, shown, trace, instead))| Escape {
            place: code.map(|code| program.code[code as usize].span),
            kind,
            labels: shown.iter().map(name).collect(),
            trace: trace.iter().map(name).collect(),
            instead: instead.iter().map(name).collect(),
        });
        let mut escapes: Vec<Escape> = escapes.collect();
        escapes.sort_by_key(|escape| escape.place.map(|span| (span.source, span.start)));
        escapes
    }

    fn trace(&self, order: &[(usize, usize, u32)], end: usize, last: u32) -> Vec<u32> {
        let (mut labels, mut at) = (vec![last], end);
        while at != 0 {
            labels.push(order[at].2);
            at = order[at].1;
        }
        labels.iter().rev().map(|&label| visible(&self.meanings[label as usize])).collect()
    }

    /// What gets away from nothing at a place.
    fn instead(&self, place: usize) -> Vec<u32> {
        let (state, _) = self.parts(place);
        let right = self.lts.out(state).filter(|&(label, to)| self.kind(place, label, to).is_none());
        let mut right: Vec<u32> = right.map(|(label, _)| visible(&self.meanings[label as usize])).collect();
        right.sort_unstable();
        right.dedup();
        right
    }
}
