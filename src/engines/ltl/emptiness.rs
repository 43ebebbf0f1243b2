//! Loops of a product that a trace can stay in for ever, and the shortest lassos that lead to and round them.

use super::product::TableauProduct;
use explicit::lts::{Components, StateId, components};
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// Returns for each pair of a product its fair loop, or [`Components::NONE`]: the pairs from which a trace can go on
/// for ever in the same component with all wanted marks. If a component lacks the second mark of a pair of marks, the
/// states with the first one are removed and the rest is decomposed again (E. A. Emerson and C.-L. Lei, *Modalities for
/// model checking: branching time logic strikes back*, 1987).
///
/// # Errors
/// If the budget ends.
pub fn fair_loops(product: &TableauProduct, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    let lts = &product.lts;
    let pairs = product.places.len();
    let mut fair = vec![Components::NONE; pairs];
    let mut inside = vec![true; pairs];
    let mut count = 0;
    while inside.contains(&true) {
        // The rest may be too small for the search in it to check the budget.
        budget.check()?;
        let parts = components(lts, |pair| inside[pair.index()], |_| true, budget)?;
        let mut marks = vec![0u64; parts.count];
        let mut is_cyclic = vec![false; parts.count];
        for pair in (0..pairs).filter(|&pair| inside[pair]) {
            let own = parts.of[pair];
            for (label, _) in lts.out(StateId::new(pair)).filter(|(_, to)| parts.of[to.index()] == own) {
                is_cyclic[own as usize] = true;
                marks[own as usize] |= product.marks(pair, product.label(label));
            }
        }
        let wanted = &product.wanted;
        for (pair, inside) in inside.iter_mut().enumerate().filter(|(_, inside)| **inside) {
            let own = parts.of[pair] as usize;
            let marks = marks[own];
            let lacks = |(when, then): &&(u64, u64)| marks & when != 0 && marks & then == 0;
            if !is_cyclic[own] || wanted.some.iter().any(|some| marks & some == 0) {
                *inside = false;
            } else if wanted.is_met(marks) {
                fair[pair] = count + to_u32(own);
                *inside = false;
            } else {
                let excluded = wanted.pairs.iter().filter(lacks).fold(0, |all, (when, _)| all | when);
                *inside = product.own_marks(pair) & excluded == 0;
            }
        }
        count += to_u32(parts.count);
    }
    Ok(fair)
}

/// Returns the pairs of one fair loop of a product with demands beyond recurrence, numbered as by [`fair_loops`];
/// `None` if there is no such loop. If a component has marks that it must not have together, the places with one of
/// these marks are removed; if that does not help, those with another one.
///
/// # Errors
/// If the budget ends.
pub fn one_fair_loop(product: &TableauProduct, budget: &Budget) -> Result<Option<Vec<u32>>, Exhausted> {
    let wanted = &product.wanted;
    let admitted = (0..product.places.len()).map(|pair| product.own_marks(pair) & wanted.none == 0);
    let mut open: Vec<Vec<bool>> = vec![admitted.collect()];
    while let Some(inside) = open.pop() {
        // Each part may be too small for the search in it to check the budget, and there may be many.
        budget.check()?;
        let parts = components(&product.lts, |pair| inside[pair.index()], |_| true, budget)?;
        for (number, members) in parts.members().into_iter().enumerate() {
            let own = to_u32(number);
            let mut marks = 0;
            let mut is_cyclic = false;
            for &pair in &members {
                for (label, _) in product.lts.out(pair).filter(|(_, to)| parts.of[to.index()] == own) {
                    is_cyclic = true;
                    marks |= product.marks(pair.index(), product.label(label));
                }
            }
            if !is_cyclic || wanted.some.iter().any(|some| marks & some == 0) {
                continue;
            }
            let without = |mark: u64| {
                let mut less = vec![false; inside.len()];
                for &pair in &members {
                    less[pair.index()] = product.own_marks(pair.index()) & mark == 0;
                }
                less
            };
            let lacks = |(when, then): &&(u64, u64)| marks & when != 0 && marks & then == 0;
            let excluded = wanted.pairs.iter().filter(lacks).fold(0, |all, (when, _)| all | when);
            if excluded != 0 {
                open.push(without(excluded));
            } else if let Some(unless) = wanted.unless.iter().find(|unless| unless.is_met(marks)) {
                open.extend(unless.all.iter().map(|&mark| without(mark)));
            } else {
                let of = |&part: &u32| if part == own { 0 } else { Components::NONE };
                return Ok(Some(parts.of.iter().map(of).collect()));
            }
        }
    }
    Ok(None)
}

/// A closed walk after a shortest path to its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LassoWalk {
    /// The pair where the loop begins.
    pub start: u32,
    /// The steps round the loop: labels, and the pairs that they lead to.
    pub round: Vec<(u32, u32)>,
    /// The number of all steps, including those to the loop.
    pub steps: usize,
    /// True if no lasso has fewer steps.
    pub is_shortest: bool,
}

/// Returns a lasso with the fewest steps through the fair loops, and among these one with the shortest stem; `None` if
/// there is none, or none better than `best`, which is given as the numbers of all steps and of those of the stem. If
/// the budget ends before minimality is certain, returns the best one so far.
///
/// # Errors
/// If the budget ends before any is found.
pub fn shortest(
    product: &TableauProduct,
    fair: &[u32],
    best: Option<(usize, usize)>,
    budget: &Budget,
) -> Result<Option<LassoWalk>, Exhausted> {
    let mut best = best;
    let mut found: Option<LassoWalk> = None;
    // Pairs are numbered in the order of their depths.
    for pair in (0..fair.len()).filter(|&pair| fair[pair] != Components::NONE) {
        let depth = product.depths[pair] as usize;
        // A loop has at least one step; with as many steps in total, only a shorter stem is better.
        let most = match best {
            Some((steps, stem)) if depth < stem => steps - depth,
            Some((steps, _)) if depth + 2 <= steps => steps - depth - 1,
            Some(_) => continue,
            None => usize::MAX,
        };
        match round(product, fair, to_u32(pair), most, budget) {
            Ok(None) => {}
            Ok(Some(round)) => {
                let steps = depth + round.len();
                best = Some((steps, depth));
                found = Some(LassoWalk { start: to_u32(pair), round, steps, is_shortest: true });
            }
            Err(why) => {
                return found.map(|walk| Some(LassoWalk { is_shortest: false, ..walk })).ok_or(why);
            }
        }
    }
    Ok(found)
}

/// Returns a shortest loop of at most the given number of steps from a pair back to it with all wanted marks.
fn round(
    product: &TableauProduct,
    fair: &[u32],
    start: u32,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<(u32, u32)>>, Exhausted> {
    const PACE: usize = 1 << 10;
    type Place = (u32, u64);
    let mut places: Vec<(Place, usize, u32, usize)> = vec![((start, 0), 0, 0, 0)];
    let mut known: FxHashMap<Place, ()> = FxHashMap::default();
    let mut next = 0;
    while let Some(&((pair, marks), _, _, depth)) = places.get(next) {
        if next % PACE == 0 {
            budget.check()?;
        }
        if depth >= most {
            return Ok(None);
        }
        let own = fair[pair as usize];
        for (label, to) in
            product.lts.out(StateId::new(pair as usize)).filter(|(_, to)| fair[to.index()] == own)
        {
            let label = product.label(label);
            let place = (to_u32(to.index()), marks | product.marks(pair as usize, label));
            if place.0 == start && product.wanted.is_met(place.1) {
                let mut steps = vec![(label, place.0)];
                let mut at = next;
                while at != 0 {
                    let ((pair, _), from, label, _) = places[at];
                    steps.push((label, pair));
                    at = from;
                }
                steps.reverse();
                return Ok(Some(steps));
            }
            if known.insert(place, ()).is_none() {
                places.push((place, next, label, depth + 1));
            }
        }
        next += 1;
    }
    Ok(None)
}
