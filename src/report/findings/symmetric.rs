//! Mistakes in declarations of symmetric types, as diagnostics.

use engines::symmetry::{DeclaredSymmetry, ImageDifference, PermutationRefutation};
use kit::diagnostics::Diagnostic;
use lang::model::{Model, Property, SymmetricType};
use lang::trace::{Change, differences};

/// Errors for types that are declared to be symmetric and are not, with two states that show it, and warnings for those that
/// are not decided. The properties are those of the question, in its order.
pub fn symmetry_notices(
    model: &Model,
    properties: &[&Property],
    declared: &[(&SymmetricType, DeclaredSymmetry)],
) -> Vec<Diagnostic> {
    let notice = |(declaration, known): &(&SymmetricType, DeclaredSymmetry)| match known {
        DeclaredSymmetry::Proved => None,
        DeclaredSymmetry::Refuted { by, refutation } => {
            let name = &declaration.name;
            let message = format!("`{name}` is not symmetric: two of its values cannot change places");
            let error = Diagnostic::error(declaration.span, message);
            let error = error.with_note(format!("tried: {}", by.show(&model.types)));
            let error = shown(model, properties, refutation).into_iter().fold(error, Diagnostic::with_note);
            Some(error.with_help("leave out `symmetric`, or mention no single values"))
        }
        DeclaredSymmetry::Undecided(why) => {
            let message = format!("whether `{}` is symmetric is not decided: {why}", declaration.name);
            Some(Diagnostic::warning(declaration.span, message))
        }
    };
    declared.iter().filter_map(notice).collect()
}

/// The two states, and what holds of the first one only.
fn shown(model: &Model, properties: &[&Property], refutation: &PermutationRefutation) -> [String; 3] {
    let PermutationRefutation { state, image, differs } = refutation;
    let mut places: Vec<(String, String)> = Vec::new();
    for difference in differences(model, state, image) {
        let place = &difference.place;
        places.push(match difference.change {
            Change::Replaced => {
                (format!("{place} = {}", difference.before), format!("{place} = {}", difference.after))
            }
            Change::Lost => {
                let element = &difference.before;
                (format!("{element} in {place}"), format!("{element} not in {place}"))
            }
            Change::Gained => {
                let element = &difference.after;
                (format!("{element} not in {place}"), format!("{element} in {place}"))
            }
        });
    }
    let (one, other): (Vec<String>, Vec<String>) = places.into_iter().unzip();
    let (one, other) = match one.is_empty() {
        true => ("some state".to_owned(), "the same state".to_owned()),
        false => (one.join(", "), format!("{}, and all else the same", other.join(", "))),
    };
    let why = match differs {
        ImageDifference::First => "the state is an initial state, its image is not".to_owned(),
        ImageDifference::Assumed => "the state satisfies the assumptions, its image does not".to_owned(),
        ImageDifference::Invariant(index) => {
            format!("the state satisfies `{}`, its image does not", properties[*index].name)
        }
        ImageDifference::Step { label, after, image_label, .. } => {
            let changes: Vec<String> = differences(model, state, after)
                .iter()
                .map(|change| match change.change {
                    Change::Replaced => format!("{} becomes {}", change.place, change.after),
                    Change::Lost => format!("{} leaves {}", change.before, change.place),
                    Change::Gained => format!("{} enters {}", change.after, change.place),
                })
                .collect();
            let effect = if changes.is_empty() { "nothing changes".to_owned() } else { changes.join(", ") };
            format!(
                "a step from the state by {}: {effect}; its image has no such step by {}",
                model.show_label(label),
                model.show_label(image_label)
            )
        }
    };
    [format!("a state: {one}"), format!("its image: {other}"), why]
}
