//! From a ground constraint to one about individuals: values of liftable types that need not be these very values become
//! variables.
//!
//! With all values kept, a constraint says what it said before. Which of them must be kept is a preferred minimal set, found
//! with everything at hand that is known of the values whatever happens; of that, as little as possible is kept afterwards.
//! No fact of a minimal constraint becomes superfluous by that, because the constraint only gets weaker.
//!
//! The relations known first are that values of one type differ. Where that leaves values that must be kept, and the model ties values of two
//! types to each other, it is known as well which of them belong together: in the place of the nonce of a session comes
//! `nonce(s)`. Such a constraint covers less than one without ties, and is made where that one does not suffice or does not cover what it
//! should.

use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::index::{DomainId, IndividualVar, PositionVar};
use crate::facts::lifting::{Freed, LiftedValue, Lifter, Tie, ValueRelation};
use crate::oracles::oracle::Oracle;
use crate::oracles::orbit::Alike;
use crate::oracles::sat::Sufficiency;
use crate::search::quick_xplain::quick_xplain;
use itertools::Itertools;
use kit::budget::Limited;
use lang::model::value::Value;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Constraints that name more values than this stay as they are.
const MOST_VALUES: usize = 10;

/// A constraint about individuals.
pub struct Generalised {
    /// The constraint.
    pub constraint: Constraint,
    /// The values of the ground constraint that are freed in it, which are those of the counterexample it was made of.
    pub freed: Vec<LiftedValue>,
    /// The freed values that individuals stand for, in their order.
    own: Vec<LiftedValue>,
    /// How links make the other freed values of these, or of each other.
    ties: Vec<Tie>,
}

impl Generalised {
    /// The values of the individuals there.
    pub fn values(&self) -> Vec<Value> {
        self.own.iter().map(|named| named.value.clone()).collect()
    }

    /// The replacement of a value of the ground constraint where the individuals have these values; `None` where a link has no value
    /// for them.
    pub fn stands_for(
        &self,
        lifter: &Lifter<'_>,
        named: &LiftedValue,
        individuals: &[Value],
    ) -> Option<Value> {
        if let Some(individual) = self.own.iter().position(|own| own == named) {
            return Some(individuals[individual].clone());
        }
        match self.ties.iter().find(|tie| tie.to == *named) {
            Some(tie) => lifter.linked(tie, &self.stands_for(lifter, &tie.from, individuals)?),
            None => Some(named.value.clone()),
        }
    }
}

/// A constraint that covers whatever any general form of a ground one does; it need not suffice. `None` where nothing can be
/// freed.
pub fn most_general(lifter: &Lifter<'_>, ground: &Constraint) -> Option<Constraint> {
    let values = all_values(lifter, ground);
    let can_be_freed = !values.is_empty() && values.len() <= MOST_VALUES;
    can_be_freed.then(|| freely(lifter, ground, &values, &[]).constraint)
}

/// The values of a ground constraint that can be freed.
#[derive(Debug, Clone, Default)]
pub struct Freedom {
    /// Values that can all be freed at once, with what they need for that: without ties, and with them where these free more.
    ways: Vec<FreedValues>,
    /// The ways that were known when only some of the values had been looked at. Those of all values need not include them.
    earlier: Vec<FreedValues>,
    /// For values that were freed, as little of that as suffices.
    needed: FxHashMap<Vec<LiftedValue>, Vec<ValueRelation>>,
    /// True if some values were not examined.
    is_partial: bool,
}

/// Values that can all be freed at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct FreedValues {
    /// The values, in the order of the constraint's facts; perhaps none.
    pub values: Vec<LiftedValue>,
    /// Relations that they need: each differs from the others, and some from another value as well; some are tied to others.
    pub relations: Vec<ValueRelation>,
}

impl Freedom {
    /// Frees as many values as possible of a ground constraint, which suffices. One that cannot stand for just any may still stand for
    /// any but some others: an agent, say, but not the attacker.
    pub fn of(oracle: &mut dyn Oracle<'_>, lifter: &Lifter<'_>, ground: &Constraint) -> Limited<Self> {
        Self::of_values(oracle, lifter, ground, &all_values(lifter, ground))
    }

    /// Frees only values whose types the model names least; ranges of integers count as types that it never names. Those can mostly be
    /// freed, while it takes long to find out whether one role that the model names can take the place of another.
    pub fn of_least_named(
        oracle: &mut dyn Oracle<'_>,
        lifter: &Lifter<'_>,
        ground: &Constraint,
    ) -> Limited<Self> {
        let mut values = all_values(lifter, ground);
        let all = values.len();
        let mentions = |value: &LiftedValue| lifter.mentions(value.domain);
        let least = values.iter().map(mentions).min();
        values.retain(|value| Some(mentions(value)) == least);
        let freedom = Self::of_values(oracle, lifter, ground, &values)?;
        Ok(Self { is_partial: values.len() < all, ..freedom })
    }

    fn of_values(
        oracle: &mut dyn Oracle<'_>,
        lifter: &Lifter<'_>,
        ground: &Constraint,
        values: &[LiftedValue],
    ) -> Limited<Self> {
        let mut form = ConstraintForms::of(oracle, lifter, ground);
        let ways = ways(lifter, values, &mut |freed, relations| form.suffices(freed, relations))?;
        Ok(Self { ways, ..Self::default() })
    }

    /// True if some values were not examined.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Extends a partial result by the result for all values. Constraints that were made with these stay known.
    #[must_use]
    pub fn extended(self, whole: Self) -> Self {
        Self { earlier: self.ways, needed: self.needed, ..whole }
    }

    /// The values that can all be freed at once: those that need no ties, and more of them with ties where that is possible.
    pub fn choices(&self) -> Vec<Vec<LiftedValue>> {
        self.ways.iter().map(|way| way.values.clone()).collect()
    }

    /// As many values as can all be freed at once.
    pub fn most(&self) -> &[LiftedValue] {
        self.ways.last().map_or(&[], |way| &way.values)
    }

    /// Of values that were freed, those that are left if individuals of a domain become what they were, and what is tied to them.
    pub fn without(&self, lifter: &Lifter<'_>, freed: &[LiftedValue], domain: DomainId) -> Vec<LiftedValue> {
        let relations = self.needed.get(freed).map_or(&[][..], Vec::as_slice);
        let (_, FreeValueNames { own, .. }) = written(lifter, freed, relations);
        let dropped = |value: &LiftedValue| own.contains(value) && value.domain == domain;
        free(&freed.iter().filter(|value| !dropped(value)).cloned().collect::<Vec<_>>(), relations)
    }

    /// The constraint with these of the values freed, and as little said of the individuals as suffices; `None` if that has
    /// not what `covers` asks for.
    pub fn used(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        lifter: &Lifter<'_>,
        ground: &Constraint,
        values: &[LiftedValue],
        covers: &dyn Fn(&dyn Oracle<'_>, &Constraint) -> bool,
    ) -> Limited<Option<Generalised>> {
        // Without any relation it covers most, which is seen without a proof.
        if values.is_empty() || !covers(oracle, &freely(lifter, ground, values, &[]).constraint) {
            return Ok(None);
        }
        if !self.needed.contains_key(values) {
            let has = |way: &&FreedValues| values.iter().all(|value| way.values.contains(value));
            let Some(FreedValues { relations, .. }) = self.ways.iter().chain(&self.earlier).find(has) else {
                return Ok(None);
            };
            let mut form = ConstraintForms::of(oracle, lifter, ground);
            let needed = quick_xplain(relations, &mut |relations| form.suffices(values, relations))?;
            self.needed.insert(values.to_vec(), needed);
        }
        let general = freely(lifter, ground, values, &self.needed[values]);
        let is_one = general.constraint.is_lifted() && covers(oracle, &general.constraint);
        Ok(is_one.then_some(general))
    }
}

/// Says whether a constraint does with these values freed, if these relations hold.
pub(crate) type Suffices<'a> = dyn FnMut(&[LiftedValue], &[ValueRelation]) -> Limited<bool> + 'a;

/// As many of these values as can be freed together, in their order, and what they need for that: each differs from the others, and
/// some from another value as well. Where the model ties some of them to each other and that frees more, this is a second way.
pub(crate) fn ways(
    lifter: &Lifter<'_>,
    values: &[LiftedValue],
    suffices: &mut Suffices<'_>,
) -> Limited<Vec<FreedValues>> {
    if values.is_empty() || values.len() > MOST_VALUES {
        return Ok(Vec::new());
    }
    let mut ways = vec![freed(lifter, values, relations(values), suffices)?];
    let ties = lifter.ties(values);
    if !ties.is_empty() && ways[0].values.len() < values.len() {
        let known = ties.into_iter().map(ValueRelation::Tied).chain(relations(values)).collect();
        let tied = freed(lifter, values, known, suffices)?;
        if tied.values.len() > ways[0].values.len() {
            ways.push(tied);
        }
    }
    ways.retain(|way| !way.values.is_empty());
    Ok(ways)
}

/// As many of these values as can be freed together if these relations hold, and other values are not what some of them are.
fn freed(
    lifter: &Lifter<'_>,
    values: &[LiftedValue],
    mut relations: Vec<ValueRelation>,
    suffices: &mut Suffices<'_>,
) -> Limited<FreedValues> {
    // The first ones are rather kept.
    let mut candidates = values.to_vec();
    candidates.sort_by_key(|value| Reverse(lifter.mentions(value.domain)));
    let mut kept = quick_xplain(&candidates, &mut |kept| suffices(&without(values, kept), &relations))?;
    for value in kept.clone() {
        let fewer = without(&kept, std::slice::from_ref(&value));
        let freed = without(values, &fewer);
        let others = lifter.others(&value).into_iter().filter(|other| !values.contains(other));
        let apart: Vec<ValueRelation> =
            others.map(|other| ValueRelation::Distinct(value.clone(), other)).collect();
        // Different from all others, it would be what it was.
        let needed = quick_xplain(&apart, &mut |apart| suffices(&freed, &[&relations[..], apart].concat()))?;
        if needed.len() < apart.len() {
            relations.extend(needed);
            kept = fewer;
        }
    }
    // What is tied to a value that is kept is kept as well.
    Ok(FreedValues { values: free(&without(values, &kept), &relations), relations })
}

fn without(values: &[LiftedValue], some: &[LiftedValue]) -> Vec<LiftedValue> {
    values.iter().filter(|value| !some.contains(value)).cloned().collect()
}

/// The values of liftable types that a ground constraint names, in the order of its facts.
pub fn all_values(lifter: &Lifter<'_>, ground: &Constraint) -> Vec<LiftedValue> {
    ground.facts.iter().flat_map(|fact| values_of(lifter, fact)).unique().collect()
}

/// Relations that hold between values in every trace.
pub fn relations(values: &[LiftedValue]) -> Vec<ValueRelation> {
    let pairs = values.iter().array_combinations().filter(|[a, b]| a.domain == b.domain);
    pairs.map(|[a, b]| ValueRelation::Distinct(a.clone(), b.clone())).collect()
}

/// The forms of a ground constraint that suffices.
struct ConstraintForms<'a, 'm, 'l> {
    oracle: &'a mut dyn Oracle<'m>,
    lifter: &'a Lifter<'l>,
    ground: &'a Constraint,
    /// Images under symmetries, if some are known.
    alike: Option<Alike>,
}

impl<'a, 'm, 'l> ConstraintForms<'a, 'm, 'l> {
    fn of(oracle: &'a mut dyn Oracle<'m>, lifter: &'a Lifter<'l>, ground: &'a Constraint) -> Self {
        let (model, atoms) = (oracle.problem().model, oracle.atoms());
        let alike = oracle
            .symmetries()
            .and_then(|by| Alike::of(by, model, lifter, atoms, ground, all_values(lifter, ground)));
        Self { oracle, lifter, ground, alike }
    }

    /// True if the constraint suffices with these values freed, if these relations hold.
    fn suffices(&mut self, freed: &[LiftedValue], relations: &[ValueRelation]) -> Limited<bool> {
        let Self { oracle, lifter, ground, alike } = self;
        let general = freely(lifter, ground, freed, relations);
        let (model, atoms) = (oracle.problem().model, oracle.atoms());
        let stands_for =
            |named: &LiftedValue, individuals: &[Value]| general.stands_for(lifter, named, individuals);
        let is_shown =
            |alike: &Alike| alike.have_every_instance(model, atoms, &general.constraint, &stands_for);
        if alike.as_ref().is_some_and(is_shown) {
            return Ok(true);
        }
        let constraint = general.constraint;
        let used: Vec<PositionVar> = constraint.variables().collect();
        let answer = oracle.sufficiency_within(oracle.longest(), &constraint.facts, &used)?;
        Ok(matches!(answer, Sufficiency::Sufficient(_)))
    }
}

fn values_of(lifter: &Lifter<'_>, fact: &Fact) -> Vec<LiftedValue> {
    match fact.kind {
        FactKind::Atom(atom) => lifter.values_of(atom, false),
        FactKind::Absent(atom, _) => lifter.values_of(atom, true),
        FactKind::Order(_) => Vec::new(),
    }
}

/// Those of some values that may be any although these relations hold: where one of two values that are tied is what it was, so is the
/// other one.
fn free(values: &[LiftedValue], relations: &[ValueRelation]) -> Vec<LiftedValue> {
    let mut free = values.to_vec();
    loop {
        let before = free.len();
        for tie in ties(relations) {
            if !(free.contains(&tie.from) && free.contains(&tie.to)) {
                free.retain(|value| *value != tie.from && *value != tie.to);
            }
        }
        if free.len() == before {
            return free;
        }
    }
}

fn ties(relations: &[ValueRelation]) -> impl Iterator<Item = &Tie> {
    relations.iter().filter_map(|relation| match relation {
        ValueRelation::Tied(tie) => Some(tie),
        ValueRelation::Distinct(..) => None,
    })
}

/// How values that are free are written.
pub(crate) struct FreeValueNames {
    /// Those that individuals stand for.
    pub own: Vec<LiftedValue>,
    /// The others are what links make of these, or of each other.
    pub ties: Vec<Tie>,
    /// Further known relations between them.
    pub facts: Vec<ValueRelation>,
}

impl FreeValueNames {
    /// How values are written between which these relations hold; `is_total` says of which ties the value can be written as what
    /// its link makes of the other one.
    pub fn of(free: &[LiftedValue], relations: &[ValueRelation], is_total: &dyn Fn(&Tie) -> bool) -> Self {
        let mut ties: Vec<Tie> = Vec::new();
        let mut facts = Vec::new();
        for relation in relations {
            let ValueRelation::Tied(tie) = relation else {
                facts.push(relation.clone());
                continue;
            };
            let mut root = &tie.from;
            while let Some(known) = ties.iter().find(|known| known.to == *root) {
                root = &known.from;
            }
            let is_known = ties.iter().any(|known| known.to == tie.to);
            if !free.contains(&tie.to) || *root == tie.to || is_known || !is_total(tie) {
                facts.push(relation.clone());
            } else {
                ties.push(tie.clone());
            }
        }
        let is_own = |value: &&LiftedValue| ties.iter().all(|tie| tie.to != **value);
        Self { own: free.iter().filter(is_own).cloned().collect(), ties, facts }
    }
}

/// How values of a constraint are written of which these are to be freed, if these relations hold between them; and which are free.
pub(crate) fn written(
    lifter: &Lifter<'_>,
    freed: &[LiftedValue],
    relations: &[ValueRelation],
) -> (Vec<LiftedValue>, FreeValueNames) {
    let free = free(freed, relations);
    let written = FreeValueNames::of(&free, relations, &|tie| lifter.is_total(tie));
    (free, written)
}

/// A ground constraint with individuals in the place of some of its values, between which these relations hold.
pub fn freely(
    lifter: &Lifter<'_>,
    ground: &Constraint,
    freed: &[LiftedValue],
    relations: &[ValueRelation],
) -> Generalised {
    let (free, FreeValueNames { own, ties, facts }) = written(lifter, freed, relations);
    let is_freed = |value: &LiftedValue| free.contains(value);
    let freed = Freed { is_freed: &is_freed, ties: &ties };
    let number = |value: &LiftedValue| {
        IndividualVar::new(own.iter().position(|other| other == value).expect("it is an individual"))
    };
    let fact = |fact: &Fact| {
        let lifted = match fact.kind {
            FactKind::Atom(atom) => lifter.lifted_with(atom, false, &freed),
            FactKind::Absent(atom, _) => lifter.lifted_with(atom, true, &freed),
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
    let related = facts.iter().filter_map(|relation| lifter.related(relation, &freed));
    let related = related.map(|lifted| Fact {
        kind: FactKind::Atom(lifted.atom),
        positions: Vec::new(),
        individuals: lifted.individuals.iter().map(number).collect(),
    });
    let facts = ground.facts.iter().map(fact).chain(related).collect();
    let individuals: Vec<DomainId> = own.iter().map(|value| value.domain).collect();
    let constraint = Constraint { positions: ground.positions, individuals, facts };
    Generalised { constraint, own, ties, freed: free }
}
