//! Tests of `report::classes::classify_json`.

use crate::fixture;
use classify::{
    Classification, Comparison, KnownClass, NoAutomaton, Novelty, Obstacle, Unbounded, UnknownReason, Verdict,
};
use engines::explore::{Stop, TooMany};
use kit::budget::Exhausted;
use report::classes::classify_json::*;
use report::{ClassifyRequest, to_json};
use serde_json::Value as Json;

#[test]
fn every_verdict_satisfies_the_schema() {
    let model = fixture::model();
    let property = &model.properties[0];
    let warnings = [kit::diagnostics::Diagnostic::warning(property.span, "odd").with_help("look")];
    for (verdict, name, _) in fixture::verdicts() {
        let mut request = fixture::request(&model);
        request.asked.warnings = &warnings;
        let mut result = fixture::classification(verdict);
        if let Some(class) = result.classes.first_mut() {
            class.needed.clear(); // as when the budget ended before they were found
        }
        let text = to_json(&classify_document(&request, &result));
        fixture::assert_valid(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/classify-1.json")),
            &text,
        );
        let json: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["verdict"], name);
        assert_eq!(json["reason"].is_null(), !matches!(name, "partial" | "undecided"));
        assert_eq!(json["cover"].is_null(), name != "complete");
        assert_eq!(json["too_weak"].is_null(), name != "too_weak");
    }
}

#[test]
fn a_comparison_satisfies_the_schema() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    let trace = result.classes[0].representative.clone();
    let known = KnownClass { id: 3, text: "∃ i ∈ [0..len(ρ)] : gone(i)".into(), constraint: None };
    let cases = [
        (Novelty::Same(3), "same", "nothing_new"),
        (Novelty::Covered, "covered", "nothing_new"),
        (Novelty::New(trace), "new", "new"),
        (Novelty::Open(Exhausted::Time), "open", "open"),
    ];
    result.classes.truncate(1);
    for (novelty, word, verdict) in cases {
        let file = "old.json".to_owned();
        let comparison = Comparison::new(file, vec![known.clone()], vec![novelty]);
        let request = ClassifyRequest { baseline: Some(&comparison), ..fixture::request(&model) };
        let text = to_json(&classify_document(&request, &result));
        fixture::assert_valid(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/classify-1.json")),
            &text,
        );
        let json: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["baseline"]["classes"][0]["novelty"], word);
        assert_eq!(json["baseline"]["verdict"], verdict);
        assert_eq!(json["baseline"]["classes"][0]["trace"].is_null(), word != "new");
        assert_eq!(
            json["baseline"]["not_repeated"].as_array().map(Vec::len),
            Some(usize::from(word != "same"))
        );
    }
}

#[test]
fn what_is_known_of_every_length_satisfies_the_schema() {
    let model = fixture::model();
    let document = |result: &Classification| {
        let text = to_json(&classify_document(&fixture::request(&model), result));
        fixture::assert_valid(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/classify-1.json")),
            &text,
        );
        serde_json::from_str::<Json>(&text).expect("JSON")
    };
    assert_eq!(document(&fixture::proved(Verdict::Holds))["verdict"], "holds_unbounded");
    let mut result = fixture::proved(Verdict::Complete);
    let json = document(&result);
    assert_eq!(json["verdict"], "complete_unbounded");
    assert_eq!(json["unbounded"]["bounds"], serde_json::json!([3, 10]));
    assert_eq!(json["counts"]["first_violations"][1]["total"], "1152921504606846978");
    assert_eq!(json["counts"]["method"], "states");
    assert_eq!(
        json["counts"]["violating"][0]["classes"][1],
        serde_json::json!({"id": 2, "total": "2", "only": "0"})
    );
    let obstacles = [
        (Obstacle::States(Stop::States(7)), "states"),
        (Obstacle::States(Stop::Choices(TooMany { what: "x".into(), limit: 1 })), "choices"),
        (Obstacle::Class(1, NoAutomaton::Size), "class"),
        (Obstacle::Combinations(9), "combinations"),
        (Obstacle::Budget(Exhausted::Memory), "memory"),
    ];
    for (obstacle, word) in obstacles {
        result.counts = Some(Err(obstacle.clone()));
        result.unbounded = Some(Unbounded::Open(UnknownReason::Obstacle(obstacle)));
        let json = document(&result);
        assert_eq!(json["verdict"], "complete");
        assert_eq!([&json["unbounded"]["reason"], &json["counts"]["reason"]], [word, word]);
    }
    result.counts = Some(Err(Obstacle::Nodes(11)));
    assert_eq!(document(&result)["counts"]["reason"], "nodes");
    for why in [None, Some(Exhausted::Time)] {
        result.unbounded = Some(Unbounded::Open(UnknownReason::Broken { steps: 12, why }));
        assert_eq!(document(&result)["unbounded"]["reason"], "broken");
    }
}

#[test]
fn facts_and_traces_are_complete() {
    let model = fixture::model();
    let document = classify_document(&fixture::request(&model), &fixture::classification(Verdict::Complete));
    let json = serde_json::to_value(&document).expect("JSON");
    let class = &json["classes"][0];
    assert_eq!(class["positions"], serde_json::json!({"i": 1, "j": 3}));
    assert_eq!(class["facts"][0]["source"], "messages.pred:4");
    assert_eq!(class["facts"][0]["kind"], "predicate");
    assert_eq!(class["facts"][1]["kind"], "observable");
    assert_eq!(class["facts"][2]["kind"], "order");
    let last = &class["representative"]["states"][3];
    assert_eq!(
        last["label"],
        serde_json::json!({
            "text": "send(a=Eve)", "action": "send", "arguments": {"a": "Eve"}
        })
    );
    assert_eq!(
        last["state"],
        serde_json::json!({
            "sender": "Eve", "knows": ["Alice", "Eve"], "busy": {"Alice": false, "Eve": true}
        })
    );
    assert_eq!(last["positions"], serde_json::json!(["j"]));
    assert_eq!(last["changes"][2]["place"], "busy[Eve]");
    assert_eq!(json["constants"], serde_json::json!({"N": 3}));
}
