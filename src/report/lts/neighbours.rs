//! `lts neighbours`: `docs/schema/lts-neighbours-1.json`.

use super::documents::{PositionDocument, SystemDocument, tag_word, verdict};
use super::words::{count, label, list, size, wrapped};
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::lts::safety::{Analysis, Neighbourhood, Step, Tag};
use crate::report::Paint;
use crate::report::document::{DiagnosticDocument, VERSION, diagnostic_document};
use serde::Serialize;
use std::fmt::Write;

/// What is reported.
pub struct NeighboursRequest<'a> {
    /// The file of the system.
    pub file: &'a str,
    /// The property.
    pub property: &'a str,
    /// Whether loops count as a way to avoid a violation.
    pub strict: bool,
    /// Whether only traces in L(R) themselves are bad.
    pub literal: bool,
    /// The analysis.
    pub analysis: &'a Analysis<'a>,
    /// How many neighbourhoods there are.
    pub total: usize,
    /// Those that are listed.
    pub found: &'a [Neighbourhood],
    /// What was found about the property.
    pub warnings: &'a [Diagnostic],
    /// What they point into.
    pub sources: &'a SourceMap,
}

/// The document.
#[derive(Debug, Serialize)]
pub struct NeighboursDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    property: &'a str,
    strict: bool,
    literal: bool,
    lts: SystemDocument,
    total: usize,
    neighbourhoods: Vec<NeighbourhoodDocument>,
    warnings: Vec<DiagnosticDocument>,
}

#[derive(Debug, Serialize)]
struct NeighbourhoodDocument {
    position: PositionDocument,
    path: Vec<String>,
    incoming: Vec<StepDocument>,
    outgoing: Vec<StepDocument>,
}

#[derive(Debug, Serialize)]
struct StepDocument {
    label: String,
    position: PositionDocument,
    tag: &'static str,
}

/// The document for a list of neighbourhoods.
pub fn neighbours_document<'a>(request: &NeighboursRequest<'a>) -> NeighboursDocument<'a> {
    let analysis = request.analysis;
    let name = |number: u32| analysis.product.lts.labels().text(number).into_owned();
    let steps = |steps: &[Step]| {
        let document = |step: &Step| StepDocument {
            label: name(step.label),
            position: PositionDocument::new(analysis, step.position),
            tag: tag_word(step.tag),
        };
        steps.iter().map(document).collect()
    };
    let neighbourhoods = request.found.iter().map(|n| NeighbourhoodDocument {
        position: PositionDocument::new(analysis, n.position),
        path: n.path.iter().map(|&l| name(l)).collect(),
        incoming: steps(&n.incoming),
        outgoing: steps(&n.outgoing),
    });
    NeighboursDocument {
        schema: "cladist/lts-neighbours-1",
        version: VERSION,
        verdict: verdict(analysis.holds()),
        holds: analysis.holds(),
        file: request.file,
        property: request.property,
        strict: request.strict,
        literal: request.literal,
        lts: analysis.product.lts.into(),
        total: request.total,
        neighbourhoods: neighbourhoods.collect(),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
    }
}

/// The same as text, in lines of this width.
pub fn neighbours_text(request: &NeighboursRequest<'_>, paint: Paint, width: usize) -> String {
    let analysis = request.analysis;
    let lts = analysis.product.lts;
    let verdict = if analysis.holds() { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{verdict}: {}\n  {}\n", request.property, size(request.file, lts));
    if analysis.holds() {
        return out;
    }
    if request.total == 0 {
        out.push_str(
            "\nthere is no neighbourhood: no transition rules the violation out before it is there\n",
        );
        return out;
    }
    for (at, neighbourhood) in request.found.iter().enumerate() {
        let (state, _) = analysis.product.parts(neighbourhood.position);
        let head = format!("neighbourhood {} of {}", at + 1, request.total);
        let _ = writeln!(out, "\n{} at state {state}", paint.bold(&head));
        let way = match neighbourhood.path.len() {
            0 => "the initial state".to_owned(),
            n => format!(
                "after {}: {}",
                count(n, "action"),
                neighbourhood.path.iter().map(|&l| label(lts.labels(), l)).collect::<Vec<_>>().join(" → ")
            ),
        };
        let with = |tag: Tag| {
            let labels = neighbourhood.outgoing.iter().filter(|s| s.tag == tag).map(|s| s.label);
            list(lts.labels(), labels, 20)
        };
        let lines = [
            ("reached", way),
            ("right", paint.good(&with(Tag::Correct))),
            ("wrong", paint.bad(&with(Tag::Incorrect))),
            ("undecided", with(Tag::Neutral)),
        ];
        for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
            wrapped(&mut out, name, text, width);
        }
    }
    if request.found.len() < request.total {
        let _ = writeln!(out, "\n{} more; --limit shows more of them", request.total - request.found.len());
    }
    out
}
