//! Neighbourhoods: the positions where a wrong choice is possible, with the right ones.

use super::analysis::{Analysis, Tag};
use super::product::Position;
use crate::budget::{Budget, Exhausted};
use crate::lts::nearest::nearest;

/// A transition of a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The label.
    pub label: u32,
    /// The position at the other end.
    pub position: Position,
    /// Its tag.
    pub tag: Tag,
}

/// A position of the counterexample LTS with an outgoing correct transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The position.
    pub position: Position,
    /// A shortest path to it.
    pub path: Vec<u32>,
    /// Its incoming transitions.
    pub incoming: Vec<Step>,
    /// Its outgoing transitions.
    pub outgoing: Vec<Step>,
}

/// The neighbourhoods, those nearest to the initial state first, at most `limit` of them.
///
/// # Errors
/// If the budget is exhausted.
pub fn neighbourhoods(
    analysis: &Analysis<'_>,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Neighbourhood>, Exhausted> {
    let product = &analysis.product;
    if analysis.holds() {
        return Ok(Vec::new());
    }
    let found = nearest(
        product.initial(),
        |position, steps| steps.extend(product.after(position).filter(|&(_, p)| analysis.is_violable(p))),
        |position| analysis.is_neighbourhood(position),
        limit,
        budget,
    )?;
    Ok(found.into_iter().map(|(position, path)| describe(analysis, position, path)).collect())
}

fn describe(analysis: &Analysis<'_>, position: Position, path: Vec<u32>) -> Neighbourhood {
    let own = analysis.tag(position);
    let incoming = analysis
        .product
        .before(position)
        .filter(|&(_, before)| analysis.is_violable(before))
        .map(|(label, position)| Step { label, position, tag: own })
        .collect();
    let outgoing =
        analysis.tagged(position).map(|(label, position, tag)| Step { label, position, tag }).collect();
    Neighbourhood { position, path, incoming, outgoing }
}
