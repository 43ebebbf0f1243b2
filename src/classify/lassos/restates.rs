//! Detects constraints of lassos that only restate the property, by itself or in names of actions: questions to a solver about lassos
//! that the model need not have.

use super::constraint::LassoConstraint;
use super::fact::LassoFact;
use super::oracle::{LassoOracle, LassoQuery};
use super::space::{LassoPositions, LassoSpace};
use crate::facts::restates::{MOST_CONFLICTS, Restates};
use engines::ltl::LtlFormula;
use kit::budget::Limited;

impl LassoOracle<'_> {
    /// The kind of restatement, of lassos up to the bound of this search, which is for those that satisfy the property:
    /// [`Restates::Property`] if none of any states and any labels satisfies both; [`Restates::Step`] if it says just what the
    /// property says in names of actions: of lassos from an initial state in which each position is reached by a single step of the
    /// model, from whatever state makes the state formulas of the property as true as the position before does, those that violate the
    /// property satisfy it, and no others. Predicates can say more than the violation needs: what is made of them alone has to say
    /// just that in any case.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn restated(&self, constraint: &LassoConstraint) -> Limited<Restates> {
        let LassoQuery { model, atoms, property, formula, bound, .. } = self.asked();
        let about = (model, atoms);
        let space = |formula, positions| {
            LassoSpace::new(about, (formula, &[]), (positions, bound), self.setup, self.budget)
        };
        let anything = space(formula, LassoPositions::Any)?;
        let in_any = self.excludes(anything, constraint, true)?;
        let mut used = constraint.facts.iter().flat_map(LassoFact::atoms);
        let of_predicates = used.all(|about| atoms.get(about.atom).is_predicate());
        match in_any {
            None => return Ok(Restates::Undecided),
            Some(true) if !of_predicates => return Ok(Restates::Property),
            Some(_) => {}
        }
        let violated = LtlFormula::new(property, false);
        for (formula, inside) in [(formula, true), (&violated, false)] {
            let single = space(formula, LassoPositions::AfterSingleSteps)?;
            match self.excludes(single, constraint, inside)? {
                Some(true) => {}
                Some(false) => return Ok(Restates::Nothing),
                None => return Ok(Restates::Undecided),
            }
        }
        Ok(if in_any == Some(true) { Restates::Property } else { Restates::Step })
    }

    /// True if there are lassos in a space, and none of them is inside a constraint, or outside; `None` if the solver gives up.
    fn excludes(
        &self,
        mut space: LassoSpace<'_>,
        constraint: &LassoConstraint,
        inside: bool,
    ) -> Limited<Option<bool>> {
        let lit = space.constraint(constraint);
        let lit = if inside { lit } else { !lit };
        space.limit_conflicts(Some(MOST_CONFLICTS));
        let mut ask = |assumed: &[_]| match space.is_possible(assumed) {
            Ok(is_possible) => Ok(Some(is_possible)),
            Err(_) => self.budget.exhausted().map_or(Ok(None), Err),
        };
        Ok(match ask(&[lit])? {
            Some(false) => ask(&[])?,
            Some(true) => Some(false),
            None => None,
        })
    }
}
