//! The truth of formulas in all states of a system.

use super::formula::{CtlFormula, CtlOp, Subformula};
use super::pace::WorkPoll;
use super::structure::Structure;
use explicit::lts::{Bits, Components, StateId, TransitionRows, components};
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;

/// The satisfaction sets of all parts of a formula, computed bottom-up (Clarke, Emerson, Sistla 1986).
#[derive(Debug, Clone)]
pub struct SatisfactionSets {
    sets: Vec<Bits>,
}

impl SatisfactionSets {
    /// Returns the states in which a part holds.
    pub fn of(&self, part: Subformula) -> &Bits {
        &self.sets[part.index()]
    }

    /// True if a part holds in a state.
    pub fn holds(&self, part: Subformula, state: StateId) -> bool {
        self.of(part).has(state.index())
    }
}

/// Evaluates all parts; `labels` are the states that have each label. Linear in the size of the system for each part.
///
/// # Errors
/// If the budget ends.
pub fn check(
    formula: &CtlFormula,
    structure: &Structure,
    labels: &[Bits],
    budget: &Budget,
) -> Result<SatisfactionSets, Exhausted> {
    budget.check()?;
    let mut checker =
        SatisfactionChecker { structure, backward: structure.lts.backward(), sets: Vec::new(), budget };
    for part in formula.parts() {
        budget.check()?;
        let set = checker.states_of(formula.node(part), labels)?;
        checker.sets.push(set);
    }
    Ok(SatisfactionSets { sets: checker.sets })
}

struct SatisfactionChecker<'a> {
    structure: &'a Structure,
    backward: TransitionRows,
    sets: Vec<Bits>,
    budget: &'a Budget,
}

impl SatisfactionChecker<'_> {
    fn states_of(&self, node: &CtlOp, labels: &[Bits]) -> Result<Bits, Exhausted> {
        let of = |part: &Subformula| &self.sets[part.index()];
        Ok(match node {
            CtlOp::True => self.filter(|_| true),
            CtlOp::Label(label) => labels[*label].clone(),
            CtlOp::Not(a) => self.filter(|s| !of(a).has(s)),
            CtlOp::And(a, b) => self.filter(|s| of(a).has(s) && of(b).has(s)),
            CtlOp::Or(a, b) => self.filter(|s| of(a).has(s) || of(b).has(s)),
            CtlOp::Next(a) => {
                self.filter(|s| self.structure.after(StateId::new(s)).any(|to| of(a).has(to.index())))
            }
            CtlOp::Until(a, b) => self.back_to(of(b).clone(), of(a))?,
            CtlOp::Always { of: a, fair } => {
                let fair: Vec<&Bits> = fair.iter().map(of).collect();
                let loops = fair_loops(self.structure, of(a), &fair, self.budget)?;
                let inside = self.filter(|s| loops.of[s] != Components::NONE);
                self.back_to(inside, of(a))?
            }
        })
    }

    fn filter(&self, keep: impl Fn(usize) -> bool) -> Bits {
        let mut set = Bits::new(self.structure.states());
        (0..self.structure.states()).filter(|&s| keep(s)).for_each(|s| _ = set.insert(s));
        set
    }

    /// Returns the goal, and the states from which it is reachable through states of `through`.
    fn back_to(&self, goal: Bits, through: &Bits) -> Result<Bits, Exhausted> {
        let mut pace = WorkPoll::new(self.budget);
        let mut open: Vec<StateId> = goal.iter().map(StateId::new).collect();
        let mut set = goal;
        while let Some(state) = open.pop() {
            pace.spend(1 + self.backward.of(state).len())?;
            for (_, from) in self.backward.of(state) {
                if through.has(from.index()) && set.insert(from.index()) {
                    open.push(from);
                }
            }
        }
        Ok(set)
    }
}

/// Returns the strongly connected components inside a set that have a transition and a state of each fair set: a path
/// can stay there for ever and be fair. All other states are in [`Components::NONE`].
///
/// # Errors
/// If the budget ends.
pub fn fair_loops(
    structure: &Structure,
    inside: &Bits,
    fair: &[&Bits],
    budget: &Budget,
) -> Result<Components, Exhausted> {
    let lts = &structure.lts;
    let mut parts = components(lts, |s| inside.has(s.index()), |_| true, budget)?;
    let mut cyclic = vec![false; parts.count];
    let mut met: Vec<Bits> = fair.iter().map(|_| Bits::new(parts.count)).collect();
    let mut pace = WorkPoll::new(budget);
    for state in inside.iter() {
        pace.spend(1 + lts.out(StateId::new(state)).len())?;
        let own = parts.of[state] as usize;
        cyclic[own] |= structure.after(StateId::new(state)).any(|to| parts.of[to.index()] == to_u32(own));
        for (met, _) in met.iter_mut().zip(fair).filter(|(_, set)| set.has(state)) {
            met.insert(own);
        }
    }
    for component in &mut parts.of {
        if *component != Components::NONE {
            let own = *component as usize;
            if !cyclic[own] || !met.iter().all(|met| met.has(own)) {
                *component = Components::NONE;
            }
        }
    }
    Ok(parts)
}
