//! Which classes of a cover occur together.

use crate::budget::{Exhausted, Limited};
use crate::classify::block;
use crate::classify::constraint::Constraint;
use crate::classify::fact::Fact;
use crate::classify::index::{IndividualVar, PositionVar};
use crate::classify::result::{Class, Combination};
use crate::classify::space::Space;
use crate::sat::Lit;

/// The most combinations that are looked for.
const MOST: usize = 64;

/// The combinations that occur.
#[derive(Default)]
pub struct Combinations {
    /// Those that were found, shortest traces first.
    pub found: Vec<Combination>,
    /// Whether these are all.
    pub all: bool,
    /// What ended the search.
    pub ended: Option<Exhausted>,
}

/// The sets of classes that violating traces have together, each with a shortest such trace. No violation comes before
/// `least` steps.
pub fn occurring(space: &mut Space<'_>, classes: &[Class], least: usize) -> Combinations {
    let mut result = Combinations::default();
    if let Err(why) = search(space, classes, least, &mut result) {
        result.ended = Some(why);
    }
    result
}

fn search(
    space: &mut Space<'_>,
    classes: &[Class],
    mut least: usize,
    result: &mut Combinations,
) -> Limited<()> {
    let constraints = || classes.iter().map(|class| &class.constraint);
    let matched: Vec<Lit> = constraints().map(|c| block::matched(space, c)).collect();
    let happens: Vec<Lit> = (0..).zip(constraints()).map(|(number, c)| happens(space, c, number)).collect();
    // Something of the cover happens.
    let mut assumed = vec![space.circuit().any(&happens)];
    while result.found.len() < MOST {
        let Some(trace) = space.first_from(least, &assumed)? else {
            result.all = true;
            return Ok(());
        };
        least = space.steps_to_violation(&trace);
        let in_trace: Vec<bool> = constraints().map(|c| space.matches(c, &trace).is_some()).collect();
        let differs: Vec<Lit> = (0..classes.len())
            .map(|class| if in_trace[class] { !matched[class] } else { happens[class] })
            .collect();
        assumed.push(space.circuit().any(&differs));
        let members = (0..classes.len()).filter(|&class| in_trace[class]).collect();
        result.found.push(Combination { classes: members, trace });
    }
    Ok(())
}

/// A literal that, when it is true, makes a constraint hold, with variables of its own: `number` tells it from other
/// constraints.
pub fn happens(space: &mut Space<'_>, constraint: &Constraint, number: usize) -> Lit {
    const APART: usize = 64;
    // Far from the variables that stand for positions of counterexamples.
    let first = 4 * (space.last() + 1) + APART * (number + 1);
    let own = |fact: &Fact| Fact {
        kind: fact.kind,
        positions: fact.positions.iter().map(|p| PositionVar::new(first + p.index())).collect(),
        individuals: fact
            .individuals
            .iter()
            .map(|v| IndividualVar::new(APART * (number + 1) + v.index()))
            .collect(),
    };
    let facts: Vec<Fact> = constraint.facts.iter().map(own).collect();
    let lits = space.holding(&facts);
    space.circuit().all(&lits)
}
