//! The fate of each state: the outcomes that are still possible from it.

use crate::lts::bits::Bits;
use crate::lts::facts::spread;
use crate::lts::graph::{Lts, StateId, TransitionRows};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;

/// The outcomes that are still possible from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateFate {
    /// The violation is unavoidable, or it is there.
    Lost,
    /// No run from the state violates the property.
    Safe,
    /// Neither.
    Open,
}

impl StateFate {
    /// The word for it, as in vocabularies.
    pub fn word(self) -> &'static str {
        match self {
            StateFate::Lost => "lost",
            StateFate::Safe => "safe",
            StateFate::Open => "open",
        }
    }
}

/// How many states of each kind there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FateCounts {
    /// Lost states.
    pub lost: usize,
    /// Safe states.
    pub safe: usize,
    /// Open states.
    pub open: usize,
}

/// The fates of all states of a system, reachable or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fates {
    /// The states that violate the property.
    violating: Bits,
    /// Those from which a violating one can be reached, violating ones included.
    violable: Bits,
    lost: Bits,
    /// The labels of the environment, if there is one.
    environment: Option<Bits>,
}

impl Fates {
    /// The fates for a property that the states in `violating` violate.
    ///
    /// Without an environment, a state is lost if every maximal run from it violates the property. A run is maximal if it
    /// is infinite or ends in a state without transitions; so a state from which one can stay forever in states that do
    /// not violate it, or come to such a state without transitions, is not lost.
    ///
    /// With an environment (the labels of its steps), a state is lost if its steps alone lead from there to a violating
    /// state. The other steps are those of players who may refrain from any of them.
    ///
    /// Steps after a violation are is irrelevant for the state in which it happens, which is lost.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        lts: &Lts,
        violating: Bits,
        environment: Option<&Bits>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let backward = lts.backward_within(budget)?;
        let mut clock = Clock::new(budget, "states found from which a violation is possible");
        let mut violable = Bits::new(lts.states());
        let bad: Vec<StateId> = violating.iter().map(StateId::new).collect();
        spread(&backward, &mut violable, bad.clone(), &mut clock)?;
        clock.next("states found that are lost");
        let lost = match environment {
            None => every_run(lts, &backward, bad, &mut clock)?,
            Some(labels) => {
                let its = |label: LabelId| labels.has(label.index());
                by_labels(lts, &backward, bad, its, &mut clock)?
            }
        };
        Ok(Self { violating, violable, lost, environment: environment.cloned() })
    }

    /// The fate of a state.
    #[inline]
    pub fn of(&self, state: StateId) -> StateFate {
        match (self.violable.has(state.index()), self.lost.has(state.index())) {
            (false, _) => StateFate::Safe,
            (true, true) => StateFate::Lost,
            (true, false) => StateFate::Open,
        }
    }

    /// True if a state violates the property.
    #[inline]
    pub fn is_violating(&self, state: StateId) -> bool {
        self.violating.has(state.index())
    }

    /// True if steps with a label belong to the environment, so that nobody else chooses them.
    #[inline]
    pub fn is_of_environment(&self, label: LabelId) -> bool {
        self.environment.as_ref().is_some_and(|labels| labels.has(label.index()))
    }

    /// True if there is an environment, so that all other steps can be left out.
    pub fn has_environment(&self) -> bool {
        self.environment.is_some()
    }

    /// True if a step between two states is decisive.
    #[inline]
    pub fn is_decisive(&self, from: StateId, to: StateId) -> bool {
        self.of(from) == StateFate::Open && self.of(to) == StateFate::Lost
    }

    /// The numbers of these states.
    pub fn count(&self, states: impl Iterator<Item = StateId>) -> FateCounts {
        let mut counts = FateCounts::default();
        for state in states {
            match self.of(state) {
                StateFate::Lost => counts.lost += 1,
                StateFate::Safe => counts.safe += 1,
                StateFate::Open => counts.open += 1,
            }
        }
        counts
    }
}

/// The states from which every maximal run comes to one of these: the least set that contains them and each state with
/// transitions all of which lead into the set.
fn every_run(
    lts: &Lts,
    backward: &TransitionRows,
    bad: Vec<StateId>,
    clock: &mut Clock<'_>,
) -> Result<Bits, Exhausted> {
    clock.room(4 * lts.states())?;
    let mut lost = Bits::new(lts.states());
    bad.iter().for_each(|state| _ = lost.insert(state.index()));
    // For each state the number of its transitions that do not lead into the set so far.
    let mut left: Vec<u32> = lts.state_ids().map(|state| to_u32(lts.out(state).len())).collect();
    let mut found = bad;
    while let Some(state) = found.pop() {
        clock.ticks(1 + backward.of(state).len())?;
        for (_, before) in backward.of(state) {
            left[before.index()] -= 1;
            if left[before.index()] == 0 && lost.insert(before.index()) {
                found.push(before);
            }
        }
    }
    Ok(lost)
}

/// The states from which transitions with these labels lead to one of `bad`.
fn by_labels(
    lts: &Lts,
    backward: &TransitionRows,
    bad: Vec<StateId>,
    its: impl Fn(LabelId) -> bool,
    clock: &mut Clock<'_>,
) -> Result<Bits, Exhausted> {
    let mut lost = Bits::new(lts.states());
    bad.iter().for_each(|state| _ = lost.insert(state.index()));
    let mut found = bad;
    while let Some(state) = found.pop() {
        clock.ticks(1 + backward.of(state).len())?;
        let before = backward.of(state).filter(|&(label, _)| its(label)).map(|(_, before)| before);
        found.extend(before.filter(|before| lost.insert(before.index())));
    }
    Ok(lost)
}
