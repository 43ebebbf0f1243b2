//! The initial states, and what tells a cube from them.

use super::cube::Cube;
use super::system::System;
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use solvers::sat::{Answer, Backend, Circuit, Lit};

/// The initial states in a solver of their own. What the model fixes at first is constant there, so most questions need
/// no call.
pub(super) struct Initiation {
    circuit: Circuit,
    statements: Vec<Lit>,
    /// Whether there is an initial state.
    any: bool,
}

impl Initiation {
    pub fn new(system: &System<'_>, backend: Backend, budget: &Budget) -> Result<Self, Exhausted> {
        let mut path = system.paths_from_start(backend, budget);
        let statements = path.statements(Position::FIRST);
        let mut initiation = Self { circuit: path.unrolling.circuit, statements, any: true };
        initiation.any = initiation.contradiction(&[])?.is_none();
        Ok(initiation)
    }

    /// Why no initial state is in a cube: a cube of some of its literals with none; `None` if there is one.
    pub fn disjoint(&mut self, cube: &Cube) -> Result<Option<Cube>, Exhausted> {
        if !self.any {
            return Ok(Some(Cube::new(Vec::new())));
        }
        let (yes, no) = (self.circuit.yes(), self.circuit.no());
        let false_at_first = cube.literals().iter().find(|literal| literal.lit(&self.statements) == no);
        if let Some(&literal) = false_at_first {
            return Ok(Some(Cube::new(vec![literal])));
        }
        let lits = cube.literals().iter().map(|literal| literal.lit(&self.statements));
        let open: Vec<Lit> = lits.filter(|&lit| lit != yes).collect();
        if open.is_empty() {
            return Ok(None);
        }
        let core = self.contradiction(&open)?;
        Ok(core.map(|core| cube.filtered(|literal| core.contains(&literal.lit(&self.statements)))))
    }

    /// Adds literals of `whole`, which no initial state is in, to `part` until none is in that.
    pub fn restore(&mut self, part: Cube, whole: &Cube) -> Result<Cube, Exhausted> {
        if self.disjoint(&part)?.is_some() {
            return Ok(part);
        }
        let reason = self.disjoint(whole)?.expect("no initial state is in the whole");
        Ok(Cube::new([part.literals(), reason.literals()].concat()))
    }

    fn contradiction(&mut self, lits: &[Lit]) -> Result<Option<Vec<Lit>>, Exhausted> {
        match self.circuit.solve(lits) {
            Answer::Sat => Ok(None),
            Answer::Unsat => Ok(Some(self.circuit.core())),
            Answer::Unknown(why) => Err(why),
        }
    }
}
