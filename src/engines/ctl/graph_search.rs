//! Shortest paths and lassos in a listed system by graph search, before any solver.
//!
//! A path that shows a linear goal is a walk in the product of system and goal. The least walk is a shortest path if it
//! repeats no state, and if a lasso gains nothing by still showing the goal after its return ([`GoalProduct::is_exact`]).
//! This applies to `E[f U g]`, `EG f`, `E[f U EG g]` and their combinations with `and` and `or`. Otherwise the search
//! gives a lower bound, and often evidence that may be proved smallest in another way.

use super::check::SatisfactionSets;
use super::formula::CtlOp;
use super::goal::CtlGoal;
use super::lasso::{ClosedWalk, closed_walks};
use super::pace::WorkPoll;
use super::product::{GoalProduct, ShortestWalks};
use super::structure::Structure;
use super::witness::{Witness, WitnessShape};
use explicit::lts::{Bits, StateId};
use kit::budget::{Budget, Exhausted};

/// The result of graph search for paths and lassos that show a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphSearch {
    /// The evidence: a path or lasso, or a subgraph if the least walk repeats a state.
    pub witness: Option<Witness<StateId>>,
    /// No path or lasso with fewer states shows it. At least 1.
    pub at_least: usize,
    /// The reason why the search ended early, if the budget did.
    pub exhausted: Option<Exhausted>,
}

impl GraphSearch {
    /// Returns the result in which nothing is known.
    fn unknown(exhausted: Option<Exhausted>) -> Self {
        Self { witness: None, at_least: 1, exhausted }
    }

    /// True if the witness is a path or lasso and proved to have the fewest states.
    pub fn is_shortest(&self) -> bool {
        let shortest =
            |w: &Witness<StateId>| w.shape != WitnessShape::Subgraph && w.states.len() <= self.at_least;
        self.witness.as_ref().is_some_and(shortest)
    }
}

/// Looks for a shortest path or lasso that shows a goal; `truth` is that of the goal on the whole system, where it
/// holds in some initial state. Prefers a finite path to a lasso with as many states. Gives no result for goals that
/// are not [linear](CtlGoal::is_linear).
pub fn graph_search(
    goal: &CtlGoal,
    structure: &Structure,
    truth: &SatisfactionSets,
    budget: &Budget,
) -> GraphSearch {
    let product = if goal.is_linear() { GoalProduct::new(goal, structure, truth) } else { None };
    let Some(product) = product else { return GraphSearch::unknown(None) };
    let walks = match product.walks(&mut WorkPoll::new(budget)) {
        Ok(walks) => walks,
        Err(why) => return GraphSearch::unknown(Some(why)),
    };
    let finite = walks.shown.map(|(last, before)| {
        let mut states = before.map_or(Vec::new(), |before| walks.states_to(&product, before));
        states.push(last);
        states
    });
    let bound = finite.as_ref().map_or(usize::MAX, Vec::len);
    let lassos = closed_walks(&product, &walks, bound, budget);
    let least = lassos.best.as_ref().map_or(bound, |best| best.states);
    let at_least = if product.is_exact() {
        least.min(lassos.unexplored.unwrap_or(usize::MAX))
    } else {
        nearest_end(&product, &mut WorkPoll::new(budget)).unwrap_or(1)
    };
    let witness = match lassos.best {
        Some(walk) => lasso(&product, &walks, &walk),
        None => finite.map(|states| as_witness(states, None)),
    };
    GraphSearch { witness, at_least: at_least.max(1), exhausted: lassos.exhausted }
}

/// Returns the witness of a closed walk if it meets all fairness conditions, including those that the search did not
/// track.
fn lasso(product: &GoalProduct<'_>, walks: &ShortestWalks, walk: &ClosedWalk) -> Option<Witness<StateId>> {
    let always = product.operator(walk.always);
    let CtlOp::Always { fair, .. } = product.formula.node(always) else { unreachable!("the operator is EG") };
    let met = |&condition| walk.cycle.iter().any(|&state| product.truth.holds(condition, state));
    if !fair.iter().all(met) {
        return None;
    }
    let mut states = walks.states_to(product, walk.entry);
    states.pop();
    let back = states.len();
    states.extend(&walk.cycle);
    Some(as_witness(states, Some(back)))
}

/// Converts a walk, possibly back to one of its positions, to a path or lasso, or to a subgraph if it repeats a state.
fn as_witness(states: Vec<StateId>, back: Option<usize>) -> Witness<StateId> {
    let mut seen = rustc_hash::FxHashSet::default();
    if states.iter().all(|&state| seen.insert(state)) {
        return Witness::path(states, back);
    }
    let back = back.map(|at| (states[states.len() - 1], states[at]));
    let steps = states.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
    Witness::of_steps(states[0], steps)
}

/// Returns the fewest states of a path from an initial state to one where a walk can end, or go on for ever: every
/// witness has one.
fn nearest_end(product: &GoalProduct<'_>, pace: &mut WorkPoll<'_>) -> Result<usize, Exhausted> {
    let structure = product.structure;
    let mut seen = Bits::new(structure.states());
    let starts = structure.initial.iter().copied();
    let root = product.formula.root;
    let mut level: Vec<StateId> =
        starts.filter(|&s| product.truth.holds(root, s) && seen.insert(s.index())).collect();
    let mut states = 1;
    while !level.is_empty() {
        let mut next = Vec::new();
        for &state in &level {
            if product.can_end(state) {
                return Ok(states);
            }
            pace.spend(1 + structure.lts.out(state).len())?;
            next.extend(structure.after(state).filter(|&to| seen.insert(to.index())));
        }
        (level, states) = (next, states + 1);
    }
    Ok(states)
}
