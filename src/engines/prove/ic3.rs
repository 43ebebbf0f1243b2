//! IC3, also called property-directed reachability (A. Bradley, "SAT-based model checking without unrolling",
//! VMCAI 2011; N. Eén, A. Mishchenko, R. Brayton, "Efficient implementation of property directed
//! reachability", FMCAD 2011).
//!
//! Cubes of states that lead to a bad state are blocked one after the other, at the lowest frame first, each maximally
//! generalised. When two frames agree, their clauses are an inductive invariant.

mod generalise;

use super::certificate::Certificate;
use super::cube::Cube;
use super::frames::{Consecution, FrameIndex, Frames, Predecessor};
use super::initiation::Initiation;
use super::lift::CubeLifter;
use super::relation::StepRelation;
use super::support::support;
use super::system::ObservedModel;
use super::{ProofEffort, ProofSearchResult};
use generalise::Ctgs;
use kit::budget::{Activity, Exhausted, Progress};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most literals of a bad state that is not lifted.
const MOST_UNLIFTED: usize = 100;

/// The search, frame by frame.
pub(super) struct Ic3<'a> {
    system: &'a ObservedModel<'a>,
    relation: StepRelation,
    frames: Frames<'a>,
    initiation: Initiation,
    lifter: CubeLifter,
    ctgs: Ctgs,
    /// The number of obligations; of equal ones, the newest comes first.
    obligations: usize,
    /// No bad state is reachable in fewer steps.
    depth: usize,
}

/// A cube to be blocked at a frame, from each of whose states steps lead to a bad state; the lowest frame comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BlockedCube {
    frame: Reverse<FrameIndex>,
    number: usize,
    /// The number of steps from the cube to a bad state.
    distance: usize,
    cube: Cube,
}

impl<'a> Ic3<'a> {
    /// # Errors
    /// If the budget ends while the step is encoded.
    pub fn new(system: &'a ObservedModel<'a>, effort: &ProofEffort<'_>) -> Result<Self, Exhausted> {
        let (backend, budget) = (effort.backend, effort.budget);
        let relation = StepRelation::of(system, budget)?;
        Ok(Self {
            system,
            frames: Frames::new(system, &relation, backend, budget)?,
            initiation: Initiation::new(system, backend, budget)?,
            lifter: CubeLifter::new(&relation, backend, budget)?,
            ctgs: Ctgs::default(),
            relation,
            obligations: 0,
            depth: 0,
        })
    }

    /// Returns the number of steps below which no bad state is reachable.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Searches until there is an answer or the budget ends.
    pub fn run(&mut self, effort: &mut ProofEffort<'_>) -> ProofSearchResult {
        self.search(effort).unwrap_or_else(ProofSearchResult::Exhausted)
    }

    fn search(&mut self, effort: &mut ProofEffort<'_>) -> Result<ProofSearchResult, Exhausted> {
        if self.frames.bad(&self.relation)?.is_some() {
            return Ok(ProofSearchResult::Violated(0));
        }
        self.frames.add();
        loop {
            let top = self.frames.top();
            self.depth = top.0;
            while let Some(state) = self.frames.bad(&self.relation)? {
                // Not lifted: the other literals of a bad state often explain why it is unreachable (a process is in
                // its critical section without the token), and generalisation keeps the needed ones.
                let mut cube = self.frames.state(&self.relation, &state);
                if cube.width() > MOST_UNLIFTED {
                    cube = self.frames.lift_bad(&self.relation, cube)?;
                }
                if let Some(depth) = self.block(cube, effort)? {
                    return Ok(ProofSearchResult::Violated(depth));
                }
            }
            self.depth = top.0 + 1;
            self.frames.add();
            if let Some(frame) = self.propagate()? {
                let clauses = self.frames.clauses(frame);
                let needed = support(self.system, &clauses, effort.backend, effort.budget)?;
                return Ok(ProofSearchResult::Holds(Certificate::Invariant(needed)));
            }
        }
    }

    /// Blocks a cube of bad states at the highest frame; if that is impossible, returns the length of a trace to one of
    /// them.
    fn block(&mut self, cube: Cube, effort: &mut ProofEffort<'_>) -> Result<Option<usize>, Exhausted> {
        let top = self.frames.top();
        let mut open = BinaryHeap::new();
        open.push(self.obligation(top, 0, cube));
        while let Some(BlockedCube { frame: Reverse(frame), distance, cube, .. }) = open.pop() {
            self.progress(effort);
            let blocked = match self.frames.blocks(&cube, frame) {
                Some(at) => at,
                None => match self.frames.consecution(&self.relation, &cube, frame.previous())? {
                    Consecution::Predecessor(state) => {
                        let before = self.lift(&state, &cube)?;
                        if frame.previous() == FrameIndex::INITIAL
                            || self.initiation.disjoint(&before)?.is_none()
                        {
                            return Ok(Some(distance + 1));
                        }
                        open.push(self.obligation(frame.previous(), distance + 1, before));
                        open.push(self.obligation(frame, distance, cube));
                        continue;
                    }
                    Consecution::Inductive(part) => {
                        let cube = self.generalise(part, &cube, frame)?;
                        self.block_as_high_as_possible(cube, frame)?
                    }
                },
            };
            if blocked < top {
                open.push(self.obligation(blocked.next(), distance, cube));
            }
        }
        Ok(None)
    }

    fn obligation(&mut self, frame: FrameIndex, distance: usize, cube: Cube) -> BlockedCube {
        self.obligations += 1;
        BlockedCube { frame: Reverse(frame), number: self.obligations, distance, cube }
    }

    /// Returns a cube of a state from which a step leads into `target`, each of whose states has such a step.
    fn lift(&mut self, state: &Predecessor, target: &Cube) -> Result<Cube, Exhausted> {
        let cube = self.frames.state(&self.relation, state);
        self.lifter.predecessor(&self.relation, &self.frames.activity, &cube, &state.choices, target)
    }

    /// Blocks a cube that may be blocked at this frame at the highest frame where it may be; returns that frame.
    fn block_as_high_as_possible(&mut self, cube: Cube, frame: FrameIndex) -> Result<FrameIndex, Exhausted> {
        let mut at = frame;
        while at < self.frames.top()
            && matches!(self.frames.consecution(&self.relation, &cube, at)?, Consecution::Inductive(_))
        {
            at = at.next();
        }
        self.frames.activity.bump(&cube);
        self.frames.block(&self.relation, cube, at);
        Ok(at)
    }

    /// Moves clauses to higher frames where they also hold; returns the first frame that is an inductive invariant.
    fn propagate(&mut self) -> Result<Option<FrameIndex>, Exhausted> {
        let top = self.frames.top();
        let mut frame = FrameIndex::INITIAL.next();
        while frame < top {
            for cube in self.frames.blocked(frame).to_vec() {
                // Another cube may have taken its place meanwhile.
                if self.frames.blocked(frame).contains(&cube)
                    && let Consecution::Inductive(part) =
                        self.frames.propagates(&self.relation, &cube, frame)?
                {
                    let cube = self.initiation.restore(part, &cube)?;
                    self.frames.block(&self.relation, cube, frame.next());
                }
            }
            if self.frames.blocked(frame).is_empty() {
                return Ok(Some(frame.next()));
            }
            frame = frame.next();
        }
        Ok(None)
    }

    fn progress(&self, effort: &mut ProofEffort<'_>) {
        let (calls, seconds) = self.frames.effort();
        let (lifts, lifting) = self.lifter.effort();
        let spent = (calls + lifts, seconds + lifting);
        effort.observer.progress(&Progress::of(Activity::Ic3, self.frames.top().0, spent));
    }
}
