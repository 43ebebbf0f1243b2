//! What a cover of infinite counterexamples says beside its classes: which of them occur together, and what is left over.

use super::LassoRequest;
use super::words::lasso_words;
use crate::classes::classify_text::{left_over, more_words};
use crate::classes::cover_page::{CoverWords, cover_parts};
use crate::shared::document::infinite_trace_document;
use crate::shared::images::happens_not_words;
use crate::shared::verdict::extent_of_lassos;
use crate::shared::verdict::steps;
use crate::traces::trace_text::lasso_labels;
use crate::writing::columns::wrapped;
use classify::Combination;
use classify::lassos::{LassoClassification, LassoConstraint, LassoCover, LassoVerdict};
use lang::trace::Lasso;
use maud::Markup;
use std::fmt::Write;
use verify::document::StoredCombination;

/// It for the terminal, without the lasso that is left over.
pub fn cover_text(
    out: &mut String,
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    cover: &LassoCover,
) {
    let view = &request.asked.view;
    if result.classes.len() > 1 && !cover.combinations.is_empty() {
        let _ = writeln!(out, "\n{}", view.paint.bold("classes that occur together"));
        for Combination { classes, trace } in &cover.combinations {
            let numbers: Vec<String> = classes.iter().map(|class| (class + 1).to_string()).collect();
            let alone = if let [_] = classes.as_slice() { " alone" } else { "" };
            let _ = writeln!(out, "  {}{alone} ({})", numbers.join(" and "), lasso_words(trace));
            let labels = wrapped(&lasso_labels(request.asked.model, trace), view.width.saturating_sub(4), 0);
            labels.iter().for_each(|line| _ = writeln!(out, "    {line}"));
        }
        if !cover.all {
            let _ = writeln!(out, "  {}", more_words(within(result)));
        }
    }
    if !cover.necessary.is_empty() {
        let _ = writeln!(out, "\n{}", view.paint.bold("what every infinite counterexample has"));
        for constraint in &cover.necessary {
            let _ = writeln!(out, "  {}", constraint.show(request.asked.model, &result.atoms));
        }
    }
    if !cover.skipped.is_empty() {
        let _ = writeln!(out, "\nnot looked at, as they have too many values: {}", cover.skipped.join(", "));
    }
    if *result.answer() == LassoVerdict::Complete {
        let what = happens_not_words(result.classes.len(), result.has_images());
        let within = if cover.context.is_some() { " in this class" } else { "" };
        let nothing = match result.is_unbounded() {
            true => "nothing".to_owned(),
            false => {
                format!("no {}", extent_of_lassos(request.fairness, "infinite trace", Some(result.bound)))
            }
        };
        let _ = writeln!(out, "\nwhere {what}, {nothing} violates {}{within}", request.asked.property.name);
    }
}

/// Up to where combinations were looked for, if the classes are about all infinite traces.
fn within(result: &LassoClassification) -> Option<String> {
    result.is_unbounded().then(|| format!("up to {}", steps(result.bound)))
}

/// The head of what is left over.
pub fn remainder_words(cover: &LassoCover) -> String {
    format!("a shortest infinite counterexample {}", left_over(cover))
}

/// It on the page, without the lasso that is left over.
pub fn cover_section(request: &LassoRequest<'_>, result: &LassoClassification, cover: &LassoCover) -> Markup {
    let words = CoverWords {
        shortest: "A shortest infinite trace",
        more: more_words(within(result)),
        necessary: "What every infinite counterexample has",
        labels: &|lasso: &Lasso| (lasso.len(), lasso_labels(request.asked.model, lasso)),
        text: &|constraint: &LassoConstraint| constraint.show(request.asked.model, &result.atoms),
    };
    cover_parts(result.classes.len(), cover, &words)
}

/// Which classes occur together, as JSON.
pub fn combinations(request: &LassoRequest<'_>, cover: &LassoCover) -> Vec<StoredCombination> {
    let document = |combination: &Combination<Lasso>| StoredCombination {
        classes: combination.classes.iter().map(|class| class + 1).collect(),
        steps: combination.trace.len(),
        trace: infinite_trace_document(request.asked.model, &combination.trace, &[], &request.asked.view),
    };
    cover.combinations.iter().map(document).collect()
}
