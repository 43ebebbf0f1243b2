//! The claims of a classification about all traces, as clauses that are unsatisfiable iff the claim is true.

use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use crate::oracles::block;
use crate::oracles::sat::SatOracle;
use crate::results::result::{Classification, Verdict};
use kit::budget::{Budget, Limited};
use solvers::sat::{Backend, Circuit, ClauseObligation, Lit, SatSolver, Unsolved};
use solvers::unroll::{self, Lengths};

/// A claim of a classification about all traces of its lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposition {
    /// Every trace of this class, by its index, violates the property.
    Sufficient(usize),
    /// Every violating trace is in one of the classes.
    Complete,
    /// No trace violates the property.
    Holds,
}

impl Classification {
    /// Returns a short name of a claim, suitable for a file: `class-1-suffices`, `class-1-image-2-suffices`.
    pub fn name_of(&self, proposition: Proposition) -> String {
        match proposition {
            Proposition::Sufficient(index) => match self.numbered(index) {
                (class, None) => format!("class-{class}-suffices"),
                (class, Some(image)) => format!("class-{class}-image-{image}-suffices"),
            },
            Proposition::Complete => "complete".to_owned(),
            Proposition::Holds => "holds".to_owned(),
        }
    }

    /// Returns the claims of the result about all traces. Irredundancy of classes and necessity of facts are
    /// shown by traces, which need no proof. The claims of a cover are not included.
    pub fn propositions(&self) -> Vec<Proposition> {
        let sufficient = self.classes.iter().enumerate().filter(|(_, class)| class.sufficient);
        let mut sufficient: Vec<usize> = sufficient.map(|(index, _)| index).collect();
        sufficient.sort_by_key(|&index| self.numbered(index));
        let mut list: Vec<Proposition> = sufficient.into_iter().map(Proposition::Sufficient).collect();
        match self.verdict {
            Verdict::Complete if self.cover.is_none() => list.push(Proposition::Complete),
            Verdict::Holds => list.push(Proposition::Holds),
            _ => {}
        }
        list
    }

    /// Returns the lengths of traces for which its classes are claimed to be sufficient: possibly longer than
    /// counterexamples, up to the horizon.
    pub fn suffices_for(&self) -> Lengths {
        let farther = self.horizon.as_ref().and_then(|horizon| horizon.sufficient_up_to);
        match (self.lengths, farther) {
            (Lengths::UpTo(bound), Some(farther)) => Lengths::UpTo(bound.max(farther)),
            (lengths, _) => lengths,
        }
    }

    /// Returns clauses that are unsatisfiable iff a claim of this result is true.
    ///
    /// # Errors
    /// If the budget ends before they are complete.
    ///
    /// # Panics
    /// If the claim is wrong and this is noticed: a bug in this program.
    pub fn obligation(
        &self,
        problem: Problem<'_>,
        proposition: Proposition,
        budget: &Budget,
    ) -> Limited<ClauseObligation> {
        match proposition {
            Proposition::Holds => unroll::clauses(problem.model, problem.invariant, self.lengths, budget),
            Proposition::Sufficient(class) => self.sufficient(problem, class, budget),
            Proposition::Complete => self.complete(problem, budget),
        }
    }

    /// Encodes a trace without violation that satisfies a class.
    fn sufficient(&self, problem: Problem<'_>, class: usize, budget: &Budget) -> Limited<ClauseObligation> {
        let mut oracle = self.oracle(problem, self.suffices_for(), Box::new(Unsolved), budget)?;
        let constraint = &self.classes[class].constraint;
        let used: Vec<PositionVar> = constraint.variables().collect();
        let assumptions = oracle.accepting_with(&constraint.facts, &used);
        unroll::obligation(&mut oracle.unrolling, &assumptions)
    }

    /// Encodes a counterexample outside of all classes.
    fn complete(&self, problem: Problem<'_>, budget: &Budget) -> Limited<ClauseObligation> {
        let mut oracle = self.oracle(problem, self.lengths, Box::new(Unsolved), budget)?;
        let mut outside = self.outside(&mut oracle);
        if oracle.excludes_when_found() {
            // Some matches are excluded only after a solver has found them.
            oracle = self.oracle(problem, self.lengths, Backend::Cadical.start(budget), budget)?;
            outside = self.outside(&mut oracle);
            if let Some(trace) = oracle.any_counterexample(&outside)? {
                panic!("proof: no class contains the counterexample {trace:?}");
            }
        }
        outside.push(oracle.violating());
        unroll::obligation(&mut oracle.unrolling, &outside)
    }

    /// Returns assumptions that no class matches.
    fn outside(&self, oracle: &mut SatOracle<'_>) -> Vec<Lit> {
        let classes = self.classes.iter().filter(|class| class.sufficient);
        classes.map(|class| !block::matched(oracle, &class.constraint)).collect()
    }

    /// Creates an unrolling that records its clauses.
    fn oracle<'a>(
        &'a self,
        problem: Problem<'a>,
        lengths: Lengths,
        solver: Box<dyn SatSolver>,
        budget: &Budget,
    ) -> Limited<SatOracle<'a>> {
        let mut oracle = SatOracle::over(problem, &self.atoms, lengths, Circuit::recording(solver), budget);
        oracle.grow_to(lengths.bound())?;
        Ok(oracle)
    }
}
