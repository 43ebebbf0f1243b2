//! `lts inevitable`: `docs/schema/lts-inevitable-1.json`.

use super::answers::Answered;
use super::counterexample::{Asked, CUT_SHORT, RunDocument, run_text};
use super::documents::{tag_word, verdict};
use super::system::{AnalysedDocument, System};
use super::words::{Choice, choices, way, wrapped};
use crate::shared::document::{VERSION, diagnostic_document};
use crate::writing::digits::thousands;
use crate::writing::paint::Paint;
use explicit::lts::inevitable::{Affixes, Analysis, Counts, Entered, Neighbourhood, Step};
use explicit::lts::safety::{Keep, Tag};
use explicit::lts::strategy::Counterexample;
use explicit::lts::{LabelId, StateId};
use kit::diagnostics::{Diagnostic, SourceMap};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write;
use verify::document::StoredFinding;

/// What every trace should contain.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// Actions, in this order.
    Actions(&'a [String]),
    /// Answers, as a property of a model says.
    Answers(Answered<'a>),
}

impl<'a> Wanted<'a> {
    /// The property of a model, if it is one.
    fn answers(self) -> Option<Answered<'a>> {
        match self {
            Self::Actions(_) => None,
            Self::Answers(answers) => Some(answers),
        }
    }

    /// Whether something is waited for in a state, where a property says what.
    fn is_waiting(self, state: StateId) -> Option<bool> {
        self.answers().map(|answers| answers.is_waiting(state))
    }

    /// The first line of the text.
    fn text(self) -> String {
        match self {
            Self::Actions(actions) => Asked::Actions(actions).text(),
            Self::Answers(answers) => format!("every run satisfies {}", answers.property),
        }
    }

    /// What the runs through a correct transition do, and what a counterexample is called.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Actions(_) => ["contain the actions", "a shortest run without them"],
            Self::Answers(_) => ["satisfy it", "a shortest run that violates it"],
        }
    }

    /// The number of a state of the system, given that of the analysed one.
    fn state(self, state: StateId) -> StateId {
        self.answers().map_or(state, |answers| answers.state(state))
    }
}

/// The result to report.
pub struct InevitableRequest<'a> {
    /// The system.
    pub system: System<'a>,
    /// What every trace should contain.
    pub wanted: Wanted<'a>,
    /// The kind of entry that makes a state a neighbourhood.
    pub entered: Entered,
    /// The analysis.
    pub analysis: &'a Analysis<'a>,
    /// The sizes of the tagged system.
    pub counts: Counts,
    /// A shortest counterexample, if there is one.
    pub shortest: Option<Counterexample>,
    /// Warnings about the actions.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings refer to.
    pub sources: &'a SourceMap,
    /// Whether every state and every transition is listed.
    pub full: bool,
    /// The neighbourhoods that are listed.
    pub neighbourhoods: Vec<Neighbourhood>,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct InevitableDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    actions: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'a str>,
    some: bool,
    lts: AnalysedDocument,
    counts: CountsDocument,
    shortest: Option<RunDocument>,
    neighbourhoods: Vec<NeighbourhoodDocument>,
    warnings: Vec<StoredFinding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<StatesDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<TransitionsDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct CountsDocument {
    correct: usize,
    incorrect: usize,
    neutral: usize,
    neighbourhoods: usize,
    neighbourhood_kinds: [usize; 4],
}

#[derive(Debug, Serialize)]
struct NeighbourhoodDocument {
    state: StateId,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<bool>,
    kind: usize,
    path: Vec<String>,
    incoming: Vec<StepDocument>,
    outgoing: Vec<StepDocument>,
}

#[derive(Debug, Serialize)]
struct StepDocument {
    label: String,
    state: StateId,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<bool>,
    tag: &'static str,
}

#[derive(Debug, Serialize)]
struct StateDocument {
    state: StateId,
    max_prefix: u16,
    common_prefix: u16,
    max_suffix: u16,
    common_suffix: u16,
    neighbourhood: Option<usize>,
}

/// All states, of which there may be very many, so that they are made when they are written.
#[derive(Debug)]
struct StatesDocument<'a>(&'a Analysis<'a>, &'a Affixes, Entered);

impl Serialize for StatesDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(analysis, affixes, entered) = self;
        serializer.collect_seq(analysis.reached().map(|state| {
            let at = state.index();
            StateDocument {
                state,
                max_prefix: affixes.max_prefix[at],
                common_prefix: affixes.common_prefix[at],
                max_suffix: affixes.max_suffix[at],
                common_suffix: affixes.common_suffix[at],
                neighbourhood: analysis.neighbourhood(state, *entered),
            }
        }))
    }
}

/// All transitions, in the same way.
#[derive(Debug)]
struct TransitionsDocument<'a>(&'a Analysis<'a>);

impl Serialize for TransitionsDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = self.0;
        serializer.collect_seq(analysis.reached().flat_map(|from| {
            analysis.tagged(from).map(move |Step { label, state: to, tag }| TransitionDocument {
                from,
                label: analysis.lts.labels().text(label),
                to,
                tag: tag_word(tag),
            })
        }))
    }
}

#[derive(Debug, Serialize)]
struct TransitionDocument<'a> {
    from: StateId,
    label: Cow<'a, str>,
    to: StateId,
    tag: &'static str,
}

/// The document for an analysis.
pub fn inevitable_document<'a>(request: &InevitableRequest<'a>) -> InevitableDocument<'a> {
    let InevitableRequest { analysis, counts, wanted, .. } = request;
    let labels = analysis.lts.labels();
    let name = |number: LabelId| labels.text(number).into_owned();
    let steps = |steps: &[Step]| {
        let document = |step: &Step| StepDocument {
            label: name(step.label),
            state: wanted.state(step.state),
            waiting: wanted.is_waiting(step.state),
            tag: tag_word(step.tag),
        };
        steps.iter().map(document).collect()
    };
    let neighbourhoods = request.neighbourhoods.iter().map(|neighbourhood| NeighbourhoodDocument {
        state: wanted.state(neighbourhood.state),
        waiting: wanted.is_waiting(neighbourhood.state),
        kind: neighbourhood.kind,
        path: neighbourhood.path.iter().map(|&label| name(label)).collect(),
        incoming: steps(&neighbourhood.incoming),
        outgoing: steps(&neighbourhood.outgoing),
    });
    InevitableDocument {
        schema: "cladist/lts-inevitable-1",
        version: VERSION,
        verdict: verdict(analysis.holds()),
        holds: analysis.holds(),
        file: request.system.file,
        actions: match wanted {
            Wanted::Actions(actions) => Some(actions),
            Wanted::Answers(_) => None,
        },
        property: wanted.answers().map(|answers| answers.property),
        some: request.entered == Entered::ByNeutral,
        lts: request.system.document(),
        counts: CountsDocument {
            correct: counts.correct,
            incorrect: counts.incorrect,
            neutral: counts.neutral,
            neighbourhoods: counts.neighbourhoods,
            neighbourhood_kinds: counts.neighbourhood_kinds,
        },
        shortest: request.shortest.as_ref().map(|run| {
            let states = run.states.iter().map(|&state| wanted.state(state)).collect();
            RunDocument::new(&Counterexample { states, ..run.clone() }, analysis.lts, false)
        }),
        neighbourhoods: neighbourhoods.collect(),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
        states: analysis
            .affixes()
            .filter(|_| request.full)
            .map(|affixes| StatesDocument(analysis, affixes, request.entered)),
        transitions: request.full.then_some(TransitionsDocument(analysis)),
    }
}

/// The analysis as text, in lines of this width.
pub fn inevitable_text(request: &InevitableRequest<'_>, paint: Paint, width: usize) -> String {
    let InevitableRequest { analysis, counts, wanted, .. } = request;
    let [contain, shortest] = wanted.words();
    let verdict = if analysis.holds() { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{verdict}: {}\n", wanted.text());
    out.push_str(&request.system.lines());
    let Some(run) = &request.shortest else { return out };
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
    line(
        "transitions",
        format!(
            "{} correct (all runs through them {contain}), {} incorrect (none does), {} neutral",
            counts.correct, counts.incorrect, counts.neutral
        ),
    );
    let [correct, incorrect, both, all] = counts.neighbourhood_kinds;
    line(
        "neighbourhoods",
        format!(
            "{}: {correct} correct or neutral, {incorrect} incorrect or neutral, {both} correct or incorrect, {all} \
             all three",
            counts.neighbourhoods
        ),
    );
    if !run.certain {
        out.push_str(CUT_SHORT);
    }
    out.push('\n');
    run_text(run, shortest, false, Keep::Neighbourhoods, analysis.lts, paint, &mut out);
    neighbourhoods(request, paint, width, &mut out);
    out
}

fn neighbourhoods(request: &InevitableRequest<'_>, paint: Paint, width: usize, out: &mut String) {
    let labels = request.analysis.lts.labels();
    for (at, neighbourhood) in request.neighbourhoods.iter().enumerate() {
        let head =
            format!("neighbourhood {} of {}", thousands(at + 1), thousands(request.counts.neighbourhoods));
        let state = request.wanted.state(neighbourhood.state);
        let waiting = match request.wanted.is_waiting(neighbourhood.state) {
            Some(true) => ", waiting",
            Some(false) => ", not waiting",
            None => "",
        };
        let _ = writeln!(out, "\n{} at state {state}{waiting}", paint.bold(&head));
        let steps: Vec<Choice> = neighbourhood
            .outgoing
            .iter()
            .map(|&Step { label, state, tag }| Choice { label, state: request.wanted.state(state), tag })
            .collect();
        let with = |tag: Tag| choices(labels, &steps, tag, 20);
        let lines = [
            ("reached", way(request.analysis.lts, &neighbourhood.path)),
            ("right", paint.good(&with(Tag::Correct))),
            ("wrong", paint.bad(&with(Tag::Incorrect))),
            ("undecided", with(Tag::Neutral)),
        ];
        for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
            wrapped(out, name, text, width);
        }
    }
    if request.neighbourhoods.len() < request.counts.neighbourhoods {
        let left = request.counts.neighbourhoods - request.neighbourhoods.len();
        let _ = writeln!(out, "\n{left} more; raise --limit to list them");
    }
}
