//! IC3, also called property-directed reachability (A. Bradley, "SAT-based model checking without unrolling",
//! VMCAI 2011; N. Eén, A. Mishchenko, R. Brayton, "Efficient implementation of property directed
//! reachability", FMCAD 2011).
//!
//! States that lead to something bad are excluded one after the other, each together with as many others as the
//! solver's cores and leaving out statements allow, from what can be reached in so many steps. When two
//! levels agree, their clauses are an invariant.

use super::certificate::Certificate;
use super::levels::{Cube, Levels, Reached};
use super::support::support;
use super::system::System;
use super::{Effort, Found};
use crate::budget::{Exhausted, Progress};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The search, level by level.
pub(super) struct Ic3<'a> {
    system: &'a System<'a>,
    levels: Levels<'a>,
    /// How many obligations there were: of equal ones, the newest comes first.
    obligations: usize,
    /// Nothing bad happens after fewer steps than this.
    depth: usize,
}

/// States that lead to something bad and have to be excluded from a level; the lowest level first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Obligation {
    level: Reverse<usize>,
    number: usize,
    /// How many steps lead from there to something bad.
    distance: usize,
    cube: Cube,
}

impl<'a> Ic3<'a> {
    pub fn new(system: &'a System<'a>, effort: &Effort<'_>) -> Self {
        let levels = Levels::new(system, effort.backend, effort.budget);
        Self { system, levels, obligations: 0, depth: 0 }
    }

    /// The number of steps below which nothing bad happens.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Searches until there is an answer, or the budget ends.
    pub fn run(&mut self, effort: &mut Effort<'_>) -> Found {
        self.search(effort).unwrap_or_else(Found::Exhausted)
    }

    fn search(&mut self, effort: &mut Effort<'_>) -> Result<Found, Exhausted> {
        if self.levels.bad(0)?.is_some() {
            return Ok(Found::Violated(0));
        }
        self.levels.add_level();
        loop {
            let top = self.levels.top();
            self.depth = top;
            while let Some(cube) = self.levels.bad(top)? {
                if let Some(depth) = self.exclude(cube, effort)? {
                    return Ok(Found::Violated(depth));
                }
            }
            self.depth = top + 1;
            self.levels.add_level();
            if let Some(level) = self.push()? {
                let clauses = self.levels.clauses(level);
                let needed = support(self.system, &clauses, effort.backend, effort.budget)?;
                return Ok(Found::Holds(Certificate::Invariant(needed)));
            }
        }
    }

    /// Excludes a cube of bad states from the top level; the length of a trace to one of them if that is
    /// not possible.
    fn exclude(&mut self, cube: Cube, effort: &mut Effort<'_>) -> Result<Option<usize>, Exhausted> {
        let top = self.levels.top();
        let mut open = BinaryHeap::new();
        open.push(self.obligation(top, 0, cube));
        while let Some(Obligation { level: Reverse(level), distance, cube, .. }) = open.pop() {
            let (solver_calls, solver_seconds) = self.levels.solver();
            effort.observer.progress(&Progress {
                phase: "IC3",
                depth: top,
                solver_calls,
                solver_seconds,
                ..Progress::default()
            });
            let known = (level..=top).rev().find(|&at| self.levels.excludes(&cube, at));
            let excluded = match known {
                Some(at) => at,
                None => match self.levels.step_into(&cube, level - 1)? {
                    Reached::From(state) => {
                        if level == 1 || self.levels.initial(&state)?.is_none() {
                            return Ok(Some(distance + 1));
                        }
                        open.push(self.obligation(level - 1, distance + 1, state));
                        open.push(self.obligation(level, distance, cube));
                        continue;
                    }
                    Reached::Not(part) => self.learn(part, &cube, level)?,
                },
            };
            if excluded < top {
                open.push(self.obligation(excluded + 1, distance, cube));
            }
        }
        Ok(None)
    }

    fn obligation(&mut self, level: usize, distance: usize, cube: Cube) -> Obligation {
        self.obligations += 1;
        Obligation { level: Reverse(level), number: self.obligations, distance, cube }
    }

    /// Excludes a cube, and as many more states as possible, up to this level and as many more as possible;
    /// the highest of these. No step from the level below leads to `part` of the cube.
    fn learn(&mut self, part: Cube, cube: &Cube, level: usize) -> Result<usize, Exhausted> {
        let apart = self.apart(part, cube)?;
        let mut cube = self.shortened(apart, level)?;
        if let Some(wider) = self.levels.spelt_out(&cube)
            && let Reached::Not(part) = self.levels.step_into(&wider, level - 1)?
        {
            let apart = self.apart(part, &wider)?;
            let summed = self.levels.summed_up(&apart);
            cube = self.shortened(summed, level)?;
        }
        let mut at = level;
        while at < self.levels.top() && matches!(self.levels.step_into(&cube, at)?, Reached::Not(_)) {
            at += 1;
        }
        self.levels.exclude(cube, at);
        Ok(at)
    }

    /// Leaves out one statement after the other while no step from the level below leads there.
    fn shortened(&mut self, mut cube: Cube, level: usize) -> Result<Cube, Exhausted> {
        let mut needed = 0;
        while needed < cube.len() {
            let mut less = cube.clone();
            less.remove(needed);
            if self.levels.initial(&less)?.is_none() {
                needed += 1;
                continue;
            }
            match self.levels.step_into(&less, level - 1)? {
                Reached::From(_) => needed += 1,
                Reached::Not(part) => {
                    let part = self.apart(part, &less)?;
                    needed = cube[..needed].iter().filter(|is| part.contains(is)).count();
                    cube = part;
                }
            }
        }
        Ok(cube)
    }

    /// `part` and what else of `whole`, in which no initial state is, it takes that none is in it.
    fn apart(&mut self, part: Cube, whole: &Cube) -> Result<Cube, Exhausted> {
        if self.levels.initial(&part)?.is_some() {
            return Ok(part);
        }
        let reason = self.levels.initial(whole)?.expect("no initial state is in the whole");
        Ok(whole.iter().filter(|is| part.contains(is) || reason.contains(is)).copied().collect())
    }

    /// Excludes cubes from higher levels where that is right; the first level that is an invariant.
    fn push(&mut self) -> Result<Option<usize>, Exhausted> {
        for level in 1..self.levels.top() {
            for cube in self.levels.cubes(level).to_vec() {
                let kept = self.levels.cubes(level).contains(&cube);
                if kept && matches!(self.levels.step_into(&cube, level)?, Reached::Not(_)) {
                    self.levels.promote(&cube, level);
                }
            }
            if self.levels.cubes(level).is_empty() {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}
