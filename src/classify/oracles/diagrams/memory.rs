//! The memory of a class as one variable: its values are the reachable sets of states of the automaton.

use crate::automata::automaton::{Automaton, AutomatonStates};
use kit::diagram::{Diagram, Diagrams};
use rustc_hash::FxHashMap;

/// The greatest number of sets of states.
const MOST_SETS: usize = 1 << 12;

/// The reachable sets of states of an automaton; the first one is that before the first moment.
pub struct AutomatonMemory {
    pub sets: Vec<AutomatonStates>,
    /// For each kind of moment and each set, its successors, each with the states of the model in which it follows.
    pub next: Vec<Vec<Vec<(usize, Diagram)>>>,
}

impl AutomatonMemory {
    /// Explores the sets of an automaton that reads moments of some kinds; `kinds` has the letters of each
    /// kind as functions of the state. `None` if there are too many sets.
    pub fn new(diagrams: &mut Diagrams, automaton: &Automaton, kinds: &[&[Diagram]]) -> Option<Self> {
        let mut sets = vec![automaton.start()];
        let mut numbers: FxHashMap<AutomatonStates, usize> = FxHashMap::from_iter([(automaton.start(), 0)]);
        let mut next = vec![Vec::new(); kinds.len()];
        let mut at = 0;
        while at < sets.len() {
            for (kind, letters) in kinds.iter().enumerate() {
                let mut after: Vec<(usize, Diagram)> = Vec::new();
                for (bits, condition) in following(diagrams, automaton, sets[at], letters) {
                    let number = *numbers.entry(bits).or_insert_with(|| {
                        sets.push(bits);
                        sets.len() - 1
                    });
                    match after.iter_mut().find(|(n, _)| *n == number) {
                        Some((_, some)) => *some = diagrams.or(*some, condition),
                        None => after.push((number, condition)),
                    }
                }
                next[kind].push(after);
            }
            at += 1;
            if sets.len() > MOST_SETS {
                return None;
            }
        }
        Some(Self { sets, next })
    }

    /// Returns the transition relation of a moment of a kind, with the sets as values of the variable at a
    /// level; `None` if it is the identity.
    pub fn ways(&self, diagrams: &mut Diagrams, kind: usize, level: usize) -> Option<Diagram> {
        let stays = |(set, after): (usize, &Vec<(usize, Diagram)>)| after.iter().all(|&(to, _)| to == set);
        if self.next[kind].iter().enumerate().all(stays) {
            return None;
        }
        let mut ways = Diagram::ZERO;
        for (set, after) in self.next[kind].iter().enumerate() {
            let here = diagrams.is(level, set);
            for &(to, condition) in after {
                let there = diagrams.is(level + 1, to);
                let step = diagrams.and(here, there);
                let step = diagrams.and(step, condition);
                ways = diagrams.or(ways, step);
            }
        }
        Some(ways)
    }

    /// Returns the values of the variable at a level with which a trace is in the class.
    pub fn accepts(&self, diagrams: &mut Diagrams, automaton: &Automaton, level: usize) -> Diagram {
        let mut some = Diagram::ZERO;
        for (set, &bits) in self.sets.iter().enumerate() {
            if automaton.accepts(bits) {
                let here = diagrams.is(level, set);
                some = diagrams.or(some, here);
            }
        }
        some
    }
}

/// Returns the successors of a set after a moment, with the states of the model in which they follow.
fn following(
    diagrams: &mut Diagrams,
    automaton: &Automaton,
    bits: AutomatonStates,
    letters: &[Diagram],
) -> Vec<(AutomatonStates, Diagram)> {
    let edges = automaton.edges.iter().filter(|edge| bits.contains(edge.from));
    let mut read: Vec<usize> = edges.flat_map(|edge| edge.conditions.iter().map(|c| c.0)).collect();
    read.sort_unstable();
    read.dedup();
    // The assignments of the letters that hold in some state, one letter at a time.
    let mut ways = vec![(vec![false; letters.len()], Diagram::ONE)];
    for letter in read {
        let not = diagrams.not(letters[letter]);
        let mut longer = Vec::new();
        for (truth, condition) in ways {
            let without = diagrams.and(condition, not);
            if without != Diagram::ZERO {
                longer.push((truth.clone(), without));
            }
            let with = diagrams.and(condition, letters[letter]);
            if with != Diagram::ZERO {
                let mut truth = truth;
                truth[letter] = true;
                longer.push((truth, with));
            }
        }
        ways = longer;
    }
    ways.into_iter().map(|(truth, condition)| (automaton.step(bits, &|l| truth[l]), condition)).collect()
}
