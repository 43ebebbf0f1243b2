//! Proves constraints with individuals sufficient by symmetry, from one sufficient instance.
//!
//! A symmetry maps traces without violation to such traces. So the image of a sufficient ground constraint is
//! sufficient as well, and so is a constraint with individuals if all of its instances are such images: any
//! two different sessions, for example, if the ground constraint names the first and the second one. The
//! solver need not prove it, which takes much longer than the proof for the ground constraint.

use super::InterchangeableValues;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::lifting::{LiftedValue, Lifter};
use lang::model::Model;
use lang::model::types::Types;
use lang::model::value::Value;
use rustc_hash::FxHashSet;

/// The greatest number of images of the values of a constraint.
const MOST_IMAGES: usize = 1_000;
/// The greatest number of instances of a constraint with individuals.
const MOST_INSTANCES: usize = 256;

/// The images of a ground constraint under symmetries.
pub struct Alike {
    /// The values of liftable types that it names.
    values: Vec<LiftedValue>,
    /// The images of the tuple of these values.
    images: FxHashSet<Vec<Value>>,
}

impl Alike {
    /// Computes the images of a ground constraint that names these values of liftable types; `None` if its
    /// other parts are not known to be symmetric, or there are too many images.
    pub fn of(
        exchange: &InterchangeableValues,
        model: &Model,
        lifter: &Lifter<'_>,
        atoms: &Atoms,
        ground: &Constraint,
        values: Vec<LiftedValue>,
    ) -> Option<Self> {
        let types = &model.types;
        let moves = |named: &LiftedValue| exchange.moves(types, atoms.type_of(named.domain));
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

    /// True if every instance of a constraint with individuals, generalised from the ground one, is an image.
    /// `stands_for` gives the value that replaces a value of the ground constraint for some values of the
    /// individuals.
    pub fn have_every_instance(
        &self,
        model: &Model,
        atoms: &Atoms,
        general: &Constraint,
        stands_for: &dyn Fn(&LiftedValue, &[Value]) -> Option<Value>,
    ) -> bool {
        let Some(choices) = general.choices(model, atoms, MOST_INSTANCES) else { return false };
        choices.iter().all(|individuals| {
            let image = self.values.iter().map(|value| stands_for(value, individuals));
            image.collect::<Option<Vec<Value>>>().is_some_and(|image| self.images.contains(&image))
        })
    }
}

/// Returns the orbit of the tuple of values; `None` if it is too large.
fn images(
    exchange: &InterchangeableValues,
    types: &Types,
    atoms: &Atoms,
    values: &[LiftedValue],
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
