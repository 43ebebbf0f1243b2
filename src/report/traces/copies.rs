//! A trace in the formats of other tools, within a page: the script of the page copies and saves it.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use lang::model::{Model, Position};
use lang::trace::{Lasso, Trace, lasso_to_itf, sequence_diagram, to_itf};
use maud::{Markup, html};
use serde_json::Value as Json;
use std::io::Write;

/// The buttons that copy and save the trace with this name. States repeat each other, so that their ITF is compressed. An infinite trace has a
/// position where its loop begins.
pub(crate) fn copies(model: &Model, id: &str, trace: &Trace, loop_start: Option<Position>) -> Markup {
    let itf = match loop_start {
        Some(start) => lasso_to_itf(model, &Lasso { trace: trace.clone(), start }),
        None => to_itf(model, trace),
    };
    let mermaid = model.diagrams.first().map(|diagram| sequence_diagram(model, diagram, trace));
    html! {
        div.copies hidden role="group" aria-label="The trace for other tools" data-itf=(packed(&itf)) data-mermaid=[&mermaid] {
            button type="button" data-copy="text" { "Copy text" }
            button type="button" data-copy="itf" { "Copy ITF" }
            button type="button" data-copy="itf" data-save={ (id) ".itf.json" } { "Save ITF" }
            @if mermaid.is_some() { button type="button" data-copy="mermaid" { "Copy Mermaid" } }
        }
    }
}

/// JSON without white space, compressed (RFC 1951) and written in base 64.
fn packed(json: &str) -> String {
    let short = serde_json::from_str(json).map(|value: Json| value.to_string());
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(short.as_deref().unwrap_or(json).as_bytes());
    data_encoding::BASE64.encode(&encoder.finish().unwrap_or_default())
}
