//! What is known of the states that can be reached in so many steps, and the questions that are asked of it.
//!
//! Level i has clauses that hold in every state within i steps of the initial ones. A clause of a higher level
//! holds at every lower one, too; each is kept at the highest level it is known for, as the cube of states that it
//! excludes. Level 0 are the initial states themselves.

use super::certificate::Is;
use super::system::{Path, System};
use crate::budget::{Budget, Exhausted};
use crate::sat::{Answer, Backend, Lit};

/// A set of states: those of which all these statements are true.
pub(super) type Cube = Vec<Is>;

/// The levels, and one step from them, in one solver.
pub(super) struct Levels<'a> {
    system: &'a System<'a>,
    path: Path<'a>,
    /// The statements before the step.
    now: Vec<Lit>,
    /// The statements after it.
    next: Vec<Lit>,
    /// Whether there is a step.
    step: Lit,
    /// Whether something bad happens before it.
    bad: Lit,
    /// For each level a literal that turns its clauses on; that of level 0 means being initial.
    on: Vec<Lit>,
    /// For each level the cubes that it excludes and higher ones are not known to.
    cubes: Vec<Vec<Cube>>,
    /// For each statement whether it belongs to a scalar of more than two values: then saying which value
    /// it has says all.
    choice: Vec<bool>,
}

/// Whether a step leads into a cube.
pub(super) enum Reached {
    /// It does, from this state.
    From(Cube),
    /// It does not, and for that this part of the cube is enough.
    Not(Cube),
}

impl<'a> Levels<'a> {
    /// Level 0 alone.
    pub fn new(system: &'a System<'a>, backend: Backend, budget: &Budget) -> Self {
        let mut path = system.paths_from_anywhere(backend, budget);
        path.grow_to(1);
        let (now, next) = (path.statements(0), path.statements(1));
        let (step, bad, initial) = (path.reaches(1), path.bad(0), path.initial());
        let mut choice = vec![false; now.len()];
        for range in &system.atoms.choices {
            choice[range.clone()].fill(true);
        }
        let (on, cubes) = (vec![initial], vec![Vec::new()]);
        Self { system, path, now, next, step, bad, on, cubes, choice }
    }

    /// The number of the highest level.
    pub fn top(&self) -> usize {
        self.on.len() - 1
    }

    /// Adds a level about which nothing is known yet.
    pub fn add_level(&mut self) {
        let on = self.path.unrolling.circuit.fresh();
        self.on.push(on);
        self.cubes.push(Vec::new());
    }

    /// Calls of the solver so far, and seconds in it.
    pub fn solver(&self) -> (u64, f64) {
        let circuit = &self.path.unrolling.circuit;
        (circuit.solver_calls(), circuit.solver_seconds())
    }

    /// The cubes excluded at a level but not above.
    pub fn cubes(&self, level: usize) -> &[Cube] {
        &self.cubes[level]
    }

    /// The clauses of a level.
    pub fn clauses(&self, level: usize) -> Vec<Vec<Is>> {
        let cubes = self.cubes[level..].iter().flatten();
        cubes.map(|cube| cube.iter().map(|&is| !is).collect()).collect()
    }

    /// Excludes a cube up to a level.
    pub fn exclude(&mut self, cube: Cube, level: usize) {
        let mut clause = vec![!self.on[level]];
        clause.extend(cube.iter().map(|is| !is.literal(&self.now)));
        self.path.unrolling.circuit.add_clause(&clause);
        for known in &mut self.cubes[..=level] {
            known.retain(|other| !contains(other, &cube));
        }
        self.cubes[level].push(cube);
    }

    /// Excludes one of a level's own cubes at the next level, too.
    pub fn promote(&mut self, cube: &Cube, level: usize) {
        self.exclude(cube.clone(), level + 1);
    }

    /// Whether a level is known to exclude a cube, without asking.
    pub fn excludes(&self, cube: &Cube, level: usize) -> bool {
        self.cubes[level..].iter().flatten().any(|known| contains(cube, known))
    }

    /// A cube of bad states, one of them in the level; none if there are none.
    pub fn bad(&mut self, level: usize) -> Result<Option<Cube>, Exhausted> {
        let mut assumptions = self.at(level);
        assumptions.push(self.bad);
        if !self.ask(&assumptions)? {
            return Ok(None);
        }
        let state = self.state();
        let (lits, mut assumptions) = (self.literals(&state, false), vec![!self.bad]);
        assumptions.extend(&lits);
        assert!(!self.ask(&assumptions)?, "what is bad is not a function of the state and the latches");
        Ok(Some(self.blamed(&state, &lits)))
    }

    /// Whether some initial state is in a cube; if not, which part of the cube is enough to say so.
    pub fn initial(&mut self, cube: &Cube) -> Result<Option<Cube>, Exhausted> {
        let lits = self.literals(cube, false);
        let mut assumptions = vec![self.on[0]];
        assumptions.extend(&lits);
        if self.ask(&assumptions)? { Ok(None) } else { Ok(Some(self.blamed(cube, &lits))) }
    }

    /// Whether a step leads from a state of the level outside of the cube into it.
    pub fn step_into(&mut self, cube: &Cube, level: usize) -> Result<Reached, Exhausted> {
        let outside = self.path.unrolling.circuit.fresh();
        let mut clause = vec![!outside];
        clause.extend(cube.iter().map(|is| !is.literal(&self.now)));
        self.path.unrolling.circuit.add_clause(&clause);
        let lits = self.literals(cube, true);
        let mut assumptions = self.at(level);
        assumptions.extend([self.step, outside]);
        assumptions.extend(&lits);
        let reached = if self.ask(&assumptions)? {
            Reached::From(self.state())
        } else {
            Reached::Not(self.blamed(cube, &lits))
        };
        self.path.unrolling.circuit.add_clause(&[!outside]);
        Ok(reached)
    }

    /// The same cube with "x is not this, not that, …" for "x is c": what can be said less of.
    pub fn spelt_out(&self, cube: &Cube) -> Option<Cube> {
        let mut wider = Cube::new();
        for &is in cube {
            match self.scalar_of(is) {
                Some(range) if is.holds => {
                    let others = range.filter(|other| *other != is.statement);
                    wider.extend(others.map(|statement| Is { statement, holds: false }));
                }
                _ => wider.push(is),
            }
        }
        (wider.len() > cube.len()).then_some(wider)
    }

    /// The reverse of [`Levels::spelt_out`], where only one value is left.
    pub fn summed_up(&self, cube: &Cube) -> Cube {
        let mut shorter = cube.clone();
        for range in &self.system.atoms.choices {
            let excluded: Vec<usize> =
                shorter.iter().filter(|is| range.contains(&is.statement)).map(|is| is.statement).collect();
            let mut left = range.clone().filter(|value| !excluded.contains(value));
            if let (Some(only), None, true) = (left.next(), left.next(), excluded.len() + 1 == range.len()) {
                let at = shorter.iter().position(|is| range.contains(&is.statement)).unwrap_or(shorter.len());
                shorter.retain(|is| !range.contains(&is.statement));
                shorter.insert(at.min(shorter.len()), Is { statement: only, holds: true });
            }
        }
        shorter
    }

    fn scalar_of(&self, is: Is) -> Option<std::ops::Range<usize>> {
        if !self.choice[is.statement] {
            return None;
        }
        self.system.atoms.choices.iter().find(|range| range.contains(&is.statement)).cloned()
    }

    /// Assumptions that the state is in a level.
    fn at(&self, level: usize) -> Vec<Lit> {
        self.on[level..].to_vec()
    }

    fn literals(&self, cube: &Cube, next: bool) -> Vec<Lit> {
        let statements = if next { &self.next } else { &self.now };
        cube.iter().map(|is| is.literal(statements)).collect()
    }

    fn ask(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        match self.path.unrolling.circuit.solve(assumptions) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// The state before the step in the solver's assignment.
    fn state(&self) -> Cube {
        let circuit = &self.path.unrolling.circuit;
        let all = self.now.iter().enumerate();
        let all = all.map(|(statement, lit)| Is { statement, holds: circuit.value(*lit) });
        all.filter(|is| is.holds || !self.choice[is.statement]).collect()
    }

    /// The part of a cube that the solver blames, where its literals were these.
    fn blamed(&self, cube: &Cube, lits: &[Lit]) -> Cube {
        let core = self.path.unrolling.circuit.core();
        cube.iter().zip(lits).filter(|(_, lit)| core.contains(lit)).map(|(is, _)| *is).collect()
    }
}

/// Whether all statements of `less` are among those of `more`: then its states are, the other way round.
fn contains(more: &Cube, less: &Cube) -> bool {
    less.iter().all(|is| more.contains(is))
}
