//! The progress of a local constraint on a trace that is read moment by moment: the position variables that
//! have places, and those that may get places next.

use super::LetterLiteral;
use crate::automata::letter::{Letter, LocalConstraint, LocalFact};
use crate::facts::fact::{OrderRelation, Stretch};
use crate::facts::index::PositionVar;
use itertools::Itertools;

/// A set of position variables, as a bit set.
type VariableSet = u32;

/// The greatest number of position variables.
pub const MOST_POSITIONS: usize = VariableSet::BITS as usize;

/// The position variables that have places (`all`), and those placed at the last moment whose `next` variable
/// must be placed at the next moment (`due`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PlacedVariables {
    all: VariableSet,
    due: VariableSet,
}

/// The requirements of a local constraint, by position variable.
pub struct LocalRequirements {
    count: usize,
    /// For each variable, the conditions on its moment.
    conditions: Vec<Vec<LetterLiteral>>,
    /// For each variable, the variables that must be placed earlier.
    before: Vec<VariableSet>,
    /// Pairs of variables with adjacent places.
    next: Vec<(usize, usize)>,
    absent: Vec<AbsentLetter>,
}

/// A letter that is false from the placing of the variables `after` until that of `until`.
struct AbsentLetter {
    letter: usize,
    after: VariableSet,
    until: VariableSet,
}

impl PlacedVariables {
    /// Iterates over the variables placed here but not in `before`, ascending.
    pub fn since(self, before: Self) -> impl Iterator<Item = usize> {
        let new = self.all & !before.all;
        (0..MOST_POSITIONS).filter(move |p| new & (1 << p) != 0)
    }
}

impl LocalRequirements {
    /// Analyses a constraint with at most [`MOST_POSITIONS`] position variables. Adds new letters to
    /// `letters`.
    pub fn of(constraint: &LocalConstraint, letters: &mut Vec<Letter>) -> Self {
        let count = constraint.positions;
        let mut local = LocalRequirements {
            count,
            conditions: vec![Vec::new(); count],
            before: vec![0; count],
            next: Vec::new(),
            absent: Vec::new(),
        };
        let bit = |variable: PositionVar| 1 << variable.index();
        for fact in &constraint.facts {
            match fact {
                LocalFact::Order { order: OrderRelation::Before, first, second } => {
                    local.before[second.index()] |= bit(*first);
                }
                LocalFact::Order { order: OrderRelation::Next, first, second } => {
                    local.next.push((first.index(), second.index()));
                }
                LocalFact::Holds { letter, at } => {
                    local.conditions[at.index()].push((letter.number_in(letters), true));
                }
                LocalFact::Absent { letter, stretch, positions } => {
                    let (after, until) = match stretch {
                        Stretch::Between => (bit(positions[0]), bit(positions[1])),
                        Stretch::Before => (0, bit(positions[0])),
                        Stretch::After => (bit(positions[0]), 0),
                    };
                    local.absent.push(AbsentLetter { letter: letter.number_in(letters), after, until });
                }
            }
        }
        local
    }

    /// Returns the letters of all conditions and absences, ascending.
    pub fn letters(&self) -> Vec<usize> {
        let placed = self.conditions.iter().flatten().map(|condition| condition.0);
        placed.chain(self.absent.iter().map(|absent| absent.letter)).sorted_unstable().dedup().collect()
    }

    /// True if every variable has a place.
    pub fn is_complete(&self, placed: PlacedVariables) -> bool {
        placed.all.count_ones() as usize == self.count
    }

    /// Iterates over the possible transitions: the placed variables afterwards, and the conditions on the
    /// moment, ascending and without duplicates.
    pub fn steps(
        &self,
        state: PlacedVariables,
    ) -> impl Iterator<Item = (PlacedVariables, Vec<LetterLiteral>)> + '_ {
        self.placings(state).into_iter().filter_map(move |placing| {
            let all = state.all | placing;
            let due = self.next.iter().map(|n| 1 << n.0).fold(0, |a, b| a | b) & placing;
            let placed = (0..self.count).filter(|p| placing & (1 << p) != 0);
            let mut conditions: Vec<LetterLiteral> =
                placed.flat_map(|p| self.conditions[p].iter().copied()).collect();
            conditions.extend(self.absent_between(state.all, all).map(|letter| (letter, false)));
            conditions.sort_unstable();
            conditions.dedup();
            let possible = conditions.windows(2).all(|pair| pair[0].0 != pair[1].0);
            possible.then_some((PlacedVariables { all, due }, conditions))
        })
    }

    /// Returns the number of variables that can be placed at the next moment; every set of them may give a transition.
    pub fn candidates(&self, state: PlacedVariables) -> usize {
        (0..self.count).filter(|&p| self.may_be_placed(state, p)).count()
    }

    fn may_be_placed(&self, state: PlacedVariables, p: usize) -> bool {
        let bit: VariableSet = 1 << p;
        state.all & bit == 0
            && self.before[p] & !state.all == 0
            && self.before[p] & bit == 0
            && self.next.iter().filter(|n| n.1 == p).all(|n| state.due & (1 << n.0) != 0)
    }

    /// Returns the letters that are absent at a moment, given the variables placed before it and after it.
    fn absent_between(&self, before: VariableSet, after: VariableSet) -> impl Iterator<Item = usize> {
        let inside =
            move |a: &&AbsentLetter| a.after & !before == 0 && (a.until == 0 || a.until & after == 0);
        self.absent.iter().filter(inside).map(|a| a.letter)
    }

    /// Returns the sets of variables, including the empty one, that can be placed at one moment.
    fn placings(&self, state: PlacedVariables) -> Vec<VariableSet> {
        let mut sets = vec![0];
        for p in 0..self.count {
            let bit: VariableSet = 1 << p;
            let forced = self.next.iter().any(|n| n.1 == p && state.due & (1 << n.0) != 0);
            let free = self.may_be_placed(state, p);
            if free {
                let with = sets.clone().into_iter().map(|set| set | bit);
                sets = if forced { with.collect() } else { [sets.clone(), with.collect()].concat() };
            } else if forced {
                return Vec::new();
            }
        }
        sets
    }
}
