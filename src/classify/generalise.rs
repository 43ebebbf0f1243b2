//! From a ground constraint to one about individuals: values of liftable types that need not be these very values become
//! variables.
//!
//! With all values kept, a constraint says what it said before. Which of them must be kept is a preferred minimal set, found
//! with everything at hand that is known of the values whatever happens; of that, as little as possible is kept afterwards.
//! No fact of a minimal constraint becomes superfluous by that, because the constraint only gets weaker.

use super::constraint::Constraint;
use super::fact::{Fact, FactKind};
use super::index::{DomainId, IndividualVar, PositionVar};
use super::lifting::{Lifter, Named, Relation};
use super::oracle::Oracle;
use super::quick_xplain::quick_xplain;
use super::space::Sufficiency;
use crate::budget::Limited;
use crate::model::value::Value;
use itertools::Itertools;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Constraints that name more values than this stay as they are.
const MOST_VALUES: usize = 10;

/// A constraint about individuals.
pub struct Generalised {
    /// The constraint.
    pub constraint: Constraint,
    /// What the individuals are in the counterexample of the ground constraint, in their order.
    pub freed: Vec<Named>,
}

impl Generalised {
    /// The values of the individuals there.
    pub fn values(&self) -> Vec<Value> {
        self.freed.iter().map(|named| named.value.clone()).collect()
    }
}

/// A constraint that covers whatever any general form of a ground one does; it need not suffice. `None` where nothing can be
/// freed.
pub fn most_general(lifter: &Lifter<'_>, ground: &Constraint) -> Option<Constraint> {
    let values = all_values(lifter, ground);
    let can_be_freed = !values.is_empty() && values.len() <= MOST_VALUES;
    can_be_freed.then(|| freely(lifter, ground, &values, &[]).constraint)
}

/// What can be freed in a ground constraint.
#[derive(Debug, Clone, Default)]
pub struct Freedom {
    /// The values that can all be freed at once, in the order of the constraint's facts; perhaps none.
    pub values: Vec<Named>,
    /// What they need: each differs from the others, and some from another value as well.
    relations: Vec<Relation>,
    /// For values that were freed, as little of that as suffices.
    needed: FxHashMap<Vec<Named>, Vec<Relation>>,
}

impl Freedom {
    /// What can be freed in a ground constraint, which suffices: as many values as possible. One that cannot stand for just
    /// any may still stand for any but some others: an agent, say, but not the attacker.
    pub fn of(space: &mut dyn Oracle<'_>, lifter: &Lifter<'_>, ground: &Constraint) -> Limited<Self> {
        let values = all_values(lifter, ground);
        let (values, relations) = freed(lifter, &values, &mut |freed, relations| {
            suffices(space, &freely(lifter, ground, freed, relations).constraint)
        })?;
        Ok(Self { values, relations, needed: FxHashMap::default() })
    }

    /// The constraint with these of the values freed, and as little said of the individuals as suffices; `None` if that has
    /// not what `covers` asks for.
    pub fn used(
        &mut self,
        space: &mut dyn Oracle<'_>,
        lifter: &Lifter<'_>,
        ground: &Constraint,
        values: &[Named],
        covers: &dyn Fn(&dyn Oracle<'_>, &Constraint) -> bool,
    ) -> Limited<Option<Generalised>> {
        // Without any relation it covers most, which is seen without a proof.
        if values.is_empty() || !covers(space, &freely(lifter, ground, values, &[]).constraint) {
            return Ok(None);
        }
        if !self.needed.contains_key(values) {
            let needed = quick_xplain(&self.relations, &mut |relations| {
                suffices(space, &freely(lifter, ground, values, relations).constraint)
            })?;
            self.needed.insert(values.to_vec(), needed);
        }
        let general = freely(lifter, ground, values, &self.needed[values]);
        Ok(covers(space, &general.constraint).then_some(general))
    }
}

/// Says whether a constraint does with these values freed, if these relations hold.
pub(super) type Suffices<'a> = dyn FnMut(&[Named], &[Relation]) -> Limited<bool> + 'a;

/// As many of these values as can be freed together, in their order, and what they need for that: each differs from the others, and
/// some from another value as well.
pub(super) fn freed(
    lifter: &Lifter<'_>,
    values: &[Named],
    suffices: &mut Suffices<'_>,
) -> Limited<(Vec<Named>, Vec<Relation>)> {
    if values.is_empty() || values.len() > MOST_VALUES {
        return Ok(Default::default());
    }
    let mut relations = relations(values);
    // The first ones are rather kept.
    let mut candidates = values.to_vec();
    candidates.sort_by_key(|value| Reverse(lifter.mentions(value.domain)));
    let mut kept = quick_xplain(&candidates, &mut |kept| suffices(&without(values, kept), &relations))?;
    for value in kept.clone() {
        let fewer = without(&kept, std::slice::from_ref(&value));
        let freed = without(values, &fewer);
        let others = lifter.others(&value).into_iter().filter(|other| !values.contains(other));
        let apart: Vec<Relation> = others.map(|other| Relation::Distinct(value.clone(), other)).collect();
        // Different from all others, it would be what it was.
        let needed = quick_xplain(&apart, &mut |apart| suffices(&freed, &[&relations[..], apart].concat()))?;
        if needed.len() < apart.len() {
            relations.extend(needed);
            kept = fewer;
        }
    }
    Ok((without(values, &kept), relations))
}

fn without(values: &[Named], some: &[Named]) -> Vec<Named> {
    values.iter().filter(|value| !some.contains(value)).cloned().collect()
}

/// The values of liftable types that a ground constraint names, in the order of its facts.
pub(super) fn all_values(lifter: &Lifter<'_>, ground: &Constraint) -> Vec<Named> {
    ground.facts.iter().flat_map(|fact| values_of(lifter, fact)).unique().collect()
}

/// What holds between values, whatever happens.
pub(super) fn relations(values: &[Named]) -> Vec<Relation> {
    let pairs = values.iter().array_combinations().filter(|[a, b]| a.domain == b.domain);
    pairs.map(|[a, b]| Relation::Distinct(a.clone(), b.clone())).collect()
}

fn suffices(space: &mut dyn Oracle<'_>, constraint: &Constraint) -> Limited<bool> {
    let used: Vec<PositionVar> = constraint.variables().collect();
    let answer = space.sufficiency_within(space.last(), &constraint.facts, &used)?;
    Ok(matches!(answer, Sufficiency::Sufficient(_)))
}

fn values_of(lifter: &Lifter<'_>, fact: &Fact) -> Vec<Named> {
    match fact.kind {
        FactKind::Atom(atom) => lifter.values_of(atom, false),
        FactKind::Absent(atom, _) => lifter.values_of(atom, true),
        FactKind::Order(_) => Vec::new(),
    }
}

/// A ground constraint with individuals in the place of some of its values, between which these relations hold.
pub(super) fn freely(
    lifter: &Lifter<'_>,
    ground: &Constraint,
    freed: &[Named],
    relations: &[Relation],
) -> Generalised {
    let is_freed = |value: &Named| freed.contains(value);
    let number = |value: &Named| {
        IndividualVar::new(freed.iter().position(|other| other == value).expect("it is freed"))
    };
    let fact = |fact: &Fact| {
        let lifted = match fact.kind {
            FactKind::Atom(atom) => lifter.lifted(atom, false, &is_freed),
            FactKind::Absent(atom, _) => lifter.lifted(atom, true, &is_freed),
            FactKind::Order(_) => None,
        };
        let Some(lifted) = lifted else { return fact.clone() };
        let kind = match fact.kind {
            FactKind::Absent(_, stretch) => FactKind::Absent(lifted.atom, stretch),
            _ => FactKind::Atom(lifted.atom),
        };
        let individuals = lifted.individuals.iter().map(number).collect();
        Fact { kind, positions: fact.positions.clone(), individuals }
    };
    let related = relations.iter().filter_map(|relation| lifter.related(relation, &is_freed));
    let related = related.map(|lifted| Fact {
        kind: FactKind::Atom(lifted.atom),
        positions: Vec::new(),
        individuals: lifted.individuals.iter().map(number).collect(),
    });
    let facts = ground.facts.iter().map(fact).chain(related).collect();
    let individuals: Vec<DomainId> = freed.iter().map(|value| value.domain).collect();
    let constraint = Constraint { positions: ground.positions, individuals, facts };
    Generalised { constraint, freed: freed.to_vec() }
}
