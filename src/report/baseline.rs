//! Which classes of a result are new, compared with a stored one: as text, and as part of the document.

use super::document::TraceDocument;
use super::verdict::budget_word;
use super::{ClassifyRequest, Marks, trace_text};
use crate::classify::{Classification, Comparison, KnownClass, Novelty};
use serde::Serialize;
use std::fmt::Write;

/// What a result is beside a stored one.
#[derive(Debug, Serialize)]
pub struct BaselineDocument {
    /// The stored result, as the user wrote it.
    pub file: String,
    /// `nothing_new`, `new`, or `open`, where the budget ended before or not all classes are known.
    pub verdict: &'static str,
    /// For each class of the result what it is.
    pub classes: Vec<NoveltyDocument>,
    /// The classes of the stored result that no class repeats word for word.
    pub not_repeated: Vec<KnownDocument>,
}

/// What a class is.
#[derive(Debug, Serialize)]
pub struct NoveltyDocument {
    /// The id of the class.
    pub id: usize,
    /// `same`, `covered`, `new` or `open`.
    pub novelty: &'static str,
    /// With `same`: the id of the class in the stored result.
    pub same_as: Option<usize>,
    /// With `new`: a shortest violating trace that is in no class of the stored result.
    pub trace: Option<TraceDocument>,
    /// With `open`: what ended the comparison.
    pub reason: Option<&'static str>,
}

/// A class of the stored result.
#[derive(Debug, Serialize)]
pub struct KnownDocument {
    /// Its id there.
    pub id: usize,
    /// Its constraint in the paper's notation.
    pub constraint: String,
    /// Whether the model still has what it speaks of; if not, it covers nothing.
    pub restored: bool,
}

/// The document of a comparison.
pub(super) fn baseline_document(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    comparison: &Comparison,
) -> BaselineDocument {
    let class = |(index, novelty): (usize, &Novelty)| NoveltyDocument {
        id: index + 1,
        novelty: match novelty {
            Novelty::Same(_) => "same",
            Novelty::Covered => "covered",
            Novelty::New(_) => "new",
            Novelty::Open(_) => "open",
        },
        same_as: if let Novelty::Same(id) = novelty { Some(*id) } else { None },
        trace: match novelty {
            Novelty::New(trace) => Some(TraceDocument::new(request.model, trace, &[], &request.view)),
            _ => None,
        },
        reason: if let Novelty::Open(why) = novelty { Some(budget_word(*why)) } else { None },
    };
    let known = |class: &KnownClass| KnownDocument {
        id: class.id,
        constraint: class.text.clone(),
        restored: class.constraint.is_some(),
    };
    BaselineDocument {
        file: comparison.file.clone(),
        verdict: match comparison.has_nothing_new(result) {
            true => "nothing_new",
            false if comparison.is_new() => "new",
            false => "open",
        },
        classes: comparison.novelties.iter().enumerate().map(class).collect(),
        not_repeated: comparison.not_repeated().map(known).collect(),
    }
}

/// Whether there is a new kind of violation, in a few words.
pub(super) fn comparison_words(result: &Classification, comparison: &Comparison) -> String {
    let new = comparison.novelties.iter().filter(|novelty| matches!(novelty, Novelty::New(_))).count();
    match (new, comparison.has_nothing_new(result)) {
        (0, true) => "no new kind of violation".to_owned(),
        (0, false) => "no new kind of violation was found, and not everything was compared".to_owned(),
        (1, _) => "one new kind of violation".to_owned(),
        (n, _) => format!("{n} new kinds of violation"),
    }
}

/// The comparison for the terminal, one line for each class; each new one with a trace unless it is to be brief.
pub fn baseline_text(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    comparison: &Comparison,
    brief: bool,
) -> String {
    let file = &comparison.file;
    let mut out = format!("\ncompared with {file}: {}\n", comparison_words(result, comparison));
    for (index, novelty) in comparison.novelties.iter().enumerate() {
        let number = index + 1;
        // Writing to a string cannot fail.
        let _ = match novelty {
            Novelty::Same(id) => writeln!(out, "  class {number} is known: class {id} there says the same"),
            Novelty::Covered => {
                writeln!(out, "  class {number} is known: classes there have all of its violating traces")
            }
            Novelty::New(_) => writeln!(out, "  class {number} is new: no class there has this trace"),
            Novelty::Open(why) => {
                writeln!(out, "  class {number} was not compared: {why}")
            }
        };
        if let (Novelty::New(trace), false) = (novelty, brief) {
            let marks = Marks::new(&[], &[], request.violation(trace));
            out.push_str(&trace_text(request.model, trace, &marks, &request.view, 4));
        }
    }
    for class in comparison.not_repeated() {
        let _ = writeln!(out, "  no class repeats class {} there: {}", class.id, class.text);
    }
    out
}
