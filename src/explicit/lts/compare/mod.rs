//! Equivalence of two systems, and evidence of a difference.
//!
//! For bisimulations, both become one system, of which the quotient says whether the initial states are equivalent. If not, the
//! quotient is refined once more, level by level, until they are apart; each level is what formulas of one more modality tell apart,
//! after M. Hennessy and R. Milner, *Algebraic laws for nondeterminism and concurrency* (1985), so that a formula can be read off the
//! levels: R. Cleaveland, *On automatically explaining bisimulation inequivalence* (1990). Formulas that tell states apart modulo
//! branching bisimulation say what holds until a step: H. Korver, *Computing distinguishing formulas for branching bisimulation* (1991).
//! Those of weak bisimulation are about weak steps, of which the quotient has few enough to list.
//! Traces are compared on the fly by the sets of states that they lead to.

mod distinguish;
mod formula;
mod levels;
mod traces;

pub use distinguish::{DEEPEST, LONGEST};
pub use formula::DistinguishingFormula;
pub use traces::DistinguishingTrace;

use super::bisimulation::quotient;
use super::branching::branching_quotient;
use super::graph::{Lts, LtsBuilder, StateId};
use super::labels::LabelId;
use super::weak::{saturated, weak_quotient};
use distinguish::distinguish;
use formula::ModalSteps;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use traces::different_trace;

/// The equivalence under which systems are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equivalence {
    /// Strong bisimilarity; all invisible labels are one.
    Strong,
    /// Branching bisimilarity, blind to divergence.
    Branching,
    /// Weak bisimilarity, blind to divergence.
    Weak,
    /// Trace equivalence: sequences of visible labels, with invisible steps between.
    Trace,
}

/// The answer.
#[derive(Debug, Clone)]
pub enum ComparisonResult {
    /// The initial states are equivalent.
    Equivalent,
    /// They are not.
    Different(Inequivalence),
}

/// Evidence that two systems are not equivalent.
#[derive(Debug, Clone)]
pub enum Inequivalence {
    /// A formula that holds in the first system and not in the second.
    Formula(DistinguishingFormula),
    /// A trace that only one of them has; there is no shorter one.
    Trace(DistinguishingTrace),
    /// None of at most [`DEEPEST`] nested modalities does.
    Deep,
    /// A formula of so many nested modalities, which has more than [`LONGEST`] in all.
    Long(usize),
    /// A label cannot be written in a formula such that no other label is meant.
    Unwritable,
    /// The budget ended before there was a formula.
    Open(Exhausted),
}

/// Compares two systems by their initial states.
///
/// # Errors
/// If the budget is exhausted before it is known whether they are equivalent.
pub fn compare(
    systems: [&Lts; 2],
    equivalence: Equivalence,
    budget: &Budget,
) -> Result<ComparisonResult, Exhausted> {
    let union = Union::new(systems, budget)?;
    // Branching bisimilar states have the same traces.
    let quotient = match equivalence {
        Equivalence::Strong => quotient(&union.lts, budget)?,
        Equivalence::Branching | Equivalence::Trace => branching_quotient(&union.lts, budget)?,
        Equivalence::Weak => weak_quotient(&union.lts, budget)?,
    };
    let starts = union.starts.map(|start| match quotient.state_of[start.index()] {
        Some(class) => class,
        None => unreachable!("a step from the initial state leads there"),
    });
    if starts[0] == starts[1] {
        return Ok(ComparisonResult::Equivalent);
    }
    if equivalence == Equivalence::Trace {
        let trace = different_trace(&quotient.lts, starts, budget)?;
        return Ok(trace.map_or(ComparisonResult::Equivalent, |trace| {
            ComparisonResult::Different(Inequivalence::Trace(trace))
        }));
    }
    let reason = formula(&quotient.lts, equivalence, starts, budget).unwrap_or_else(Inequivalence::Open);
    Ok(ComparisonResult::Different(reason))
}

/// A formula that tells two states of a quotient apart.
fn formula(
    quotient: &Lts,
    equivalence: Equivalence,
    states: [StateId; 2],
    budget: &Budget,
) -> Result<Inequivalence, Exhausted> {
    match (equivalence, quotient.labels().find(b"i")) {
        (Equivalence::Branching, Some(silent)) => {
            distinguish(quotient, ModalSteps::AfterSilent(silent), states, budget)
        }
        (Equivalence::Weak, Some(silent)) => {
            distinguish(&saturated(quotient, silent, budget)?, ModalSteps::Weak, states, budget)
        }
        _ => distinguish(quotient, ModalSteps::Single, states, budget),
    }
}

/// The states of two systems, and an initial state before the initial states of both, so that all that matters can be reached.
struct Union {
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
    fn new(systems: [&Lts; 2], budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions put together");
        clock.room(12 * (systems[0].transitions() + systems[1].transitions()))?;
        let mut builder = LtsBuilder::new();
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
        let lts = builder.finish_within(StateId::FIRST, to_u32(before), budget)?;
        Ok(Self { lts, starts })
    }
}
