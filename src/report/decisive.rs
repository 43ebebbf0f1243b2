//! What would have been right in place of a decisive step.

use super::ClassifyRequest;
use crate::explore::DecisivePlace;

/// More steps than this are not named in a sentence.
const SHOWN: usize = 5;

/// The decisive steps of a class, which are numbered from 1.
pub(super) fn decisive_places<'a>(request: &ClassifyRequest<'a>, number: usize) -> &'a [DecisivePlace] {
    request.decisive.get(number - 1).map_or(&[], Vec::as_slice)
}

/// The sentence: `this would have been right: swallow(n=3,i=1), start(n=3)`.
pub(super) fn right_words(place: &DecisivePlace) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::Verdict;
    use crate::explore::RightStep;
    use crate::lts::decisive::Fate;
    use crate::model::Position;
    use crate::report::{classification_text, classify_document, html_page, to_json};

    fn place(labels: &[&str], may_rest: bool) -> DecisivePlace {
        let right = labels.iter().map(|&label| RightStep { label: label.to_owned(), leads_to: Fate::Safe });
        DecisivePlace { position: Position::new(3), right: right.collect(), may_rest }
    }

    #[test]
    fn every_report_says_what_would_have_been_right() {
        let model = fixture::model();
        let decisive = [vec![place(&["idle"], true)], Vec::new()];
        let request = ClassifyRequest { decisive: &decisive, ..fixture::request(&model) };
        let result = fixture::classification(Verdict::Complete);
        let sentence = "step 3, this would have been right: to leave it out, idle";
        assert_eq!(classification_text(&request, &result).matches(sentence).count(), 1);
        assert_eq!(html_page(&request, &result).matches(sentence).count(), 1);
        let document = to_json(&classify_document(&request, &result));
        fixture::assert_valid(include_str!("../../docs/schema/classify-1.json"), &document);
        let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
        let expected = serde_json::json!([
            { "position": 3, "right": [{ "label": "idle", "leads_to": "safe" }], "may_rest": true }
        ]);
        assert_eq!(document["classes"][0]["decisive"], expected);
        assert_eq!(document["classes"][1].get("decisive"), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(right_words(&place(&[], false)), "nothing else was possible");
        let many = right_words(&place(&["a", "b", "c", "d", "e", "f", "g"], false));
        assert_eq!(many, "this would have been right: a, b, c, d, e, and 2 more");
    }
}
