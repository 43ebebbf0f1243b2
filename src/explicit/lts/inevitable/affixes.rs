//! The prefixes and suffixes of the sequence at each state (Definitions 7 and 8 of SEFM 2018).

use crate::lts::bits::Bits;
use crate::lts::facts::spread;
use crate::lts::graph::{Lts, StateId, TransitionRows};
use crate::lts::labels::LabelId;
use crate::lts::sequence::LabelSequence;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::{to_u16, to_u32};

/// Four lengths for each state. The prefixes of unreachable states are undefined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affixes {
    /// The longest prefix of the sequence that some trace to the state matches.
    pub max_prefix: Vec<u16>,
    /// The longest prefix that every trace to the state matches.
    pub common_prefix: Vec<u16>,
    /// The longest suffix of the sequence that some maximal trace from the state matches.
    pub max_suffix: Vec<u16>,
    /// The longest suffix that every maximal trace from the state matches.
    pub common_suffix: Vec<u16>,
}

impl Affixes {
    /// Computes all four, with passes linear in the system for each length.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        lts: &Lts,
        backward: &TransitionRows,
        steps: &LabelSequence,
        reached: &Bits,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let clock = &mut Clock::new(budget, "");
        clock.room(8 * lts.states())?;
        Ok(Self {
            max_prefix: max_prefix(lts, steps, reached, clock)?,
            common_prefix: common_prefix(lts, steps, clock)?,
            max_suffix: max_suffix(lts, backward, steps, clock)?,
            common_suffix: common_suffix(lts, backward, steps, clock)?,
        })
    }
}

fn max_prefix(
    lts: &Lts,
    steps: &LabelSequence,
    reached: &Bits,
    clock: &mut Clock<'_>,
) -> Result<Vec<u16>, Exhausted> {
    clock.next("states found after some of the actions");
    let mut longest = vec![0u16; lts.states()];
    // The states that a trace with this prefix reaches.
    let mut matched = reached.clone();
    for length in 0..steps.len() {
        clock.look()?;
        let from = matched.iter().flat_map(|state| lts.out(StateId::new(state)));
        let starts = from.filter(|&(label, _)| steps.is(label, length)).map(|(_, to)| to).collect();
        let mut next = Bits::new(lts.states());
        spread(lts.forward(), &mut next, starts, clock)?;
        next.iter().for_each(|state| longest[state] = to_u16(length) + 1);
        matched = next;
    }
    Ok(longest)
}

fn max_suffix(
    lts: &Lts,
    backward: &TransitionRows,
    steps: &LabelSequence,
    clock: &mut Clock<'_>,
) -> Result<Vec<u16>, Exhausted> {
    clock.next("states found before some of the actions");
    let mut longest = vec![0u16; lts.states()];
    for length in 0..steps.len() {
        clock.look()?;
        let action = steps.len() - 1 - length;
        let enough = |to: StateId| longest[to.index()] as usize == length;
        let starts = lts.all_transitions().filter(|step| steps.is(step.label, action) && enough(step.to));
        let starts = starts.map(|step| step.from).collect();
        let mut next = Bits::new(lts.states());
        spread(backward, &mut next, starts, clock)?;
        next.iter().for_each(|state| longest[state] = to_u16(length) + 1);
    }
    Ok(longest)
}

/// The shortest prefix before each state: the states are visited in the order of their prefixes.
fn common_prefix(lts: &Lts, steps: &LabelSequence, clock: &mut Clock<'_>) -> Result<Vec<u16>, Exhausted> {
    clock.next("states ordered by their prefixes");
    let mut least = vec![u16::MAX; lts.states()];
    let mut open: Vec<Vec<StateId>> = vec![Vec::new(); steps.len() + 1];
    open[0].push(lts.initial());
    for matched in 0..=steps.len() {
        clock.look()?;
        while let Some(state) = open[matched].pop() {
            clock.tick()?;
            if least[state.index()] != u16::MAX {
                continue;
            }
            least[state.index()] = to_u16(matched);
            for (label, to) in lts.out(state).filter(|&(_, to)| least[to.index()] == u16::MAX) {
                open[steps.forward(label, matched)].push(to);
            }
        }
    }
    Ok(least)
}

/// Least fixpoints, length by length: a state gets a suffix if each of its transitions leads to a state with the same
/// suffix, or is its first action and leads to a state with the rest. A suffix that is certain only if a cycle is left
/// is not found, as required.
fn common_suffix(
    lts: &Lts,
    backward: &TransitionRows,
    steps: &LabelSequence,
    clock: &mut Clock<'_>,
) -> Result<Vec<u16>, Exhausted> {
    clock.next("states found with an unavoidable suffix");
    let mut sure = vec![0u16; lts.states()];
    for length in 0..steps.len() {
        clock.look()?;
        let action = steps.len() - 1 - length;
        let done = |sure: &[u16], label: LabelId, to: StateId| {
            steps.is(label, action) && sure[to.index()] as usize >= length
        };
        // Of each state's transitions those after which one more is not sure yet.
        let mut open: Vec<u32> = Vec::with_capacity(lts.states());
        let mut found: Vec<StateId> = Vec::new();
        for state in lts.state_ids() {
            clock.ticks(1 + lts.out(state).len())?;
            let left = to_u32(lts.out(state).filter(|&(label, to)| !done(&sure, label, to)).count());
            open.push(left);
            if left == 0 && lts.out(state).len() > 0 {
                found.push(state);
            }
        }
        while let Some(state) = found.pop() {
            clock.tick()?;
            // Also after this, `done` says of this state what it said above: it has `length` or more.
            sure[state.index()] = to_u16(length) + 1;
            for (_, from) in backward.of(state).filter(|&(label, _)| !done(&sure, label, state)) {
                open[from.index()] -= 1;
                if open[from.index()] == 0 {
                    found.push(from);
                }
            }
        }
    }
    Ok(sure)
}
