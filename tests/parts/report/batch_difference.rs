//! Tests of `report::batch::difference`.

use report::batch::difference::*;
use serde_json::{Value as Json, json};

fn result(bound: usize, classes: &[&str]) -> Json {
    let classes: Vec<Json> =
        classes.iter().enumerate().map(|(n, text)| json!({"id": n + 1, "constraint": text})).collect();
    json!({"bound": bound, "verdict": "complete", "classes": classes})
}

#[test]
fn classes_are_compared_by_their_texts() {
    let found = difference(&result(5, &["a", "b"]), &result(6, &["c", "a"])).expect("two results");
    let ids = |classes: &[ComparedClass]| classes.iter().map(|class| class.id).collect::<Vec<_>>();
    assert_eq!([ids(&found.only_first), ids(&found.only_second), ids(&found.both)], [[2], [1], [1]]);
    assert_eq!(found.asked, [QuestionDifference { field: "bound", first: json!(5), second: json!(6) }]);
    assert!(!found.same);
    let moved = difference(&result(5, &["a", "b"]), &result(5, &["b", "a"])).expect("two results");
    assert!(moved.same && moved.asked.is_empty());
    // A class with an image is the same as two classes.
    let mut gathered = result(5, &["a"]);
    gathered["classes"][0]["images"] = json!([{"class": {"id": 1, "constraint": "b"}}]);
    assert!(difference(&gathered, &result(5, &["b", "a"])).expect("two results").same);
    let less = difference(&gathered, &result(5, &["a"])).expect("two results");
    assert_eq!([ids(&less.only_first), ids(&less.only_second)], [vec![1], vec![]]);
    let other = json!({"verdict": "partial", "classes": []});
    assert!(!difference(&json!({"verdict": "holds", "classes": []}), &other).expect("results").same);
    assert_eq!(difference(&other, &json!({})), None);
}
