//! `lts counterexample`: `docs/schema/lts-counterexample-1.json`.

use super::documents::{
    Findings, PropertyText, ReportedSystem, headline, names, property_document, tag_word, verdict,
};
use super::words::{CounterexampleAction, actions, instead, label, size, step};
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::explicit::walk::{EvidencePage, PageEvidence};
use crate::shared::document::VERSION;
use crate::traces::stepper::{Stop, Walk};
use crate::writing::page::capitalised;
use crate::writing::paint::Paint;
use crate::writing::paint::Tone;
use explicit::lts::safety::{Keep, Tag};
use explicit::lts::strategy::{Counterexample, NoCounterexample, Strategy};
use explicit::lts::{LabelId, Lts, StateId};
use kit::diagnostics::escaped;
use kit::number::counted;
use maud::html;
use serde::Serialize;
use std::fmt::Write;

/// The remark on a counterexample that is perhaps not optimal.
pub(super) const CUT_SHORT: &str = "  the search was stopped early: there may be a better one\n";

/// The question about a system.
#[derive(Debug, Clone, Copy)]
pub enum SystemGoal<'a> {
    /// A safety property.
    Property(PropertyText<'a>),
    /// Actions that every run should contain in this order.
    Actions(&'a [String]),
}

impl SystemGoal<'_> {
    /// The first line of the text.
    pub(super) fn text(self) -> String {
        match self {
            SystemGoal::Property(property) => property.headline(),
            SystemGoal::Actions(actions) => {
                format!("every run contains {}", escaped(&actions.join(", later ")))
            }
        }
    }
}

/// The outcome of a search for a counterexample.
pub enum CounterexampleOutcome {
    /// The property holds.
    Holds,
    /// The property is violated, but no counterexample contains the pattern.
    NotThrough,
    /// The property is violated, but no counterexample has what the strategy requires.
    Nothing(NoCounterexample),
    /// A counterexample.
    Found(Counterexample),
}

/// The result of `lts counterexample`.
pub struct CounterexampleReport<'a> {
    /// The system.
    pub system: ReportedSystem<'a>,
    /// The goal or property.
    pub asked: SystemGoal<'a>,
    /// The strategy that was given.
    pub strategy: Strategy,
    /// The pattern that it should have.
    pub through: Option<&'a str>,
    /// The actions that an abstraction keeps.
    pub keep: Keep,
    /// The outcome.
    pub outcome: &'a CounterexampleOutcome,
    /// Warnings about the property.
    pub warnings: Findings<'a>,
}

/// A counterexample in a document; with `path`, it stops at a neighbourhood.
pub(super) fn run_document(run: &Counterexample, lts: &Lts, path: bool) -> impl Serialize + use<> {
    object!({
        length: actions(lts, run.labels.len()),
        shape: shape(run, path),
        actions: names(lts.labels(), &run.labels),
        kept: run.kept.clone(),
        loop_start: run.loop_from,
        states: run.states.clone(),
        tags: run.tags.iter().map(|&tag| tag_word(tag)).collect::<Vec<_>>(),
        right: run.right.iter().map(|right| names(lts.labels(), right)).collect::<Vec<_>>(),
        faulty: run.faulty,
        neighbourhoods: run.neighbourhoods,
        probability: run.probability,
        certain: run.certain,
    })
}

fn shape(run: &Counterexample, path: bool) -> &'static str {
    match run.loop_from {
        Some(_) => "lasso",
        None if path => "path",
        None => "finite",
    }
}

/// The name of a strategy on the command line.
pub(super) fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Readable => "readable",
        Strategy::Random { .. } => "random",
        Strategy::Shortest => "shortest",
        Strategy::Longest => "longest",
        Strategy::FaultyFirst => "faulty-first",
        Strategy::FewestFaulty => "fewest-faulty",
        Strategy::MostFaulty => "most-faulty",
        Strategy::ShortestFewestFaulty => "shortest-fewest-faulty",
        Strategy::MostProbable => "most-probable",
        Strategy::LeastProbable => "least-probable",
        Strategy::ClosestFaulty => "closest-faulty",
        Strategy::ClosestFewestFaulty => "closest-fewest-faulty",
        Strategy::Neighbourhood => "neighbourhood",
    }
}

fn reason(outcome: &CounterexampleOutcome, through: Option<&str>) -> Option<String> {
    match outcome {
        CounterexampleOutcome::Holds | CounterexampleOutcome::Found(_) => None,
        CounterexampleOutcome::NotThrough => {
            Some(format!("no counterexample goes through {}", through.unwrap_or("the actions")))
        }
        CounterexampleOutcome::Nothing(NoCounterexample::NoFaultyState) => Some(
            "no counterexample contains a faulty state: no choice before the violation decides anything"
                .to_owned(),
        ),
        CounterexampleOutcome::Nothing(NoCounterexample::NoNeighbourhood) => {
            Some("no counterexample contains a neighbourhood".to_owned())
        }
    }
}

impl Report for CounterexampleReport<'_> {
    fn document(&self) -> impl Serialize {
        let (property, actions) = match self.asked {
            SystemGoal::Property(property) => (Some(property), None),
            SystemGoal::Actions(actions) => (None, Some(actions)),
        };
        object!({
            schema: "cladist/lts-counterexample-1",
            version: VERSION,
            ..verdict(matches!(self.outcome, CounterexampleOutcome::Holds)),
            file: self.system.file,
            ..property_document(property),
            actions,
            strategy: name(self.strategy),
            seed: match self.strategy {
                Strategy::Random { seed } => Some(seed),
                _ => None,
            },
            through: self.through,
            lts: self.system.document(),
            counterexample: match self.outcome {
                CounterexampleOutcome::Found(run) => {
                    Some(run_document(run, self.system.lts, self.strategy == Strategy::Neighbourhood))
                }
                _ => None,
            },
            reason: reason(self.outcome, self.through),
            warnings: self.warnings.documents(),
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        let holds = matches!(self.outcome, CounterexampleOutcome::Holds);
        let mut out = headline(holds, &self.asked.text(), paint);
        out.push_str(&self.system.lines());
        if let SystemGoal::Property(property) = self.asked {
            out.push_str(&property.lines());
        }
        if holds {
            return out;
        }
        let _ = writeln!(out, "  {:<15} {}", "strategy", name(self.strategy));
        if let Some(through) = self.through {
            let _ = writeln!(out, "  {:<15} {}", "through", through);
        }
        match (self.outcome, reason(self.outcome, self.through)) {
            (CounterexampleOutcome::Found(run), _) => {
                let path = self.strategy == Strategy::Neighbourhood;
                let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
                match run.states.last().filter(|_| path) {
                    Some(state) => line("neighbourhood", format!("at state {state}")),
                    None => {
                        line("faulty states", run.faulty.to_string());
                        line("neighbourhoods", run.neighbourhoods.to_string());
                    }
                }
                line("probability", probability(run));
                if !run.certain {
                    out.push_str(CUT_SHORT);
                }
                out.push('\n');
                run_text(run, self.kind(), path, self.keep, self.system.lts, paint, &mut out);
            }
            (_, Some(reason)) => {
                let _ = writeln!(out, "\n{reason}");
            }
            (_, None) => {}
        }
        out
    }
}

impl CounterexampleReport<'_> {
    /// A counterexample of the strategy in words.
    fn kind(&self) -> &'static str {
        match self.strategy {
            Strategy::Neighbourhood => "the shortest path to a neighbourhood",
            Strategy::Readable | Strategy::Shortest => "a shortest counterexample",
            _ => "a counterexample",
        }
    }

    /// The page: the verdict and the counterexample.
    pub fn page(&self, rerun: &str) -> String {
        let (holds, lts) = (matches!(self.outcome, CounterexampleOutcome::Holds), self.system.lts);
        let path = self.strategy == Strategy::Neighbourhood;
        let run = match self.outcome {
            CounterexampleOutcome::Found(run) => Some(run),
            _ => None,
        };
        let rows = [
            ("System", Some(size(self.system.file, lts))),
            ("Strategy", Some(name(self.strategy).to_owned())),
            ("Through", self.through.map(str::to_owned)),
            ("Probability", run.map(|run| capitalised(&probability(run)))),
            ("Shown", reason(self.outcome, self.through)),
        ];
        EvidencePage {
            title: self.system.file,
            tone: if holds { Tone::Good } else { Tone::Bad },
            verdict: format!("{}: {}", if holds { "holds" } else { "violated" }, self.asked.text()),
            rows: rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
            warnings: (self.warnings.0, self.warnings.1),
            evidence: run.map(|run| PageEvidence {
                entry: if path { "path" } else { "counterexample" },
                heading: run_headline(run, self.kind(), path, self.keep, lts),
                walk: run_walk(run, lts, |state| state),
            }),
            more: html! {},
            found: (String::new(), rerun),
        }
        .html()
    }
}

fn probability(run: &Counterexample) -> String {
    let what = match run.loop_from {
        None => "begins like this",
        Some(_) => "enters the cycle like this (not that it stays there)",
    };
    let probability = percent(run.probability);
    format!("{probability} that a run {what}, if all transitions of a state are equally probable")
}

/// `12.5 %`; `3.2e-9` for small probabilities; a bound for those that a float cannot represent.
fn percent(probability: f64) -> String {
    if probability >= 0.0005 {
        format!("{:.1} %", 100.0 * probability)
    } else if probability > 0.0 {
        format!("{probability:.1e}")
    } else {
        "less than 1e-300".to_owned()
    }
}

/// `a shortest counterexample has 6 actions, and ends; * marks the 2 around 1 neighbourhood`
pub(super) fn run_headline(run: &Counterexample, kind: &str, path: bool, keep: Keep, lts: &Lts) -> String {
    if run.labels.is_empty() {
        let why = if path { "the initial state has one" } else { "it is the initial state alone" };
        return format!("{kind} has no actions: {why}");
    }
    let (what, met) = match keep {
        Keep::Neighbourhoods => ("neighbourhood", run.neighbourhoods),
        Keep::FaultyStates => ("faulty state", run.faulty),
    };
    let ending = match (run.loop_from, path) {
        (Some(start), _) => format!(", and stays in the cycle from action {}", actions(lts, start + 1)),
        (None, true) => String::new(),
        (None, false) => ", and ends".to_owned(),
    };
    let marked = match run.kept.len() {
        0 => format!("; it contains no {what}"),
        // The state at the end is not counted.
        kept => format!("; * marks the {kept} around {}", counted(met.max(1), what)),
    };
    let length = actions(lts, run.labels.len());
    format!("{kind} has {}{ending}{marked}", counted(length, "action"))
}

/// A counterexample as a walk through states, by the numbers that `state` gives them; `*` marks the actions that an abstraction keeps.
pub(super) fn run_walk(run: &Counterexample, lts: &Lts, state: impl Fn(StateId) -> StateId) -> Walk {
    // The choice of an initial state is no step.
    let first = run.labels.len() - actions(lts, run.labels.len());
    let loop_start = run.loop_from.map(|start| start.saturating_sub(first));
    let stop = |at: usize| {
        let values = vec![state(run.states[at]).to_string()];
        let said = match loop_start {
            Some(start) if start == at - first => Some("the loop begins here".to_owned()),
            Some(start) if at == run.labels.len() => Some(format!("as at {start}, and so on for ever")),
            _ => None,
        };
        let Some(step) = at.checked_sub(1).filter(|_| at > first) else {
            return Stop { label: "initial state".to_owned(), values, said, ..Stop::default() };
        };
        let action =
            CounterexampleAction { at: step, label: run.labels[step], kept: run.kept.contains(&step) };
        let right: &[LabelId] = if run.tags[step] == Tag::Correct { &[] } else { &run.right[step] };
        Stop {
            label: label(lts.labels(), action.label),
            margin: if action.kept { "*".to_owned() } else { String::new() },
            said,
            remarks: instead(lts, &action, right.iter().copied()).into_iter().collect(),
            values,
            ..Stop::default()
        }
    };
    Walk {
        drawings: Vec::new(),
        places: vec!["state".to_owned()],
        stops: (first..run.states.len()).map(stop).collect(),
        loop_start,
        folded: false,
        marked: true,
    }
}

/// The actions; next to the wrong ones, the right ones.
pub(super) fn run_text(
    run: &Counterexample,
    kind: &str,
    path: bool,
    keep: Keep,
    lts: &Lts,
    paint: Paint,
    out: &mut String,
) {
    let _ = writeln!(out, "{}", run_headline(run, kind, path, keep, lts));
    for (at, &label) in run.labels.iter().enumerate() {
        if run.loop_from == Some(at) {
            out.push_str("        forever:\n");
        }
        let right: &[LabelId] = if run.tags[at] == Tag::Correct { &[] } else { &run.right[at] };
        let action = CounterexampleAction { at, label, kept: run.kept.contains(&at) };
        out.push_str(&step(lts, &action, right.iter().copied(), paint));
    }
}
