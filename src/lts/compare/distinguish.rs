//! Formulas that tell states apart.

use super::Reason;
use super::formula::{Formula, Modality};
use super::levels::Levels;
use crate::budget::{Budget, Clock, Exhausted};
use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::LabelId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The limit on modalities of a formula inside of each other.
pub const DEEPEST: usize = 30;

/// The limit on modalities of a formula.
pub const LONGEST: usize = 200;

/// A formula that holds in the first of two states, which are not bisimilar, and not in the second; no other one has fewer
/// modalities inside of each other.
///
/// # Errors
/// If the budget is exhausted.
pub fn distinguish(lts: &Lts, states: [StateId; 2], budget: &Budget) -> Result<Reason, Exhausted> {
    let mut clock = Clock::new(budget, "states told apart");
    let Some(levels) = Levels::until_apart(lts, states, DEEPEST, &mut clock)? else {
        return Ok(Reason::Deep);
    };
    let [first, second] = levels.classes;
    let mut search = Search { levels: &levels, known: FxHashMap::default(), clock };
    let root = search.apart(levels.levels.len(), first, second)?;
    if root.length > LONGEST {
        return Ok(Reason::Long(root.depth));
    }
    Ok(Formula::of(&root, lts.labels()).map_or(Reason::Unwritable, Reason::Formula))
}

struct Search<'a> {
    levels: &'a Levels,
    /// By level, and the classes in which they hold and do not.
    known: FxHashMap<(usize, u32, u32), Rc<Modality>>,
    clock: Clock<'a>,
}

/// A step that the states of one of two classes have and those of the other have not.
struct Difference {
    /// Whether it is the second class that has it.
    of_second: bool,
    label: LabelId,
    /// Where it leads, and where the steps of the other class with this label lead.
    to: u32,
    others: Vec<u32>,
}

impl Search<'_> {
    /// A formula that holds in all states of the first class of a level, and in none of the second.
    fn apart(&mut self, level: usize, first: u32, second: u32) -> Result<Rc<Modality>, Exhausted> {
        let own = &self.levels.levels[level - 1];
        let [before, other_before] = [first, second].map(|class| own.parent[class as usize]);
        if before != other_before {
            return self.apart(level - 1, before, other_before);
        }
        if let Some(known) = self.known.get(&(level, first, second)) {
            return Ok(Rc::clone(known));
        }
        self.clock.tick()?;
        let Difference { of_second, label, to, others } = self.difference(level, first, second);
        let mut then = Vec::with_capacity(others.len());
        for other in others {
            // What is said of all steps of the first class is that none leads to where that of the second class does.
            let (holds, fails) = if of_second { (other, to) } else { (to, other) };
            then.push(self.apart(level - 1, holds, fails)?);
        }
        let found = Rc::new(Modality::new(of_second, label, then));
        self.known.insert((level, first, second), Rc::clone(&found));
        Ok(found)
    }

    /// Of the steps that only one of two classes has, one with which the other class has the fewest.
    fn difference(&self, level: usize, first: u32, second: u32) -> Difference {
        let signatures = &self.levels.levels[level - 1].signatures;
        let mut best: Option<Difference> = None;
        for of_second in [false, true] {
            let (has, lacks) = if of_second { (second, first) } else { (first, second) };
            let (has, lacks) = (&signatures[has as usize], &signatures[lacks as usize]);
            for &(label, to) in has.iter().filter(|step| lacks.binary_search(step).is_err()) {
                let others = lacks.iter().filter(|step| step.0 == label).map(|step| step.1);
                if best.as_ref().is_none_or(|best| others.clone().count() < best.others.len()) {
                    best = Some(Difference { of_second, label, to, others: others.collect() });
                }
            }
        }
        let Some(best) = best else { unreachable!("classes of one parent differ in their signatures") };
        best
    }
}
