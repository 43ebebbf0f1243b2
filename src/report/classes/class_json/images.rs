//! What symmetries of the model make of a class, as JSON.

use super::ClassDocument;
use classify::Image;
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use serde::Serialize;

/// What a symmetry makes of a class.
#[derive(Debug, Serialize)]
pub struct ImageDocument<D = ClassDocument> {
    /// The cycles of values that change places, in words.
    pub by: String,
    /// Where the values go that do not stay.
    pub moves: Vec<MoveDocument>,
    /// Records that stay as they are, although values in them move.
    pub unmoved: Vec<UnmovedDocument>,
    /// It as a class, with the id of the class that stands for it.
    pub class: D,
}

/// Where a value goes.
#[derive(Debug, Serialize)]
pub struct MoveDocument {
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

/// Records that stay as they are.
#[derive(Debug, Serialize)]
pub struct UnmovedDocument {
    /// The name of their type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The field by which they are told.
    pub field: String,
    /// Its value in these records.
    pub value: String,
}

/// The documents of images, as classes of which `class_document` makes documents.
pub fn image_documents<C, D>(
    types: &Types,
    images: &[Image<C>],
    class_document: impl Fn(&C) -> D,
) -> Vec<ImageDocument<D>> {
    let document = |image: &Image<C>| ImageDocument {
        by: image.by.show(types),
        moves: moves(types, &image.by),
        unmoved: unmoved(types, &image.by),
        class: class_document(&image.class),
    };
    images.iter().map(document).collect()
}

fn moves(types: &Types, by: &Permutation) -> Vec<MoveDocument> {
    let document = |(ty, from, to): (NameType, &Value, &Value)| MoveDocument {
        ty: types.name(&ty.ty()),
        from: types.show_value(from),
        to: types.show_value(to),
    };
    by.moves().map(document).collect()
}

fn unmoved(types: &Types, by: &Permutation) -> Vec<UnmovedDocument> {
    let fixed = by.fixed().iter();
    fixed
        .map(|fixed| UnmovedDocument {
            ty: types.name(&Type::Record(fixed.record)),
            field: types.record(fixed.record).fields[fixed.field].0.clone(),
            value: types.show_value(&fixed.value),
        })
        .collect()
}
