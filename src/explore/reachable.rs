//! Breadth-first exploration.

use super::{DEFAULT_SEARCH_LIMIT as TRIES, TooMany, initial_states, successors};
use crate::budget::{Budget, Exhausted, Stage};
use crate::model::Model;
use crate::model::eval::Scope;
use crate::model::expr::Expr;
use crate::model::value::{Label, Moment, State};
use crate::trace::Trace;
use rustc_hash::FxHashMap;

/// A step between reachable states, which are meant by their index.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The state before.
    pub from: usize,
    /// The label.
    pub label: Label,
    /// The state after.
    pub to: usize,
}

/// Why an exploration ended before everything was explored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than allowed.
    States(usize),
    /// The choices in a state are too many to be listed.
    Choices(TooMany),
    /// The budget was used up.
    Budget(Exhausted),
}

/// The reachable states, in the order of a breadth-first search: initial states first, and no state
/// before one that is nearer to them.
#[derive(Debug, Clone, Default)]
pub struct Reachable {
    /// The states.
    pub states: Vec<State>,
    /// How many of them are initial; they come first.
    pub initial: usize,
    /// For each state how it was reached first: from which state, by which label; `None` for initial
    /// states.
    pub reached_by: Vec<Option<(usize, Label)>>,
    /// The least number of steps to each state.
    pub depths: Vec<usize>,
    /// All steps from the first [`Reachable::explored`] states, ordered by [`Edge::from`].
    pub edges: Vec<Edge>,
    /// How many states, from the first, have all their steps in [`Reachable::edges`].
    pub explored: usize,
    /// Why the exploration ended early; `None` if it did not.
    pub stopped: Option<Stop>,
}

impl Reachable {
    /// How far the exploration has come.
    pub fn stage(&self) -> Stage {
        Stage { done: self.states.len() as u64, of: None, what: "states explored" }
    }

    /// Whether these are all reachable states with all their steps.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// A shortest trace to a state.
    pub fn trace_to(&self, state: usize) -> Trace {
        let mut moments = Vec::new();
        let mut at = state;
        while let Some((from, label)) = &self.reached_by[at] {
            moments.push(Moment { label: Some(label.clone()), state: self.states[at].clone() });
            at = *from;
        }
        moments.push(Moment { label: None, state: self.states[at].clone() });
        moments.reverse();
        Trace { moments }
    }

    fn add(
        &mut self,
        index: &mut FxHashMap<State, usize>,
        state: State,
        by: Option<(usize, Label)>,
    ) -> usize {
        *index.entry(state).or_insert_with_key(|state| {
            self.depths.push(by.as_ref().map_or(0, |(from, _)| self.depths[*from] + 1));
            self.states.push(state.clone());
            self.reached_by.push(by);
            self.states.len() - 1
        })
    }
}

/// Explores at most `limit` states. `limit` also bounds the tries in one state where an action leaves
/// choices, but never below [`super::DEFAULT_SEARCH_LIMIT`].
pub fn reachable(model: &Model, limit: usize, budget: &Budget) -> Reachable {
    reachable_until(model, limit, budget, &mut |_| false)
}

/// The same, but paths end at states where `ends` says so: these are taken to have no steps.
pub(super) fn reachable_until(
    model: &Model,
    limit: usize,
    budget: &Budget,
    ends: &mut dyn FnMut(&State) -> bool,
) -> Reachable {
    let limits = Limits { choices: limit.max(TRIES), edges: true, ..Limits::states(limit, budget) };
    explore(model, &limits, &mut |_| false, ends)
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
    let mut violates = |state: &State| !Scope::new(model).with_state(state).holds(invariant);
    let limits = Limits::states(limit, budget);
    let explored = explore(model, &limits, &mut violates, &mut |_| false);
    if explored.states.last().is_some_and(&mut violates) {
        return Visited::Violated(explored.depths[explored.states.len() - 1]);
    }
    match explored.stopped {
        // All states that are nearer than the first one whose steps are not all known were seen.
        Some(why) => {
            let depth = explored.depths.get(explored.explored).copied().unwrap_or(0);
            Visited::Stopped { why, depth }
        }
        None => Visited::Holds(explored.states.len()),
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
    let mut violates = |state: &State| !Scope::new(model).with_state(state).holds(invariant);
    let budget = &Budget::unlimited();
    let limits = Limits { steps: max_steps, choices: limit.max(TRIES), ..Limits::states(limit, budget) };
    let explored = explore(model, &limits, &mut violates, &mut |_| false);
    if explored.states.last().is_some_and(&mut violates) {
        return Ok(Some(explored.trace_to(explored.states.len() - 1)));
    }
    match explored.stopped {
        Some(Stop::Choices(too_many)) => Err(too_many),
        Some(Stop::States(limit)) => Err(TooMany { what: "reachable states".into(), limit }),
        Some(Stop::Budget(_)) | None => Ok(None),
    }
}

/// How far an exploration goes.
struct Limits<'a> {
    /// The number of states.
    states: usize,
    /// The number of tries in one state where an action leaves choices, and for the initial states.
    choices: usize,
    /// The number of steps from the initial states.
    steps: usize,
    /// Whether steps are kept, not only the states they lead to.
    edges: bool,
    budget: &'a Budget,
}

impl<'a> Limits<'a> {
    /// So many states, however far away, without the steps between them.
    fn states(states: usize, budget: &'a Budget) -> Self {
        Self { states, choices: TRIES, steps: usize::MAX, edges: false, budget }
    }
}

/// Explores states until one is `found`; that one is then the last. States at which paths `end` are taken to have no
/// steps.
fn explore(
    model: &Model,
    limits: &Limits<'_>,
    found: &mut dyn FnMut(&State) -> bool,
    ends: &mut dyn FnMut(&State) -> bool,
) -> Reachable {
    let mut exploration = Exploration::default();
    exploration.run(model, limits, found, ends);
    exploration.reached
}

/// An exploration that can go on where a budget ended it.
#[derive(Default)]
pub struct Exploration {
    reached: Reachable,
    index: FxHashMap<State, usize>,
}

impl Exploration {
    /// Goes on until everything is explored but what comes after states where `ends` says so, which is `None`, or until
    /// the budget ends or there are more than `limit` states.
    pub fn go_on(
        &mut self,
        model: &Model,
        limit: usize,
        budget: &Budget,
        ends: &mut dyn FnMut(&State) -> bool,
    ) -> Option<&Stop> {
        let limits = Limits { edges: true, ..Limits::states(limit, budget) };
        self.run(model, &limits, &mut |_| false, ends);
        self.reached.stopped.as_ref()
    }

    /// How many steps were found so far.
    pub fn steps(&self) -> usize {
        self.reached.edges.len()
    }

    /// What was reached.
    pub fn into_reached(self) -> Reachable {
        self.reached
    }

    fn run(
        &mut self,
        model: &Model,
        limits: &Limits<'_>,
        found: &mut dyn FnMut(&State) -> bool,
        ends: &mut dyn FnMut(&State) -> bool,
    ) {
        self.reached.stopped = self.try_run(model, limits, found, ends).err();
    }

    fn try_run(
        &mut self,
        model: &Model,
        limits: &Limits<'_>,
        found: &mut dyn FnMut(&State) -> bool,
        ends: &mut dyn FnMut(&State) -> bool,
    ) -> Result<(), Stop> {
        let Self { reached, index } = self;
        if reached.states.is_empty() {
            for state in initial_states(model, limits.choices).map_err(Stop::Choices)? {
                if reached.states.len() >= limits.states {
                    return Err(Stop::States(limits.states));
                }
                let done = found(&state);
                reached.add(index, state, None);
                reached.initial += 1;
                if done {
                    return Ok(());
                }
            }
        }
        while reached.explored < reached.states.len() {
            let from = reached.explored;
            if reached.depths[from] >= limits.steps {
                return Ok(());
            }
            if let Some(exhausted) = limits.budget.at(reached.stage()) {
                return Err(Stop::Budget(exhausted));
            }
            if ends(&reached.states[from]) {
                reached.explored += 1;
                continue;
            }
            let steps = successors(model, &reached.states[from], limits.choices).map_err(Stop::Choices)?;
            let edges_before = reached.edges.len();
            for (label, state) in steps {
                let known = index.contains_key(&state);
                if !known && reached.states.len() >= limits.states {
                    reached.edges.truncate(edges_before);
                    return Err(Stop::States(limits.states));
                }
                let done = !known && found(&state);
                let to = reached.add(index, state, Some((from, label.clone())));
                if limits.edges {
                    reached.edges.push(Edge { from, label, to });
                }
                if done {
                    return Ok(());
                }
            }
            reached.explored += 1;
        }
        Ok(())
    }
}
