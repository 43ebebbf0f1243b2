//! Images of a class under symmetries of the model, for which it also stands: as text, and on a page.

use classify::{Atoms, Image, TraceKind};
use lang::model::Model;
use lang::model::permutation::Permutation;
use maud::{Markup, html};

/// An image of a class: the constraint as text, and which values change places.
pub struct ShownImage<'a> {
    constraint: String,
    by: &'a Permutation,
}

/// How many images a class stands for besides: `with 3 images`.
pub fn images_words(count: usize) -> String {
    match count {
        1 => "with 1 image".to_owned(),
        count => format!("with {count} images"),
    }
}

/// Returns the images of a class.
pub fn shown_images<'a, K: TraceKind>(
    model: &Model,
    atoms: &Atoms,
    images: &'a [Image<K>],
) -> Vec<ShownImage<'a>> {
    let shown = |image: &'a Image<K>| ShownImage {
        constraint: K::show(&image.class.constraint, model, atoms),
        by: &image.by,
    };
    images.iter().map(shown).collect()
}

/// The addition to a number of classes, if some of them stand for images.
pub fn with_images(images: bool) -> &'static str {
    if images { " with images" } else { "" }
}

/// Where the property is not violated then.
pub fn happens_not_words(things: usize, images: bool) -> &'static str {
    match (things, images) {
        (1, false) => "it does not hold",
        (1, true) => "neither it nor an image of it holds",
        (_, false) => "none of them holds",
        (_, true) => "neither they nor their images hold",
    }
}

/// The heading of the images of a class.
const HEADING: &str = "it also stands for its images under symmetries of the model";

/// The images of a class, one line each.
pub fn images_lines(model: &Model, images: &[ShownImage<'_>]) -> Vec<String> {
    let line = |image: &ShownImage<'_>| format!("  {}  ({})", image.constraint, image.by.show(&model.types));
    let heading = (!images.is_empty()).then(|| HEADING.to_owned());
    heading.into_iter().chain(images.iter().map(line)).collect()
}

/// The images of a class on a page.
pub fn images_section(model: &Model, images: &[ShownImage<'_>]) -> Markup {
    html! {
        @if !images.is_empty() {
            p { "It also stands for its images under symmetries of the model:" }
            ul {
                @for image in images {
                    li {
                        span.formula { (image.constraint) }
                        " (" (image.by.show(&model.types)) ")"
                    }
                }
            }
        }
    }
}
