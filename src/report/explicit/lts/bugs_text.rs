//! `lts bugs` for people: the text with its bugs marked.

use super::bugs::{BugsReport, difference, word};
use super::counterexample::{name, run_text};
use super::documents::{PropertyText, headline};
use super::words::actions;
use crate::explicit::Report;
use crate::writing::paint::Paint;
use explicit::lts::bugs::{BugVerdict, Occurrence, OriginalSize};
use explicit::lts::safety::Keep;
use explicit::lts::strategy::Strategy;
use kit::diagnostics::{SourceId, SourceMap, Span};
use kit::number::counted;
use kit::parsing::alternatives;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longer texts are shown around their occurrences only.
const LONGEST: usize = 60;

/// So many lines before and after an occurrence.
const AROUND: usize = 2;

impl Report for BugsReport<'_> {
    fn document(&self) -> impl Serialize {
        self.json()
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        bugs_text(self, paint)
    }
}

fn bugs_text(request: &BugsReport<'_>, paint: Paint) -> String {
    let bugs = request.bugs;
    let mut out = headline(bugs.holds, &request.property.headline(), paint) + &request.property.lines();
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
    let OriginalSize { states, transitions, labels } = bugs.original;
    line(
        "system",
        format!(
            "{}: {}, {}, {}{}",
            request.file,
            counted(states, "state"),
            counted(transitions, "transition"),
            counted(labels, "label"),
            if bugs.by_parts { " that matter to the property" } else { "" }
        ),
    );
    if bugs.occurrences.is_empty() {
        line("bugs", without_bugs(request));
        return out;
    }
    let of = |verdict| bugs.number(verdict);
    let undecided = match of(BugVerdict::Undecided) {
        0 => String::new(),
        number => format!(", {number} of undecided kind"),
    };
    let last = counted(bugs.occurrences.len(), "occurrence");
    line(
        "bugs",
        format!(
            "{} inevitable, {} avoidable{undecided} among {last} of last actions",
            of(BugVerdict::Inevitable),
            of(BugVerdict::Avoidable)
        ),
    );
    if request.paper {
        let by_paper = |verdict| bugs.occurrences.iter().filter(|o| o.paper == verdict).count();
        let shown = match bugs.partial {
            false => format!(
                "{} inevitable, {} avoidable",
                by_paper(BugVerdict::Inevitable),
                by_paper(BugVerdict::Avoidable)
            ),
            true => "not counted because the system is incomplete".to_owned(),
        };
        line("by the paper", shown);
    }
    let size = bugs.final_lts.size;
    if !bugs.by_parts {
        line(
            "counterexamples",
            format!(
                "{}, {}, {} in the final counterexample LTS",
                counted(size.states, "state"),
                counted(size.transitions, "transition"),
                counted(size.faulty, "faulty state")
            ),
        );
    }
    let marks: Vec<Mark> = bugs.occurrences.iter().map(|o| (o.span, mark(o.verdict))).collect();
    listing(request.sources, &marks, paint, &mut out);
    let is_bug = |o: &Occurrence| !matches!(o.verdict, BugVerdict::None | BugVerdict::Unknown);
    let found = bugs.occurrences.iter().filter(|&o| is_bug(o) || request.paper);
    for (number, occurrence) in found.enumerate() {
        describe(request, number + 1, occurrence, paint, &mut out);
    }
    counterexamples(request, paint, &mut out);
    out
}

fn without_bugs(request: &BugsReport<'_>) -> String {
    let of = request.of;
    match (request.bugs.holds, request.property) {
        (true, _) => format!("none: no action of the {of} causes a violation"),
        (false, PropertyText::Labels(_)) => format!(
            "none: the violation is caused by the start or end (exit) of the system, not by an action of the {of}"
        ),
        (false, PropertyText::States { environment: None, .. }) => {
            "none: an initial state violates the invariant".to_owned()
        }
        (false, PropertyText::States { environment: Some(_), .. }) => {
            "none: the environment alone can violate the invariant from the start".to_owned()
        }
    }
}

/// A mark below a place of the text: its carets with a word, in a colour.
pub(super) type Mark = (Span, fn(Paint, &str) -> String);

fn mark(verdict: BugVerdict) -> fn(Paint, &str) -> String {
    match verdict {
        BugVerdict::None => |paint, carets| paint.good(&format!("{carets} no bug")),
        BugVerdict::Unknown => |paint, carets| paint.doubtful(&format!("{carets} no bug so far")),
        BugVerdict::Undecided => |paint, carets| paint.doubtful(&format!("{carets} bug of undecided kind")),
        BugVerdict::Avoidable => |paint, carets| paint.doubtful(&format!("{carets} avoidable bug")),
        BugVerdict::Inevitable => |paint, carets| paint.bad(&format!("{carets} inevitable bug")),
    }
}

/// The texts in which there are marks, with the marks below their lines.
pub(super) fn listing(sources: &SourceMap, marks: &[Mark], paint: Paint, out: &mut String) {
    let mut by_line: BTreeMap<SourceId, BTreeMap<usize, Vec<&Mark>>> = BTreeMap::new();
    for mark in marks {
        let (line, _) = sources.line_column(mark.0);
        by_line.entry(mark.0.source).or_default().entry(line).or_default().push(mark);
    }
    for (source, marks) in by_line {
        let lines = sources.text(source).lines().count();
        let shown =
            |line: usize| lines <= LONGEST || marks.keys().any(|&marked| marked.abs_diff(line) <= AROUND);
        let width = lines.to_string().len();
        let _ = writeln!(out, "\n{}", paint.bold(sources.name(source)));
        let mut skipped = false;
        for line in 1..=lines {
            if !shown(line) {
                skipped = true;
                continue;
            }
            if std::mem::take(&mut skipped) {
                let _ = writeln!(out, "{:>width$}", "...");
            }
            let text = sources.line(source, line);
            let _ = writeln!(out, "{} {text}", paint.faint(&format!("{line:>width$} |")));
            for (span, shown) in marks.get(&line).into_iter().flatten() {
                let (_, column) = sources.line_column(*span);
                // Tabs are kept, so that carets stay under what they point at.
                let margin: String =
                    text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                let length = sources.snippet(*span).lines().next().map_or(1, |line| line.chars().count());
                let bar = paint.faint(&format!("{:>width$} |", ""));
                let _ = writeln!(out, "{bar} {margin}{}", shown(paint, &"^".repeat(length.max(1))));
            }
        }
    }
}

fn describe(
    request: &BugsReport<'_>,
    number: usize,
    occurrence: &Occurrence,
    paint: Paint,
    out: &mut String,
) {
    let kind = match occurrence.verdict {
        BugVerdict::None => "no bug".to_owned(),
        BugVerdict::Unknown => "no bug so far".to_owned(),
        BugVerdict::Undecided => "bug of undecided kind".to_owned(),
        verdict => format!("{} bug", word(verdict)),
    };
    let action = named(request, occurrence.span);
    let _ = writeln!(out, "\n{}", paint.bold(&format!("{number}. {action}: {kind}")));
    if let Some(way) = &occurrence.way {
        let left_out = if way.leaves_out { " with others left out (DUMMY)" } else { "" };
        let _ = writeln!(out, "   shortest trace{left_out}: {}", way.labels.join(", "));
        if let Some((at, right)) = &way.avoided_by {
            let avoided = paint.good(&alternatives(&right[..right.len().min(5)]));
            let number = actions(&request.bugs.final_lts.lts, at + 1);
            let _ = writeln!(out, "   avoided by {avoided} instead of {} (action {number})", way.labels[*at]);
        }
    }
    if let Some(others) = &occurrence.avoided_without {
        let places: Vec<String> = others.iter().map(|other| named(request, *other)).collect();
        let how = match places.as_slice() {
            [] => "several others together".to_owned(),
            places => alternatives(places),
        };
        let _ = writeln!(out, "   no choice avoids a violation: it is avoided by leaving out {how}");
    }
    if let Some(rank) = &occurrence.rank {
        let traces = if rank.traces == 1u8.into() { "trace" } else { "traces" };
        let _ = writeln!(
            out,
            "   {} violating {traces} of up to {} actions; probability {:.4}",
            rank.traces, rank.up_to, rank.probability
        );
    }
    if request.paper {
        let _ = write!(out, "   by the paper: {}", word(occurrence.paper));
        let _ = match difference(occurrence) {
            Some(reason) => writeln!(out, ", because {reason}"),
            None => writeln!(out),
        };
    }
}

fn named(request: &BugsReport<'_>, span: Span) -> String {
    let action = request.sources.snippet(span).lines().next().unwrap_or_default();
    format!("{action} at {}", request.sources.place(span))
}

fn counterexamples(request: &BugsReport<'_>, paint: Paint, out: &mut String) {
    let lts = &request.bugs.final_lts.lts;
    for (strategy, found) in request.counterexamples {
        out.push('\n');
        match found {
            Ok(run) => {
                let kind = format!("counterexample ({})", name(*strategy));
                let path = *strategy == Strategy::Neighbourhood;
                run_text(run, &kind, path, Keep::FaultyStates, lts, paint, out);
            }
            Err(_) => {
                let _ = writeln!(out, "{}: no counterexample contains such a state", name(*strategy));
            }
        }
    }
}
