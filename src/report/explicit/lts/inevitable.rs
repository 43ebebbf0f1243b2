//! `lts inevitable`: `docs/schema/lts-inevitable-1.json`.

use super::counterexample::{CUT_SHORT, SystemGoal, run_document, run_headline, run_text, run_walk};
use super::documents::{Findings, ReportedSystem, headline, names, tag_word, verdict};
use super::words::{neighbourhood, neighbourhood_lines, size};
use crate::explicit::Report;
use crate::explicit::object::{Streamed, object};
use crate::explicit::walk::{EvidencePage, PageEvidence};
use crate::shared::document::VERSION;
use crate::writing::page::{capitalised, prose};
use crate::writing::paint::Paint;
use crate::writing::paint::Tone;
use explicit::lts::inevitable::{InevitabilityAnalysis, InevitabilitySizes, NeighbourhoodEntry};
use explicit::lts::safety::{Keep, Neighbourhood, TaggedStep};
use explicit::lts::strategy::Counterexample;
use explicit::lts::{Bits, StateId};
use kit::number::thousands;
use maud::{Markup, html};
use serde::Serialize;
use std::fmt::Write;

/// The property of a model that asks for an answer, and the states of its analysis.
#[derive(Debug, Clone, Copy)]
pub struct AnswerProperty<'a> {
    /// Its name.
    pub property: &'a str,
    /// For each state of the analysed system the number of the state of the model.
    pub states: &'a [StateId],
    /// The states of the analysed system in which something is waited for.
    pub waiting: &'a Bits,
}

/// Actions or answers that every trace should contain.
#[derive(Clone, Copy)]
pub enum InevitableGoal<'a> {
    /// Actions, in this order.
    Actions(&'a [String]),
    /// Answers, as a property of a model says.
    Answers(AnswerProperty<'a>),
}

impl<'a> InevitableGoal<'a> {
    /// The property of a model, if it is one.
    fn answers(self) -> Option<AnswerProperty<'a>> {
        match self {
            Self::Actions(_) => None,
            Self::Answers(answers) => Some(answers),
        }
    }

    /// True if something is waited for in a state; `None` if no property says so.
    fn is_waiting(self, state: StateId) -> Option<bool> {
        self.answers().map(|answers| answers.waiting.has(state.index()))
    }

    /// The first line of the text.
    fn text(self) -> String {
        match self {
            Self::Actions(actions) => SystemGoal::Actions(actions).text(),
            Self::Answers(answers) => format!("every run satisfies {}", answers.property),
        }
    }

    /// The words for runs through a correct transition, and for a counterexample.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Actions(_) => ["contain the actions", "a shortest run without them"],
            Self::Answers(_) => ["satisfy it", "a shortest run that violates it"],
        }
    }

    /// The number of a state of the system, given that of the analysed one.
    fn state(self, state: StateId) -> StateId {
        self.answers().map_or(state, |answers| answers.states[state.index()])
    }
}

/// The result of `lts inevitable`.
pub struct InevitableReport<'a> {
    /// The system.
    pub system: ReportedSystem<'a>,
    /// The goal of every trace.
    pub wanted: InevitableGoal<'a>,
    /// The kind of entry that makes a state a neighbourhood.
    pub entered: NeighbourhoodEntry,
    /// The analysis.
    pub analysis: &'a InevitabilityAnalysis<'a>,
    /// The sizes of the tagged system.
    pub counts: InevitabilitySizes,
    /// A shortest counterexample, if there is one.
    pub shortest: Option<Counterexample>,
    /// Warnings about the actions.
    pub warnings: Findings<'a>,
    /// True if every state and every transition is listed.
    pub full: bool,
    /// The neighbourhoods that are listed.
    pub neighbourhoods: Vec<Neighbourhood<StateId>>,
}

impl Report for InevitableReport<'_> {
    fn document(&self) -> impl Serialize {
        let Self { analysis, ref counts, wanted, entered, .. } = *self;
        let labels = analysis.lts.labels();
        let steps = |steps: &[TaggedStep<StateId>]| {
            let document = |step: &TaggedStep<StateId>| {
                object!({
                    label: labels.text(step.label).into_owned(),
                    state: wanted.state(step.end),
                    waiting?: wanted.is_waiting(step.end),
                    tag: tag_word(step.tag),
                })
            };
            steps.iter().map(document).collect::<Vec<_>>()
        };
        let neighbourhood = |found: &Neighbourhood<StateId>| {
            object!({
                state: wanted.state(found.place),
                waiting?: wanted.is_waiting(found.place),
                kind: analysis.neighbourhood(found.place, entered),
                path: names(labels, &found.path),
                incoming: steps(&found.incoming),
                outgoing: steps(&found.outgoing),
            })
        };
        let states = analysis.affixes().filter(|_| self.full).map(|affixes| {
            Streamed(move || {
                analysis.reached().map(move |state| {
                    let at = state.index();
                    object!({
                        state,
                        max_prefix: affixes.max_prefix[at],
                        common_prefix: affixes.common_prefix[at],
                        max_suffix: affixes.max_suffix[at],
                        common_suffix: affixes.common_suffix[at],
                        neighbourhood: analysis.neighbourhood(state, entered),
                    })
                })
            })
        });
        let transition = move |from, TaggedStep { label, end: to, tag }| {
            let label = labels.text(label);
            object!({ from, label, to, tag: tag_word(tag), })
        };
        let transitions = move || {
            analysis
                .reached()
                .flat_map(move |from| analysis.tagged(from).map(move |step| transition(from, step)))
        };
        object!({
            schema: "cladist/lts-inevitable-1",
            version: VERSION,
            ..verdict(analysis.holds()),
            file: self.system.file,
            actions: match wanted {
                InevitableGoal::Actions(actions) => Some(actions),
                InevitableGoal::Answers(_) => None,
            },
            property?: wanted.answers().map(|answers| answers.property),
            some: entered == NeighbourhoodEntry::ByNeutral,
            lts: self.system.document(),
            counts: object!({
                correct: counts.correct,
                incorrect: counts.incorrect,
                neutral: counts.neutral,
                neighbourhoods: counts.neighbourhoods,
                neighbourhood_kinds: counts.neighbourhood_kinds,
            }),
            shortest: self.shortest.as_ref().map(|run| {
                let states = run.states.iter().map(|&state| wanted.state(state)).collect();
                run_document(&Counterexample { states, ..run.clone() }, analysis.lts, false)
            }),
            neighbourhoods: self.neighbourhoods.iter().map(neighbourhood).collect::<Vec<_>>(),
            warnings: self.warnings.documents(),
            states?: states,
            transitions?: self.full.then_some(Streamed(transitions)),
        })
    }

    fn text(&self, paint: Paint, width: usize) -> String {
        let Self { analysis, wanted, .. } = self;
        let [_, shortest] = wanted.words();
        let mut out = headline(analysis.holds(), &wanted.text(), paint);
        out.push_str(&self.system.lines());
        let Some(run) = &self.shortest else { return out };
        let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
        line("transitions", self.transitions());
        line("neighbourhoods", self.neighbourhood_kinds());
        if !run.certain {
            out.push_str(CUT_SHORT);
        }
        out.push('\n');
        run_text(run, shortest, false, Keep::Neighbourhoods, analysis.lts, paint, &mut out);
        self.neighbourhoods((paint, width), &mut out);
        out
    }
}

impl InevitableReport<'_> {
    /// The page: the verdict, a shortest counterexample, and the neighbourhoods.
    pub fn page(&self, rerun: &str) -> String {
        let (holds, lts) = (self.analysis.holds(), self.analysis.lts);
        let [_, shortest] = self.wanted.words();
        let of = |run: &Counterexample| PageEvidence {
            entry: "counterexample",
            heading: run_headline(run, shortest, false, Keep::Neighbourhoods, lts),
            walk: run_walk(run, lts, |state| self.wanted.state(state)),
        };
        let rows = [
            ("System", Some(size(self.system.file, self.system.lts))),
            ("Transitions", (!holds).then(|| capitalised(&self.transitions()))),
            ("Neighbourhoods", (!holds).then(|| capitalised(&self.neighbourhood_kinds()))),
        ];
        EvidencePage {
            title: self.system.file,
            tone: if holds { Tone::Good } else { Tone::Bad },
            verdict: format!("{}: {}", if holds { "holds" } else { "violated" }, self.wanted.text()),
            rows: rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
            warnings: (self.warnings.0, self.warnings.1),
            evidence: self.shortest.as_ref().map(of),
            more: self.neighbourhood_list(),
            found: (String::new(), rerun),
        }
        .html()
    }

    /// How many transitions have each tag.
    fn transitions(&self) -> String {
        let (InevitabilitySizes { correct, incorrect, neutral, .. }, [contain, _]) =
            (&self.counts, self.wanted.words());
        format!(
            "{correct} correct (all runs through them {contain}), {incorrect} incorrect (none does), {neutral} neutral"
        )
    }

    /// How many neighbourhoods there are of each kind.
    fn neighbourhood_kinds(&self) -> String {
        let [correct, incorrect, both, all] = self.counts.neighbourhood_kinds;
        format!(
            "{}: {correct} correct or neutral, {incorrect} incorrect or neutral, {both} correct or incorrect, {all} all \
             three",
            self.counts.neighbourhoods
        )
    }

    /// The neighbourhoods on a page.
    fn neighbourhood_list(&self) -> Markup {
        html! {
            @for (at, found) in self.neighbourhoods.iter().enumerate() {
                h3 { (capitalised(&self.number(at))) " at " (self.place(found)) }
                dl {
                    @for (name, text) in neighbourhood_lines(self.analysis.lts, &found.path, &self.outgoing(found)) {
                        dt { (capitalised(name)) } dd { (text) }
                    }
                }
            }
            @if let Some(text) = self.left_out() { p { (prose(&text)) } }
        }
    }

    /// `neighbourhood 1 of 12`
    fn number(&self, at: usize) -> String {
        format!("neighbourhood {} of {}", thousands(at + 1), thousands(self.counts.neighbourhoods))
    }

    /// `state 3, waiting`
    fn place(&self, found: &Neighbourhood<StateId>) -> String {
        let waiting = match self.wanted.is_waiting(found.place) {
            Some(true) => ", waiting",
            Some(false) => ", not waiting",
            None => "",
        };
        format!("state {}{waiting}", self.wanted.state(found.place))
    }

    /// The steps from a neighbourhood, to states of the system.
    fn outgoing(&self, found: &Neighbourhood<StateId>) -> Vec<TaggedStep<StateId>> {
        let mut steps = found.outgoing.clone();
        steps.iter_mut().for_each(|step| step.end = self.wanted.state(step.end));
        steps
    }

    /// How many neighbourhoods are not listed; `None` if all are.
    fn left_out(&self) -> Option<String> {
        let left = self.counts.neighbourhoods.saturating_sub(self.neighbourhoods.len());
        (left > 0).then(|| format!("{left} more; raise --limit to list them"))
    }

    fn neighbourhoods(&self, (paint, width): (Paint, usize), out: &mut String) {
        for (at, found) in self.neighbourhoods.iter().enumerate() {
            let head = format!("{} at {}", paint.bold(&self.number(at)), self.place(found));
            neighbourhood(self.analysis.lts, &head, &found.path, &self.outgoing(found), (paint, width), out);
        }
        if let Some(text) = self.left_out() {
            let _ = writeln!(out, "\n{text}");
        }
    }
}
