//! A classification of infinite traces for the terminal.

use super::LassoRequest;
use super::causes::{cause_tree, tree_title};
use super::cover::{cover_text, remainder_words};
use super::necessary::necessary_lists;
use super::words::{
    advice, chosen_words, class_remark, constraint_words, decisive_words, lasso_words, lengths_words, placed,
    sentence,
};
use crate::classes::baseline::comparison_text;
use crate::classes::causes::tree_lines;
use crate::shared::evaluate::one_line;
use crate::shared::images::{images_lines, shown_images};
use crate::shared::verdict::fairness_words;
use crate::shared::verdict::steps;
use crate::traces::trace_text::lasso_labels;
use crate::traces::trace_text::trace_text;
use crate::writing::columns::wrapped;
use crate::writing::marks::Marks;
use crate::writing::marks::loop_marks;
use classify::lassos::{LassoClass, LassoClassification, LassoComparison, LassoVerdict, WeakPair};
use lang::model::Position;
use lang::trace::Lasso;
use std::fmt::Write;

/// The whole report: the verdict, then the classes; without their details if `brief`.
pub fn lasso_classification_text(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    brief: bool,
) -> String {
    let mut out = head(request, result);
    if result.classes.len() > 1 || brief && !result.classes.is_empty() {
        out.push('\n');
        for (index, class) in result.classes.iter().enumerate() {
            let constraint = class.constraint.show(request.asked.model, &result.atoms);
            let (steps, remark) = (steps(class.representative.len()), class_remark(class));
            let _ = writeln!(out, "  {}  {steps:>8}  {constraint}{remark}", index + 1);
        }
    }
    if brief {
        return out;
    }
    for (index, class) in result.classes.iter().enumerate() {
        class_text(&mut out, request, result, class, index + 1);
    }
    if let Some(lasso) = &result.unclassified {
        let heading = "an infinite counterexample that is in no class yet";
        lasso_text(&mut out, request, (heading, ""), lasso, &[]);
    }
    if let Some(cover) = &result.cover {
        cover_text(&mut out, request, result, cover);
        if let Some(lasso) = &cover.remainder {
            let title = request.asked.view.paint.bold("what is left over");
            let heading = format!("{title}\n  {}", remainder_words(cover));
            lasso_text(&mut out, request, (&heading, ""), lasso, &[]);
        }
    }
    if let LassoVerdict::TooWeak(weak) = &result.verdict {
        too_weak_text(&mut out, request, weak);
    }
    let tree = cause_tree(request, result);
    if !tree.is_empty() {
        let _ = writeln!(out, "\n{}", request.asked.view.paint.bold(&tree_title(request, result)));
        tree_lines(&tree).iter().for_each(|line| _ = writeln!(out, "  {line}"));
    }
    for list in necessary_lists(request, result) {
        let _ = writeln!(out, "\n{}", request.asked.view.paint.bold(&list.title));
        list.lines.iter().for_each(|line| _ = writeln!(out, "  {line}"));
    }
    let _ = writeln!(out, "\n{}", statistics(result));
    let _ = writeln!(out, "{} {}", request.asked.view.paint.faint("again:"), request.asked.rerun);
    out
}

/// The verdict, and what it is about.
fn head(request: &LassoRequest<'_>, result: &LassoClassification) -> String {
    let paint = request.asked.view.paint;
    let text = sentence(request, result);
    let headline = match &result.verdict {
        LassoVerdict::Holds => paint.good(&text),
        LassoVerdict::Undecided(_) => paint.doubtful(&text),
        _ => paint.bad(&text),
    };
    let mut out = format!("{headline}\n");
    let formula = one_line(request.asked.model.sources.snippet(request.asked.property.formula));
    let _ = writeln!(out, "  property   {}: {formula}", request.asked.property.name);
    let _ = writeln!(out, "  model      {} ({})", request.asked.model.name, request.asked.file);
    match request.asked.chosen {
        None => _ = writeln!(out, "  vocabulary {}", request.asked.vocabulary.name),
        Some(chosen) => {
            let _ = writeln!(out, "  vocabulary {}", chosen.declaration.trim_start_matches("vocabulary "));
            let _ = writeln!(out, "  chosen     {}", chosen_words(chosen));
        }
    }
    if let Some(context) = result.cover.as_ref().and_then(|cover| cover.context.as_ref()) {
        let _ = writeln!(out, "  within     {}", context.show(request.asked.model, &result.atoms));
    }
    let _ = writeln!(
        out,
        "  fairness   {}",
        fairness_words(request.asked.model, request.fairness, &request.given)
    );
    if let Some(lengths) = lengths_words(result) {
        let _ = writeln!(out, "  lengths    {lengths}");
    }
    out
}

fn class_text(
    out: &mut String,
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    class: &LassoClass,
    number: usize,
) {
    let (model, view) = (request.asked.model, &request.asked.view);
    let title = format!("class {number} of {}{}", result.classes.len(), class_remark(class));
    let _ = writeln!(out, "\n{}", view.paint.bold(&title));
    let _ = writeln!(out, "  {}", class.constraint.show(model, &result.atoms));
    let images = shown_images(&class.images, |image| image.constraint.show(model, &result.atoms));
    for line in images_lines(model, &images) {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "\n  in words");
    for line in constraint_words(model, &result.atoms, &class.constraint) {
        for line in wrapped(&line, view.width.saturating_sub(4), 2) {
            let _ = writeln!(out, "    {line}");
        }
    }
    if !class.needed.is_empty() {
        let _ = writeln!(
            out,
            "\n  nothing can be left out: these infinite traces satisfy the property, and what remains"
        );
        for (weaker, lasso) in class.constraint.weaker().iter().zip(&class.needed) {
            let _ = writeln!(out, "    {}:", weaker.show(model, &result.atoms));
            let labels = lasso_labels(model, lasso);
            wrapped(&labels, view.width.saturating_sub(6), 0)
                .iter()
                .for_each(|line| _ = writeln!(out, "      {line}"));
        }
    }
    if let Some(lasso) = &class.accepted {
        let words = lasso_words(lasso);
        let _ =
            writeln!(out, "\n  it does not suffice: this infinite trace satisfies the property ({words})");
        let labels = lasso_labels(model, lasso);
        wrapped(&labels, view.width.saturating_sub(4), 0)
            .iter()
            .for_each(|line| _ = writeln!(out, "    {line}"));
    }
    let heading = "  a shortest counterexample of this class";
    let placed = placed(model, &result.atoms, class);
    let who = placed.words(model, class);
    lasso_text(out, request, (heading, &who), &class.representative, &placed.positions);
    if let Some(decisive) = decisive_words(result, number - 1) {
        wrapped(&decisive, view.width.saturating_sub(2), 2)
            .iter()
            .enumerate()
            .for_each(|(line, text)| _ = writeln!(out, "{}  {text}", if line == 0 { "\n" } else { "" }));
    }
    match &class.canonical {
        Some(lasso) if *lasso == class.representative => {
            let alone = if result.classes.len() > 1 { "\n  it is in no other class\n" } else { "" };
            out.push_str(alone);
        }
        Some(lasso) => {
            let words = lasso_words(lasso);
            let _ = writeln!(out, "\n  a shortest counterexample of this class alone ({words})");
            let labels = lasso_labels(model, lasso);
            wrapped(&labels, view.width.saturating_sub(4), 0)
                .iter()
                .for_each(|line| _ = writeln!(out, "    {line}"));
        }
        None => {}
    }
}

/// An infinite trace with its heading, and who the individuals are.
fn lasso_text(
    out: &mut String,
    request: &LassoRequest<'_>,
    (heading, who): (&str, &str),
    lasso: &Lasso,
    places: &[(String, Position)],
) {
    let positions = places.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let marks = Marks { positions, violations: loop_marks(lasso) };
    let _ = writeln!(out, "\n{heading} ({}{who})", lasso_words(lasso));
    out.push_str(&trace_text(request.asked.model, &lasso.trace, &marks, &request.asked.view, 2));
}

/// The comparison with a stored result, one line for each class; each new one with an infinite trace unless it is to be brief.
pub fn lasso_baseline_text(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    comparison: &LassoComparison,
    brief: bool,
) -> String {
    comparison_text(result.has_all(), comparison, |lasso| {
        let marks = Marks { positions: Vec::new(), violations: loop_marks(lasso) };
        (!brief).then(|| trace_text(request.asked.model, &lasso.trace, &marks, &request.asked.view, 4))
    })
}

fn too_weak_text(out: &mut String, request: &LassoRequest<'_>, weak: &WeakPair) {
    let _ = writeln!(out, "\nthe second of these infinite traces has every fact of the first");
    for line in advice(request) {
        let _ = writeln!(out, "  {} {line}", request.asked.view.paint.bold("help:"));
    }
    lasso_text(out, request, ("one violates the property", ""), &weak.violating, &[]);
    lasso_text(out, request, ("the other one satisfies it", ""), &weak.accepting, &[]);
}

/// What it took.
pub fn statistics(result: &LassoClassification) -> String {
    let taken = &result.statistics;
    let examined = match taken.counterexamples {
        1 => "1 counterexample".to_owned(),
        n => format!("{n} counterexamples"),
    };
    let checked = match (&result.checked_by, result.classes.is_empty()) {
        (Some(solver), _) => format!("; result checked again by {solver}"),
        (None, true) => String::new(),
        (None, false) => "; result not checked again".to_owned(),
    };
    let calls = match taken.solver_calls {
        1 => "1 solver call".to_owned(),
        n => format!("{n} solver calls"),
    };
    format!("{examined} examined, {calls}, {:.2} s\n{}{checked}", taken.seconds.total, result.solver)
}
