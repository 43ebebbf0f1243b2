//! The states and edges of the automaton of a local constraint, before anything is joined.

use super::{Condition, Edge, Letter, NoAutomaton};
use crate::classify::constraint::Constraint;
use crate::classify::fact::{Atom, FactKind, Stretch};
use crate::model::Model;
use crate::model::expr::LocalId;
use rustc_hash::FxHashMap;

/// The most states and the most edges before states are joined.
const MOST_RAW_STATES: usize = 20_000;
const MOST_RAW_EDGES: usize = 400_000;

/// Sets of position variables, a bit each.
type Positions = u32;

/// A union of automata whose states were not joined yet.
#[derive(Default)]
pub struct Raw {
    pub letters: Vec<Letter>,
    pub edges: Vec<Edge>,
    pub start: Vec<usize>,
    pub accepting: Vec<bool>,
}

/// Which position variables have places, and which of them got theirs at the last moment and are
/// followed by another one at the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placed {
    all: Positions,
    due: Positions,
}

/// What a local constraint says of each position variable.
struct Local {
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

impl Raw {
    /// Adds the automaton of a constraint whose facts read one position each.
    pub fn add(&mut self, model: &Model, constraint: &Constraint) -> Result<(), NoAutomaton> {
        if constraint.positions > Positions::BITS as usize {
            return Err(NoAutomaton::Size);
        }
        let local = self.read(model, constraint);
        let mut numbers: FxHashMap<Placed, usize> = FxHashMap::default();
        let start = Placed { all: 0, due: 0 };
        let mut states = vec![start];
        let first = self.accepting.len();
        numbers.insert(start, first);
        self.start.push(first);
        self.accepting.push(local.count == 0);
        let mut done = 0;
        while let Some(&state) = states.get(done) {
            for placing in local.placings(state) {
                let all = state.all | placing;
                let due = local.next.iter().map(|n| 1 << n.0).fold(0, |a, b| a | b) & placing;
                let placed = (0..local.count).filter(|p| placing & (1 << p) != 0);
                let mut conditions: Vec<Condition> =
                    placed.flat_map(|p| local.conditions[p].iter().copied()).collect();
                conditions.extend(local.absent_between(state.all, all).map(|letter| (letter, false)));
                conditions.sort_unstable();
                conditions.dedup();
                if conditions.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                    continue;
                }
                let to = *numbers.entry(Placed { all, due }).or_insert_with(|| {
                    states.push(Placed { all, due });
                    self.accepting.push(all.count_ones() as usize == local.count);
                    self.accepting.len() - 1
                });
                self.edges.push(Edge { from: first + done, to, conditions });
            }
            if self.accepting.len() > MOST_RAW_STATES || self.edges.len() > MOST_RAW_EDGES {
                return Err(NoAutomaton::Size);
            }
            done += 1;
        }
        Ok(())
    }

    /// Takes the constraint apart; its letters become letters of the automaton.
    fn read(&mut self, model: &Model, constraint: &Constraint) -> Local {
        let count = constraint.positions;
        let mut local = Local {
            count,
            conditions: vec![Vec::new(); count],
            before: vec![0; count],
            next: Vec::new(),
            absent: Vec::new(),
        };
        for fact in &constraint.facts {
            match (&fact.kind, fact.positions.as_slice()) {
                (FactKind::Before, &[a, b]) => local.before[b] |= 1 << a,
                (FactKind::Next, &[a, b]) => local.next.push((a, b)),
                (FactKind::Atom(atom), &[position]) => {
                    let letter = self.letter(model, atom);
                    local.conditions[position].push((letter, true));
                }
                (FactKind::Absent(atom, stretch), positions) => {
                    let letter = self.letter(model, atom);
                    let (after, until) = match (stretch, positions) {
                        (Stretch::Between, &[a, b]) => (1 << a, 1 << b),
                        (Stretch::Before, &[b]) => (0, 1 << b),
                        (Stretch::After, &[a]) => (1 << a, 0),
                        other => unreachable!("a stretch with its positions: {other:?}"),
                    };
                    local.absent.push(Absent { letter, after, until });
                }
                other => unreachable!("a fact of a local constraint: {other:?}"),
            }
        }
        local
    }

    /// The letter of an atom that reads one position.
    fn letter(&mut self, model: &Model, atom: &Atom) -> usize {
        let at = LocalId(model.locals);
        let mut expr = atom.expr.clone();
        expr.rename_local(atom.params[0], at);
        let letter = Letter { expr, at };
        self.letters.iter().position(|l| *l == letter).unwrap_or_else(|| {
            self.letters.push(letter);
            self.letters.len() - 1
        })
    }
}

impl Local {
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
            let due = self.next.iter().filter(|n| n.1 == p).map(|n| state.due & (1 << n.0) != 0);
            let free = state.all & bit == 0
                && self.before[p] & !state.all == 0
                && self.before[p] & bit == 0
                && due.clone().all(|due| due);
            let forced = due.into_iter().any(|due| due);
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
