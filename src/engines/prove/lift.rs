//! Lifting: from one state that leads into a set of states to many that do (H. Chockler, A. Ivrii, A. Matsliah, S. Moran,
//! Z. Nevo, "Incremental formal verification of hardware", FMCAD 2011).
//!
//! With the choices of a step fixed, the next state and the possibility of the choices are functions of the state
//! before. "The state, the choices, and (they are impossible, or the next state is outside the cube)" is therefore
//! unsatisfiable, and the literals of the state in the core are a cube each of whose states has a step into the target
//! by the same choices. The question includes their possibility because steps are not total functions of the choices;
//! without it, a lifted cube could have states without the step.

use super::cube::Cube;
use super::frames::LiteralActivity;
use super::query::QuerySolver;
use super::relation::StepRelation;
use kit::budget::{Budget, Exhausted};
use solvers::sat::{Backend, Lit};

/// Lifts states to cubes.
pub(super) struct CubeLifter {
    queries: QuerySolver,
    /// A literal that can be true only if the choices are impossible.
    impossible: Lit,
    backend: Backend,
    budget: Budget,
}

impl CubeLifter {
    pub fn new(relation: &StepRelation, backend: Backend, budget: &Budget) -> Result<Self, Exhausted> {
        let (queries, impossible) = relation.function(backend, budget)?;
        Ok(Self { queries, impossible, backend, budget: budget.clone() })
    }

    /// Returns the number of solver calls so far and the seconds spent in them.
    pub fn effort(&self) -> (u64, f64) {
        self.queries.effort()
    }

    /// Returns a cube with the state, each of whose states has a step by these choices into `target`.
    pub fn predecessor(
        &mut self,
        relation: &StepRelation,
        activity: &LiteralActivity,
        state: &Cube,
        choices: &[Lit],
        target: &Cube,
    ) -> Result<Cube, Exhausted> {
        if self.queries.worn_out() {
            let (queries, impossible) = relation.function(self.backend, &self.budget)?;
            self.queries.replace(queries);
            self.impossible = impossible;
        }
        let mut elsewhere = vec![self.impossible];
        elsewhere.extend(target.literals().iter().map(|literal| !literal.lit(&relation.next)));
        let state_lits = activity.most_first(state).map(|literal| literal.lit(&relation.now));
        let assumptions = choices.iter().copied().chain(state_lits).collect();
        let found = self.queries.solve_with(elsewhere, assumptions)?;
        debug_assert!(!found, "a step is not a function of the state and the choices");
        if found {
            return Ok(state.clone());
        }
        let core = self.queries.core();
        Ok(state.filtered(|literal| core.contains(&literal.lit(&relation.now))))
    }
}
