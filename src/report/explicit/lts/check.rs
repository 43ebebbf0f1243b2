//! `lts check`: `docs/schema/lts-check-1.json`.

use super::documents::{Findings, System, headline, verdict};
use super::words::label;
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::Labels;
use explicit::mucalc::{Checked, Evidence, Shape, Step};
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts check`.
pub struct CheckReport<'a> {
    /// The system.
    pub system: System<'a>,
    /// The formula in one line.
    pub property: &'a str,
    /// The answer.
    pub checked: &'a Checked,
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
        let step = |step: &Step| {
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
                Some(Shape::Path) => "path",
                Some(Shape::Lasso(_)) => "lasso",
                Some(Shape::Subgraph) => "subgraph",
            },
            shows: evidence.map(|evidence| &evidence.shows),
            unfolded: evidence.is_some_and(|evidence| evidence.unfolded),
            whole: evidence.is_some_and(|evidence| evidence.whole),
            states: states.map(|s| object!({ number: s.state, shows: &s.holds, })).collect::<Vec<_>>(),
            transitions: steps.map(step).collect::<Vec<_>>(),
            loop: match shape {
                Some(Shape::Lasso(at)) => Some(at),
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

fn decided(checked: &Checked) -> String {
    format!("after {} of state and formula", counted(checked.positions, "pair"))
}

fn why_nothing(checked: &Checked) -> &'static str {
    match checked.holds {
        true => "no chosen transitions show it, or too many; --unfold shows the full evidence",
        false => "its evidence has more than 5000 states",
    }
}

fn show(holds: bool, evidence: &Evidence, labels: &Labels, paint: Paint, out: &mut String) {
    let what = match (holds, evidence.whole) {
        (true, true) => "witness",
        (false, true) => "counterexample",
        (true, false) => "part of a witness",
        (false, false) => "part of a counterexample",
    };
    let states = counted(evidence.states.len(), "state");
    let shape = match evidence.shape() {
        Shape::Path if evidence.steps.is_empty() => format!("a {what} of 0 steps"),
        Shape::Path => format!("a {what}, a path of {states}"),
        Shape::Lasso(_) => format!("a {what}, a lasso of {states}"),
        Shape::Subgraph => {
            let steps = counted(evidence.steps.len(), "transition");
            format!("a {what}, a subgraph of {steps} between {states}")
        }
    };
    let _ = writeln!(out, "\n{}", paint.bold(&shape));
    if evidence.whole {
        let _ = writeln!(out, "  it shows   {}\n", evidence.shows);
    } else {
        let _ = writeln!(out, "  of         {}", evidence.shows);
        out.push_str(
            "  not shown  universal subformulas, facts of the whole system (--unfold shows them)\n\n",
        );
    }
    let entries = entries(evidence);
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
    if evidence.shape() == Shape::Subgraph {
        let _ = writeln!(out, "\n{}", paint.bold("purpose of each transition"));
        for step in &evidence.steps {
            let _ = writeln!(out, "  {} → {}  {}", step.from, step.to, step.serves.join("; "));
        }
    }
}

/// For each state but the first the index of the first step to it from an earlier one.
fn entries(evidence: &Evidence) -> Vec<Option<usize>> {
    let mut entries = vec![None; evidence.states.len()];
    for (index, step) in evidence.steps.iter().enumerate() {
        if step.from < step.to {
            entries[step.to].get_or_insert(index);
        }
    }
    entries
}
