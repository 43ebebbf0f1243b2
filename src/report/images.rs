//! What symmetries of the model make of a class, for which it stands as well: as text, and on a page.

use super::ClassifyRequest;
use crate::classify::{Atoms, Class, Image};
use maud::{Markup, html};

/// How many classes it stands for besides: `with 3 images`.
pub(super) fn images_words(class: &Class) -> String {
    match class.images.len() {
        1 => "with 1 image".to_owned(),
        count => format!("with {count} images"),
    }
}

/// What is said above the images of a class.
const HEADING: &str = "it stands for its images under symmetries of the model as well";

/// The images of a class, one line each: the constraint, and which values change places.
pub(super) fn images_lines(request: &ClassifyRequest<'_>, atoms: &Atoms, class: &Class) -> Vec<String> {
    let line = |image: &Image| {
        let constraint = image.class.constraint.show(request.model, atoms);
        format!("  {constraint}  ({})", image.by.show(&request.model.types))
    };
    let heading = (!class.images.is_empty()).then(|| HEADING.to_owned());
    heading.into_iter().chain(class.images.iter().map(line)).collect()
}

/// The images of a class on a page.
pub(super) fn images_section(request: &ClassifyRequest<'_>, atoms: &Atoms, class: &Class) -> Markup {
    html! {
        @if !class.images.is_empty() {
            p { "It stands for its images under symmetries of the model as well:" }
            ul {
                @for image in &class.images {
                    li {
                        span.formula { (image.class.constraint.show(request.model, atoms)) }
                        " (" (image.by.show(&request.model.types)) ")"
                    }
                }
            }
        }
    }
}
