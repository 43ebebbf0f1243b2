//! `lts check`: `docs/schema/lts-check-1.json`.

use super::documents::{Findings, ReportedSystem, headline, verdict};
use super::words::{label, size};
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::explicit::walk::{EvidencePage, PageEvidence, entries, walk};
use crate::shared::document::VERSION;
use crate::traces::stepper::Stop;
use crate::writing::paint::Paint;
use crate::writing::paint::Tone;
use explicit::lts::Labels;
use explicit::mucalc::{Evidence, EvidenceShape, EvidenceStep, FormulaResult};
use kit::number::counted;
use maud::html;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts check`.
pub struct CheckReport<'a> {
    /// The system.
    pub system: ReportedSystem<'a>,
    /// The formula in one line.
    pub property: &'a str,
    /// The answer.
    pub checked: &'a FormulaResult,
    /// Findings about the input.
    pub warnings: Findings<'a>,
    /// How long it took.
    pub seconds: f64,
}

impl Report for CheckReport<'_> {
    fn document(&self) -> impl Serialize {
        let Self { checked, system, .. } = *self;
        let evidence = checked.evidence.as_ref();
        let shape = evidence.map(Evidence::shape);
        let states = evidence.into_iter().flat_map(|evidence| &evidence.states);
        let steps = evidence.into_iter().flat_map(|evidence| &evidence.steps);
        let step = |step: &EvidenceStep| {
            object!({
                from: step.from,
                to: step.to,
                label: system.lts.labels().text(step.label).into_owned(),
                serves: step.serves.clone(),
            })
        };
        object!({
            schema: "cladist/lts-check-1",
            version: VERSION,
            file: system.file,
            property: self.property,
            ..verdict(checked.holds),
            definite: true,
            lts: system.document(),
            positions: checked.positions,
            kind: match shape {
                None => "none",
                Some(EvidenceShape::Path) => "path",
                Some(EvidenceShape::Lasso(_)) => "lasso",
                Some(EvidenceShape::Subgraph) => "subgraph",
            },
            shows: evidence.map(|evidence| &evidence.shows),
            unfolded: evidence.is_some_and(|evidence| evidence.unfolded),
            whole: evidence.is_some_and(|evidence| evidence.whole),
            states: states.map(|s| object!({ number: s.state, shows: &s.holds, })).collect::<Vec<_>>(),
            transitions: steps.map(step).collect::<Vec<_>>(),
            loop: match shape {
                Some(EvidenceShape::Lasso(at)) => Some(at),
                _ => None,
            },
            warnings: self.warnings.documents(),
            seconds: self.seconds,
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        let checked = self.checked;
        let mut out = headline(checked.holds, self.property, paint);
        out.push_str(&self.system.lines());
        let _ = writeln!(out, "  {:<15} {}", "decided", decided(checked));
        match &checked.evidence {
            None => {
                let _ = writeln!(out, "  {:<15} nothing; {}", "shown", why_nothing(checked));
            }
            Some(evidence) => show(checked.holds, evidence, self.system.lts.labels(), paint, &mut out),
        }
        let _ = writeln!(out, "\n{:.2} s", self.seconds);
        out
    }
}

fn decided(checked: &FormulaResult) -> String {
    format!("after {} of state and formula", counted(checked.positions, "pair"))
}

fn why_nothing(checked: &FormulaResult) -> &'static str {
    match checked.holds {
        true => "no chosen transitions show it, or too many; --unfold shows the full evidence",
        false => "its evidence has more than 5000 states",
    }
}

impl CheckReport<'_> {
    /// The page: the verdict, and the states and transitions that show it.
    pub fn page(&self, rerun: &str) -> String {
        let (checked, labels) = (self.checked, self.system.lts.labels());
        let of = |evidence: &Evidence| {
            let states = evidence.states.iter().map(|shown| Stop {
                values: vec![shown.state.to_string()],
                remarks: shown.holds.clone(),
                ..Stop::default()
            });
            let steps = evidence.steps.iter().map(|step| (step.from, step.to, label(labels, step.label)));
            let loop_start = match evidence.shape() {
                EvidenceShape::Lasso(start) => Some(start),
                EvidenceShape::Path | EvidenceShape::Subgraph => None,
            };
            let steps: Vec<_> = steps.collect();
            PageEvidence {
                entry: evidence_word(checked.holds, evidence.whole),
                heading: headline_of(checked.holds, evidence),
                walk: walk(vec!["state".to_owned()], states.collect(), &steps, loop_start),
            }
        };
        let shown = match &checked.evidence {
            None => format!("nothing; {}", why_nothing(checked)),
            Some(evidence) if evidence.whole => evidence.shows.clone(),
            Some(evidence) => format!("part of: {}; --unfold shows universal subformulas", evidence.shows),
        };
        EvidencePage {
            title: self.system.file,
            tone: if checked.holds { Tone::Good } else { Tone::Bad },
            verdict: format!("{}: {}", if checked.holds { "holds" } else { "violated" }, self.property),
            rows: vec![("System", size(self.system.file, self.system.lts)), ("Shown", shown)],
            warnings: (self.warnings.0, self.warnings.1),
            evidence: checked.evidence.as_ref().map(of),
            more: html! {},
            found: (format!("Decided {}, {:.2} s", decided(checked), self.seconds), rerun),
        }
        .html()
    }
}

/// A counterexample or a witness, or a part of it.
fn evidence_word(holds: bool, whole: bool) -> &'static str {
    match (holds, whole) {
        (true, true) => "witness",
        (false, true) => "counterexample",
        (true, false) => "part of a witness",
        (false, false) => "part of a counterexample",
    }
}

/// `a counterexample, a lasso of 3 states`
fn headline_of(holds: bool, evidence: &Evidence) -> String {
    let what = evidence_word(holds, evidence.whole);
    let states = counted(evidence.states.len(), "state");
    match evidence.shape() {
        EvidenceShape::Path if evidence.steps.is_empty() => format!("a {what} of 0 steps"),
        EvidenceShape::Path => format!("a {what}, a path of {states}"),
        EvidenceShape::Lasso(_) => format!("a {what}, a lasso of {states}"),
        EvidenceShape::Subgraph => {
            let steps = counted(evidence.steps.len(), "transition");
            format!("a {what}, a subgraph of {steps} between {states}")
        }
    }
}

fn show(holds: bool, evidence: &Evidence, labels: &Labels, paint: Paint, out: &mut String) {
    let _ = writeln!(out, "\n{}", paint.bold(&headline_of(holds, evidence)));
    if evidence.whole {
        let _ = writeln!(out, "  it shows   {}\n", evidence.shows);
    } else {
        let _ = writeln!(out, "  of         {}", evidence.shows);
        out.push_str(
            "  not shown  universal subformulas, facts of the whole system (--unfold shows them)\n\n",
        );
    }
    let entries = entries(evidence.states.len(), evidence.steps.iter().map(|step| (step.from, step.to)));
    for (at, shown) in evidence.states.iter().enumerate() {
        let by = match entries[at].map(|step| &evidence.steps[step]) {
            None => paint.faint("initial state"),
            Some(step) => format!("from {} by {}", step.from, paint.bold(&label(labels, step.label))),
        };
        let _ = writeln!(out, "  {at:>2}  {by} (state {} of the system)", shown.state);
        for text in &shown.holds {
            let _ = writeln!(out, "        {text}");
        }
        for (index, step) in evidence.steps.iter().enumerate().filter(|(_, step)| step.from == at) {
            if entries[step.to] != Some(index) {
                let name = paint.bold(&label(labels, step.label));
                let _ = writeln!(out, "      also to {} by {name}", step.to);
            }
        }
    }
    if evidence.shape() == EvidenceShape::Subgraph {
        let _ = writeln!(out, "\n{}", paint.bold("purpose of each transition"));
        for step in &evidence.steps {
            let _ = writeln!(out, "  {} → {}  {}", step.from, step.to, step.serves.join("; "));
        }
    }
}
