//! From a ground constraint to one about individuals.

use super::constraint::{LassoConstraint, MOST_INSTANCES};
use super::fact::{AtomRef, LassoFact};
use super::sufficiency::LassoSufficiency;
use crate::facts::index::{DomainId, IndividualVar};
use crate::facts::lifting::{Freed, LiftedValue, Lifter, ValueRelation};
use crate::search::generalise::{FreeValueNames, ways, written};
use crate::search::quick_xplain::quick_xplain;
use itertools::Itertools;
use kit::budget::Limited;

/// Makes constraints about individuals of the ground constraints over one vocabulary.
pub struct Generaliser<'m> {
    lifter: Lifter<'m>,
}

impl<'m> Generaliser<'m> {
    /// A generaliser that puts individuals where the lifter does.
    pub fn new(lifter: Lifter<'m>) -> Self {
        Self { lifter }
    }

    /// A constraint that covers all that any general form of a ground constraint does; it need not suffice. `None` where there is no
    /// such form.
    pub fn most_general(&self, ground: &LassoConstraint) -> Option<LassoConstraint> {
        let values = self.values(ground);
        (!values.is_empty()).then(|| self.freely(ground, &values, &[])).flatten()
    }

    /// A ground constraint, which suffices, with individuals in the place of as many of its values as possible, of which it says as little
    /// as suffices; where tying some to others frees more of them, this is a second one.
    pub fn general(
        &self,
        sufficiency: &mut LassoSufficiency<'_, '_>,
        ground: &LassoConstraint,
    ) -> Limited<Vec<LassoConstraint>> {
        let mut suffices = |values: &[LiftedValue], relations: &[ValueRelation]| {
            self.freely(ground, values, relations)
                .map_or(Ok(false), |lifted| sufficiency.implies_violation(&lifted))
        };
        let mut general = Vec::new();
        for way in ways(&self.lifter, &self.values(ground), &mut suffices)? {
            let relations = quick_xplain(&way.relations, &mut |relations| suffices(&way.values, relations))?;
            general.extend(self.freely(ground, &way.values, &relations));
        }
        Ok(general)
    }

    /// The values of liftable types that a ground constraint names, in the order of its facts.
    fn values(&self, ground: &LassoConstraint) -> Vec<LiftedValue> {
        let atoms = ground.facts.iter().flat_map(LassoFact::atoms);
        atoms.flat_map(|about| self.lifter.values_of(about.atom, false)).unique().collect()
    }

    /// A ground constraint with individuals in the place of some of its values, between which these relations hold; `None` where they can
    /// be too many together.
    fn freely(
        &self,
        ground: &LassoConstraint,
        freed: &[LiftedValue],
        relations: &[ValueRelation],
    ) -> Option<LassoConstraint> {
        let (free, FreeValueNames { own, ties, facts }) = written(&self.lifter, freed, relations);
        let individuals: Vec<DomainId> = own.iter().map(|named| named.domain).collect();
        let choices = individuals.iter().map(|&domain| self.lifter.cardinality(domain));
        if choices.fold(1, u64::saturating_mul) > MOST_INSTANCES as u64 {
            return None;
        }
        let is_freed = |named: &LiftedValue| free.contains(named);
        let freed = Freed { is_freed: &is_freed, ties: &ties };
        let number =
            |named: &LiftedValue| own.iter().position(|other| other == named).map(IndividualVar::new);
        let about = |atom, values: &[LiftedValue]| AtomRef {
            atom,
            individuals: values.iter().filter_map(number).collect(),
        };
        let lifted = |ground: &AtomRef| match self.lifter.lifted_with(ground.atom, false, &freed) {
            Some(lifted) => about(lifted.atom, &lifted.individuals),
            None => ground.clone(),
        };
        let known = facts.iter().filter_map(|relation| self.lifter.related(relation, &freed));
        let known = known.map(|lifted| about(lifted.atom, &lifted.individuals)).collect();
        let facts = ground.facts.iter().map(|fact| fact.map(lifted)).collect();
        Some(LassoConstraint::new(individuals, facts, known))
    }
}
