//! Constraints that suffice because symmetries take one that does to each of their instances.
//!
//! A symmetry takes traces without violation to such traces. So if it takes a ground constraint that suffices for a violation to another
//! one, that suffices as well, and so does a constraint with individuals all instances of which arise in this way: any two different
//! sessions, say, where the ground constraint names the first and the second one. The solver need not prove that, which takes much longer
//! than the proof for the ground constraint.

use super::Exchange;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::lifting::{Lifter, Named};
use lang::model::Model;
use lang::model::types::Types;
use lang::model::value::Value;
use rustc_hash::FxHashSet;

/// The most images of the values of a constraint that are looked at.
const MOST_IMAGES: usize = 1_000;
/// The most instances of a constraint with individuals that are looked at.
const MOST_INSTANCES: usize = 256;

/// The constraints that symmetries make of a ground one.
pub struct Alike {
    /// The values of liftable types that it names.
    values: Vec<Named>,
    /// What symmetries make of them, all at once.
    images: FxHashSet<Vec<Value>>,
}

impl Alike {
    /// Those of a ground constraint that names these values of liftable types; `None` where that is not clear, or where there are too many.
    pub fn of(
        exchange: &Exchange,
        model: &Model,
        lifter: &Lifter<'_>,
        atoms: &Atoms,
        ground: &Constraint,
        values: Vec<Named>,
    ) -> Option<Self> {
        let types = &model.types;
        let moves = |named: &Named| exchange.moves(types, atoms.type_of(named.domain));
        let without_values = |fact: &Fact| {
            let lifted =
                |atom, absent| lifter.lifted(atom, absent, &moves).map_or(atom, |lifted| lifted.atom);
            let kind = match fact.kind {
                FactKind::Atom(atom) => FactKind::Atom(lifted(atom, false)),
                FactKind::Absent(atom, stretch) => FactKind::Absent(lifted(atom, true), stretch),
                order @ FactKind::Order(_) => order,
            };
            Fact { kind, ..fact.clone() }
        };
        let rest = Constraint { facts: ground.facts.iter().map(without_values).collect(), ..ground.clone() };
        if !exchange.preserves(types, atoms, &rest) {
            return None;
        }
        let images = images(exchange, types, atoms, &values)?;
        Some(Self { values, images })
    }

    /// Whether every instance of a constraint with individuals, made of the ground one, is among them. What is in the place of a value of the
    /// ground constraint, where the individuals have some values, is what it `stands_for`.
    pub fn have_every_instance(
        &self,
        model: &Model,
        atoms: &Atoms,
        general: &Constraint,
        stands_for: &dyn Fn(&Named, &[Value]) -> Option<Value>,
    ) -> bool {
        let Some(choices) = general.choices(model, atoms, MOST_INSTANCES) else { return false };
        choices.iter().all(|individuals| {
            let image = self.values.iter().map(|value| stands_for(value, individuals));
            image.collect::<Option<Vec<Value>>>().is_some_and(|image| self.images.contains(&image))
        })
    }
}

/// What symmetries make of values, all at once: the orbit of the list of them.
fn images(
    exchange: &Exchange,
    types: &Types,
    atoms: &Atoms,
    values: &[Named],
) -> Option<FxHashSet<Vec<Value>>> {
    let first: Vec<Value> = values.iter().map(|named| named.value.clone()).collect();
    let mut images = FxHashSet::from_iter([first.clone()]);
    let mut next = vec![first];
    while let Some(image) = next.pop() {
        for by in &exchange.by {
            let named = image.iter().zip(values);
            let moved: Vec<Value> =
                named.map(|(value, of)| by.image(types, atoms.type_of(of.domain), value)).collect();
            if images.insert(moved.clone()) {
                next.push(moved);
            }
        }
        if images.len() > MOST_IMAGES {
            return None;
        }
    }
    Some(images)
}
