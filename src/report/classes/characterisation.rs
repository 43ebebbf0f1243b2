//! Minimal attack patterns of a claim, with their kinds, for the terminal.

use crate::shared::request::View;
use crate::traces::chart_text::chart_text;
use crate::writing::columns::wrapped;
use crate::writing::digits::counted;
use crate::writing::marks::Marks;
use import::protocol::{AttackPattern, Characterisation, Extent};
use std::fmt::Write;

/// The patterns in a table of kinds, each kind with the chart of a pattern of few runs unless the text is to be brief.
pub fn characterisation_text(found: &Characterisation, view: &View, brief: bool) -> String {
    let kinds = found.kinds();
    let runs = |runs: usize| counted(runs, "run");
    let count =
        format!("{}, {}", counted(found.patterns.len(), "minimal pattern"), counted(kinds.len(), "kind"));
    let sentence = match (found.patterns.is_empty(), found.extent) {
        (true, Extent::AnyRuns) => "none with any number of runs".to_owned(),
        (true, Extent::UpTo(0)) => return String::new(),
        (true, Extent::UpTo(most)) => format!("none with up to {}", runs(most)),
        (false, Extent::AnyRuns) => format!("{count}, any number of runs"),
        (false, Extent::UpTo(0)) => format!("{count}; there may be others"),
        (false, Extent::UpTo(most)) => format!("{count}, up to {}; more may have others", runs(most)),
    };
    let mut out = format!("\npatterns: {sentence}\n");
    if found.patterns.is_empty() {
        return out;
    }
    out.push_str("  kind  patterns  runs  word\n");
    for (number, kind) in (1..).zip(&kinds) {
        let patterns = || kind.patterns.iter().map(|index| &found.patterns[*index]);
        let fewest = patterns().map(|pattern| pattern.runs).min().unwrap_or_default();
        let word = kind.word.unwrap_or("–");
        let _ = writeln!(out, "{number:>6}{:>10}{fewest:>6}  {word}", kind.patterns.len());
    }
    if brief {
        return out;
    }
    for (number, kind) in (1..).zip(&kinds) {
        let patterns = || kind.patterns.iter().map(|index| &found.patterns[*index]);
        // Of patterns with few runs, one that has no other words.
        let shown = patterns().filter(|pattern| pattern.chart.is_some());
        let Some((pattern, chart)) = shown
            .min_by_key(|pattern: &&AttackPattern| (pattern.runs, pattern.words.len()))
            .and_then(|pattern| Some((pattern, pattern.chart.as_ref()?)))
        else {
            continue;
        };
        let _ = writeln!(out, "\n  a pattern of kind {number} ({})", runs(pattern.runs));
        out.push_str(&chart_text(chart, &Marks::default(), view.width, view.paint, 4));
    }
    let legend = "small letters are any agents, honest where a run is theirs or the claim is about them; `?n#1` is any value that the \
                  attacker has";
    out.push('\n');
    for line in wrapped(legend, view.width.saturating_sub(2), 0) {
        let _ = writeln!(out, "  {line}");
    }
    out
}
