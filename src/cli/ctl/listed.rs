//! Systems whose states are all listed: a definite answer.

use super::Found;
use cladist::budget::{Budget, Exhausted};
use cladist::ctl::{
    Class, Explicit, Extracted, Formula, Goal, NoPath, Part, Shown, Structure, Truth, Wanted, Witness, check,
    extract, fair_loops, shortest_way, some_subgraph,
};
use cladist::lts::{Bits, Components};
use cladist::sat::{Backend, Circuit};

/// A subgraph that is not the smallest is shown if it has no more states than this.
const MOST_SHOWN: usize = 300;

/// Longer paths are not shown.
const LONGEST_SHOWN: usize = 5000;

/// A formula with its truth on a whole system.
pub struct Listed<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// The system.
    pub structure: &'a Structure,
    truth: Truth,
}

impl<'a> Listed<'a> {
    /// Decides a formula, given the states that have its labels.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn new(
        formula: &'a Formula,
        structure: &'a Structure,
        labels: &[Bits],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        Ok(Self { formula, structure, truth: check(formula, structure, labels, budget)? })
    }

    /// Whether it holds in all initial states.
    pub fn holds(&self) -> bool {
        self.structure.initial.iter().all(|&s| self.truth.holds(self.formula.root, s))
    }

    /// The fairness conditions that leave no path from an initial state, if they do: those that no path has again and again,
    /// or all of them where only together they cannot be had.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn unfair(&self, budget: &Budget) -> Result<Option<Vec<Part>>, Exhausted> {
        let all = &self.formula.fair;
        if all.is_empty() || self.has_path(all, budget)? {
            return Ok(None);
        }
        let mut never = Vec::new();
        for &condition in all {
            if !self.has_path(&[condition], budget)? {
                never.push(condition);
            }
        }
        Ok(Some(if never.is_empty() { all.clone() } else { never }))
    }

    /// Whether some path from an initial state has each of these again and again.
    fn has_path(&self, conditions: &[Part], budget: &Budget) -> Result<bool, Exhausted> {
        let reachable = self.structure.reachable();
        let fair: Vec<&Bits> = conditions.iter().map(|&c| self.truth.of(c)).collect();
        let loops = fair_loops(self.structure, &reachable, &fair, budget)?;
        Ok(loops.of.iter().any(|&component| component != Components::NONE))
    }

    /// What shows it: a counterexample, or a witness; nothing if no steps can. Where the budget ends first, a counterexample that is
    /// not the smallest.
    ///
    /// # Panics
    /// If what was found is no part of the system: whoever found it is wrong then.
    pub fn show(&self, wanted: Wanted, backend: Backend, budget: &Budget) -> Found<u32> {
        let goal = Goal::new(self.formula, self.holds());
        if self.holds() && !goal.has_steps() {
            return Found::nothing(match self.formula.class() {
                Class::Propositional => "it is about the initial states alone",
                _ => "that it holds cannot be shown by steps: it says something of all paths",
            });
        }
        let facts = goal.fact_sets(&self.truth, self.structure.states());
        // The goal is evaluated whatever is left of the budget: it takes no longer than the formula did.
        let truth = check(&goal.formula, self.structure, &facts, &Budget::unlimited());
        let truth = truth.unwrap_or_else(|_| unreachable!("there is no limit"));
        if wanted != Wanted::Subgraph
            && let Some(path) = shortest_way(&goal, self.structure, &truth)
        {
            return self.shown(goal, path, true, None, &facts);
        }
        let circuit = || Circuit::new(backend.start(budget)).within(budget);
        let make = || Explicit::new(self.structure, &goal, &truth, circuit());
        let (witness, minimal, no_path) = match extract(make, &goal, wanted, usize::MAX) {
            Extracted::Found(witness, no_path) => (witness, true, no_path),
            Extracted::Nothing(_) => {
                return Found::nothing(
                    "no path without repeated states shows it; --subgraph shows another form",
                );
            }
            Extracted::Exhausted(_) if wanted == Wanted::Path => {
                return Found::nothing("the time or memory ended before a path was found");
            }
            Extracted::Exhausted(_) => {
                let some = some_subgraph(&goal, self.structure, &truth);
                if some.states.len() > MOST_SHOWN {
                    return Found::nothing("the time or memory ended before a small subgraph was found");
                }
                (some, false, None)
            }
        };
        self.shown(goal, witness, minimal, no_path, &facts)
    }

    /// A witness after it was looked at again; `facts` are the states that have each fact of the goal.
    fn shown(
        &self,
        goal: Goal,
        witness: Witness<u32>,
        minimal: bool,
        no_path: Option<NoPath>,
        facts: &[Bits],
    ) -> Found<u32> {
        assert!(witness.is_part_of(self.structure), "what is shown is a part of the system");
        if witness.states.len() > LONGEST_SHOWN {
            let why = format!(
                "it takes {} states, and more than {LONGEST_SHOWN} are not shown",
                witness.states.len()
            );
            return Found::Nothing(why);
        }
        let shown = Shown::new(witness, &goal, |fact, &state| facts[fact].has(state as usize));
        Found::Shown { goal, shown, minimal, no_path }
    }
}
