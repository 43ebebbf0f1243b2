//! Tests of `report::batch::claims`.

use super::batch_key::key;
use report::batch::claims::*;
use report::batch::{JobState, Summary, SummaryRow};
use serde_json::{Value as Json, json};

fn class(id: usize, facts: Json, steps: usize, redundant: bool) -> Json {
    json!({
        "id": id, "constraint": "", "positions": {}, "facts": facts, "representative": { "steps": steps },
        "canonical": null, "redundant": redundant,
    })
}

fn done(verdict: &str, reason: Option<&str>, classes: Json) -> JobState {
    let statistics = json!({ "seconds": { "total": 2.5 } });
    let document = json!({ "verdict": verdict, "reason": reason, "bound": 6, "classes": classes, "statistics": statistics });
    JobState::Done(serde_json::from_value(document).expect("a result"))
}

fn row(index: usize, claim: Option<&str>, constants: &[&str], state: JobState) -> SummaryRow {
    let constants = constants.iter().map(ToString::to_string).collect();
    let key = report::batch::JobKey {
        claim: claim.map(str::to_owned),
        constants,
        model: "a/p.spdl".into(),
        ..key(6)
    };
    SummaryRow { index, key, state }
}

#[test]
fn a_claim_has_the_words_of_its_classes() {
    let predicate = |name: &str| json!({ "text": format!("{name}(B1, i)"), "predicate": name });
    let classes = json!([
        class(1, json!([predicate("attacks.replay"), { "text": "step@i = 2" }]), 5, false),
        class(2, json!([predicate("attacks.man_in_the_middle")]), 4, false),
        class(3, json!([predicate("attacks.oracle")]), 1, true),
    ]);
    let rows = vec![
        row(0, Some("B1 Secret"), &["AGENTS=2", "RUNS=4"], done("complete", None, classes)),
        row(1, Some("B2 Alive"), &[], done("holds", None, json!([]))),
        row(2, Some("B3 Alive"), &[], done("partial", Some("time"), json!([]))),
        row(3, Some("B4 Alive"), &[], JobState::Missing),
        row(4, Some("B5 Reachable"), &[], done("holds", None, json!([]))),
        row(5, None, &[], JobState::Missing),
    ];
    let summary = Summary { plan: "p.toml".into(), rows, series: Vec::new() };
    let expected = "\
| protocol | claim | verdict | kinds | runs | steps | seconds |
| --- | --- | --- | --- | ---: | ---: | ---: |
| p | B1 Secret | attacks | man in the middle, replay ∧ step@i = 2 | 4 | 4 | 2.5 |
| p | B2 Alive | holds | – | 3 | – | 2.5 |
| p | B3 Alive | partial (time) | – | 3 | – | 2.5 |
| p | B4 Alive | missing | – | 3 | – | – |
| p | B5 Reachable | not reached | – | 3 | – | 2.5 |
";
    assert_eq!(claims_markdown(&summary).as_deref(), Some(expected));
    let none = Summary { rows: summary.rows[5..].to_vec(), ..summary };
    assert_eq!(claims_markdown(&none), None);
}
