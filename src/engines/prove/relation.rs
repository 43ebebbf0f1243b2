//! One step of a system from any state, as clauses with which solvers are loaded, as often as needed.

use super::query::QuerySolver;
use super::system::System;
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use solvers::sat::{Backend, Circuit, Constraint, Definition, Lit, Solver, Unsolved};

/// After this many clauses the budget is checked.
const POLL: usize = 4096;

/// One step from any state that satisfies the assumptions about states.
///
/// The state after the step is a function, made of gates, of the state before it and of the *choices*: the variables
/// that say which action is taken, with which arguments, and which values it picks. Some choices are not possible in some
/// states; that is what the constraints of the step demand.
pub(super) struct StepRelation {
    /// The statements before the step.
    pub now: Vec<Lit>,
    /// The statements after it.
    pub next: Vec<Lit>,
    /// Whether there is a step.
    pub step: Lit,
    /// Whether something bad happens before it.
    pub bad: Lit,
    /// Whether the state before it is an initial one.
    pub initial: Lit,
    /// The variables of the choices, positive.
    pub choices: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
    /// How many variables there are.
    variables: u32,
    /// So many of the clauses and variables, the first ones, are about steps; the others say what is bad.
    of_steps: (usize, u32),
    /// What gates are defined as, by variable.
    definitions: Vec<Option<Definition>>,
    /// What is demanded of the state before the step.
    about_state: Vec<Constraint>,
    /// What is demanded of the step, beside the definitions.
    about_step: Vec<Constraint>,
}

impl StepRelation {
    /// Encodes the step.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn of(system: &System<'_>, budget: &Budget) -> Result<Self, Exhausted> {
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
        let of_steps = (circuit.clauses(), circuit.variables() as u32);
        // Last, so that questions about steps do without what only says what is bad.
        let bad = path.bad(before);
        let circuit = &path.unrolling.circuit;
        circuit.exhausted().map_or(Ok(()), Err)?;
        let mut read = vec![false; definitions.len()];
        let inputs = definitions.iter().flatten().flat_map(Definition::inputs);
        let demanded = about_step.iter().flat_map(Constraint::literals).copied();
        inputs.chain(demanded).chain(next.iter().copied()).for_each(|lit| read[lit.vidx()] = true);
        let free = (first..last).filter(|&variable| read[variable] && definitions[variable].is_none());
        Ok(Self {
            now,
            next,
            step,
            bad,
            initial,
            choices: free.map(|variable| Lit::positive(variable as u32)).collect(),
            clauses: circuit.cnf().into_iter().flat_map(|cnf| cnf.clauses()).collect(),
            variables: circuit.variables() as u32,
            of_steps,
            about_state,
            about_step,
            definitions,
        })
    }

    /// A solver whose assignments are the steps. Where [`StepRelation::step`] is false, they are states. What
    /// [`StepRelation::bad`] means it does not know.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        let (clauses, variables) = self.of_steps;
        loaded(&self.clauses[..clauses], variables, backend, budget)
    }

    /// The same, and it knows what is bad.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn steps_and_bad(&self, backend: Backend, budget: &Budget) -> Result<QuerySolver, Exhausted> {
        loaded(&self.clauses, self.variables, backend, budget)
    }

    /// A solver whose assignments are a state with any choices, possible ones or not, and what the gates make of them. Also
    /// gives a literal that can be true only where the choices are impossible in the state.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn function(&self, backend: Backend, budget: &Budget) -> Result<(QuerySolver, Lit), Exhausted> {
        let mut solver = backend.start_for_many_queries(budget);
        solver.add_clause(&[Lit::positive(0)]);
        for (variable, definition) in self.definitions.iter().enumerate() {
            if variable.is_multiple_of(POLL) {
                budget.exhausted().map_or(Ok(()), Err)?;
            }
            if let Some(definition) = definition {
                let output = Lit::positive(variable as u32);
                definition.each_clause(output, |clause| solver.add_clause(clause));
            }
        }
        let mut fresh = Fresh(self.of_steps.1);
        for constraint in &self.about_state {
            demand(&mut *solver, &mut fresh, constraint);
        }
        let impossible = fresh.literal();
        let mut reasons = vec![!impossible];
        for constraint in &self.about_step {
            // Choices are taken from steps, so what is demanded of them alone is satisfied.
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
        budget.exhausted().map_or(Ok(()), Err)?;
        clauses.iter().for_each(|clause| solver.add_clause(clause));
    }
    Ok(QuerySolver::new(solver, variables))
}

/// Numbers new variables.
struct Fresh(u32);

impl Fresh {
    fn literal(&mut self) -> Lit {
        self.0 += 1;
        Lit::positive(self.0 - 1)
    }
}

/// Adds clauses for a constraint.
fn demand(solver: &mut dyn Solver, fresh: &mut Fresh, constraint: &Constraint) {
    match constraint {
        Constraint::Clause(lits) => solver.add_clause(lits),
        Constraint::AtMostOne(lits) => {
            // `earlier` is true if one of those before is.
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

/// A literal that can be true exactly where the constraint is violated.
fn violation(solver: &mut dyn Solver, fresh: &mut Fresh, constraint: &Constraint) -> Lit {
    let violated = fresh.literal();
    match constraint {
        Constraint::Clause(lits) => lits.iter().for_each(|&lit| solver.add_clause(&[!violated, !lit])),
        Constraint::AtMostOne(lits) => {
            // `earlier` can be true only if one of those before is.
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
