//! One step of a system from any state, as clauses that can be loaded into any number of solvers.

use super::query::QuerySolver;
use super::system::ObservedModel;
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;
use lang::model::Position;
use solvers::sat::{Backend, Circuit, CircuitConstraint, GateDefinition, Lit, SatSolver, Unsolved};

/// The number of clauses between two checks of the budget.
const POLL: usize = 4096;

/// One step from any state that satisfies the assumptions about states.
///
/// The state after the step is a function, made of gates, of the state before it and of the *choices*: the variables
/// that say which action is taken, with which arguments, and which values it picks. Not all choices are possible in
/// every state; the constraints of the step express that.
pub(super) struct StepRelation {
    /// The statements before the step.
    pub now: Vec<Lit>,
    /// The statements after the step.
    pub next: Vec<Lit>,
    /// The literal that there is a step.
    pub step: Lit,
    /// The literal that the state before the step is bad.
    pub bad: Lit,
    /// The literal that the state before the step is initial.
    pub initial: Lit,
    /// The variables of the choices, positive.
    pub choices: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
    /// The number of variables.
    variables: u32,
    /// The numbers of the clauses and variables, which come first, that describe steps; the others define bad states.
    of_steps: (usize, u32),
    /// The definitions of gates, by variable.
    definitions: Vec<Option<GateDefinition>>,
    /// Constraints on the state before the step.
    about_state: Vec<CircuitConstraint>,
    /// Constraints on the step, beside the definitions.
    about_step: Vec<CircuitConstraint>,
}

impl StepRelation {
    /// Encodes the step.
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
        let (about_state, about_step) = circuit.constraints().split_at(states);
        let (about_state, about_step) = (about_state.to_vec(), about_step.to_vec());
        let definitions = circuit.definitions();
        let of_steps = (circuit.clauses(), to_u32(circuit.variables()));
        // Last, so that questions about steps omit the clauses for bad states.
        let bad = path.bad(before);
        let circuit = &path.unrolling.circuit;
        circuit.exhausted().map_or(Ok(()), Err)?;
        let mut read = vec![false; definitions.len()];
        let inputs = definitions.iter().flatten().flat_map(GateDefinition::inputs);
        let demanded = about_step.iter().flat_map(CircuitConstraint::literals).copied();
        inputs.chain(demanded).chain(next.iter().copied()).for_each(|lit| read[lit.vidx()] = true);
        let free = (first..last).filter(|&variable| read[variable] && definitions[variable].is_none());
        Ok(Self {
            now,
            next,
            step,
            bad,
            initial,
            choices: free.map(|variable| Lit::positive(to_u32(variable))).collect(),
            clauses: circuit.cnf().into_iter().flat_map(|cnf| cnf.clauses()).collect(),
            variables: to_u32(circuit.variables()),
            of_steps,
            about_state,
            about_step,
            definitions,
        })
    }

    /// Returns a solver whose assignments are the steps, or states where [`StepRelation::step`] is false. It does not
    /// constrain [`StepRelation::bad`].
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        let (clauses, variables) = self.of_steps;
        loaded(&self.clauses[..clauses], variables, backend, budget)
    }

    /// Like [`StepRelation::steps`], with the definition of bad states.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps_and_bad(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        loaded(&self.clauses, self.variables, backend, budget)
    }

    /// Returns a solver whose assignments are a state with any choices, possible or not, and the resulting values of
    /// the gates, together with a literal that can be true only if the choices are impossible in the state.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn function(&self, backend: Backend, budget: &Budget) -> Result<(QuerySolver, Lit), Exhausted> {
        let mut solver = backend.start_for_many_queries(budget);
        solver.add_clause(&[Lit::positive(0)]);
        for (variable, definition) in self.definitions.iter().enumerate() {
            if variable.is_multiple_of(POLL) {
                budget.check()?;
            }
            if let Some(definition) = definition {
                let output = Lit::positive(to_u32(variable));
                definition.each_clause(output, |clause| solver.add_clause(clause));
            }
        }
        let mut fresh = FreshVariables(self.of_steps.1);
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
}

fn loaded(
    clauses: &[Vec<Lit>],
    variables: u32,
    backend: Backend,
    budget: &Budget,
) -> Result<QuerySolver, Exhausted> {
    let mut solver = backend.start_for_many_queries(budget);
    for clauses in clauses.chunks(POLL) {
        budget.check()?;
        clauses.iter().for_each(|clause| solver.add_clause(clause));
    }
    Ok(QuerySolver::new(solver, variables))
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
