//! Telling classes apart by signatures, again only where something changed.
//!
//! Signatures are those of S. Blom and S. Orzan, *Distributed branching bisimulation reduction of state spaces* (2003), as J.
//! Martens and M. Laveaux have them in *Faster signature refinement for branching bisimilarity minimization* (2026): what can be done
//! from a state itself, and the signatures of the states of its class that invisible steps lead to. If all else that can be done
//! from the state can also be done after one of these steps, the state has the signature that is found there. States of one class that
//! have different signatures are not branching bisimilar, so these can be classes at once.
//!
//! A state is marked when a state that it leads to got another class, and with it those of its class that have invisible steps to
//! it. All other states of its class can still do the same, and what marked states can do leads to a new class and is thus
//! different.

use super::signatures::{SignatureStep, Signatures, inside, leaving};
use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::LabelId;
use crate::lts::partition::Partition;
use kit::budget::{Budget, Clock, Exhausted};
use std::collections::VecDeque;

/// A state with the next of its steps to look at.
struct OpenState {
    state: StateId,
    next: usize,
}

/// The coarsest partition such that the states of a class can do the same after invisible steps inside it. Invisible steps
/// do not lead from a state back to it, unless directly.
pub struct Refinement<'a> {
    lts: &'a Lts,
    /// The labels that are invisible, and the one that stands for all of them.
    invisible: &'a [bool],
    silent: LabelId,
    sources: Sources,
    classes: Partition,
    /// Classes with marked states, the one that has had these for longest first.
    stale: VecDeque<u32>,
    signatures: Signatures,
    /// The signature of each marked state of a class.
    keys: Vec<u32>,
    /// Invisible steps inside a class.
    path: Vec<OpenState>,
    /// The steps of a state's signature.
    steps: Vec<SignatureStep>,
    /// States with a new class.
    moved: Vec<StateId>,
}

/// No signature yet.
const NONE: u32 = u32::MAX;

impl<'a> Refinement<'a> {
    /// All states are one class.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &'a Lts, invisible: &'a [bool], budget: &Budget) -> Result<Self, Exhausted> {
        let sources = Sources::new(lts, invisible, budget)?;
        Clock::new(budget, "signatures computed").room(40 * lts.states())?;
        let mut classes = Partition::new(vec![0; lts.states()]);
        classes.mark_all(0);
        Ok(Self {
            lts,
            invisible,
            silent: lts.labels().ids().find(|label| invisible[label.index()]).unwrap_or(LabelId::FIRST),
            sources,
            classes,
            stale: VecDeque::from([0]),
            signatures: Signatures::default(),
            keys: Vec::new(),
            path: Vec::new(),
            steps: Vec::new(),
            moved: Vec::new(),
        })
    }

    /// The class of each state.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn run(mut self, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
        let mut clock = Clock::new(budget, "signatures computed");
        while let Some(class) = self.stale.pop_front() {
            self.close(class, &mut clock)?;
            let (marked, size) = (self.classes.marked(class), self.classes.size(class));
            let different = match marked {
                // It is different from the others.
                1 if size > 1 => 1,
                _ => self.sign(class, &mut clock)?,
            };
            if marked == size && different == 1 {
                self.classes.divide_marked(class);
                continue;
            }
            self.split(class, different, &mut clock)?;
        }
        Ok(self.classes.into_blocks())
    }

    /// Marks the states of a class from which invisible steps inside it lead to marked ones.
    fn close(&mut self, class: u32, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        let mut at = 0;
        while at < self.classes.marked(class) && self.classes.marked(class) < self.classes.size(class) {
            let before = self.sources.silent(self.classes.state(class, at));
            clock.ticks(1 + before.len())?;
            for &state in before {
                if self.classes.block_of(state) == class {
                    self.classes.mark(state);
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Computes the signatures of the marked states of a class; returns how many different ones there are.
    fn sign(&mut self, class: u32, clock: &mut Clock<'_>) -> Result<usize, Exhausted> {
        let marked = self.classes.marked(class);
        self.signatures.clear(marked as usize);
        self.keys.clear();
        self.keys.resize(marked as usize, NONE);
        for at in 0..marked {
            if self.keys[at as usize] != NONE {
                continue;
            }
            let state = self.classes.state(class, at);
            self.path.push(OpenState { state, next: self.lts.forward().range(state).start });
            // States that invisible steps lead to come first.
            while let Some(OpenState { state, next }) = self.path.pop() {
                match self.unsigned(state, next, class) {
                    Some((to, next)) => {
                        self.path.push(OpenState { state, next });
                        self.path.push(OpenState { state: to, next: self.lts.forward().range(to).start });
                    }
                    None => {
                        clock.ticks(1 + self.lts.out(state).len())?;
                        self.sign_one(state, class);
                    }
                }
            }
        }
        Ok(self.signatures.len())
    }

    /// From a step of a state on, the next invisible one that leads to a marked state of its class that has no signature yet: that
    /// state, and the step after it.
    fn unsigned(&self, state: StateId, from: usize, class: u32) -> Option<(StateId, usize)> {
        (from..self.lts.forward().range(state).end).find_map(|step| {
            let (label, to) = self.lts.forward().at(step);
            let inside = self.invisible[label.index()] && to != state && self.classes.block_of(to) == class;
            let open = inside && self.classes.mark_of(to).is_some_and(|at| self.keys[at as usize] == NONE);
            open.then_some((to, step + 1))
        })
    }

    /// Computes the signature of a marked state, after those of all that invisible steps inside its class lead to.
    fn sign_one(&mut self, state: StateId, class: u32) {
        self.steps.clear();
        for (label, to) in self.lts.out(state) {
            let class_there = self.classes.block_of(to);
            if !self.invisible[label.index()] {
                self.steps.push(leaving(label, class_there));
            } else if class_there != class {
                self.steps.push(leaving(self.silent, class_there));
            } else if to != state {
                // States that are not marked are different: they will be another class, or the rest of this one.
                let there = self.classes.mark_of(to).map(|at| inside(self.keys[at as usize]));
                self.steps.push(there.unwrap_or(leaving(self.silent, class)));
            }
        }
        let key = self.signatures.key(&mut self.steps);
        if let Some(at) = self.classes.mark_of(state) {
            self.keys[at as usize] = key;
        }
    }

    /// Splits a class by the signatures of its marked states, and marks the states that lead to what are new classes then.
    fn split(&mut self, class: u32, different: usize, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        let new = match different {
            1 => {
                let fresh = self.classes.block_count();
                self.classes.divide_marked(class);
                fresh..self.classes.block_count()
            }
            _ => self.classes.divide_by(class, &self.keys, different),
        };
        // Marked states change their places.
        let moved = &mut self.moved;
        moved.clear();
        moved.extend(new.clone().flat_map(|class| self.classes.states(class)));
        for &state in &*moved {
            let (visible, silent) = (self.sources.visible(state), self.sources.silent(state));
            clock.ticks(1 + visible.len() + silent.len())?;
            for &from in visible {
                mark(&mut self.classes, &mut self.stale, from);
            }
            for &from in silent {
                // Signatures have said what invisible steps between parts of the class are.
                let before = self.classes.block_of(from);
                if before != class && before < new.start {
                    mark(&mut self.classes, &mut self.stale, from);
                }
            }
        }
        Ok(())
    }
}

/// Marks a state, unless it is a class by itself.
fn mark(classes: &mut Partition, stale: &mut VecDeque<u32>, state: StateId) {
    let class = classes.block_of(state);
    if classes.size(class) > 1 && classes.mark(state) {
        stale.push_back(class);
    }
}

/// The states before each state: those before an invisible step, and those before another one.
pub struct Sources {
    /// The start of each state's sources, and the end of the last one's.
    starts: Vec<u32>,
    /// Where those before visible steps start.
    visible: Vec<u32>,
    states: Vec<StateId>,
}

impl Sources {
    /// The sources of the states of a system, some labels of which are invisible.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &Lts, invisible: &[bool], budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions reversed");
        clock.room(4 * lts.transitions() + 12 * lts.states())?;
        let mut starts = vec![0u32; lts.states() + 1];
        let mut visible = vec![0u32; lts.states()];
        for step in lts.all_transitions() {
            clock.tick()?;
            starts[step.to.index() + 1] += 1;
            visible[step.to.index()] += u32::from(invisible[step.label.index()]);
        }
        for state in 0..lts.states() {
            starts[state + 1] += starts[state];
            visible[state] += starts[state];
        }
        let mut states = vec![StateId::FIRST; lts.transitions()];
        let (mut next_silent, mut next_visible) = (starts.clone(), visible.clone());
        for step in lts.all_transitions() {
            clock.tick()?;
            let next = if invisible[step.label.index()] { &mut next_silent } else { &mut next_visible };
            states[next[step.to.index()] as usize] = step.from;
            next[step.to.index()] += 1;
        }
        Ok(Self { starts, visible, states })
    }

    /// The states from which an invisible step leads to this one.
    #[inline]
    pub fn silent(&self, state: StateId) -> &[StateId] {
        &self.states[self.starts[state.index()] as usize..self.visible[state.index()] as usize]
    }

    /// The states from which a visible step leads to this one.
    #[inline]
    pub fn visible(&self, state: StateId) -> &[StateId] {
        &self.states[self.visible[state.index()] as usize..self.starts[state.index() + 1] as usize]
    }
}
