//! Neighbourhoods: the positions where a wrong choice is possible, with the right ones.

use super::analysis::{Analysis, Step};
use super::product::Position;
use crate::lts::labels::LabelId;
use crate::lts::nearest::nearest;
use kit::budget::{Budget, Exhausted};

/// A position with a neighbourhood ([`Analysis::is_neighbourhood`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The position.
    pub position: Position,
    /// A shortest path to it.
    pub path: Vec<LabelId>,
    /// The transitions of the counterexample LTS that lead to it.
    pub incoming: Vec<Step>,
    /// The transitions that leave it, including those out of the counterexample LTS.
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

fn describe(analysis: &Analysis<'_>, position: Position, path: Vec<LabelId>) -> Neighbourhood {
    let own = analysis.tag(position);
    let incoming = analysis
        .product
        .before(position)
        .filter(|&(_, before)| analysis.is_violable(before))
        .map(|(label, position)| Step { label, position, tag: own })
        .collect();
    let outgoing = analysis.tagged(position).collect();
    Neighbourhood { position, path, incoming, outgoing }
}
