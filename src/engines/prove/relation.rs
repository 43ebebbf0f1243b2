//! One step of a system from any state, as clauses that can be loaded into any number of solvers.

use super::influence::ConeOfInfluence;
use super::query::QuerySolver;
use super::system::ObservedModel;
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;
use lang::model::Position;
use solvers::sat::{Backend, Circuit, CircuitConstraint, GateDefinition, Lit, SatSolver, Unsolved};

/// The number of variables between two checks of the budget.
const POLL: usize = 4096;

/// One step from any state that satisfies the assumptions about states.
///
/// The state after the step is a function, made of gates, of the state before it and of the *choices*: the variables
/// that say which action is taken, with which arguments, and which values it picks. Not all choices are possible in
/// every state; the constraints of the step express that.
pub(super) struct StepRelation {
    /// The statements before the step; true for one that bad states and the possibility of steps do not depend on.
    pub now: Vec<Lit>,
    /// The statements after the step; true for the same ones.
    pub next: Vec<Lit>,
    /// The literal that there is a step.
    pub step: Lit,
    /// The literal that the state before the step is bad.
    pub bad: Lit,
    /// The conditions that the state before the step is initial.
    pub initial: Vec<Lit>,
    /// The variables of the choices, positive.
    pub choices: Vec<Lit>,
    /// The definitions of gates, by variable.
    definitions: Vec<Option<GateDefinition>>,
    /// The number of variables, which come first, that describe steps; the others define bad states.
    of_steps: usize,
    /// Constraints on the state before the step.
    about_state: Vec<CircuitConstraint>,
    /// Constraints on the step, beside the definitions.
    about_step: Vec<CircuitConstraint>,
    /// Constraints on the variables that define bad states.
    about_bad: Vec<CircuitConstraint>,
}

impl StepRelation {
    /// Encodes the step, as far as bad states and the possibility of steps depend on it.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn of(system: &ObservedModel<'_>, budget: &Budget) -> Result<Self, Exhausted> {
        let circuit = Circuit::recording(Box::new(Unsolved)).within(budget).keeping_constraints();
        let mut path = system.paths_from_anywhere_in(circuit);
        let (first, states) =
            (path.unrolling.circuit.variables(), path.unrolling.circuit.constraints().len());
        let (before, after) = (Position::FIRST, Position::FIRST.next());
        path.grow_to(after);
        let last = path.unrolling.circuit.variables();
        let (now, next) = (path.statements(before), path.statements(after));
        let (step, initial) = (path.reaches(after), path.initial());
        let circuit = &path.unrolling.circuit;
        let (of_steps, steps) = (circuit.variables(), circuit.constraints().len());
        // Last, so that questions about steps omit the gates for bad states.
        let bad = path.bad(before);
        let circuit = &path.unrolling.circuit;
        circuit.exhausted().map_or(Ok(()), Err)?;
        let (definitions, constraints) = (circuit.definitions(), circuit.constraints());
        let demanded = constraints.iter().flat_map(CircuitConstraint::literals).copied();
        let mut cone = ConeOfInfluence::of(&definitions, demanded.chain([step, bad]));
        let initial = cone.close(&now, &next, &initial);
        let numbers = cone.numbers();
        let new = |lit: Lit| if lit.is_pos() { numbers[lit.vidx()] } else { !numbers[lit.vidx()] };
        let renamed = |constraints: &[CircuitConstraint]| -> Vec<CircuitConstraint> {
            constraints.iter().map(|constraint| constraint.renamed(new)).collect()
        };
        let free =
            (first..last).filter(|&variable| cone.contains(variable) && definitions[variable].is_none());
        let (about_state, about_step) = constraints[..steps].split_at(states);
        let inside = definitions.iter().enumerate().filter(|&(variable, _)| cone.contains(variable));
        let defined =
            inside.map(|(_, definition)| definition.as_ref().map(|definition| definition.renamed(new)));
        Ok(Self {
            now: now.into_iter().map(new).collect(),
            next: next.into_iter().map(new).collect(),
            step: new(step),
            bad: new(bad),
            initial: initial.into_iter().map(new).collect(),
            choices: free.map(|variable| numbers[variable]).collect(),
            definitions: defined.collect(),
            of_steps: (0..of_steps).filter(|&variable| cone.contains(variable)).count(),
            about_state: renamed(about_state),
            about_step: renamed(about_step),
            about_bad: renamed(&constraints[steps..]),
        })
    }

    /// Returns a solver whose assignments are the steps, or states where [`StepRelation::step`] is false. It does not
    /// constrain [`StepRelation::bad`].
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        let (mut solver, mut fresh) = self.gates(self.of_steps, backend, budget)?;
        for constraint in self.about_state.iter().chain(&self.about_step) {
            demand(&mut *solver, &mut fresh, constraint);
        }
        Ok(QuerySolver::new(solver, fresh.0))
    }

    /// Like [`StepRelation::steps`], with the definition of bad states.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps_and_bad(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        let (mut solver, mut fresh) = self.gates(self.definitions.len(), backend, budget)?;
        for constraint in self.about_state.iter().chain(&self.about_step).chain(&self.about_bad) {
            demand(&mut *solver, &mut fresh, constraint);
        }
        Ok(QuerySolver::new(solver, fresh.0))
    }

    /// Returns a solver whose assignments are a state with any choices, possible or not, and the resulting values of
    /// the gates, together with a literal that can be true only if the choices are impossible in the state.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn function(&self, backend: Backend, budget: &Budget) -> Result<(QuerySolver, Lit), Exhausted> {
        let (mut solver, mut fresh) = self.gates(self.of_steps, backend, budget)?;
        for constraint in &self.about_state {
            demand(&mut *solver, &mut fresh, constraint);
        }
        let impossible = fresh.literal();
        let mut reasons = vec![!impossible];
        for constraint in &self.about_step {
            // Choices are taken from steps, so constraints on them alone are satisfied.
            let chosen = |lit: &Lit| self.choices.binary_search(&lit.var().pos_lit()).is_ok();
            if !constraint.literals().iter().all(chosen) {
                reasons.push(violation(&mut *solver, &mut fresh, constraint));
            }
        }
        solver.add_clause(&reasons);
        Ok((QuerySolver::new(solver, fresh.0), impossible))
    }

    /// Returns a solver with the first variables and the gates that define some of them, and a counter for more variables.
    fn gates(
        &self,
        variables: usize,
        backend: Backend,
        budget: &Budget,
    ) -> Result<(Box<dyn SatSolver>, FreshVariables), Exhausted> {
        let mut solver = backend.start_for_many_queries(budget);
        solver.add_clause(&[Lit::positive(0)]);
        for (variable, definition) in self.definitions[..variables].iter().enumerate() {
            if variable.is_multiple_of(POLL) {
                budget.check()?;
            }
            if let Some(definition) = definition {
                let output = Lit::positive(to_u32(variable));
                definition.each_clause(output, |clause| solver.add_clause(clause));
            }
        }
        Ok((solver, FreshVariables(to_u32(variables))))
    }
}

/// A counter of new variables.
struct FreshVariables(u32);

impl FreshVariables {
    fn literal(&mut self) -> Lit {
        self.0 += 1;
        Lit::positive(self.0 - 1)
    }
}

/// Adds clauses for a constraint.
fn demand(solver: &mut dyn SatSolver, fresh: &mut FreshVariables, constraint: &CircuitConstraint) {
    match constraint {
        CircuitConstraint::Clause(lits) => solver.add_clause(lits),
        CircuitConstraint::AtMostOne(lits) => {
            // `earlier` is true if one of the previous literals is.
            let mut earlier: Option<Lit> = None;
            for &lit in lits {
                let up_to_here = fresh.literal();
                solver.add_clause(&[!lit, up_to_here]);
                if let Some(earlier) = earlier {
                    solver.add_clause(&[!earlier, up_to_here]);
                    solver.add_clause(&[!earlier, !lit]);
                }
                earlier = Some(up_to_here);
            }
        }
    }
}

/// Returns a literal that can be true exactly if the constraint is violated.
fn violation(solver: &mut dyn SatSolver, fresh: &mut FreshVariables, constraint: &CircuitConstraint) -> Lit {
    let violated = fresh.literal();
    match constraint {
        CircuitConstraint::Clause(lits) => lits.iter().for_each(|&lit| solver.add_clause(&[!violated, !lit])),
        CircuitConstraint::AtMostOne(lits) => {
            // `earlier` can be true only if one of the previous literals is.
            let mut earlier: Option<Lit> = None;
            let mut second = vec![!violated];
            for &lit in lits {
                let up_to_here = fresh.literal();
                let mut clause = vec![!up_to_here, lit];
                if let Some(earlier) = earlier {
                    clause.push(earlier);
                    let both = fresh.literal();
                    solver.add_clause(&[!both, earlier]);
                    solver.add_clause(&[!both, lit]);
                    second.push(both);
                }
                solver.add_clause(&clause);
                earlier = Some(up_to_here);
            }
            solver.add_clause(&second);
        }
    }
    violated
}
