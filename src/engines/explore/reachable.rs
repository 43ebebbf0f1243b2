//! Breadth-first exploration.

use super::limits::{DEFAULT_SEARCH_LIMIT as TRIES, Stop};
use super::orbits::Orbits;
use super::reached::Reachable;
use super::space::{ExplorationCourse, StateSpace};
use kit::budget::Budget;
use lang::model::Model;
use lang::model::expr::Expr;

/// Explores at most `limit` states. `limit` also bounds the tries in one state if an action leaves choices, but never
/// below [`super::DEFAULT_SEARCH_LIMIT`].
pub fn reachable(model: &Model, limit: usize, budget: &Budget) -> Reachable {
    StateSpace::of(model, limit, budget).into_reachable(budget)
}

/// The result of visiting the reachable states for an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReachabilityResult {
    /// The invariant holds in all of them; with their number.
    Holds(usize),
    /// The invariant is violated after this many steps, and not earlier.
    Violated(usize),
    /// Not all states were visited.
    Stopped {
        /// The reason.
        why: Stop,
        /// The invariant is not violated in fewer steps than this.
        depth: usize,
    },
}

/// The least number of choices that are tried in one state.
const FEW_CHOICES: usize = 30_000;

/// Limits a visit to `limit` states, and to so many choices in one state, but not fewer than [`FEW_CHOICES`] nor more than the usual ones.
fn course<'a, 'm>(invariant: &'m Expr, limit: usize, budget: &'a Budget) -> ExplorationCourse<'a, 'm> {
    let choices = limit.clamp(FEW_CHOICES, TRIES);
    ExplorationCourse {
        choices,
        edges: false,
        invariant: Some(invariant),
        ..ExplorationCourse::states(limit, budget)
    }
}

/// Visits the reachable states, at most `limit` of them, until one violates the invariant. With a limit, a state with many choices ends the visit.
pub fn visit(model: &Model, invariant: &Expr, limit: usize, budget: &Budget) -> ReachabilityResult {
    visited(&mut StateSpace::new(model), course(invariant, limit, budget))
}

/// The result of visiting one state of each orbit for an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitedOrbits {
    /// The result, with the number of states that were visited.
    pub visited: ReachabilityResult,
    /// The number of states in their orbits, if all were visited and the normal forms are those of a whole group.
    pub in_orbits: Option<u64>,
}

/// Visits at least one state of each orbit of reachable states, at most `limit` states, until one violates the
/// invariant, which the symmetries preserve.
pub fn visit_orbits(
    model: &Model,
    invariant: &Expr,
    limit: usize,
    budget: &Budget,
    orbits: &Orbits,
) -> VisitedOrbits {
    let mut space = StateSpace::new(model);
    let course = ExplorationCourse { orbits: Some(orbits), ..course(invariant, limit, budget) };
    let visited = visited(&mut space, course);
    let holds = matches!(visited, ReachabilityResult::Holds(_));
    VisitedOrbits { visited, in_orbits: holds.then(|| space.in_orbits(orbits)).flatten() }
}

fn visited<'m>(space: &mut StateSpace<'m>, course: ExplorationCourse<'_, 'm>) -> ReachabilityResult {
    let violation = space.explore(course);
    outcome(space, violation)
}

fn outcome(space: &StateSpace<'_>, violation: Option<usize>) -> ReachabilityResult {
    if let Some(violation) = violation {
        return ReachabilityResult::Violated(space.depth(violation));
    }
    match space.stopped.clone() {
        // All states nearer than the first one whose steps are not all known were visited.
        Some(why) => {
            let depth = if space.explored < space.len() { space.depth(space.explored) } else { 0 };
            ReachabilityResult::Stopped { why, depth }
        }
        None => ReachabilityResult::Holds(space.len()),
    }
}

/// An exploration that can continue after a budget ended it.
#[derive(Default)]
pub struct Exploration<'m> {
    space: Option<StateSpace<'m>>,
}

impl<'m> Exploration<'m> {
    /// Continues until everything is explored but the successors of states that violate the invariant, and then returns
    /// `None`; or until the budget ends, there are more than `states` states, or more than `choices` choices in one of
    /// them.
    pub fn go_on(
        &mut self,
        model: &'m Model,
        invariant: &'m Expr,
        states: usize,
        choices: usize,
        budget: &Budget,
    ) -> Option<&Stop> {
        let space = self.space.get_or_insert_with(|| StateSpace::new(model));
        space.explore(ExplorationCourse {
            ends: Some(invariant),
            choices,
            ..ExplorationCourse::states(states, budget)
        });
        space.stopped.as_ref()
    }

    /// Returns the number of steps found so far.
    pub fn steps(&self) -> usize {
        self.space.as_ref().map_or(0, StateSpace::steps)
    }

    /// Returns the explored part.
    pub fn into_reached(self, budget: &Budget) -> Reachable {
        self.space.map(|space| space.into_reachable(budget)).unwrap_or_default()
    }
}
