//! Tests of `report::classes::class_json`.

use crate::fixture;
use classify::Verdict;
use engines::explore::{DecisivePlace, RightStep};
use explicit::lts::decisive::StateFate;
use lang::model::Position;
use report::classes::class_json::*;
use report::{ClassifyRequest, classify_document, result_view, to_json};

fn place(labels: &[&str], may_rest: bool) -> DecisivePlace {
    let right = labels.iter().map(|&label| RightStep { label: label.to_owned(), leads_to: StateFate::Safe });
    DecisivePlace { position: Position::new(3), right: right.collect(), may_rest }
}

#[test]
fn every_report_says_what_would_have_been_right() {
    let model = fixture::model();
    let decisive = [vec![place(&["idle"], true)], Vec::new()];
    let request = ClassifyRequest { decisive: &decisive, ..fixture::request(&model) };
    let result = fixture::classification(Verdict::Complete);
    let sentence = "step 3, this would have been right: to leave it out, idle";
    assert_eq!(result_view(&request, &result).text().matches(sentence).count(), 1);
    assert_eq!(result_view(&request, &result).page().matches(sentence).count(), 1);
    let document = to_json(&classify_document(&request, &result));
    fixture::assert_valid(
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/classify-1.json")),
        &document,
    );
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
