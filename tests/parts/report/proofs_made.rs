//! Tests of `report::shared::proof_folder`.

use report::shared::proof_folder::*;
use verify::document::{StoredMissing, StoredProofs};

#[test]
fn the_line_says_what_is_missing() {
    let mut summary =
        StoredProofs { folder: "p".into(), proved: 0, missing: Vec::new(), without: Vec::new() };
    assert_eq!(proofs_text(&summary), "proofs: the result rests on no unsatisfiable answer\n");
    summary.missing.push(StoredMissing { claim: "it holds".into(), reason: "time limit reached".into() });
    assert_eq!(
        proofs_text(&summary),
        "proofs: none of 1 unsatisfiable answer\n  no proof: it holds: time limit reached\n"
    );
}
