//! Tests of `report::shared::document`.

use kit::budget::Budget;
use lang::model::load;
use lang::trace::trace_from_json;
use report::DisplayOptions;
use report::shared::document::*;
use serde_json::Value as Json;
use solvers::sat::Backend;
use solvers::unroll::{BoundedResult, Lengths, check};
use std::path::Path;

#[test]
fn traces_survive_the_round_trip() {
    for name in ["ns_public_key", "mutex", "tcp_handshake", "ns_symmetric"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
        let model = load(&path, &[]).model.expect("no mistakes");
        let invariant = model.properties[0].invariant().expect("an invariant");
        let budget = Budget::unlimited();
        let lengths = Lengths::UpTo(10);
        let found = check(&model, invariant, lengths, Backend::Cadical, &budget, &mut ());
        let BoundedResult::Violated(trace) = found else { panic!("{name} is violated") };
        let document = trace_document(&model, &trace, &[], &DisplayOptions::plain(80));
        let mut document = serde_json::to_value(document).expect("JSON");
        assert_eq!(trace_from_json(&model, &document), Some(trace), "{name}");
        document["states"][0]["state"] = Json::Null;
        assert_eq!(trace_from_json(&model, &document), None);
    }
}
