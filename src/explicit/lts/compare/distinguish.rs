//! Formulas that tell states apart.

use super::Inequivalence;
use super::formula::{DistinguishingFormula, ModalSteps, Modality};
use super::levels::{Levels, SilentSteps};
use crate::lts::components::components;
use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The limit on modalities of a formula inside each other.
pub const DEEPEST: usize = 30;

/// The limit on modalities of a formula.
pub const LONGEST: usize = 200;

/// A formula that holds in the first of two states and not in the second. They are not strongly bisimilar; if it is about steps after
/// silent ones, not branching bisimilar, and there is no cycle of silent steps; if it is about weak steps, these are those of the
/// system. Of the other formulas about single or weak steps, none has fewer modalities inside each other.
///
/// # Errors
/// If the budget is exhausted.
pub fn distinguish(
    lts: &Lts,
    about: ModalSteps,
    states: [StateId; 2],
    budget: &Budget,
) -> Result<Inequivalence, Exhausted> {
    let silent = match about {
        ModalSteps::AfterSilent(label) => Some(label),
        ModalSteps::Single | ModalSteps::Weak => None,
    };
    let order = match silent {
        None => Vec::new(),
        Some(label) => {
            let found = components(lts, |_| true, |step| step.label == label, budget)?;
            found.members().into_iter().flatten().collect()
        }
    };
    let mut clock = Clock::new(budget, "states told apart");
    let steps = silent.map(|label| SilentSteps { label, order: &order });
    let Some(levels) = Levels::until_apart(lts, steps, states, DEEPEST, &mut clock)? else {
        return Ok(Inequivalence::Deep);
    };
    let [first, second] = levels.classes;
    let mut search = FormulaSearch { levels: &levels, silent, known: FxHashMap::default(), clock };
    let root = search.apart(levels.levels.len(), first, second)?;
    if root.length > LONGEST {
        return Ok(Inequivalence::Long(root.depth));
    }
    let text = DistinguishingFormula::of(&root, about, lts.labels());
    Ok(text.map_or(Inequivalence::Unwritable, Inequivalence::Formula))
}

struct FormulaSearch<'a> {
    levels: &'a Levels,
    silent: Option<LabelId>,
    /// By level, and the classes in which they hold and do not.
    known: FxHashMap<(usize, u32, u32), Rc<Modality>>,
    clock: Clock<'a>,
}

/// A step that the states of one of two classes have and those of the other have not.
struct SignatureDifference {
    /// True if it is the second class that has it.
    of_second: bool,
    label: LabelId,
    /// Where it leads, and where the steps of the other class with this label lead.
    to: u32,
    others: Vec<u32>,
    /// Where silent steps of the other class lead out of it.
    ways_out: Vec<u32>,
}

impl FormulaSearch<'_> {
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
        let SignatureDifference { of_second, label, to, others, ways_out } =
            self.difference(level, first, second);
        // What is said of all steps of the first class is that none leads to where that of the second class does.
        let mut from_all = |one: u32, others: Vec<u32>| -> Result<Vec<Rc<Modality>>, Exhausted> {
            let pairs = others.into_iter().map(|other| if of_second { (other, one) } else { (one, other) });
            pairs.map(|(holds, fails)| self.apart(level - 1, holds, fails)).collect()
        };
        let then = from_all(to, others)?;
        let until = from_all(before, ways_out)?;
        let found = Rc::new(Modality::new(of_second, label, until, then));
        self.known.insert((level, first, second), Rc::clone(&found));
        Ok(found)
    }

    /// Of the steps that only one of two classes has, one with which the other class has the fewest.
    fn difference(&self, level: usize, first: u32, second: u32) -> SignatureDifference {
        let signatures = &self.levels.levels[level - 1].signatures;
        let mut best: Option<SignatureDifference> = None;
        for of_second in [false, true] {
            let (has, lacks) = if of_second { (second, first) } else { (first, second) };
            let (has, lacks) = (&signatures[has as usize], &signatures[lacks as usize]);
            let leads = |label: LabelId| lacks.iter().filter(move |step| step.0 == label).map(|step| step.1);
            for &(label, to) in has.iter().filter(|step| lacks.binary_search(step).is_err()) {
                let count = leads(label).count();
                if best.as_ref().is_none_or(|best| count < best.others.len()) {
                    let ways_out = self.silent.map_or_else(Vec::new, |silent| leads(silent).collect());
                    best = Some(SignatureDifference {
                        of_second,
                        label,
                        to,
                        others: leads(label).collect(),
                        ways_out,
                    });
                }
            }
        }
        let Some(mut best) = best else { unreachable!("classes of one parent differ in their signatures") };
        if self.silent == Some(best.label) {
            // Silent steps inside the class are not in its signature.
            best.others.push(self.levels.levels[level - 1].parent[first as usize]);
        }
        best
    }
}
