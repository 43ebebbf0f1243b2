//! The images of classes in stored results: their names and their permutations.

use super::document::StoredImage;
use lang::model::Model;
use lang::model::permutation::{FixedRecords, NameType, Permutation};
use lang::model::types::{RecordId, Type, Types};
use lang::model::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A class of a result, or an image of one, by their numbers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClassOrImage {
    pub class: usize,
    pub image: Option<usize>,
}

impl ClassOrImage {
    /// Returns its name in obligations.
    pub fn name(self) -> String {
        match self.image {
            None => format!("class-{}", self.class),
            Some(number) => format!("class-{}-image-{number}", self.class),
        }
    }

    /// Returns its title in sentences and questions.
    pub fn title(self) -> String {
        match self.image {
            None => format!("class {}", self.class),
            Some(number) => format!("image {number} of class {}", self.class),
        }
    }
}

/// Returns the value with a text of a type, without its `option`; `None` unless that has few names.
fn name_of(types: &Types, ty: &Type, text: &str) -> Option<Value> {
    const MANY: u64 = 1_000;
    let ty = ty.inner();
    let is_small = NameType::of(ty).is_some() && types.cardinality(ty) < MANY;
    let values = if is_small { types.values(ty) } else { Vec::new() };
    values.into_iter().find(|value| types.show_value(value) == text)
}

/// Returns the permutation of values of an image.
pub(super) fn permutation<C>(model: &Model, image: &StoredImage<C>) -> Result<Permutation, String> {
    let types = &model.types;
    let mut moves: BTreeMap<NameType, BTreeMap<Value, Value>> = BTreeMap::new();
    for said in &image.moves {
        let ty = NameType::all(types).find(|ty| types.name(&ty.ty()) == said.ty);
        let ty = ty.ok_or_else(|| format!("the model has no names of type {}", said.ty))?;
        let value = |text: &str| {
            name_of(types, &ty.ty(), text).ok_or_else(|| format!("{} has no name {text}", said.ty))
        };
        moves.entry(ty).or_default().insert(value(&said.from)?, value(&said.to)?);
    }
    let mut fixed = BTreeSet::new();
    for said in &image.unmoved {
        let mut records = types.records.iter().zip(0..);
        let record = records.find(|(decl, _)| decl.name == said.ty);
        let field = record.and_then(|(decl, id)| {
            let field = decl.fields.iter().position(|(name, _)| *name == said.field)?;
            let value = name_of(types, &decl.fields[field].1, &said.value)?;
            Some(FixedRecords { record: RecordId(id), field, value })
        });
        fixed.insert(field.ok_or_else(|| format!("the model has no records {}", said.ty))?);
    }
    let by = Permutation::of(moves).and_then(|by| by.fixing(types, &fixed));
    by.ok_or_else(|| "the moved values are no permutation".into())
}
