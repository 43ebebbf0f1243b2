//! Proofs that classes are right for all infinite traces where the states are too many to list: the questions are asked as ones of safety.

use super::as_linear::linear_formula;
use super::claims::NoLassoClaim;
use super::constraint::LassoConstraint;
use super::options::LassoProblem;
use super::result::OpenClaims;
use crate::facts::atom::Atoms;
use engines::ltl::{Bounded, LoopSafety, bounded, is_fair, satisfies};
use engines::prove::{InvariantDecision, InvariantMethod, ProofEffort, Unproved, symbolic};
use itertools::Itertools;
use kit::budget::{Budget, Limited, Observer};
use lang::model::Remembering;
use lang::model::expr::Formula;
use lang::model::value::State;
use lang::trace::{Lasso, Trace};
use solvers::sat::Backend;
use solvers::unroll::Lengths;

/// Proves for all infinite traces the claims that hold up to a bound.
pub struct LassoProver<'a, 'm> {
    pub problem: LassoProblem<'m>,
    pub atoms: &'a Atoms,
    pub claims: &'a [NoLassoClaim<'a>],
    pub backend: Backend,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
}

impl LassoProver<'_, '_> {
    /// A fair lasso that contradicts one of the claims; `None` if it is proved that there is none. The other back end has checked the proofs.
    ///
    /// # Errors
    /// If the budget ends before, and what is proved by then.
    ///
    /// # Panics
    /// Only on a bug in this program: if a proof is refused, or the definition refuses the lasso.
    pub fn contradiction(&mut self) -> Result<Option<Lasso>, OpenClaims> {
        let classes = self.claims.iter().filter(|claim| claim.satisfied).count();
        let mut sufficient = 0;
        for claim in self.claims {
            match self.refuting(claim) {
                Ok(None) => sufficient += usize::from(claim.satisfied),
                Ok(found) => return Ok(found),
                Err(why) => return Err(OpenClaims { why, sufficient, classes }),
            }
        }
        Ok(None)
    }

    /// A fair lasso of the kind of which a claim says that there is none.
    fn refuting(&mut self, claim: &NoLassoClaim<'_>) -> Limited<Option<Lasso>> {
        let LassoProblem { model, formula, .. } = self.problem;
        let atoms = self.atoms;
        let instances =
            |constraint: &&LassoConstraint| constraint.instances(model, atoms).into_iter().unique();
        // The product of no lists is one empty choice.
        for chosen in claim.inside.iter().map(instances).multi_cartesian_product() {
            let mut remembering = Remembering::new(model);
            let mut linear = |instance: &LassoConstraint| linear_formula(instance, atoms, &mut remembering);
            let missed = chosen.iter().map(|instance| Formula::Not(Box::new(linear(instance))));
            let missed: Vec<Formula> = missed.collect();
            let excused: Vec<Formula> =
                claim.outside.iter().flat_map(instances).unique().map(|instance| linear(&instance)).collect();
            let answer =
                if claim.satisfied { Formula::Not(Box::new(formula.clone())) } else { formula.clone() };
            let every = missed
                .into_iter()
                .chain(excused)
                .fold(answer, |some, other| Formula::Or(Box::new(some), Box::new(other)));
            if let Some(lasso) = self.violating(&remembering, &every)? {
                let is_in = |constraint: &&LassoConstraint| constraint.holds(model, atoms, &lasso);
                let is_meant = satisfies(model, formula, &lasso) == claim.satisfied
                    && claim.inside.iter().all(is_in)
                    && !claim.outside.iter().any(is_in);
                assert!(is_meant, "{lasso:?}");
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    /// A shortest fair lasso that violates a formula about states that remember, as one of the model; `None` if it is proved that there is
    /// none.
    fn violating(&mut self, remembering: &Remembering, formula: &Formula) -> Limited<Option<Lasso>> {
        let (backend, budget, fairness) = (self.backend, self.budget, self.problem.fairness);
        let LoopSafety { model: looping, never_closed } =
            LoopSafety::new(&remembering.model, formula, fairness);
        let effort = ProofEffort { backend, budget, observer: &mut *self.observer };
        let steps = match symbolic(&looping, &never_closed, InvariantMethod::Auto, effort) {
            InvariantDecision::Holds(_) => return Ok(None),
            InvariantDecision::Violated { steps, .. } => steps,
            InvariantDecision::Unknown { why: Unproved::Budget(why), .. } => return Err(why),
            InvariantDecision::Unknown { .. } => unreachable!("states are neither visited nor represented"),
        };
        let lengths = Lengths::UpTo(steps);
        match bounded(&remembering.model, formula, fairness, lengths, backend, budget, self.observer) {
            Bounded::Violated(lasso) => {
                let lasso = self.without_memory(lasso);
                assert!(is_fair(self.problem.model, fairness, &lasso), "{lasso:?}");
                Ok(Some(lasso))
            }
            Bounded::Undecided { why, .. } => Err(why),
            Bounded::Holds => panic!("no violating lasso of up to {steps} steps was found"),
        }
    }

    /// A lasso without what its states remember.
    fn without_memory(&self, lasso: Lasso) -> Lasso {
        let own = self.problem.model.variables.len();
        let moments = lasso.trace.moments.into_iter().map(|mut moment| {
            moment.state = State(moment.state.0[..own].to_vec());
            moment
        });
        Lasso { trace: Trace { moments: moments.collect() }, start: lasso.start }
    }
}
