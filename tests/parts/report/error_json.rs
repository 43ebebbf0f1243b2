//! Tests of `report::shared::document`.

use crate::fixture;
use kit::diagnostics::{Diagnostic, Span};
use report::shared::document::to_json;
use report::shared::document::*;

#[test]
fn the_document_satisfies_its_schema() {
    let sources = fixture::model().sources;
    let found = [
        Diagnostic::error_without_place("no such file"),
        Diagnostic::warning(Span::default(), "odd")
            .with_help("h")
            .with_note("n")
            .with_related(Span::default(), "r"),
    ];
    let text = to_json(&error_document(&found, &sources));
    fixture::assert_valid(
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/error-1.json")),
        &text,
    );
}
