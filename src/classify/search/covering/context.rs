//! The violating finite traces that are to be covered, in a solver and by the reference semantics.

use super::scene::CoverContext;
use super::things::CoverItem;
use crate::facts::constraint::Constraint;
use crate::oracles::occurrence::anywhere;
use crate::oracles::oracle::Oracle;
use crate::oracles::space::SatOracle;
use lang::trace::Trace;
use solvers::sat::Lit;

/// Variables of contexts are numbered from here, apart from those of things.
const FIRST_NUMBER: usize = 1 << 14;

impl CoverContext<Constraint> {
    /// Literals that are true in these traces only.
    pub fn literals(&self, space: &mut SatOracle<'_>, things: &mut [CoverItem]) -> Vec<Lit> {
        let has = self.has.iter().enumerate();
        let mut lits: Vec<Lit> =
            has.map(|(depth, constraint)| anywhere(space, constraint, FIRST_NUMBER + depth)).collect();
        lits.extend(self.lacks.iter().map(|id| !things[id.index()].matched(space)));
        lits
    }

    /// True if a violating trace is one of them, by the reference semantics.
    pub fn contains(&self, space: &SatOracle<'_>, things: &[CoverItem], trace: &Trace) -> bool {
        let has = |constraint: &Constraint| space.matches(constraint, trace).is_some();
        self.has.iter().all(has) && !self.lacks.iter().any(|id| has(&things[id.index()].constraint))
    }
}
