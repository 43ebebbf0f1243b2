//! Tests of `report::checks::check_json`.

use crate::fixture;
use engines::decide::NotListed;
use engines::explore::TooMany;
use engines::prove::{Certificate, InvariantEvidence};
use kit::budget::Exhausted;
use lang::model::Position;
use lang::trace::Lasso;
use report::checks::check_json::*;
use report::{CheckRequest, CheckedProperty, DisplayOptions, GivenFairness, PropertyOutcome, to_json};
use serde_json::Value as Json;
use solvers::unroll::Lengths;

const SCHEMA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/check-1.json"));

fn too_many() -> NotListed {
    NotListed::Choices(TooMany { what: "initial states".into(), limit: 10 })
}

#[test]
fn every_outcome_satisfies_the_schema() {
    let model = fixture::model();
    let outcomes = [
        (PropertyOutcome::TypesOnly, "types_only", "checked"),
        (PropertyOutcome::Temporal, "undecided", "undecided"),
        (PropertyOutcome::Holds, "holds", "holds"),
        (PropertyOutcome::Proved(InvariantEvidence::Visited { states: 7 }), "holds", "holds"),
        (
            PropertyOutcome::Proved(InvariantEvidence::VisitedOrbits {
                visited: 5,
                states: Some(9),
                symmetric: vec!["A and B".into()],
            }),
            "holds",
            "holds",
        ),
        (
            PropertyOutcome::Proved(InvariantEvidence::Induction {
                k: 2,
                checked_by: "varisat 0.2.2",
                certificate: Certificate::Induction { k: 2, distinct: Vec::new() },
            }),
            "holds",
            "holds",
        ),
        (
            PropertyOutcome::Proved(InvariantEvidence::Invariant {
                clauses: vec!["not busy[Eve]".into()],
                checked_by: "varisat 0.2.2",
                certificate: Certificate::Invariant(Vec::new()),
            }),
            "holds",
            "holds",
        ),
        (PropertyOutcome::Unlisted(too_many()), "undecided", "undecided"),
        (PropertyOutcome::Violated(fixture::violating()), "violated", "violated"),
        (
            PropertyOutcome::ViolatedForever(Lasso { trace: fixture::violating(), start: Position::new(1) }),
            "violated",
            "violated",
        ),
        (PropertyOutcome::Unlisted(NotListed::States(10)), "undecided", "undecided"),
        (PropertyOutcome::Unlisted(NotListed::Operators), "undecided", "undecided"),
        (PropertyOutcome::Undecided { why: Exhausted::Memory, depth: 3 }, "undecided", "undecided"),
    ];
    let proofs = fixture::proofs();
    for (outcome, of_property, of_all) in outcomes {
        let request = CheckRequest {
            model: &model,
            file: "toy.sts",
            lengths: Some(Lengths::UpTo(4)),
            unbounded: true,
            fairness: GivenFairness::default(),
            properties: vec![CheckedProperty {
                property: &model.properties[0],
                outcome,
                reached: None,
                patterns: None,
            }],
            warnings: &[],
            solver: "cadical 3.0.1".into(),
            theory: None,
            seconds: 0.1234567,
            rerun: "cladist check toy.sts -k 4",
            claims: &[],
            proofs: Some(&proofs),
            display: DisplayOptions::plain(80),
        };
        let text = to_json(&check_document(&request));
        fixture::assert_valid(SCHEMA, &text);
        let json: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["verdict"], of_all);
        assert_eq!(json["properties"][0]["verdict"], of_property);
        assert_eq!(json["seconds"], 0.123);
    }
}

#[test]
fn a_library_satisfies_the_schema() {
    let sources = fixture::model().sources;
    fixture::assert_valid(SCHEMA, &to_json(&library_document("messages.pred", &[], &sources)));
}
