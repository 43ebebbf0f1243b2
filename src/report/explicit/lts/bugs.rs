//! `lts bugs`: `docs/schema/lts-bugs-1.json`.

use super::counterexample::{name, run_document};
use super::documents::{Findings, PropertyText, place, property_document};
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use explicit::lts::bugs::{BugVerdict, Bugs, Occurrence, OriginalSize};
use explicit::lts::strategy::{Counterexample, NoCounterexample, Strategy};
use kit::diagnostics::SourceMap;
use serde::Serialize;

/// The result of `lts bugs`.
pub struct BugsReport<'a> {
    /// The file of the text or model.
    pub file: &'a str,
    /// The property.
    pub property: PropertyText<'a>,
    /// The kind of the file: `text` or `model`.
    pub of: &'static str,
    /// The result.
    pub bugs: &'a Bugs,
    /// The text and its modules.
    pub sources: &'a SourceMap,
    /// True if the verdicts of the paper's algorithm are shown, too.
    pub paper: bool,
    /// The counterexamples that were requested, with their strategies.
    pub counterexamples: &'a [(Strategy, Result<Counterexample, NoCounterexample>)],
    /// Warnings about the text.
    pub doubts: Findings<'a>,
    /// Warnings about the property.
    pub warnings: Findings<'a>,
    /// The running time in seconds.
    pub seconds: f64,
}

pub(super) fn word(verdict: BugVerdict) -> &'static str {
    match verdict {
        BugVerdict::None => "none",
        BugVerdict::Unknown => "unknown",
        BugVerdict::Undecided => "undecided",
        BugVerdict::Avoidable => "avoidable",
        BugVerdict::Inevitable => "inevitable",
    }
}

/// The reason why the paper's algorithm finds something else.
pub(super) fn difference(occurrence: &Occurrence) -> Option<&'static str> {
    match (occurrence.verdict, occurrence.paper) {
        (own, paper) if own == paper => None,
        (BugVerdict::Undecided | BugVerdict::Unknown, _) => None,
        (BugVerdict::None, _) => Some(
            "its dummy leaves a state that is faulty for another reason: the occurrence causes no first violation",
        ),
        (_, BugVerdict::None) => {
            Some("its dummy leaves no faulty state: leaving it out once does not exclude a later violation")
        }
        (BugVerdict::Avoidable, _) => {
            Some("some run stays in a loop forever without a violation, but never excludes one")
        }
        _ => Some("in the paper, dummies are visible to the property"),
    }
}

impl BugsReport<'_> {
    fn occurrence(&self, occurrence: &Occurrence) -> impl Serialize + use<> {
        let way = occurrence.way.as_ref();
        let rank = occurrence.rank.as_ref();
        let avoided_by = way.and_then(|way| way.avoided_by.as_ref());
        let others = occurrence.avoided_without.as_ref();
        object!({
            ..place(occurrence.span, self.sources),
            action: self.sources.snippet(occurrence.span).to_owned(),
            labels: occurrence.actions.clone(),
            verdict: word(occurrence.verdict),
            paper_verdict: word(occurrence.paper),
            difference: difference(occurrence).filter(|_| occurrence.paper != BugVerdict::Undecided),
            trace: way.map(|way| way.labels.clone()).unwrap_or_default(),
            leaves_out: way.is_some_and(|way| way.leaves_out),
            avoided_by: avoided_by.map(|(at, labels)| object!({ step: at + 1, labels: labels.clone(), })),
            avoided_without: others.map(|others| {
                others.iter().map(|span| place(*span, self.sources)).collect::<Vec<_>>()
            }),
            traces: rank.map(|rank| rank.traces.to_string()),
            traces_up_to: rank.map(|rank| rank.up_to),
            probability: rank.map(|rank| rank.probability),
        })
    }

    pub(super) fn json(&self) -> impl Serialize {
        let bugs = self.bugs;
        let by_paper = |verdict| bugs.occurrences.iter().filter(|o| o.paper == verdict).count();
        let OriginalSize { states, transitions, labels } = bugs.original;
        let size = bugs.final_lts.size;
        let counterexamples = self.counterexamples.iter().map(|(strategy, found)| {
            let path = *strategy == Strategy::Neighbourhood;
            let run = found.as_ref().ok().map(|run| run_document(run, &bugs.final_lts.lts, path));
            object!({ strategy: name(*strategy), counterexample: run, })
        });
        let partial = !bugs.holds && bugs.partial;
        object!({
            schema: "cladist/lts-bugs-1",
            version: VERSION,
            verdict: if partial { "partial" } else if bugs.holds { "holds" } else { "violated" },
            holds: bugs.holds,
            complete: !bugs.partial,
            by_parts: bugs.by_parts,
            file: self.file,
            ..property_document(Some(self.property)),
            inevitable: bugs.number(BugVerdict::Inevitable),
            avoidable: bugs.number(BugVerdict::Avoidable),
            undecided: bugs.number(BugVerdict::Undecided),
            paper: object!({
                inevitable: by_paper(BugVerdict::Inevitable),
                avoidable: by_paper(BugVerdict::Avoidable),
            }),
            occurrences: bugs.occurrences.iter().map(|o| self.occurrence(o)).collect::<Vec<_>>(),
            lts: object!({ states, transitions, labels, }),
            final: object!({ states: size.states, transitions: size.transitions, faulty: size.faulty, }),
            counterexamples: counterexamples.collect::<Vec<_>>(),
            warnings: [self.doubts.documents(), self.warnings.documents()].concat(),
            seconds: self.seconds,
        })
    }
}
