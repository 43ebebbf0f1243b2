//! How many violating traces the classes of a result have.

use super::Class;
use super::product::Product;
use super::product::count::{Count, count};
use super::unbounded::{Obstacle, automata};
use crate::budget::Budget;
use crate::explore::Graph;
use crate::model::Model;
use crate::model::expr::Expr;
use crate::unroll::Lengths;

/// Counts the violating traces of these lengths, of all classes and of each. At most `limit` states are visited, and
/// as many combinations of states with what the classes remember.
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
) -> Result<Vec<Count>, Obstacle> {
    let automata = automata(model, classes)?;
    let graph = Graph::explore(model, limit, budget, &mut |_| false).map_err(Obstacle::States)?;
    let product = Product::new(model, invariant, &graph, &automata, budget).map_err(Obstacle::Budget)?;
    let counts = count(&product, lengths.bound(), limit, budget).map_err(Obstacle::Budget)?;
    let mut counts = counts.map_err(Obstacle::Combinations)?;
    counts.retain(|count| lengths.all().contains(&count.steps));
    Ok(counts)
}
