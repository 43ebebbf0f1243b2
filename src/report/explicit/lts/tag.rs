//! `lts tag`: `docs/schema/lts-tag-1.json`.

use super::documents::{PositionDocument, tag_word};
use super::property_text::PropertyText;
use super::safety::{SafetyDocument, SafetyRequest};
use super::system::Size;
use super::words::{Action, actions, count, step};
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::LabelId;
use explicit::lts::safety::{Analysis, Counts, Keep, Shortest, Step};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write;

/// The result to report.
pub struct TagRequest<'a> {
    /// The question and the analysis.
    pub asked: SafetyRequest<'a>,
    /// The sizes of the tagged system.
    pub counts: Counts,
    /// A shortest counterexample, if there is one.
    pub shortest: Option<Shortest>,
    /// The positions around which its abstraction keeps actions.
    pub keep: Keep,
    /// Whether every transition is listed.
    pub full: bool,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct TagDocument<'a> {
    schema: &'static str,
    version: &'static str,
    #[serde(flatten)]
    asked: SafetyDocument<'a>,
    automaton: AutomatonDocument,
    counts: CountsDocument,
    shortest: Option<ShortestDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<TransitionsDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct AutomatonDocument {
    states: usize,
    classes: usize,
}

#[derive(Debug, Serialize)]
struct CountsDocument {
    correct: usize,
    incorrect: usize,
    neutral: usize,
    beyond: usize,
    faulty: usize,
    faulty_kinds: [usize; 4],
    neighbourhoods: usize,
    frontier: usize,
    counterexample_lts: Size,
}

#[derive(Debug, Serialize)]
struct ShortestDocument {
    length: usize,
    actions: Vec<String>,
    kept: Vec<usize>,
    decisions: usize,
    positions: Vec<PositionDocument>,
}

/// All transitions. There may be very many, so that they are made when they are written.
#[derive(Debug)]
struct TransitionsDocument<'a>(&'a Analysis<'a>);

impl Serialize for TransitionsDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = self.0;
        let place = |position| PositionDocument::new(analysis, position);
        serializer.collect_seq(analysis.reached().flat_map(|from| {
            analysis.tagged(from).map(move |Step { label, position: to, tag }| TransitionDocument {
                from: place(from),
                label: analysis.product.lts.labels().text(label),
                to: place(to),
                tag: tag_word(tag),
            })
        }))
    }
}

#[derive(Debug, Serialize)]
struct TransitionDocument<'a> {
    from: PositionDocument,
    label: Cow<'a, str>,
    to: PositionDocument,
    tag: &'static str,
}

/// The document for an analysis.
pub fn tag_document<'a>(request: &TagRequest<'a>) -> TagDocument<'a> {
    let TagRequest { asked: SafetyRequest { analysis, .. }, counts, .. } = request;
    let lts = analysis.product.lts;
    let place = |position| PositionDocument::new(analysis, position);
    let name = |number: LabelId| lts.labels().text(number).into_owned();
    TagDocument {
        schema: "cladist/lts-tag-1",
        version: VERSION,
        asked: SafetyDocument::new(&request.asked),
        automaton: AutomatonDocument {
            states: analysis.product.automaton.states(),
            classes: analysis.product.automaton.classes(),
        },
        counts: CountsDocument {
            correct: counts.correct,
            incorrect: counts.incorrect,
            neutral: counts.neutral,
            beyond: counts.beyond,
            faulty: counts.faulty,
            faulty_kinds: counts.faulty_kinds,
            neighbourhoods: counts.neighbourhoods,
            frontier: counts.frontier,
            counterexample_lts: Size {
                states: counts.counterexample_states,
                transitions: counts.counterexample_transitions,
            },
        },
        shortest: request.shortest.as_ref().map(|shortest| ShortestDocument {
            length: actions(lts, shortest.labels.len()),
            actions: shortest.labels.iter().map(|&l| name(l)).collect(),
            kept: shortest.kept.clone(),
            decisions: shortest.decisions,
            positions: shortest.positions.iter().map(|&p| place(p)).collect(),
        }),
        transitions: request.full.then_some(TransitionsDocument(analysis)),
    }
}

/// The analysis as text: counts, and a shortest counterexample.
pub fn tag_text(request: &TagRequest<'_>, paint: Paint) -> String {
    let TagRequest { asked, counts, .. } = request;
    let mut out = asked.headline(paint);
    let Some(shortest) = &request.shortest else { return out };
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
    line(
        "counterexamples",
        format!(
            "{} and {} of the tagged system lead to a violation or follow one",
            count(counts.counterexample_states, "state"),
            count(counts.counterexample_transitions, "transition")
        ),
    );
    let incorrect = match asked.property {
        PropertyText::States { environment: Some(_), .. } => "the environment can complete it after them",
        PropertyText::Labels(_) if !asked.strict => "it cannot be ruled out after them",
        _ => "every run after them contains it",
    };
    line(
        "transitions",
        format!(
            "{} correct (they rule the violation out), {} incorrect ({incorrect}), {} neutral",
            counts.correct, counts.incorrect, counts.neutral
        ),
    );
    let [cn, inn, ci, all] = counts.faulty_kinds;
    line(
        "faulty states",
        format!(
            "{}: {cn} correct or neutral, {inn} incorrect or neutral, {ci} correct or incorrect, {all} all three",
            counts.faulty
        ),
    );
    line(
        "neighbourhoods",
        format!("{} at {} of the system", counts.neighbourhoods, count(counts.frontier, "state")),
    );
    out.push('\n');
    let _ = writeln!(out, "{}", headline(request, shortest));
    steps(request, shortest, paint, &mut out);
    if counts.neighbourhoods > 0 {
        out.push_str("\n`cladist lts neighbours` lists what would have been right at each neighbourhood\n");
    }
    out
}

fn headline(request: &TagRequest<'_>, shortest: &Shortest) -> String {
    let lts = request.asked.analysis.product.lts;
    let length = count(actions(lts, shortest.labels.len()), "action");
    let what = match request.keep {
        Keep::Neighbourhoods => "neighbourhood",
        Keep::FaultyStates => "faulty state",
    };
    match (shortest.labels.len(), shortest.kept.len()) {
        (0, _) => "the empty trace is a violation".to_owned(),
        (_, 0) => format!("a shortest counterexample has {length} and contains no {what}"),
        (_, kept) => format!(
            "a shortest counterexample has {length}; * marks the {kept} around {}",
            count(shortest.decisions, what)
        ),
    }
}

/// The actions; next to the wrong ones, the right ones.
fn steps(request: &TagRequest<'_>, shortest: &Shortest, paint: Paint, out: &mut String) {
    let analysis = request.asked.analysis;
    for (at, &label) in shortest.labels.iter().enumerate() {
        let kept = shortest.kept.contains(&at);
        let right = analysis.right(shortest.positions[at], shortest.positions[at + 1]).into_iter();
        out.push_str(&step(analysis.product.lts, &Action { at, label, kept }, right, paint));
    }
}
