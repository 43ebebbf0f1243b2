//! Which violating traces are to be covered.

use super::things::Thing;
use crate::facts::constraint::Constraint;
use crate::facts::index::CandidateId;
use crate::oracles::occurrence::anywhere;
use crate::oracles::oracle::Oracle;
use crate::oracles::space::Space;
use lang::trace::Trace;
use solvers::sat::Lit;

/// Variables of contexts are numbered from here, apart from those of things.
const FIRST_NUMBER: usize = 1 << 14;

/// What the violating traces have in common that are to be covered. Without anything, they are all.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Constraints that they satisfy.
    pub has: Vec<Constraint>,
    /// Things that do not happen in them.
    pub lacks: Vec<CandidateId>,
}

impl Context {
    /// Those of the traces that satisfy another constraint as well.
    pub fn and(&self, constraint: Constraint) -> Self {
        let has = self.has.iter().cloned().chain([constraint]).collect();
        Self { has, lacks: self.lacks.clone() }
    }

    /// True if the context has all violating traces.
    pub fn is_empty(&self) -> bool {
        self.has.is_empty() && self.lacks.is_empty()
    }

    /// Literals that are true in these traces only.
    pub fn literals(&self, space: &mut Space<'_>, things: &mut [Thing]) -> Vec<Lit> {
        let has = self.has.iter().enumerate();
        let mut lits: Vec<Lit> =
            has.map(|(depth, constraint)| anywhere(space, constraint, FIRST_NUMBER + depth)).collect();
        lits.extend(self.lacks.iter().map(|id| !things[id.index()].matched(space)));
        lits
    }

    /// Whether a violating trace is one of them, by the reference semantics.
    pub fn contains(&self, space: &Space<'_>, things: &[Thing], trace: &Trace) -> bool {
        let has = |constraint: &Constraint| space.matches(constraint, trace).is_some();
        self.has.iter().all(has) && !self.lacks.iter().any(|id| has(&things[id.index()].constraint))
    }
}
