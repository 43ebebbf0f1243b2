//! The initial states, and literals that separate a cube from them.

use super::cube::Cube;
use super::system::ObservedModel;
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use solvers::sat::{Answer, Backend, Circuit, Lit};

/// The initial states in a solver of their own. Literals that the model fixes initially are constant there, so most
/// queries need no call.
pub(super) struct Initiation {
    circuit: Circuit,
    statements: Vec<Lit>,
    /// True if there is an initial state.
    any: bool,
}

impl Initiation {
    pub fn new(system: &ObservedModel<'_>, backend: Backend, budget: &Budget) -> Result<Self, Exhausted> {
        let mut path = system.paths_from_start(backend, budget);
        let statements = path.statements(Position::FIRST);
        let mut initiation = Self { circuit: path.unrolling.circuit, statements, any: true };
        initiation.any = initiation.contradiction(&[])?.is_none();
        Ok(initiation)
    }

    /// Returns a cube of some literals of the given one that contains no initial state; `None` if an initial state is
    /// in the given one.
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

    /// Extends `part` by literals of `whole`, which contains no initial state, until it contains none, either.
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
