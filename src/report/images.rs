//! What symmetries of the model make of a class, for which it stands as well: as text, and on a page.

use crate::classify::Image;
use crate::model::Model;
use crate::model::permutation::Permutation;
use maud::{Markup, html};

/// An image of a class: the constraint as text, and which values change places.
pub(super) struct ShownImage<'a> {
    constraint: String,
    by: &'a Permutation,
}

/// How many images a class stands for besides: `with 3 images`.
pub(super) fn images_words(count: usize) -> String {
    match count {
        1 => "with 1 image".to_owned(),
        count => format!("with {count} images"),
    }
}

/// The images of a class, whose constraints `show` gives as text.
pub(super) fn shown_images<C>(images: &[Image<C>], show: impl Fn(&C) -> String) -> Vec<ShownImage<'_>> {
    images.iter().map(|image| ShownImage { constraint: show(&image.class), by: &image.by }).collect()
}

/// What is said above the images of a class.
const HEADING: &str = "it stands for its images under symmetries of the model as well";

/// The images of a class, one line each.
pub(super) fn images_lines(model: &Model, images: &[ShownImage<'_>]) -> Vec<String> {
    let line = |image: &ShownImage<'_>| format!("  {}  ({})", image.constraint, image.by.show(&model.types));
    let heading = (!images.is_empty()).then(|| HEADING.to_owned());
    heading.into_iter().chain(images.iter().map(line)).collect()
}

/// The images of a class on a page.
pub(super) fn images_section(model: &Model, images: &[ShownImage<'_>]) -> Markup {
    html! {
        @if !images.is_empty() {
            p { "It stands for its images under symmetries of the model as well:" }
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
