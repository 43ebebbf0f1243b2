//! Alternatives to a decisive step.

use crate::shared::request::ClassifyRequest;
use engines::explore::DecisivePlace;

/// More steps than this are not named in a sentence.
const SHOWN: usize = 5;

/// The decisive steps of a class, which are numbered from 1.
pub fn decisive_places<'a>(request: &ClassifyRequest<'a>, number: usize) -> &'a [DecisivePlace] {
    request.decisive.get(number - 1).map_or(&[], Vec::as_slice)
}

/// The sentence: `this would have been right: swallow(n=3,i=1), start(n=3)`.
pub fn right_words(place: &DecisivePlace) -> String {
    let rest = place.may_rest.then(|| "to leave it out".to_owned());
    let mut right: Vec<String> =
        rest.into_iter().chain(place.right.iter().map(|step| step.label.clone())).collect();
    let left = right.len().saturating_sub(SHOWN);
    right.truncate(SHOWN);
    if left > 0 {
        right.push(format!("and {left} more"));
    }
    match right.is_empty() {
        true => "nothing else was possible".to_owned(),
        false => format!("this would have been right: {}", right.join(", ")),
    }
}
