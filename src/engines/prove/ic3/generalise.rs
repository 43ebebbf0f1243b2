//! Generalisation: from a cube that is inductive relative to a frame to a larger one, by dropping literals (A. Bradley,
//! Z. Manna, "Checking safety by inductive generalization of counterexamples to induction", FMCAD 2007).
//!
//! If a literal cannot be dropped because a step leads from some state into the larger cube, that state is a
//! counterexample to generalisation (CTG). It is blocked itself if that is easy; else the cube drops the literals that
//! the state does not have (Z. Hassan, A. Bradley, F. Somenzi, "Better generalization in IC3", FMCAD 2013, figure 4).

use super::Ic3;
use crate::prove::cube::{Cube, StateLit};
use crate::prove::frames::{Consecution, FrameIndex, Predecessor};
use kit::budget::Exhausted;

/// The most CTGs that are blocked for one literal before the cube gives way.
const MOST_CTGS: usize = 3;

/// The depth of generalisation from which on its CTGs are not blocked.
const DEEPEST_CTG: usize = 1;

/// The number of consecutive failures to drop a literal after which the remaining literals stay.
const MOST_FAILURES: usize = 8;

/// The number of CTGs from which on the success rate of blocking them counts.
const ENOUGH_CTGS: usize = 32;

/// If fewer than one in this many is blocked, only one in as many is tried.
const RARE: usize = 8;

/// Statistics of counterexamples to generalisation.
#[derive(Debug, Default)]
pub(super) struct Ctgs {
    tried: usize,
    blocked: usize,
    skipped: usize,
}

impl Ctgs {
    /// True if blocking another CTG is worth trying.
    fn worthwhile(&mut self) -> bool {
        if self.tried < ENOUGH_CTGS || self.blocked * RARE >= self.tried {
            return true;
        }
        self.skipped += 1;
        self.skipped.is_multiple_of(RARE)
    }
}

impl Ic3<'_> {
    /// Returns a superset of `cube` that is inductive relative to the frame before `frame` and has no initial state.
    /// `part` is the part of `cube` in the solver's core for its inductiveness.
    pub(super) fn generalise(
        &mut self,
        part: Cube,
        cube: &Cube,
        frame: FrameIndex,
    ) -> Result<Cube, Exhausted> {
        let part = self.initiation.restore(part, cube)?;
        let cube = self.drop_literals(part, frame, 0)?;
        let Some(expanded) = self.frames.expanded(&cube) else { return Ok(cube) };
        // Expansion leaves the states as they are, so the cube stays inductive; but values can be dropped one at a
        // time.
        let before = frame.previous();
        let Consecution::Inductive(part) = self.frames.consecution(&self.relation, &expanded, before)? else {
            return Ok(cube);
        };
        let part = self.initiation.restore(part, &expanded)?;
        if part.width() == expanded.width() {
            return Ok(cube);
        }
        let less = self.drop_literals(part, frame, DEEPEST_CTG)?;
        Ok(self.frames.contracted(&less))
    }

    /// Tries to drop one literal after the other.
    fn drop_literals(&mut self, mut cube: Cube, frame: FrameIndex, depth: usize) -> Result<Cube, Exhausted> {
        let mut kept = Vec::new();
        let mut failures = 0;
        for literal in self.frames.activity.least_first(&cube) {
            if !cube.contains(literal) {
                continue;
            }
            let candidate = cube.filtered(|other| other != literal);
            match self.drop_to(candidate, frame, &kept, depth)? {
                Some(smaller) => {
                    cube = smaller;
                    failures = 0;
                }
                None => {
                    kept.push(literal);
                    failures += 1;
                    if failures > MOST_FAILURES {
                        break;
                    }
                }
            }
        }
        Ok(cube)
    }

    /// Returns the candidate or a part of it with all of `kept`, if it is inductive relative to the frame before
    /// `frame` and has no initial state. CTGs are blocked first, where that is allowed.
    fn drop_to(
        &mut self,
        mut candidate: Cube,
        frame: FrameIndex,
        kept: &[StateLit],
        depth: usize,
    ) -> Result<Option<Cube>, Exhausted> {
        let mut ctgs = 0;
        loop {
            if self.initiation.disjoint(&candidate)?.is_none() {
                return Ok(None);
            }
            let state = match self.frames.consecution(&self.relation, &candidate, frame.previous())? {
                Consecution::Inductive(part) => {
                    return Ok(Some(self.initiation.restore(part, &candidate)?));
                }
                Consecution::Predecessor(state) => state,
            };
            if depth >= DEEPEST_CTG {
                return Ok(None);
            }
            if ctgs < MOST_CTGS && self.block_ctg(&state, &candidate, frame.previous(), depth)? {
                ctgs += 1;
                continue;
            }
            ctgs = 0;
            if kept.iter().any(|&literal| !state.satisfies(literal)) {
                return Ok(None);
            }
            candidate = candidate.filtered(|literal| state.satisfies(literal));
        }
    }

    /// Blocks a state from which a step leads into `target` at a frame, generalised, if that needs no further blocking
    /// below.
    fn block_ctg(
        &mut self,
        state: &Predecessor,
        target: &Cube,
        frame: FrameIndex,
        depth: usize,
    ) -> Result<bool, Exhausted> {
        if frame == FrameIndex::INITIAL || !self.ctgs.worthwhile() {
            return Ok(false);
        }
        self.ctgs.tried += 1;
        let ctg = self.lift(state, target)?;
        if self.initiation.disjoint(&ctg)?.is_none() {
            return Ok(false);
        }
        let before = frame.previous();
        let Consecution::Inductive(part) = self.frames.consecution(&self.relation, &ctg, before)? else {
            return Ok(false);
        };
        let part = self.initiation.restore(part, &ctg)?;
        let cube = self.drop_literals(part, frame, depth + 1)?;
        self.block_as_high_as_possible(cube, frame)?;
        self.ctgs.blocked += 1;
        Ok(true)
    }
}
