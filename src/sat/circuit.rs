//! Gates with structural sharing, turned into clauses as they are made.

use super::{Answer, Lit, Solver};

/// A growing circuit over a solver: equal gates are made once, constants are folded.
pub struct Circuit {
    solver: Box<dyn Solver>,
}

#[allow(unused_variables)]
impl Circuit {
    /// An empty circuit.
    pub fn new(solver: Box<dyn Solver>) -> Self {
        Self { solver }
    }
    /// The literal that is always true.
    pub fn yes(&self) -> Lit {
        unimplemented!()
    }
    /// The literal that is always false.
    pub fn no(&self) -> Lit {
        !self.yes()
    }
    /// A new, free literal.
    pub fn fresh(&mut self) -> Lit {
        unimplemented!()
    }
    /// Conjunction of two.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        unimplemented!()
    }
    /// Disjunction of two.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    /// Conjunction of any number.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        unimplemented!()
    }
    /// Disjunction of any number.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        unimplemented!()
    }
    /// Equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        unimplemented!()
    }
    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        unimplemented!()
    }
    /// Adds clauses: at most one of them holds.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        unimplemented!()
    }
    /// Adds a clause.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        unimplemented!()
    }
    /// Decides under assumptions.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        unimplemented!()
    }
    /// After [`Answer::Sat`]: the value of a literal.
    pub fn value(&self, lit: Lit) -> bool {
        unimplemented!()
    }
    /// After [`Answer::Unsat`]: the assumptions to blame, in the order given.
    pub fn core(&self) -> Vec<Lit> {
        unimplemented!()
    }
    /// Variables made so far.
    pub fn variables(&self) -> usize {
        unimplemented!()
    }
    /// Clauses added so far.
    pub fn clauses(&self) -> usize {
        unimplemented!()
    }
    /// Calls of [`Circuit::solve`] so far.
    pub fn solver_calls(&self) -> u64 {
        unimplemented!()
    }
    /// Seconds spent in them.
    pub fn solver_seconds(&self) -> f64 {
        unimplemented!()
    }
    /// The solver's name and version.
    pub fn solver_name(&self) -> &'static str {
        self.solver.name()
    }
}
