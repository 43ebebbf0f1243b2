//! `lts tag`: `docs/schema/lts-tag-1.json`.

use super::documents::{LtsSize, PropertyText, SafetyRequest, names, position, tag_word};
use super::words::{CounterexampleAction, actions, step};
use crate::explicit::Report;
use crate::explicit::object::{Streamed, object};
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::safety::{Counts, Keep, ShortestViolation, TaggedStep};
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts tag`.
pub struct TagReport<'a> {
    /// The question and the analysis.
    pub asked: SafetyRequest<'a>,
    /// The sizes of the tagged system.
    pub counts: Counts,
    /// A shortest counterexample, if there is one.
    pub shortest: Option<ShortestViolation>,
    /// The positions around which its abstraction keeps actions.
    pub keep: Keep,
    /// True if every transition is listed.
    pub full: bool,
}

impl Report for TagReport<'_> {
    fn document(&self) -> impl Serialize {
        let Self { asked, counts, .. } = self;
        let analysis = asked.analysis;
        let labels = analysis.product.lts.labels();
        let transition = move |from, TaggedStep { label, end: to, tag }| {
            let (from, to) = (position(analysis, from), position(analysis, to));
            object!({ from, label: labels.text(label), to, tag: tag_word(tag), })
        };
        let reached = move || {
            analysis
                .reached()
                .flat_map(move |from| analysis.tagged(from).map(move |step| transition(from, step)))
        };
        object!({
            schema: "cladist/lts-tag-1",
            version: VERSION,
            ..asked.document(),
            automaton: object!({
                states: analysis.product.automaton.states(),
                classes: analysis.product.automaton.classes(),
            }),
            counts: object!({
                correct: counts.correct,
                incorrect: counts.incorrect,
                neutral: counts.neutral,
                beyond: counts.beyond,
                faulty: counts.faulty,
                faulty_kinds: counts.faulty_kinds,
                neighbourhoods: counts.neighbourhoods,
                frontier: counts.frontier,
                counterexample_lts: LtsSize {
                    states: counts.counterexample_states,
                    transitions: counts.counterexample_transitions,
                },
            }),
            shortest: self.shortest.as_ref().map(|shortest| object!({
                length: actions(analysis.product.lts, shortest.labels.len()),
                actions: names(labels, &shortest.labels),
                kept: &shortest.kept,
                decisions: shortest.decisions,
                positions: shortest.positions.iter().map(|&p| position(analysis, p)).collect::<Vec<_>>(),
            })),
            transitions?: self.full.then_some(Streamed(reached)),
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        let Self { asked, counts, .. } = self;
        let mut out = asked.headline(paint);
        let Some(shortest) = &self.shortest else { return out };
        let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
        line(
            "counterexamples",
            format!(
                "{} and {} of the tagged system lie on violating runs",
                counted(counts.counterexample_states, "state"),
                counted(counts.counterexample_transitions, "transition")
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
            format!("{} at {} of the system", counts.neighbourhoods, counted(counts.frontier, "state")),
        );
        out.push('\n');
        let _ = writeln!(out, "{}", self.headline(shortest));
        self.steps(shortest, paint, &mut out);
        if counts.neighbourhoods > 0 {
            out.push_str("\n`cladist lts neighbours` lists the right choices at each neighbourhood\n");
        }
        out
    }
}

impl TagReport<'_> {
    fn headline(&self, shortest: &ShortestViolation) -> String {
        let lts = self.asked.analysis.product.lts;
        let length = counted(actions(lts, shortest.labels.len()), "action");
        let what = match self.keep {
            Keep::Neighbourhoods => "neighbourhood",
            Keep::FaultyStates => "faulty state",
        };
        match (shortest.labels.len(), shortest.kept.len()) {
            (0, _) => "the empty trace is a violation".to_owned(),
            (_, 0) => format!("a shortest counterexample has {length} and contains no {what}"),
            (_, kept) => format!(
                "a shortest counterexample has {length}; * marks the {kept} around {}",
                counted(shortest.decisions, what)
            ),
        }
    }

    /// The actions; next to the wrong ones, the right ones.
    fn steps(&self, shortest: &ShortestViolation, paint: Paint, out: &mut String) {
        let analysis = self.asked.analysis;
        for (at, &label) in shortest.labels.iter().enumerate() {
            let kept = shortest.kept.contains(&at);
            let right = analysis.right(shortest.positions[at], shortest.positions[at + 1]).into_iter();
            out.push_str(&step(
                analysis.product.lts,
                &CounterexampleAction { at, label, kept },
                right,
                paint,
            ));
        }
    }
}
