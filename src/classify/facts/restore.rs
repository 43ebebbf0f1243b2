//! Restores constraints from their texts in a report.

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact, FactKind, OrderRelation, Stretch};
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, IndividualVar, PositionVar};
use crate::facts::lifting::{Freed, LiftedValue, Lifter, Tie, ValueRelation};
use itertools::Itertools;
use kit::budget::Budget;
use lang::model::{Model, Position, Vocabulary};
use lang::trace::Trace;

/// A constraint with its atoms.
#[derive(Debug, Clone, PartialEq)]
pub struct Restored {
    /// The constraint.
    pub constraint: Constraint,
    /// The arena of its atoms, possibly with others.
    pub atoms: Atoms,
}

impl Restored {
    /// True if a trace is in the class, by the reference semantics.
    pub fn contains(&self, model: &Model, trace: &Trace) -> bool {
        self.constraint.matches(model, &self.atoms, &trace.moments).is_some()
    }
}

/// An individual as shown in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownIndividual {
    /// The name of its type.
    pub ty: String,
    /// Its value.
    pub value: String,
}

/// Restores the constraint whose facts have these texts, in order, from a trace that satisfies it: every fact
/// holds there at `positions`, one for each position variable, and for `individuals`, and so is a fact of the
/// vocabulary in this trace, or a lifted one. Adds its atoms to the arena. `None` if a text has no such fact:
/// it comes from another model, vocabulary or trace.
pub fn restore(
    arena: &Atoms,
    model: &Model,
    vocabulary: &Vocabulary,
    trace: &Trace,
    positions: &[Position],
    individuals: &[ShownIndividual],
    texts: &[&str],
) -> Option<Constraint> {
    let lifter = Lifter::new(model, vocabulary, arena, &Grounding::Nothing);
    let freed: Vec<LiftedValue> =
        individuals.iter().map(|shown| lifter.named(&shown.ty, &shown.value)).collect::<Option<_>>()?;
    let mut constraint = Constraint {
        positions: positions.len(),
        individuals: freed.iter().map(|named| named.domain).collect(),
        facts: Vec::new(),
    };
    let names = constraint.names(model, arena);
    let assigned = Assignment {
        positions: positions.to_vec(),
        individuals: freed.iter().map(|named| named.value.clone()).collect(),
    };
    let variables = || (0..positions.len()).map(PositionVar::new);
    let mut collector = Collector::new(model, vocabulary, arena);
    let placed = collector.collect(&trace.moments, &Budget::unlimited()).ok()?;
    let occurrences = collector.occurrences(&trace.moments);
    let holds = |fact: &Fact| fact.holds(model, arena, &trace.moments, &assigned);
    // The variants of a ground fact with individuals in place of some of its values.
    let with_individuals = |fact: Fact| {
        let (FactKind::Atom(atom) | FactKind::Absent(atom, _)) = fact.kind else { return vec![fact] };
        let absent = fact.is_absence();
        let mut all = vec![fact.clone()];
        for told in all_told(&lifter, &lifter.values_of(atom, absent), &freed) {
            let Some(lifted) = told.freed(|freed| lifter.lifted_with(atom, absent, freed)) else { continue };
            let kind = match fact.kind {
                FactKind::Absent(_, stretch) => FactKind::Absent(lifted.atom, stretch),
                _ => FactKind::Atom(lifted.atom),
            };
            let individuals = lifted.individuals.iter().filter_map(|named| number(&freed, named)).collect();
            all.push(Fact { kind, positions: fact.positions.clone(), individuals });
        }
        all
    };
    let atoms = placed.into_iter().map(|p| p.atom).chain(collector.across()).unique();
    let atoms = atoms.flat_map(|id: AtomId| {
        // A fact not collected with positions in the order shown may still hold there.
        let of = (0..arena.get(id).params.len()).map(|_| variables()).multi_cartesian_product();
        of.filter(|of| !of.is_empty()).map(move |positions| Fact::about(FactKind::Atom(id), positions))
    });
    let atoms = atoms.filter(holds).flat_map(with_individuals);
    let of_one = variables().flat_map(|p| [(Stretch::Before, vec![p]), (Stretch::After, vec![p])]);
    let of_two = variables().permutations(2).map(|pair| (Stretch::Between, pair));
    let stretches: Vec<(Stretch, Vec<PositionVar>)> = of_one.chain(of_two).collect();
    let absent = occurrences.into_iter().flat_map(|what| {
        let absent = move |stretch| FactKind::Absent(what.atom, stretch);
        stretches.iter().map(move |(stretch, positions)| Fact::about(absent(*stretch), positions.clone()))
    });
    let absent = absent.filter(holds).flat_map(with_individuals);
    let orders = variables().permutations(2).flat_map(|pair| {
        [OrderRelation::Before, OrderRelation::Next].map(|order| Fact::order(order, pair[0], pair[1]))
    });
    let orders = orders.filter(holds);
    let related = related(&lifter, &freed);
    let mut wanted: Vec<Option<Fact>> = vec![None; texts.len()];
    for fact in atoms.chain(absent).chain(orders).chain(related) {
        let text = fact.show(model, arena, &names);
        if let Some(index) = texts.iter().position(|t| *t == text) {
            wanted[index].get_or_insert(fact);
        }
    }
    constraint.facts = wanted.into_iter().collect::<Option<_>>()?;
    Some(constraint)
}

/// Returns the facts that relate individuals with these values, and values expressed by them.
fn related(lifter: &Lifter<'_>, freed: &[LiftedValue]) -> Vec<Fact> {
    let relations = lifter.relations(&lifter.tellable(freed));
    let mut facts = Vec::new();
    for relation in relations.into_iter().unique() {
        let (ValueRelation::Distinct(a, b) | ValueRelation::Tied(Tie { from: a, to: b, .. })) = &relation;
        for told in all_told(lifter, &[a.clone(), b.clone()], freed) {
            let Some(lifted) = told.freed(|freed| lifter.related(&relation, freed)) else { continue };
            let individuals = lifted.individuals.iter().filter_map(|named| number(freed, named)).collect();
            facts.push(Fact { kind: FactKind::Atom(lifted.atom), positions: Vec::new(), individuals });
        }
    }
    facts
}

/// Some values, with the ties by which individuals express them.
struct TiedValues {
    values: Vec<LiftedValue>,
    ties: Vec<Tie>,
}

impl TiedValues {
    /// True if a value is told by itself, one link after the other. No constraint is written so.
    fn goes_round(&self) -> bool {
        let told_by =
            |value: &LiftedValue| self.ties.iter().find(|tie| tie.to == *value).map(|tie| &tie.from);
        let steps = |tie: &Tie| {
            std::iter::successors(Some(&tie.from), |value| told_by(value)).take(1 + self.ties.len()).count()
        };
        self.ties.iter().any(|tie| steps(tie) > self.ties.len())
    }

    fn freed<T>(&self, lifted: impl FnOnce(&Freed<'_>) -> T) -> T {
        lifted(&Freed { is_freed: &|named| self.values.contains(named), ties: &self.ties })
    }
}

/// Returns all ways to express some of these values by individuals with the values `freed`.
fn all_told(lifter: &Lifter<'_>, values: &[LiftedValue], freed: &[LiftedValue]) -> Vec<TiedValues> {
    let ways = |value: &LiftedValue| {
        let told = lifter.ways_to_tell(value, freed).into_iter().map(|ties| Some((value.clone(), ties)));
        [None].into_iter().chain(told).collect::<Vec<_>>()
    };
    let told = |ways: Vec<Option<(LiftedValue, Vec<Tie>)>>| {
        let (values, ties): (Vec<LiftedValue>, Vec<Vec<Tie>>) = ways.into_iter().flatten().unzip();
        TiedValues { values, ties: ties.concat() }
    };
    let all = values.iter().map(ways).multi_cartesian_product().map(told);
    all.filter(|told| !told.values.is_empty() && !told.goes_round()).collect()
}

fn number(freed: &[LiftedValue], named: &LiftedValue) -> Option<IndividualVar> {
    freed.iter().position(|other| other == named).map(IndividualVar::new)
}
