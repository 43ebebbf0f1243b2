//! Tests of `verify::document::place`.

use verify::document::place::path;

#[test]
fn paths_lead_to_what_was_read_last() {
    let text = r#"{"a": [{"b/c": "x,\"{", "d": [1, 2]}, {"e": 3}], "f": {}}"#;
    let up_to = |part: &str| path(&text.as_bytes()[..text.find(part).expect("a part") + part.len()]);
    assert_eq!(up_to(r#""x,\"{""#), "/a/0/b~1c");
    assert_eq!(up_to("[1, 2"), "/a/0/d/1");
    assert_eq!(up_to("\"e\": 3"), "/a/1/e");
    assert_eq!(up_to("\"f\""), "/f");
}
