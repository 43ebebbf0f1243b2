//! A class on the page: its facts, its counterexample, and why each fact is needed.

use crate::classes::classify_text::{alone, class_remark, resting_text, step_text, who_is_who};
use crate::classes::decisive::{decisive_places, right_words};
use crate::classes::fact_list::constraint_facts;
use crate::shared::images::{images_section, shown_images};
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::{earliest, steps};
use crate::traces::align::align;
use crate::traces::pair::{Compared, Side, pair_table};
use crate::traces::stepper::{Figure, trace_figure};
use crate::traces::trace_text::labels_line;
use crate::writing::marks::Marks;
use crate::writing::page::{capitalised, prose};
use crate::writing::words::fact_words;
use classify::{Atoms, Class, Classification, Names};
use maud::{Markup, html};

/// The section of a class.
pub(super) fn class_section(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    number: usize,
) -> Markup {
    let (model, wording) = (request.asked.model, request.asked.view.wording);
    let names = class.constraint.names(model, &result.atoms);
    let marks =
        Marks::new(&names.positions, &class.assigned.positions, request.violation(&class.representative));
    let id = format!("class-{number}");
    let figure = Figure { id: &id, trace: &class.representative, marks, loop_start: None };
    let images = shown_images(&class.images, |image| image.constraint.show(model, &result.atoms));
    let canonical = class.canonical.as_ref().filter(|trace| **trace != class.representative);
    html! {
        section id=(id) {
            h2 { "Class " (number) (class_remark(result, number - 1)) }
            (constraint_facts(request, &result.atoms, &class.constraint, &class.assigned, &figure))
            (images_section(model, &images))
            h3 {
                (capitalised(&earliest(result.lengths, "of this class", wording)))
                " (" (steps(class.representative.len())) (who_is_who(model, &names, &class.assigned)) ")"
            }
            (trace_figure((request.asked.model, &request.asked.view), &figure))
            @for place in decisive_places(request, number) {
                p { "At step " (place.position) ", " (right_words(place)) "." }
            }
            @if !class.needed.is_empty() && !class.constraint.facts.is_empty() {
                (necessity(request, &result.atoms, class, &names, &figure.marks))
            }
            @if let Some(words) = step_text(result, class) { p { (prose(&capitalised(words))) "." } }
            @if let Some(longer) = result.rests_on_bound(number - 1) {
                p {
                    (capitalised(&resting_text(longer)))
                    @if let Some(trace) = &longer.trace { ": " (labels_line(model, trace)) }
                }
            }
            @if let Some(trace) = canonical {
                p {
                    (capitalised(&earliest(result.lengths, &alone(result), wording))) ": "
                    (labels_line(model, trace))
                }
            }
        }
    }
}

/// Where the positions that the other facts speak of lie in the trace that shows why a fact is needed.
fn remaining_marks<'n>(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    class: &Class,
    fact: usize,
    names: &'n Names,
) -> Marks<'n> {
    let others = class.constraint.without(fact);
    let Some(assigned) = others.matches(request.asked.model, atoms, &class.needed[fact].moments) else {
        return Marks::default();
    };
    let spoken_of = |at: usize| others.facts.iter().flat_map(|f| &f.positions).any(|p| p.index() == at);
    let positions = names.positions.iter().enumerate().filter(|(at, _)| spoken_of(*at));
    let positions = positions.map(|(at, name)| (name.as_str(), assigned.positions[at])).collect();
    Marks { positions, violations: Vec::new() }
}

/// For each fact of a class, a trace that shows why it is needed, beside the counterexample.
fn necessity(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    class: &Class,
    names: &Names,
    marks: &Marks<'_>,
) -> Markup {
    let left = Side { head: "the counterexample", trace: &class.representative, marks: marks.clone() };
    html! {
        details {
            summary { "Why every fact is needed" }
            p { "These traces satisfy all other facts and " (request.asked.view.wording.without()) "." }
            @for (index, (fact, trace)) in class.constraint.facts.iter().zip(&class.needed).enumerate() {
                @let right = Side {
                    head: "without this fact",
                    trace,
                    marks: remaining_marks(request, atoms, class, index, names),
                };
                h4 { "Without: " (fact_words(request.asked.model, atoms, fact, names)) }
                (pair_table((request.asked.model, &request.asked.view), [&left, &right], &align(left.trace, trace), Compared::First))
            }
        }
    }
}
