//! What a local constraint asks of a trace that is read moment by moment: which position variables have found
//! their places, and which may find them next.

use super::Condition;
use crate::automata::letter::{Letter, LocalConstraint, LocalFact};
use crate::facts::fact::{Order, Stretch};
use crate::facts::index::PositionVar;
use itertools::Itertools;

/// Sets of position variables, a bit each.
type Positions = u32;

/// The most position variables.
pub const MOST_POSITIONS: usize = Positions::BITS as usize;

/// Which position variables have places, and which of them got theirs at the last moment and are
/// followed by another one at the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Placed {
    all: Positions,
    due: Positions,
}

/// What a local constraint says of each position variable.
pub struct Local {
    count: usize,
    /// What must hold where the variable is placed.
    conditions: Vec<Vec<Condition>>,
    /// The variables that must have places before.
    before: Vec<Positions>,
    /// Pairs of variables with neighbouring places.
    next: Vec<(usize, usize)>,
    absent: Vec<Absent>,
}

/// Something that is absent from when some variables have places until others get theirs.
struct Absent {
    letter: usize,
    after: Positions,
    until: Positions,
}

impl Placed {
    /// The variables that have places here and have none in `before`, ascending.
    pub fn since(self, before: Self) -> impl Iterator<Item = usize> {
        let new = self.all & !before.all;
        (0..MOST_POSITIONS).filter(move |p| new & (1 << p) != 0)
    }
}

impl Local {
    /// Takes a constraint apart that has at most [`MOST_POSITIONS`] position variables. Letters that are new are added.
    pub fn of(constraint: &LocalConstraint, letters: &mut Vec<Letter>) -> Self {
        let count = constraint.positions;
        let mut local = Local {
            count,
            conditions: vec![Vec::new(); count],
            before: vec![0; count],
            next: Vec::new(),
            absent: Vec::new(),
        };
        let bit = |variable: PositionVar| 1 << variable.index();
        for fact in &constraint.facts {
            match fact {
                LocalFact::Order { order: Order::Before, first, second } => {
                    local.before[second.index()] |= bit(*first);
                }
                LocalFact::Order { order: Order::Next, first, second } => {
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
                    local.absent.push(Absent { letter: letter.number_in(letters), after, until });
                }
            }
        }
        local
    }

    /// The letters that it asks about, ascending.
    pub fn letters(&self) -> Vec<usize> {
        let placed = self.conditions.iter().flatten().map(|condition| condition.0);
        placed.chain(self.absent.iter().map(|absent| absent.letter)).sorted_unstable().dedup().collect()
    }

    /// True if every variable has a place.
    pub fn is_complete(&self, placed: Placed) -> bool {
        placed.all.count_ones() as usize == self.count
    }

    /// What a moment can do: the variables that have places afterwards, and what must hold at the moment, ascending
    /// and without duplicates.
    pub fn steps(&self, state: Placed) -> impl Iterator<Item = (Placed, Vec<Condition>)> + '_ {
        self.placings(state).into_iter().filter_map(move |placing| {
            let all = state.all | placing;
            let due = self.next.iter().map(|n| 1 << n.0).fold(0, |a, b| a | b) & placing;
            let placed = (0..self.count).filter(|p| placing & (1 << p) != 0);
            let mut conditions: Vec<Condition> =
                placed.flat_map(|p| self.conditions[p].iter().copied()).collect();
            conditions.extend(self.absent_between(state.all, all).map(|letter| (letter, false)));
            conditions.sort_unstable();
            conditions.dedup();
            let possible = conditions.windows(2).all(|pair| pair[0].0 != pair[1].0);
            possible.then_some((Placed { all, due }, conditions))
        })
    }

    /// How many variables can find their places at the next moment: there may be a step for each set of them.
    pub fn candidates(&self, state: Placed) -> usize {
        (0..self.count).filter(|&p| self.may_be_placed(state, p)).count()
    }

    fn may_be_placed(&self, state: Placed, p: usize) -> bool {
        let bit: Positions = 1 << p;
        state.all & bit == 0
            && self.before[p] & !state.all == 0
            && self.before[p] & bit == 0
            && self.next.iter().filter(|n| n.1 == p).all(|n| state.due & (1 << n.0) != 0)
    }

    /// The letters that are absent at a moment, given the variables with places before and after it.
    fn absent_between(&self, before: Positions, after: Positions) -> impl Iterator<Item = usize> {
        let inside = move |a: &&Absent| a.after & !before == 0 && (a.until == 0 || a.until & after == 0);
        self.absent.iter().filter(inside).map(|a| a.letter)
    }

    /// The sets of variables, the empty one among them, that can be placed at one moment.
    fn placings(&self, state: Placed) -> Vec<Positions> {
        let mut sets = vec![0];
        for p in 0..self.count {
            let bit: Positions = 1 << p;
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
