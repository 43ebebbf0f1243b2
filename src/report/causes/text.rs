//! A causal tree for the terminal.

use super::CausalRequest;
use super::summary::{
    causal_sentence, causal_tone, decisive_words, defence_words, fairness, longer, property_words,
    statements, statistics,
};
use super::words::{kind_title, reason_words, variant_title};
use crate::shared::request::DisplayOptions;
use crate::traces::chart_text::chart_text;
use crate::traces::trace_text::{lasso_labels, wrapped_labels};
use crate::writing::columns::wrapped;
use crate::writing::marks::Marks;
use classify::causes::kinds::CausalKind;
use classify::causes::tree::CausalTree;
use classify::causes::way::Way;
use itertools::Itertools;
use kit::number::counted;
use std::fmt::Write;

/// The most kinds that are shown without `--full`.
const MOST_KINDS: usize = 10;

/// From this number on, kinds have no empty lines between them without `--full`, so that they fit on one screen.
const MANY_KINDS: usize = 3;

/// The verdict, the title of each kind, and what is known of longer traces.
pub fn causal_brief(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let mut out = heading(request, tree);
    let lines = (1..).zip(&tree.kinds);
    let lines = lines.map(|(number, kind)| format!("{number}  {}", kind_title(request, tree, kind)));
    for (at, line) in lines.chain(longer(request, tree)).enumerate() {
        out.push_str(if at == 0 { "\n" } else { "" });
        wrapped(&line, request.display.width, 3).iter().for_each(|line| _ = writeln!(out, "{line}"));
    }
    out
}

/// The verdict and the question.
fn heading(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let mut out = request.display.paint.toned(causal_tone(tree), &causal_sentence(request, tree));
    let _ = writeln!(out, "\n  property   {}", property_words(request, request.display.full));
    let _ = writeln!(out, "  model      {} ({})", request.problem.model().name, request.file);
    if let Some(threats) = request.display.threats() {
        let _ = writeln!(out, "  threats    {threats}");
    }
    if let Some(fairness) = fairness(request) {
        let _ = writeln!(out, "  fairness   {fairness}");
    }
    out
}

/// The whole report.
pub fn causal_text(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let paint = request.display.paint;
    let mut out = heading(request, tree);
    if let Some((number, kind)) = request.display.selected(&tree.kinds) {
        out.push('\n');
        let display = DisplayOptions { full: true, ..request.display.clone() };
        kind_text(&mut out, &CausalRequest { display, ..*request }, tree, kind, number);
        return out;
    }
    let most = if request.display.full { usize::MAX } else { MOST_KINDS };
    for (index, kind) in tree.kinds.iter().take(most).enumerate() {
        if index == 0 || request.display.full || tree.kinds.len() < MANY_KINDS {
            out.push('\n');
        }
        kind_text(&mut out, request, tree, kind, index + 1);
    }
    if let Some(others) = tree.kinds.len().checked_sub(most).filter(|others| *others > 0) {
        let _ = writeln!(
            out,
            "\nand {} more, which --full shows; there is no small number of kinds",
            counted(others, "kind")
        );
    }
    closing_text(&mut out, request, tree);
    let _ = writeln!(out, "\n{}", paint.faint(&statistics(request, tree)));
    let _ = writeln!(out, "{} {}", paint.faint("again:"), request.rerun);
    if !request.display.full && !tree.kinds.is_empty() {
        let more = "--full tells why each step is needed; -V VOCABULARY finds classes that suffice";
        let _ = writeln!(out, "{} {more}", paint.faint("more:"));
    }
    out
}

fn kind_text(
    out: &mut String,
    request: &CausalRequest<'_>,
    tree: &CausalTree,
    kind: &CausalKind,
    number: usize,
) {
    let width = request.display.width;
    let way = &kind.ways[0];
    let title = format!("{number}  {}", kind_title(request, tree, kind));
    for (at, line) in wrapped(&title, width, 3).iter().enumerate() {
        let line = if at == 0 { request.display.paint.bold(line) } else { line.clone() };
        let _ = writeln!(out, "{line}");
    }
    way_text(out, request, way, 5);
    if let Some(words) = decisive_words(tree, number - 1) {
        let mut lines = wrapped(&words, width.saturating_sub(5), 2);
        if lines.len() > 1 && !request.display.full {
            let (short, _) = words.split_once("; ").unwrap_or((&words, ""));
            lines = vec![short.to_owned()];
        }
        lines.iter().for_each(|line| _ = writeln!(out, "     {line}"));
    }
    if !request.display.full {
        return;
    }
    for reason in reason_words(request.problem, &request.property.name, way) {
        let whose = reason.step.map_or_else(String::new, |step| format!("step {step}: "));
        let _ = writeln!(out, "       {whose}{} {}", reason.condition, because(&reason.because));
    }
    for other in &kind.ways[1..] {
        out.push_str("     or\n");
        way_text(out, request, other, 7);
    }
    for variant in &kind.variants {
        let title = format!("variant: {}", variant_title(request, tree, variant));
        for line in wrapped(&title, width.saturating_sub(5), 3) {
            let _ = writeln!(out, "     {line}");
        }
        way_text(out, request, &variant.ways[0], 7);
    }
}

/// `because of steps 2, 3`.
fn because(steps: &[usize]) -> String {
    let noun = if steps.len() == 1 { "step" } else { "steps" };
    format!("because of {noun} {}", steps.iter().join(", "))
}

/// The labels of a way, indented; of a protocol its messages.
fn way_text(out: &mut String, request: &CausalRequest<'_>, way: &Way, indent: usize) {
    let (model, display) = (request.problem.model(), &request.display);
    if let Some(chart) = display.chart(model, &way.trace) {
        out.push_str(&chart_text(&chart, &Marks::default(), display.width, display.paint, indent));
        return;
    }
    let width = display.width.saturating_sub(indent);
    let lines = match way.as_lasso() {
        Some(lasso) => wrapped(&lasso_labels(model, &lasso), width, 0),
        None => wrapped_labels(model, &way.trace, width),
    };
    lines.iter().for_each(|line| _ = writeln!(out, "{:indent$}{line}", ""));
}

/// Statements about all kinds, and the defences.
fn closing_text(out: &mut String, request: &CausalRequest<'_>, tree: &CausalTree) {
    let (statements, words) = (statements(request, tree), defence_words(request, tree));
    if !statements.is_empty() || !words.stops.is_empty() || words.sets.is_some() {
        out.push('\n');
    }
    let statements = statements.iter().flat_map(|line| wrapped(line, request.display.width, 2));
    statements.for_each(|line| _ = writeln!(out, "{line}"));
    let widest = words.stops.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    for (text, kinds) in &words.stops {
        let _ = writeln!(out, "{text:widest$}  stops {kinds}");
    }
    if let Some(line) = &words.sets {
        wrapped_pairs(line, request.display.width).iter().for_each(|line| _ = writeln!(out, "{line}"));
    }
}

/// The text in lines that are not broken around `=`.
fn wrapped_pairs(text: &str, width: usize) -> Vec<String> {
    const GLUE: &str = "\u{a0}=\u{a0}";
    let lines = wrapped(&text.replace(" = ", GLUE), width, 2);
    lines.into_iter().map(|line| line.replace(GLUE, " = ")).collect()
}
