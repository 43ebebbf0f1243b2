//! Evidence on a page: states and the steps between them, walked through one after the other.

use crate::traces::graph_svg::graph_svg;
use crate::traces::stepper::{Stop, Walk};
use crate::writing::page::{SideList, capitalised, findings, heading, how_found, page};
use crate::writing::paint::Tone;
use kit::diagnostics::{Diagnostic, SourceMap};
use kit::number::counted;
use maud::{Markup, html};

/// For each state the index of the first step to it from an earlier one.
pub fn entries(states: usize, steps: impl Iterator<Item = (usize, usize)>) -> Vec<Option<usize>> {
    let mut entries = vec![None; states];
    for (index, (from, to)) in steps.enumerate() {
        if from < to {
            entries[to].get_or_insert(index);
        }
    }
    entries
}

/// The walk through states, each with its values and what is said of it, and steps from one to another with their labels; a lasso
/// ends where its loop begins.
pub fn walk(
    places: Vec<String>,
    states: Vec<Stop>,
    steps: &[(usize, usize, String)],
    loop_start: Option<usize>,
) -> Walk {
    let number = states.len();
    let entries = entries(number, steps.iter().map(|(from, to, _)| (*from, *to)));
    let closing =
        loop_start.and_then(|start| steps.iter().position(|step| (step.0, step.1) == (number - 1, start)));
    let stop = |(at, state): (usize, Stop)| {
        let entry = entries[at].map(|index| &steps[index]);
        let others = steps.iter().enumerate().filter(|(index, step)| {
            step.0 == at && entries[step.1] != Some(*index) && closing != Some(*index)
        });
        Stop {
            label: entry.map_or_else(|| "initial state".to_owned(), |step| step.2.clone()),
            from: entry.map(|step| step.0).filter(|from| from + 1 != at),
            branches: others.map(|(_, (_, to, label))| (label.clone(), *to)).collect(),
            ..state
        }
    };
    let mut stops: Vec<Stop> = states.into_iter().enumerate().map(stop).collect();
    let is_graph = stops.iter().any(|stop| stop.from.is_some() || !stop.branches.is_empty());
    if let (Some(closing), Some(start)) = (closing, loop_start) {
        stops[start].said = Some("the loop begins here".to_owned());
        let said = Some(format!("as at {start}, and so on for ever"));
        let (label, values) = (steps[closing].2.clone(), stops[start].values.clone());
        stops.push(Stop { label, values, said, ..Stop::default() });
    }
    let drawings = is_graph.then(|| graph_svg(number, steps)).flatten().into_iter().collect();
    Walk { drawings, places, stops, loop_start: closing.and(loop_start), folded: false, marked: false }
}

/// The page of an answer about a system.
pub struct EvidencePage<'a> {
    pub title: &'a str,
    pub tone: Tone,
    /// The verdict and the question in a sentence.
    pub verdict: String,
    /// Rows about question and answer, with their names.
    pub rows: Vec<(&'static str, String)>,
    pub warnings: (&'a [Diagnostic], &'a SourceMap),
    /// The evidence; `None` if none is shown.
    pub evidence: Option<PageEvidence>,
    /// Texts below the evidence.
    pub more: Markup,
    /// How it was found, and the command line.
    pub found: (String, &'a str),
}

/// A counterexample or a witness on a page.
pub struct PageEvidence {
    /// Its entry in the list beside the page: `counterexample`.
    pub entry: &'static str,
    /// The heading above it.
    pub heading: String,
    pub walk: Walk,
}

impl EvidencePage<'_> {
    pub fn html(&self) -> String {
        let body = html! {
            (heading(self.title, self.tone, &self.verdict))
            dl {
                @for (name, text) in &self.rows { dt { (name) } dd { (text) } }
                (findings(self.warnings.0, self.warnings.1))
            }
            @if let Some(PageEvidence { heading, walk, .. }) = &self.evidence {
                section #evidence {
                    h2 { (capitalised(heading)) }
                    @if walk.drawings.is_empty() && walk.stops.iter().any(|stop| !stop.branches.is_empty()) {
                        p { "The graph of " (counted(walk.stops.len(), "state")) " is too large to be drawn." }
                    }
                    (walk.figure("evidence", &html! {}))
                    (self.more)
                }
            }
            (how_found(&self.found.0, self.found.1))
        };
        let entry = |evidence: &PageEvidence| ("evidence".to_owned(), capitalised(evidence.entry));
        let sections = self.evidence.iter().map(entry);
        page(self.title, Some(&SideList { of: "evidence", sections: sections.collect() }), &body)
    }
}
