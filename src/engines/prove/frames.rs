//! Frames: overapproximations of the states reachable within a number of steps, and the queries of IC3.
//!
//! Frame i has clauses that hold in every state within i steps of the initial ones. A clause of a frame also holds in
//! those below it; each is stored once, at the highest frame where it is known to hold, as the cube that it blocks
//! (delta encoding, N. Eén, A. Mishchenko, R. Brayton, FMCAD 2011). Frame 0 is the initial states.

use super::cube::{Cube, StateLit, StatementId};
use super::query::QuerySolver;
use super::relation::StepRelation;
use super::system::ObservedModel;
use kit::budget::{Budget, Exhausted};
use solvers::sat::{Backend, Lit};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// The number of a frame; frame 0 is the initial states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FrameIndex(pub usize);

impl FrameIndex {
    pub const INITIAL: Self = Self(0);

    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the frame below, one step earlier; it exists for all frames but frame 0.
    pub fn previous(self) -> Self {
        Self(self.0 - 1)
    }
}

/// All frames, with solvers for a step from their states.
pub(super) struct Frames<'a> {
    system: &'a ObservedModel<'a>,
    /// The solver with all frames and a step.
    queries: QuerySolver,
    /// The solver with the highest frame and the bad states.
    ends: QuerySolver,
    /// The literal that activates the clauses of the highest frame in `ends`; for frame 0, the initial states.
    end: Lit,
    /// For each frame the literal that activates its clauses and those of all frames above; for frame 0, the initial
    /// states.
    on: Vec<Lit>,
    /// For each frame the cubes that it is the highest frame known to block.
    blocked: Vec<Vec<Cube>>,
    /// True for each statement about a scalar of more than two values; there, the value alone determines all its
    /// statements.
    choice: Vec<bool>,
    /// The activity of literals: the core of the solver prefers earlier assumptions to later ones.
    pub activity: LiteralActivity,
    /// Steps found recently, the latest at the end; queries that one of them refutes need no solver call.
    witnesses: VecDeque<Rc<Predecessor>>,
    backend: Backend,
    budget: Budget,
}

/// The most steps that are kept as witnesses.
const MOST_WITNESSES: usize = 512;

/// A state, as the values of all statements, with a step from it.
pub(super) struct Predecessor {
    before: Vec<bool>,
    after: Vec<bool>,
    /// The choices of the step, each as the literal that is true.
    pub choices: Vec<Lit>,
}

impl Predecessor {
    pub fn satisfies(&self, literal: StateLit) -> bool {
        self.before[literal.statement.0] == literal.holds
    }

    fn is_in(&self, cube: &Cube) -> bool {
        cube.literals().iter().all(|&literal| self.satisfies(literal))
    }

    fn leads_into(&self, cube: &Cube) -> bool {
        cube.literals().iter().all(|literal| self.after[literal.statement.0] == literal.holds)
    }
}

/// The answer to a consecution query: is a cube inductive relative to a frame, so that no step leads from a state of
/// the frame outside the cube into it?
pub(super) enum Consecution {
    /// The cube is inductive, and for the state after the step this part of the cube suffices.
    Inductive(Cube),
    /// The cube is not inductive: this step leads into it.
    Predecessor(Rc<Predecessor>),
}

impl<'a> Frames<'a> {
    /// Creates frame 0 alone.
    pub fn new(
        system: &'a ObservedModel<'a>,
        relation: &StepRelation,
        backend: Backend,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut queries = relation.steps(backend, budget)?;
        let mut ends = relation.steps_and_bad(backend, budget)?;
        let end = initial(&mut ends, relation);
        let mut choice = vec![false; relation.now.len()];
        for range in &system.atoms.choices {
            choice[range.clone()].fill(true);
        }
        let (on, blocked) = (vec![initial(&mut queries, relation)], vec![Vec::new()]);
        Ok(Self {
            system,
            queries,
            ends,
            end,
            on,
            blocked,
            choice,
            activity: LiteralActivity::new(relation.now.len()),
            witnesses: VecDeque::new(),
            backend,
            budget: budget.clone(),
        })
    }

    /// Returns the highest frame.
    pub fn top(&self) -> FrameIndex {
        FrameIndex(self.on.len() - 1)
    }

    /// Adds a frame without clauses.
    pub fn add(&mut self) {
        let on = self.activation(self.on.len());
        self.on.push(on);
        self.blocked.push(Vec::new());
        self.end = self.ends.fresh();
    }

    /// Returns a new activation literal for a frame.
    fn activation(&mut self, frame: usize) -> Lit {
        let on = self.queries.fresh();
        if frame > 1 {
            self.queries.add_clause(&[!self.on[frame - 1], on]);
        }
        on
    }

    /// Returns the number of solver calls so far and the seconds spent in them.
    pub fn effort(&self) -> (u64, f64) {
        let ((steps, stepping), (ends, ending)) = (self.queries.effort(), self.ends.effort());
        (steps + ends, stepping + ending)
    }

    /// Returns the cubes blocked at a frame but not above.
    pub fn blocked(&self, frame: FrameIndex) -> &[Cube] {
        &self.blocked[frame.0]
    }

    /// Returns the clauses of a frame.
    pub fn clauses(&self, frame: FrameIndex) -> Vec<Vec<StateLit>> {
        self.blocked[frame.0..].iter().flatten().map(Cube::negated).collect()
    }

    /// Blocks a cube at a frame and all below it.
    pub fn block(&mut self, relation: &StepRelation, cube: Cube, frame: FrameIndex) {
        self.queries.add_clause(&clause(self.on[frame.0], relation, &cube));
        if frame == self.top() {
            self.ends.add_clause(&clause(self.end, relation, &cube));
        }
        for known in &mut self.blocked[..=frame.0] {
            known.retain(|other| !cube.subsumes(other));
        }
        self.blocked[frame.0].push(cube);
    }

    /// Returns the highest frame, from this one on, that is known to block a cube, without a query.
    pub fn blocks(&self, cube: &Cube, frame: FrameIndex) -> Option<FrameIndex> {
        let known = |at: &usize| self.blocked[*at].iter().any(|known| known.subsumes(cube));
        (frame.0..self.blocked.len()).rev().find(known).map(FrameIndex)
    }

    /// Returns a bad state of the highest frame; `None` if it has none.
    pub fn bad(&mut self, relation: &StepRelation) -> Result<Option<Predecessor>, Exhausted> {
        let found = self.ends.solve(&[self.end, relation.bad])?;
        Ok(found.then(|| assignment(&self.ends, relation)))
    }

    /// Returns a part of the cube of a bad state, each of whose states is bad.
    pub fn lift_bad(&mut self, relation: &StepRelation, cube: Cube) -> Result<Cube, Exhausted> {
        let state = self.activity.most_first(&cube).map(|literal| literal.lit(&relation.now));
        if self.ends.solve(&[!relation.bad].into_iter().chain(state).collect::<Vec<_>>())? {
            return Ok(cube);
        }
        let core = self.ends.core();
        Ok(cube.filtered(|literal| core.contains(&literal.lit(&relation.now))))
    }

    /// Checks if a cube without initial states is inductive relative to a frame.
    pub fn consecution(
        &mut self,
        relation: &StepRelation,
        cube: &Cube,
        frame: FrameIndex,
    ) -> Result<Consecution, Exhausted> {
        self.step_into(relation, cube, frame, frame != FrameIndex::INITIAL)
    }

    /// Like [`Frames::consecution`], for a cube that the frame blocks; if it is inductive, the next frame blocks it,
    /// too.
    pub fn propagates(
        &mut self,
        relation: &StepRelation,
        cube: &Cube,
        frame: FrameIndex,
    ) -> Result<Consecution, Exhausted> {
        self.step_into(relation, cube, frame, false)
    }

    /// Looks for a step into the cube from a state of the frame outside it. If all states of the frame are outside,
    /// that need not be demanded.
    fn step_into(
        &mut self,
        relation: &StepRelation,
        cube: &Cube,
        frame: FrameIndex,
        demand_outside: bool,
    ) -> Result<Consecution, Exhausted> {
        if let Some(step) = self.witness(cube, frame) {
            return Ok(Consecution::Predecessor(step));
        }
        self.refresh(relation)?;
        let mut assumptions = vec![self.on[frame.0], relation.step];
        assumptions.extend(self.activity.most_first(cube).map(|literal| literal.lit(&relation.next)));
        let found = if demand_outside {
            let outside = cube.literals().iter().map(|literal| !literal.lit(&relation.now)).collect();
            self.queries.solve_with(outside, assumptions)?
        } else {
            self.queries.solve(&assumptions)?
        };
        Ok(if found {
            let step = Rc::new(assignment(&self.queries, relation));
            self.keep_witness(step.clone());
            Consecution::Predecessor(step)
        } else {
            let core = self.queries.core();
            Consecution::Inductive(cube.filtered(|literal| core.contains(&literal.lit(&relation.next))))
        })
    }

    /// Returns a known step from a state of the frame outside the cube into it.
    fn witness(&mut self, cube: &Cube, frame: FrameIndex) -> Option<Rc<Predecessor>> {
        if frame == FrameIndex::INITIAL {
            return None;
        }
        let refutes =
            |step: &Rc<Predecessor>| step.leads_into(cube) && !step.is_in(cube) && self.has(frame, step);
        let found = self.witnesses.iter().rposition(refutes)?;
        let step = self.witnesses.remove(found)?;
        self.keep_witness(step.clone());
        Some(step)
    }

    fn keep_witness(&mut self, step: Rc<Predecessor>) {
        if self.witnesses.len() >= MOST_WITNESSES {
            self.witnesses.pop_front();
        }
        self.witnesses.push_back(step);
    }

    /// True if a state satisfies the clauses of a frame other than frame 0.
    fn has(&self, frame: FrameIndex, state: &Predecessor) -> bool {
        !self.blocked[frame.0..].iter().flatten().any(|cube| state.is_in(cube))
    }

    /// Replaces the query solver once it is full of retired clauses.
    fn refresh(&mut self, relation: &StepRelation) -> Result<(), Exhausted> {
        if !self.queries.worn_out() {
            return Ok(());
        }
        self.queries.replace(relation.steps(self.backend, &self.budget)?);
        self.on[0] = initial(&mut self.queries, relation);
        for frame in 1..self.on.len() {
            self.on[frame] = self.activation(frame);
        }
        let blocked = std::mem::take(&mut self.blocked);
        for (frame, cubes) in blocked.iter().enumerate() {
            for cube in cubes {
                self.queries.add_clause(&clause(self.on[frame], relation, cube));
            }
        }
        self.blocked = blocked;
        Ok(())
    }

    /// Returns the cube of a single state, without statements of a constant value, which are those outside the cone of
    /// influence, too.
    pub fn state(&self, relation: &StepRelation, state: &Predecessor) -> Cube {
        let open = (0..relation.now.len()).filter(|&statement| relation.now[statement].vidx() != 0);
        let all = open.map(|at| StateLit { statement: StatementId(at), holds: state.before[at] });
        Cube::new(all.filter(|literal| literal.holds || !self.choice[literal.statement.0]).collect())
    }

    /// Returns the cube with "x is not this, not that, …" instead of "x is c", so that single values can be dropped;
    /// `None` if that changes nothing.
    pub fn expanded(&self, cube: &Cube) -> Option<Cube> {
        let mut wider = Vec::new();
        for &literal in cube.literals() {
            match self.scalar_of(literal.statement) {
                Some(range) if literal.holds => {
                    let others = range.map(StatementId).filter(|other| *other != literal.statement);
                    wider.extend(others.map(|statement| StateLit { statement, holds: false }));
                }
                _ => wider.push(literal),
            }
        }
        (wider.len() > cube.width()).then(|| Cube::new(wider))
    }

    /// Reverses [`Frames::expanded`] where only one value is left.
    pub fn contracted(&self, cube: &Cube) -> Cube {
        let mut shorter = cube.literals().to_vec();
        for range in &self.system.atoms.choices {
            let about = |literal: &StateLit| range.contains(&literal.statement.0);
            let excluded = |value: &usize| shorter.iter().any(|l| l.statement.0 == *value && !l.holds);
            if shorter.iter().filter(|literal| about(literal)).count() + 1 != range.len() {
                continue;
            }
            let mut left = range.clone().filter(|value| !excluded(value));
            if let (Some(only), None) = (left.next(), left.next()) {
                shorter.retain(|literal| !about(literal));
                shorter.push(StateLit { statement: StatementId(only), holds: true });
            }
        }
        Cube::new(shorter)
    }

    fn scalar_of(&self, statement: StatementId) -> Option<Range<usize>> {
        if !self.choice[statement.0] {
            return None;
        }
        self.system.atoms.choices.iter().find(|range| range.contains(&statement.0)).cloned()
    }
}

fn assignment(queries: &QuerySolver, relation: &StepRelation) -> Predecessor {
    let holds = |lit: &Lit| queries.value(*lit);
    let chosen = |lit: &Lit| if holds(lit) { *lit } else { !*lit };
    Predecessor {
        before: relation.now.iter().map(holds).collect(),
        after: relation.next.iter().map(holds).collect(),
        choices: relation.choices.iter().map(chosen).collect(),
    }
}

/// Returns a new literal that demands an initial state before the step.
fn initial(solver: &mut QuerySolver, relation: &StepRelation) -> Lit {
    let on = solver.fresh();
    relation.initial.iter().for_each(|&condition| solver.add_clause(&[!on, condition]));
    on
}

/// Returns the clause that blocks a cube when its activation literal holds.
fn clause(on: Lit, relation: &StepRelation, cube: &Cube) -> Vec<Lit> {
    let outside = cube.literals().iter().map(|literal| !literal.lit(&relation.now));
    outside.chain([!on]).collect()
}

/// The factor by which the increment grows with each blocked cube.
const GROWTH: f64 = 1.05;

/// The score beyond which all scores are scaled down.
const LARGEST: f64 = 1e100;

/// A score for each literal.
pub(super) struct LiteralActivity {
    scores: Vec<[f64; 2]>,
    increment: f64,
}

impl LiteralActivity {
    pub fn new(statements: usize) -> Self {
        Self { scores: vec![[0.0; 2]; statements], increment: 1.0 }
    }

    /// Raises the scores of the literals of a blocked cube.
    pub fn bump(&mut self, cube: &Cube) {
        for literal in cube.literals() {
            self.scores[literal.statement.0][usize::from(literal.holds)] += self.increment;
        }
        self.increment *= GROWTH;
        if self.increment > LARGEST {
            self.scores.iter_mut().flatten().for_each(|score| *score /= LARGEST);
            self.increment /= LARGEST;
        }
    }

    /// Returns the literals of a cube, the least active first.
    pub fn least_first(&self, cube: &Cube) -> Vec<StateLit> {
        let mut literals = cube.literals().to_vec();
        let score = |literal: &StateLit| self.scores[literal.statement.0][usize::from(literal.holds)];
        literals.sort_by(|a, b| score(a).total_cmp(&score(b)));
        literals
    }

    /// Returns the literals of a cube, the most active first.
    pub fn most_first(&self, cube: &Cube) -> impl Iterator<Item = StateLit> + use<> {
        self.least_first(cube).into_iter().rev()
    }
}
