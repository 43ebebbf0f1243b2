//! `lts neighbours`: `docs/schema/lts-neighbours-1.json`.

use super::documents::{PropertyText, SafetyRequest, names, position, tag_word};
use super::words::neighbourhood;
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::safety::{Neighbourhood, TaggedStep};
use kit::number::thousands;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts neighbours`.
pub struct NeighboursReport<'a> {
    /// The question and the analysis.
    pub asked: SafetyRequest<'a>,
    /// The number of neighbourhoods, listed or not.
    pub total: usize,
    /// Those that are listed.
    pub found: &'a [Neighbourhood],
}

impl Report for NeighboursReport<'_> {
    fn document(&self) -> impl Serialize {
        let analysis = self.asked.analysis;
        let labels = analysis.product.lts.labels();
        let steps = |steps: &[TaggedStep]| {
            let document = |step: &TaggedStep| {
                object!({
                    label: labels.text(step.label).into_owned(),
                    position: position(analysis, step.end),
                    tag: tag_word(step.tag),
                })
            };
            steps.iter().map(document).collect::<Vec<_>>()
        };
        let neighbourhood = |found: &Neighbourhood| {
            object!({
                position: position(analysis, found.place),
                path: names(labels, &found.path),
                incoming: steps(&found.incoming),
                outgoing: steps(&found.outgoing),
            })
        };
        object!({
            schema: "cladist/lts-neighbours-1",
            version: VERSION,
            ..self.asked.document(),
            total: self.total,
            neighbourhoods: self.found.iter().map(neighbourhood).collect::<Vec<_>>(),
        })
    }

    fn text(&self, paint: Paint, width: usize) -> String {
        let analysis = self.asked.analysis;
        let lts = analysis.product.lts;
        let mut out = self.asked.headline(paint);
        if analysis.holds() {
            return out;
        }
        if self.total == 0 {
            let why = match self.asked.property {
                PropertyText::Labels(_) => "no transition rules the violation out in time",
                PropertyText::States { .. } if lts.chooses_start() => {
                    "no step decides, because no state is open"
                }
                PropertyText::States { .. } => "no step decides, because the initial state is lost",
            };
            let _ = writeln!(out, "\nthere is no neighbourhood: {why}");
            return out;
        }
        let state = |position| analysis.product.parts(position).0;
        for (at, found) in self.found.iter().enumerate() {
            let head = format!("neighbourhood {} of {}", thousands(at + 1), thousands(self.total));
            let head = format!("{} at state {}", paint.bold(&head), state(found.place));
            let choice =
                |step: &TaggedStep| TaggedStep { label: step.label, end: state(step.end), tag: step.tag };
            let steps: Vec<_> = found.outgoing.iter().map(choice).collect();
            neighbourhood(lts, &head, &found.path, &steps, (paint, width), &mut out);
        }
        if self.found.len() < self.total {
            let _ = writeln!(out, "\n{} more; raise --limit to list them", self.total - self.found.len());
        }
        out
    }
}
