//! From a formula to a deterministic automaton: Thompson's construction, followed by the subset construction.

use super::formula::{Closure, ForbiddenTraces, Regular};
use kit::index;
use kit::number::to_u32;
use rustc_hash::FxHashMap;

index! {
    /// A state of the automaton of a property: how far a trace has come with it.
    Phase
}

/// The transitions of a total deterministic automaton.
pub struct TransitionTable {
    /// The next state, at `state * classes + class`.
    pub next: Vec<Phase>,
    /// True if a trace that leads to a state is bad.
    pub bad: Vec<bool>,
}

/// The limit on the total size of the sets of states, counted once for each class: about a second of work and 100 MB.
const MOST_WORK: usize = 100_000_000;

/// A nondeterministic automaton; its steps refer to actions by number.
#[derive(Default)]
struct NondeterministicAutomaton {
    /// For each state its successors by silent transitions.
    silent: Vec<Vec<u32>>,
    /// For each state its visible transition: an action, and the target.
    step: Vec<Option<(u32, u32)>>,
    limit: usize,
}

impl NondeterministicAutomaton {
    fn state(&mut self) -> Result<u32, ()> {
        if self.silent.len() >= self.limit {
            return Err(());
        }
        self.silent.push(Vec::new());
        self.step.push(None);
        Ok(to_u32(self.silent.len()) - 1)
    }

    fn go(&mut self, from: u32, to: u32) {
        self.silent[from as usize].push(to);
    }

    /// Adds a formula that starts in `from`, and returns the state in which it ends. `action` is the number of its first
    /// action, and is advanced past its last one.
    fn add(&mut self, regular: &Regular, from: u32, action: &mut u32) -> Result<u32, ()> {
        match regular {
            Regular::Action(_) => {
                let (start, end) = (self.state()?, self.state()?);
                self.go(from, start);
                self.step[start as usize] = Some((*action, end));
                *action += 1;
                Ok(end)
            }
            Regular::Empty(_) => Ok(from),
            Regular::Sequence(parts) => parts.iter().try_fold(from, |at, part| self.add(part, at, action)),
            Regular::Choice(parts) => {
                let end = self.state()?;
                for part in parts {
                    let last = self.add(part, from, action)?;
                    self.go(last, end);
                }
                Ok(end)
            }
            Regular::Star(part) | Regular::Plus(part) | Regular::Optional(part) => {
                let (start, end) = (self.state()?, self.state()?);
                self.go(from, start);
                let last = self.add(part, start, action)?;
                self.go(last, end);
                if !matches!(regular, Regular::Optional(_)) {
                    self.go(last, start);
                }
                if !matches!(regular, Regular::Plus(_)) {
                    self.go(start, end);
                }
                Ok(end)
            }
            Regular::Times(part, times) => {
                let first = *action;
                let mut at = from;
                for _ in 0..*times {
                    *action = first;
                    at = self.add(part, at, action)?;
                }
                if *times == 0 {
                    // Its actions keep their numbers, although nothing needs them.
                    let aside = self.state()?;
                    self.add(part, aside, action)?;
                }
                Ok(at)
            }
        }
    }

    /// Closes a set of states under silent transitions, and sorts it.
    fn close(&self, states: &mut Vec<u32>, seen: &mut [bool]) {
        states.retain(|&s| !std::mem::replace(&mut seen[s as usize], true));
        let mut at = 0;
        while at < states.len() {
            for &to in &self.silent[states[at] as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    states.push(to);
                }
            }
            at += 1;
        }
        states.iter().for_each(|&s| seen[s as usize] = false);
        states.sort_unstable();
    }
}

/// The automaton of all formulas together. `meant` tells for each class and action whether the action matches the
/// labels of the class.
///
/// # Errors
/// `limit` if more states are needed, or if the sets of states become too large.
pub fn determinise(
    property: &ForbiddenTraces,
    meant: &[Vec<bool>],
    closure: Closure,
    limit: usize,
) -> Result<TransitionTable, usize> {
    let mut parts = NondeterministicAutomaton { limit: limit * 4, ..NondeterministicAutomaton::default() };
    let mut ends = Vec::new();
    let mut build = || -> Result<u32, ()> {
        let start = parts.state()?;
        let mut action = 0;
        for regular in &property.forbidden {
            ends.push(parts.add(regular, start, &mut action)?);
        }
        Ok(start)
    };
    let start = build().map_err(|()| limit)?;

    let mut seen = vec![false; parts.silent.len()];
    let mut numbers: FxHashMap<Vec<u32>, Phase> = FxHashMap::default();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let (mut next, mut bad) = (Vec::new(), Vec::new());
    let mut number_of = |mut set: Vec<u32>, sets: &mut Vec<Vec<u32>>, bad: &mut Vec<bool>| {
        parts.close(&mut set, &mut seen);
        let is_bad = ends.iter().any(|end| set.binary_search(end).is_ok());
        if is_bad && closure == Closure::Prefix {
            // All bad traces are alike: what follows them is bad, too.
            set.clone_from(&ends);
            set.sort_unstable();
        }
        let number = *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            bad.push(is_bad);
            Phase::new(sets.len() - 1)
        });
        if sets.len() > limit { Err(limit) } else { Ok(number) }
    };
    number_of(vec![start], &mut sets, &mut bad)?;
    let (mut at, mut work) = (0, 0);
    while at < sets.len() {
        work += (sets[at].len() + 1) * (meant.len() + 4);
        if work > MOST_WORK {
            return Err(limit);
        }
        let absorbing = bad[at] && closure == Closure::Prefix;
        let steps: Vec<(u32, u32)> = sets[at].iter().filter_map(|&s| parts.step[s as usize]).collect();
        for meant in meant {
            if absorbing {
                next.push(Phase::new(at));
                continue;
            }
            let after = steps.iter().filter(|(action, _)| meant[*action as usize]);
            let after = after.map(|&(_, to)| to).collect();
            next.push(number_of(after, &mut sets, &mut bad)?);
        }
        at += 1;
    }
    Ok(TransitionTable { next, bad })
}
