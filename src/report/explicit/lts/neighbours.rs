//! `lts neighbours`: `docs/schema/lts-neighbours-1.json`.

use super::documents::{PositionDocument, tag_word};
use super::property_text::PropertyText;
use super::safety::{SafetyDocument, SafetyRequest};
use super::words::{Choice, choices, way, wrapped};
use crate::shared::document::VERSION;
use crate::writing::digits::thousands;
use crate::writing::paint::Paint;
use explicit::lts::LabelId;
use explicit::lts::safety::{Neighbourhood, Step, Tag};
use serde::Serialize;
use std::fmt::Write;

/// The result to report.
pub struct NeighboursRequest<'a> {
    /// The question and the analysis.
    pub asked: SafetyRequest<'a>,
    /// The number of neighbourhoods, listed or not.
    pub total: usize,
    /// Those that are listed.
    pub found: &'a [Neighbourhood],
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct NeighboursDocument<'a> {
    schema: &'static str,
    version: &'static str,
    #[serde(flatten)]
    asked: SafetyDocument<'a>,
    total: usize,
    neighbourhoods: Vec<NeighbourhoodDocument>,
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
    let analysis = request.asked.analysis;
    let name = |number: LabelId| analysis.product.lts.labels().text(number).into_owned();
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
        asked: SafetyDocument::new(&request.asked),
        total: request.total,
        neighbourhoods: neighbourhoods.collect(),
    }
}

/// The neighbourhoods as text, in lines of this width.
pub fn neighbours_text(request: &NeighboursRequest<'_>, paint: Paint, width: usize) -> String {
    let analysis = request.asked.analysis;
    let lts = analysis.product.lts;
    let mut out = request.asked.headline(paint);
    if analysis.holds() {
        return out;
    }
    if request.total == 0 {
        let why = match request.asked.property {
            PropertyText::Labels(_) => "no transition rules the violation out in time",
            PropertyText::States { .. } if lts.chooses_start() => "no step decides, because no state is open",
            PropertyText::States { .. } => "no step decides, because the initial state is lost",
        };
        let _ = writeln!(out, "\nthere is no neighbourhood: {why}");
        return out;
    }
    for (at, neighbourhood) in request.found.iter().enumerate() {
        let (state, _) = analysis.product.parts(neighbourhood.position);
        let head = format!("neighbourhood {} of {}", thousands(at + 1), thousands(request.total));
        let _ = writeln!(out, "\n{} at state {state}", paint.bold(&head));
        let steps = neighbourhood.outgoing.iter();
        let steps: Vec<Choice> = steps
            .map(|step| {
                let (state, _) = analysis.product.parts(step.position);
                Choice { label: step.label, state, tag: step.tag }
            })
            .collect();
        let with = |tag: Tag| choices(lts.labels(), &steps, tag, 20);
        let lines = [
            ("reached", way(lts, &neighbourhood.path)),
            ("right", paint.good(&with(Tag::Correct))),
            ("wrong", paint.bad(&with(Tag::Incorrect))),
            ("undecided", with(Tag::Neutral)),
        ];
        for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
            wrapped(&mut out, name, text, width);
        }
    }
    if request.found.len() < request.total {
        let _ = writeln!(out, "\n{} more; raise --limit to list them", request.total - request.found.len());
    }
    out
}
