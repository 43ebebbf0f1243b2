//! States told apart level by level.

use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::LabelId;
use kit::budget::{Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The signature of a state: labels with classes of the level before, in ascending order.
pub type LevelSignature = Rc<[(LabelId, u32)]>;

/// The silent steps of a system without cycles of them.
#[derive(Clone, Copy)]
pub struct SilentSteps<'a> {
    pub label: LabelId,
    /// All states, each after those to which silent steps lead.
    pub order: &'a [StateId],
}

/// A partition of the states. States are together if they were so a level before, and can do the same into the classes there; if there
/// is a silent label, after silent steps inside their class, which themselves do not count.
pub struct PartitionLevel {
    /// For each class that of the level before.
    pub parent: Vec<u32>,
    /// For each class what its states can do.
    pub signatures: Vec<LevelSignature>,
}

/// The levels after the first one, in which all states are together, up to one in which two states are apart.
pub struct Levels {
    pub levels: Vec<PartitionLevel>,
    /// The classes of the two states in the last one.
    pub classes: [u32; 2],
}

impl Levels {
    /// The levels up to the one that tells `states` apart; `None` if that takes more than `most`.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn until_apart(
        lts: &Lts,
        silent: Option<SilentSteps<'_>>,
        states: [StateId; 2],
        most: usize,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Self>, Exhausted> {
        let mut class = vec![0; lts.states()];
        let mut levels = Vec::new();
        while levels.len() < most {
            let (level, next) = PartitionLevel::after(lts, silent, &class, clock)?;
            levels.push(level);
            class = next;
            let classes = states.map(|state| class[state.index()]);
            if classes[0] != classes[1] {
                return Ok(Some(Self { levels, classes }));
            }
        }
        Ok(None)
    }
}

impl PartitionLevel {
    /// The level after one that is given by the class of each state, and the class of each state in it.
    fn after(
        lts: &Lts,
        silent: Option<SilentSteps<'_>>,
        class: &[u32],
        clock: &mut Clock<'_>,
    ) -> Result<(Self, Vec<u32>), Exhausted> {
        let signatures = match silent {
            None => strong(lts, class, clock)?,
            Some(silent) => branching(lts, silent, class, clock)?,
        };
        let mut numbers: FxHashMap<(u32, LevelSignature), u32> = FxHashMap::default();
        let mut level = Self { parent: Vec::new(), signatures: Vec::new() };
        let mut next = Vec::with_capacity(class.len());
        for (state, signature) in lts.state_ids().zip(signatures) {
            clock.tick()?;
            let parent = class[state.index()];
            clock.room_in(&numbers)?;
            let number = *numbers.entry((parent, Rc::clone(&signature))).or_insert_with(|| {
                level.parent.push(parent);
                level.signatures.push(signature);
                to_u32(level.parent.len()) - 1
            });
            next.push(number);
        }
        Ok((level, next))
    }
}

fn strong(lts: &Lts, class: &[u32], clock: &mut Clock<'_>) -> Result<Vec<LevelSignature>, Exhausted> {
    let mut signatures = Vec::with_capacity(lts.states());
    for state in lts.state_ids() {
        clock.ticks(1 + lts.out(state).len())?;
        signatures.push(ordered(lts.out(state).map(|(label, to)| (label, class[to.index()])).collect()));
    }
    Ok(signatures)
}

/// The signature of each state after silent steps inside its class.
fn branching(
    lts: &Lts,
    silent: SilentSteps<'_>,
    class: &[u32],
    clock: &mut Clock<'_>,
) -> Result<Vec<LevelSignature>, Exhausted> {
    let mut signatures: Vec<LevelSignature> = vec![Rc::from([]); lts.states()];
    for &state in silent.order {
        let mut all = Vec::new();
        for (label, to) in lts.out(state) {
            clock.tick()?;
            if label == silent.label && class[to.index()] == class[state.index()] {
                clock.ticks(signatures[to.index()].len())?;
                all.extend_from_slice(&signatures[to.index()]);
            } else {
                all.push((label, class[to.index()]));
            }
        }
        signatures[state.index()] = ordered(all);
    }
    Ok(signatures)
}

fn ordered(mut steps: Vec<(LabelId, u32)>) -> LevelSignature {
    steps.sort_unstable();
    steps.dedup();
    steps.into()
}
