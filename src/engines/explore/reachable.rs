//! Breadth-first exploration.

use super::limits::{DEFAULT_SEARCH_LIMIT as TRIES, Stop, TooMany};
use super::orbits::Orbits;
use super::reached::Reachable;
use super::space::{Course, Space};
use kit::budget::Budget;
use lang::model::Model;
use lang::model::expr::Expr;
use lang::trace::Trace;

/// Explores at most `limit` states. `limit` also bounds the tries in one state where an action leaves
/// choices, but never below [`super::DEFAULT_SEARCH_LIMIT`].
pub fn reachable(model: &Model, limit: usize, budget: &Budget) -> Reachable {
    Space::of(model, limit, budget).into_reachable(budget)
}

/// What visiting the reachable states tells of an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visited {
    /// It holds in all of them, that many.
    Holds(usize),
    /// It is violated after this many steps, and not after fewer.
    Violated(usize),
    /// They were not all visited.
    Stopped {
        /// Why not.
        why: Stop,
        /// It is not violated after fewer steps than this.
        depth: usize,
    },
}

/// Visits the reachable states, at most `limit` of them, until one violates the invariant.
pub fn visit(model: &Model, invariant: &Expr, limit: usize, budget: &Budget) -> Visited {
    let course = Course { edges: false, invariant: Some(invariant), ..Course::states(limit, budget) };
    visited(model, course).visited
}

/// What visiting one state of each orbit tells of an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitedOrbits {
    /// The result, with the number of states that were visited.
    pub visited: Visited,
    /// How many states there are in their orbits, if the normal forms are those of a whole group.
    pub in_orbits: Option<u64>,
}

/// Visits one state, at least, of each orbit of reachable states, at most `limit` of them, until one violates the invariant,
/// which the symmetries preserve.
pub fn visit_orbits(
    model: &Model,
    invariant: &Expr,
    limit: usize,
    budget: &Budget,
    orbits: &Orbits,
) -> VisitedOrbits {
    let invariant = Some(invariant);
    let course = Course { edges: false, invariant, orbits: Some(orbits), ..Course::states(limit, budget) };
    let all = visited(model, course);
    VisitedOrbits { in_orbits: all.in_orbits.filter(|_| orbits.are_whole()), ..all }
}

fn visited<'m>(model: &'m Model, course: Course<'_, 'm>) -> VisitedOrbits {
    let mut space = Space::new(model);
    let violation = space.explore(course);
    let in_orbits = Some(space.in_orbits);
    VisitedOrbits { visited: outcome(&space, violation), in_orbits }
}

fn outcome(space: &Space<'_>, violation: Option<usize>) -> Visited {
    if let Some(violation) = violation {
        return Visited::Violated(space.depth(violation));
    }
    match space.stopped.clone() {
        // All states that are nearer than the first one whose steps are not all known were seen.
        Some(why) => {
            let depth = if space.explored < space.len() { space.depth(space.explored) } else { 0 };
            Visited::Stopped { why, depth }
        }
        None => Visited::Holds(space.len()),
    }
}

/// A shortest trace of at most `max_steps` steps whose last state violates the invariant; `Ok(None)` if
/// there is none. Among the shortest it is the same one every time. Explores at most `limit` states.
pub fn shortest_violation(
    model: &Model,
    invariant: &Expr,
    max_steps: usize,
    limit: usize,
) -> Result<Option<Trace>, TooMany> {
    let budget = &Budget::unlimited();
    let mut space = Space::new(model);
    let violation = space.explore(Course {
        steps: max_steps,
        choices: limit.max(TRIES),
        edges: false,
        invariant: Some(invariant),
        ..Course::states(limit, budget)
    });
    match (violation, space.stopped.clone()) {
        (Some(violation), _) => Ok(Some(space.trace_to(violation))),
        (None, Some(stop)) => Err(stop.into_too_many()),
        (None, None) => Ok(None),
    }
}

/// An exploration that can go on where a budget ended it.
#[derive(Default)]
pub struct Exploration<'m> {
    space: Option<Space<'m>>,
}

impl<'m> Exploration<'m> {
    /// Goes on until everything is explored but what comes after states that violate the invariant, which is `None`, or until
    /// the budget ends, there are more than so many `states`, or more than so many `choices` have to be looked at in one of them.
    pub fn go_on(
        &mut self,
        model: &'m Model,
        invariant: &'m Expr,
        states: usize,
        choices: usize,
        budget: &Budget,
    ) -> Option<&Stop> {
        let space = self.space.get_or_insert_with(|| Space::new(model));
        space.explore(Course { ends: Some(invariant), choices, ..Course::states(states, budget) });
        space.stopped.as_ref()
    }

    /// How many steps were found so far.
    pub fn steps(&self) -> usize {
        self.space.as_ref().map_or(0, Space::steps)
    }

    /// What was reached.
    pub fn into_reached(self, budget: &Budget) -> Reachable {
        self.space.map(|space| space.into_reachable(budget)).unwrap_or_default()
    }
}
