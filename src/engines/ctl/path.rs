//! The shortest path without repeated states, finite or a lasso, that shows a goal.
//!
//! Lengths are tried in ascending order, finite paths before lassos of the same length. On a single path every operator
//! is a recurrence over its positions, so no closure is needed. Two states are required to differ only once the solver
//! makes them equal.

use super::formula::{CtlFormula, CtlOp};
use super::space::{EncodedSystem, StateSlot};
use super::witness::Witness;
use kit::budget::Exhausted;
use solvers::sat::{Answer, Circuit, Lit};
use std::ops::RangeInclusive;

/// The result of the search for a path.
#[derive(Debug, Clone, PartialEq)]
pub enum PathSearch<S> {
    /// A shortest path.
    Found(Witness<S>),
    /// No path of any length shows the goal.
    Impossible,
    /// No path with up to this many states shows the goal; longer ones were not examined.
    NoneUpTo(usize),
    /// The budget ended; no path with fewer states than this shows the goal.
    Exhausted(Exhausted, usize),
}

/// Looks for a shortest path whose number of states is in a range; shorter ones are known not to show the goal.
pub fn shortest_path<P: EncodedSystem>(
    space: &mut P,
    goal: &CtlFormula,
    lengths: RangeInclusive<usize>,
) -> PathSearch<P::State> {
    let longest = *lengths.end();
    let mut slots = vec![space.first()];
    for length in 1..=longest {
        if length > 1 {
            slots.push(space.next(slots[length - 2]));
        }
        if length < *lengths.start() {
            continue;
        }
        if let Some(why) = space.circuit().exhausted() {
            return PathSearch::Exhausted(why, length);
        }
        let round = space.circuit().fresh();
        let back = space.link(slots[length - 1], &slots, round);
        let shown = PathParts::new(space, goal, &slots, &back, round).shows_goal();
        for (assumptions, is_loop) in [(vec![shown, !round], false), (vec![shown, round], true)] {
            match solve_distinct(space, &slots, &assumptions) {
                Answer::Unsat => {}
                Answer::Unknown(why) => return PathSearch::Exhausted(why, length),
                Answer::Sat => {
                    let to = back.iter().position(|&lit| is_loop && space.circuit().value(lit));
                    let states = slots.iter().map(|&slot| space.state(slot)).collect();
                    return PathSearch::Found(Witness::path(states, to));
                }
            }
        }
        match solve_distinct(space, &slots, &[]) {
            Answer::Sat => {}
            Answer::Unsat => return PathSearch::Impossible,
            Answer::Unknown(why) => return PathSearch::Exhausted(why, length + 1),
        }
    }
    PathSearch::NoneUpTo(longest)
}

/// Solves until all slots have different states.
fn solve_distinct<P: EncodedSystem>(space: &mut P, slots: &[StateSlot], assumptions: &[Lit]) -> Answer {
    loop {
        let answer = space.circuit().solve(assumptions);
        if answer != Answer::Sat {
            return answer;
        }
        let states: Vec<P::State> = slots.iter().map(|&slot| space.state(slot)).collect();
        let mut equal = Vec::new();
        for (at, state) in states.iter().enumerate() {
            equal.extend(states[..at].iter().position(|s| s == state).map(|before| (before, at)));
        }
        if equal.is_empty() {
            return Answer::Sat;
        }
        for (a, b) in equal {
            let same = space.same(slots[a], slots[b]);
            space.circuit().add_clause(&[!same]);
        }
    }
}

/// The parts of a goal at all positions of a path.
struct PathParts<'a, P: EncodedSystem> {
    space: &'a mut P,
    goal: &'a CtlFormula,
    slots: &'a [StateSlot],
    /// The literal at each position that the path returns there after the last one.
    back: &'a [Lit],
    /// The literal at each position that it is on the loop.
    on_loop: Vec<Lit>,
    /// The literal that there is a loop.
    round: Lit,
    /// The values of the parts so far.
    values: Vec<Vec<Lit>>,
}

impl<'a, P: EncodedSystem> PathParts<'a, P> {
    fn new(
        space: &'a mut P,
        goal: &'a CtlFormula,
        slots: &'a [StateSlot],
        back: &'a [Lit],
        round: Lit,
    ) -> Self {
        let mut on_loop = Vec::with_capacity(slots.len());
        let mut so_far = space.circuit().no();
        for &back in back {
            so_far = space.circuit().or(so_far, back);
            on_loop.push(so_far);
        }
        Self { space, goal, slots, back, on_loop, round, values: Vec::new() }
    }

    fn shows_goal(mut self) -> Lit {
        for part in self.goal.parts() {
            let values = self.at_all(part);
            self.values.push(values);
        }
        self.values[self.goal.root.index()][0]
    }

    fn circuit(&mut self) -> &mut Circuit {
        self.space.circuit()
    }

    fn at_all(&mut self, part: super::formula::Subformula) -> Vec<Lit> {
        let goal = self.goal;
        match goal.node(part) {
            CtlOp::True => vec![self.circuit().yes(); self.slots.len()],
            CtlOp::Label(_) => self.slots.iter().map(|&slot| self.space.label(part, slot)).collect(),
            CtlOp::Not(_) => unreachable!("negations are in the facts of a goal"),
            CtlOp::And(a, b) => {
                let pairs = self.pairs(a.index(), b.index());
                pairs.into_iter().map(|(a, b)| self.circuit().and(a, b)).collect()
            }
            CtlOp::Or(a, b) => {
                let pairs = self.pairs(a.index(), b.index());
                pairs.into_iter().map(|(a, b)| self.circuit().or(a, b)).collect()
            }
            CtlOp::Next(a) => {
                let a = self.values[a.index()].clone();
                let last = self.after_last(&a);
                a[1..].iter().copied().chain([last]).collect()
            }
            CtlOp::Until(a, b) => {
                let pairs = self.pairs(a.index(), b.index());
                // One pass to the end of the path, and one more round the loop.
                let no = self.circuit().no();
                let once = self.until(&pairs, no);
                let again = self.after_last(&once);
                self.until(&pairs, again)
            }
            CtlOp::Always { of, fair } => {
                let of = self.values[of.index()].clone();
                let mut needed = vec![self.round];
                for (at, &holds) in of.iter().enumerate() {
                    let outside = !self.on_loop[at];
                    needed.push(self.circuit().or(outside, holds));
                }
                for condition in fair {
                    let met: Vec<Lit> = (0..self.slots.len())
                        .map(|at| {
                            let (on_loop, holds) = (self.on_loop[at], self.values[condition.index()][at]);
                            self.circuit().and(on_loop, holds)
                        })
                        .collect();
                    needed.push(self.circuit().any(&met));
                }
                let mut from_here = self.circuit().all(&needed);
                let mut values = vec![from_here; of.len()];
                for at in (0..of.len()).rev() {
                    from_here = self.circuit().and(of[at], from_here);
                    values[at] = from_here;
                }
                values
            }
        }
    }

    fn pairs(&self, a: usize, b: usize) -> Vec<(Lit, Lit)> {
        self.values[a].iter().copied().zip(self.values[b].iter().copied()).collect()
    }

    /// Returns the value at the position to which the path returns.
    fn after_last(&mut self, values: &[Lit]) -> Lit {
        let back = self.back;
        let cases: Vec<Lit> =
            back.iter().zip(values).map(|(&back, &v)| self.circuit().and(back, v)).collect();
        self.circuit().any(&cases)
    }

    /// Returns the values of an until at all positions, given the value after the last one.
    fn until(&mut self, pairs: &[(Lit, Lit)], after: Lit) -> Vec<Lit> {
        let mut here = after;
        let mut values = vec![after; pairs.len()];
        for (at, &(through, goal)) in pairs.iter().enumerate().rev() {
            let later = self.circuit().and(through, here);
            here = self.circuit().or(goal, later);
            values[at] = here;
        }
        values
    }
}
