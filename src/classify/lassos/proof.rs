//! Proofs that classes are right for all infinite traces where the states are too many to list: the questions are asked as ones of safety.

use super::as_linear::linear_formula;
use super::constraint::LassoConstraint;
use super::engine::LassoProblem;
use super::result::Proved;
use crate::budget::{Budget, Exhausted, Limited, Observer};
use crate::classify::atom::Atoms;
use crate::ltl::{Bounded, Safety, bounded, is_fair, satisfies};
use crate::model::Remembering;
use crate::model::expr::Formula;
use crate::model::value::State;
use crate::prove::{Decision, Effort, Unproved, Way, symbolic};
use crate::sat::Backend;
use crate::trace::{Lasso, Trace};
use crate::unroll::Lengths;
use itertools::Itertools;

/// Classes that are right up to a bound.
pub struct Prover<'a, 'm> {
    pub problem: LassoProblem<'m>,
    pub atoms: &'a Atoms,
    pub classes: &'a [&'a LassoConstraint],
    pub backend: Backend,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
}

impl Prover<'_, '_> {
    /// A fair lasso that satisfies the property and is in one of the classes, or violates it and is in none; `None` if it is proved that
    /// there is none. The other back end has checked the proofs.
    ///
    /// # Errors
    /// If the budget ends before, and what is proved by then.
    ///
    /// # Panics
    /// Only on a bug in this program: if a proof is refused, or the definition refuses the lasso.
    pub fn contradiction(&mut self) -> Result<Option<Lasso>, (Exhausted, Proved)> {
        let mut proved = Proved { sufficient: 0, classes: self.classes.len() };
        for class in self.classes {
            match self.inside(class) {
                Ok(None) => proved.sufficient += 1,
                Ok(found) => return Ok(found),
                Err(why) => return Err((why, proved)),
            }
        }
        self.outside().map_err(|why| (why, proved))
    }

    /// A fair lasso that satisfies the property and is in a class.
    fn inside(&mut self, class: &LassoConstraint) -> Limited<Option<Lasso>> {
        let LassoProblem { model, formula, .. } = self.problem;
        for instance in class.instances(model, self.atoms).into_iter().unique() {
            let mut remembering = Remembering::new(model);
            let of_class = linear_formula(&instance, self.atoms, &mut remembering);
            let both = Formula::And(Box::new(of_class), Box::new(formula.clone()));
            if let Some(lasso) = self.violating(&remembering, &Formula::Not(Box::new(both)))? {
                assert!(satisfies(model, formula, &lasso) && self.is_in(class, &lasso), "{lasso:?}");
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    /// A fair lasso that violates the property and is in no class.
    fn outside(&mut self) -> Limited<Option<Lasso>> {
        let LassoProblem { model, formula, .. } = self.problem;
        let mut remembering = Remembering::new(model);
        let instances = self.classes.iter().flat_map(|class| class.instances(model, self.atoms)).unique();
        let ways = instances.map(|instance| linear_formula(&instance, self.atoms, &mut remembering));
        let explained = ways.fold(formula.clone(), |some, way| Formula::Or(Box::new(some), Box::new(way)));
        let found = self.violating(&remembering, &explained)?;
        if let Some(lasso) = &found {
            let is_in_some = self.classes.iter().any(|class| self.is_in(class, lasso));
            assert!(!satisfies(model, formula, lasso) && !is_in_some, "{lasso:?}");
        }
        Ok(found)
    }

    fn is_in(&self, class: &LassoConstraint, lasso: &Lasso) -> bool {
        class.holds(self.problem.model, self.atoms, lasso)
    }

    /// A shortest fair lasso that violates a formula about states that remember, as one of the model; `None` if it is proved that there is
    /// none.
    fn violating(&mut self, remembering: &Remembering, formula: &Formula) -> Limited<Option<Lasso>> {
        let (backend, budget, fairness) = (self.backend, self.budget, self.problem.fairness);
        let Safety { model: looping, never_closed } = Safety::new(&remembering.model, formula, fairness);
        let effort = Effort { backend, budget, observer: &mut *self.observer };
        let steps = match symbolic(&looping, &never_closed, Way::Auto, effort) {
            Decision::Holds(_) => return Ok(None),
            Decision::Violated(steps) => steps,
            Decision::Unknown { why: Unproved::Budget(why), .. } => return Err(why),
            Decision::Unknown { why: Unproved::Choices(_), .. } => {
                unreachable!("states are not visited")
            }
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
