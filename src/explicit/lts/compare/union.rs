//! Two systems as one.

use crate::lts::graph::{Builder, Lts, StateId};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};

/// The states of two systems, and an initial state before the initial states of both, so that all that matters can be reached.
pub struct Union {
    /// The system; its invisible labels are one.
    pub lts: Lts,
    /// The initial states of the two systems.
    pub starts: [StateId; 2],
}

impl Union {
    /// The union of two systems.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(systems: [&Lts; 2], budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions put together");
        clock.room(12 * (systems[0].transitions() + systems[1].transitions()))?;
        let mut builder = Builder::new();
        let mut before = 1;
        let mut starts = [StateId::FIRST; 2];
        for (lts, start) in systems.into_iter().zip(&mut starts) {
            let own = |state: StateId| StateId::new(state.index() + before);
            let names = lts.labels();
            let labels: Vec<LabelId> = names
                .ids()
                .map(|label| match names.is_invisible(label) {
                    true => builder.labels.intern(b"i"),
                    false => builder.labels.intern(names.get(label)),
                })
                .collect();
            for step in lts.all_transitions() {
                clock.tick()?;
                builder.add(own(step.from), labels[step.label.index()], own(step.to));
            }
            *start = own(lts.initial());
            before += lts.states();
        }
        // Which visible label leads to both does not matter.
        let start = builder.labels.intern(b"start");
        starts.iter().for_each(|&to| builder.add(StateId::FIRST, start, to));
        let lts = builder.finish_within(StateId::FIRST, before as u32, budget)?;
        Ok(Self { lts, starts })
    }
}
