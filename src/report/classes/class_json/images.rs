//! What symmetries of the model make of a class, as JSON.

use classify::{Class, Image, TraceKind};
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use verify::document::{StoredImage, StoredMove, StoredUnmoved};

/// The documents of images, as classes of which `class_document` makes documents.
pub fn image_documents<K: TraceKind, D>(
    types: &Types,
    images: &[Image<K>],
    class_document: impl Fn(&Class<K>) -> D,
) -> Vec<StoredImage<D>> {
    let document = |image: &Image<K>| StoredImage {
        by: image.by.show(types),
        moves: moves(types, &image.by),
        unmoved: unmoved(types, &image.by),
        class: class_document(&image.class),
    };
    images.iter().map(document).collect()
}

fn moves(types: &Types, by: &Permutation) -> Vec<StoredMove> {
    let document = |(ty, from, to): (NameType, &Value, &Value)| StoredMove {
        ty: types.name(&ty.ty()),
        from: types.show_value(from),
        to: types.show_value(to),
    };
    by.moves().map(document).collect()
}

fn unmoved(types: &Types, by: &Permutation) -> Vec<StoredUnmoved> {
    let fixed = by.fixed().iter();
    fixed
        .map(|fixed| StoredUnmoved {
            ty: types.name(&Type::Record(fixed.record)),
            field: types.record(fixed.record).fields[fixed.field].0.clone(),
            value: types.show_value(&fixed.value),
        })
        .collect()
}
