//! Which classes of a cover occur together.

use crate::budget::Exhausted;
use crate::classify::constraint::Constraint;
use crate::classify::oracle::Oracle;
use crate::classify::result::Combination;
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

/// The sets of classes that violating traces under `assumed` have together, each with a shortest such trace. For each class there is a literal
/// that is true wherever it is matched, and one that makes it happen when it is true. No violation comes before `least` steps.
pub fn occurring(
    space: &mut Space<'_>,
    mut assumed: Vec<Lit>,
    classes: &[&Constraint],
    matched: &[Lit],
    happens: &[Lit],
    mut least: usize,
) -> Combinations {
    let mut result = Combinations::default();
    // A negated literal is one of the ways to differ. Of a class whose matches are excluded one by one, it says nothing of a match that no
    // counterexample had so far: a trace could seem to lack a class that it has, and its combination would be found again.
    matched.iter().for_each(|&matched| space.exclude_in_gates(matched));
    while result.found.len() < MOST {
        let trace = match space.first_from(least, &assumed) {
            Ok(Some(trace)) => trace,
            Ok(None) => {
                result.all = true;
                break;
            }
            Err(why) => {
                result.ended = Some(why);
                break;
            }
        };
        least = space.steps_to_violation(&trace);
        let in_trace: Vec<bool> =
            classes.iter().map(|class| space.matches(class, &trace).is_some()).collect();
        let differs: Vec<Lit> = (0..classes.len())
            .map(|class| if in_trace[class] { !matched[class] } else { happens[class] })
            .collect();
        assumed.push(space.circuit().any(&differs));
        let classes: Vec<usize> = (0..classes.len()).filter(|&class| in_trace[class]).collect();
        debug_assert!(result.found.iter().all(|known| known.classes != classes), "found again: {classes:?}");
        result.found.push(Combination { classes, trace });
    }
    result
}
