//! How many violating traces the classes of a result have.

use super::automaton::Automaton;
use super::product::Product;
use super::product::count::{Count, count};
use super::unbounded::{Obstacle, automata};
use super::{Class, diagrams};
use crate::budget::Budget;
use crate::explore::{Graph, Stop};
use crate::model::Model;
use crate::model::expr::Expr;
use crate::unroll::Lengths;

/// Numbers of violating traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// How they were found.
    pub method: CountMethod,
    /// For each length, ascending.
    pub counts: Vec<Count>,
}

/// How traces are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMethod {
    /// Over a list of all states with what the classes remember there. At most so many states are visited, and as many
    /// combinations of states with memories.
    List(usize),
    /// Over decision diagrams, however many states there are.
    Diagrams,
}

/// So many states are listed sooner than decision diagrams are made.
const FEW_STATES: usize = 100_000;

/// Counts the violating traces of these lengths, of all classes and of each: over a list of states and combinations of
/// states with what the classes remember where these are few, over decision diagrams where there are more, and over a
/// list of up to `limit` where the diagrams are too large.
///
/// # Errors
/// Why there are no numbers.
pub fn numbers(
    model: &Model,
    invariant: &Expr,
    classes: &[Class],
    lengths: Lengths,
    limit: usize,
    budget: &Budget,
) -> Result<Numbers, Obstacle> {
    let by = |method| numbers_by(method, (model, invariant), classes, lengths, budget);
    let few = by(CountMethod::List(limit.min(FEW_STATES)));
    if !few.as_ref().is_err_and(too_many) {
        return few;
    }
    let found = by(CountMethod::Diagrams);
    if found.is_ok() || limit <= FEW_STATES || matches!(found, Err(Obstacle::Budget(_))) {
        return found;
    }
    let more = by(CountMethod::List(limit));
    if more.as_ref().is_err_and(too_many) { found } else { more }
}

fn too_many(obstacle: &Obstacle) -> bool {
    matches!(obstacle, Obstacle::States(Stop::States(_) | Stop::Choices(_)) | Obstacle::Combinations(_))
}

/// The same by one of the methods.
///
/// # Errors
/// Why there are no numbers.
pub fn numbers_by(
    method: CountMethod,
    (model, invariant): (&Model, &Expr),
    classes: &[Class],
    lengths: Lengths,
    budget: &Budget,
) -> Result<Numbers, Obstacle> {
    let automata = automata(model, classes)?;
    let longest = lengths.bound();
    let mut counts = match method {
        CountMethod::List(limit) => listed((model, invariant), &automata, longest, limit, budget)?,
        CountMethod::Diagrams => diagrams::count(model, invariant, &automata, longest, budget)?,
    };
    counts.retain(|count| lengths.all().contains(&count.steps));
    Ok(Numbers { method, counts })
}

fn listed(
    (model, invariant): (&Model, &Expr),
    automata: &[Automaton],
    longest: usize,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Count>, Obstacle> {
    let graph = Graph::explore(model, limit, budget, &mut |_| false).map_err(Obstacle::States)?;
    let product = Product::new(model, invariant, &graph, automata, budget).map_err(Obstacle::Budget)?;
    let counts = count(&product, longest, limit, budget).map_err(Obstacle::Budget)?;
    counts.map_err(Obstacle::Combinations)
}
