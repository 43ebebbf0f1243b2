//! Which classes of a result are new, compared with a stored one: as text, and as part of the document.

use crate::shared::document::TraceDocument;
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::budget_word;
use crate::traces::trace_text::trace_text;
use crate::writing::marks::Marks;
use classify::{Classification, Comparison, KnownClass, Novelty};
use maud::{Markup, html};
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

/// The document of a comparison with a result that has every violating trace if `has_all`; `trace` makes the document of one.
pub fn baseline_document<C, T>(
    has_all: bool,
    comparison: &Comparison<C, T>,
    trace: impl Fn(&T) -> TraceDocument,
) -> BaselineDocument {
    let class = |(index, novelty): (usize, &Novelty<T>)| NoveltyDocument {
        id: index + 1,
        novelty: match novelty {
            Novelty::Same(_) => "same",
            Novelty::Covered => "covered",
            Novelty::New(_) => "new",
            Novelty::Open(_) => "open",
        },
        same_as: if let Novelty::Same(id) = novelty { Some(*id) } else { None },
        trace: if let Novelty::New(found) = novelty { Some(trace(found)) } else { None },
        reason: if let Novelty::Open(why) = novelty { Some(budget_word(*why)) } else { None },
    };
    let known = |class: &KnownClass<C>| KnownDocument {
        id: class.id,
        constraint: class.text.clone(),
        restored: class.constraint.is_some(),
    };
    BaselineDocument {
        file: comparison.file.clone(),
        verdict: match comparison.has_nothing_new(has_all) {
            true => "nothing_new",
            false if comparison.is_new() => "new",
            false => "open",
        },
        classes: comparison.novelties.iter().enumerate().map(class).collect(),
        not_repeated: comparison.not_repeated().map(known).collect(),
    }
}

/// Whether there is a new kind of violation, in a few words.
pub(crate) fn comparison_words<C, T>(has_all: bool, comparison: &Comparison<C, T>) -> String {
    let new = comparison.novelties.iter().filter(|novelty| matches!(novelty, Novelty::New(_))).count();
    match (new, comparison.has_nothing_new(has_all)) {
        (0, true) => "no new kind of violation".to_owned(),
        (0, false) => "no new kind of violation was found, and not everything was compared".to_owned(),
        (1, _) => "one new kind of violation".to_owned(),
        (n, _) => format!("{n} new kinds of violation"),
    }
}

/// What a class is beside the stored result, in words.
pub(crate) fn novelty_words<T>(novelty: &Novelty<T>) -> String {
    match novelty {
        Novelty::Same(id) => format!("is known: class {id} there says the same"),
        Novelty::Covered => "is known: classes there have all of its violating traces".to_owned(),
        Novelty::New(_) => "is new: no class there has this trace".to_owned(),
        Novelty::Open(why) => format!("was not compared: {why}"),
    }
}

/// The comparison for a page: what each class is, and which classes of the stored result none repeats.
pub fn comparison_section<C, T>(has_all: bool, comparison: &Comparison<C, T>) -> Markup {
    html! {
        h2 { "Compared with " (comparison.file) ": " (comparison_words(has_all, comparison)) }
        ul {
            @for (index, novelty) in comparison.novelties.iter().enumerate() {
                li { a href={ "#class-" (index + 1) } { "Class " (index + 1) } " " (novelty_words(novelty)) }
            }
        }
        @if comparison.not_repeated().next().is_some() {
            h3 { "Classes there that no class repeats" }
            ul {
                @for class in comparison.not_repeated() {
                    li { (class.id) ": " span.formula { (class.text) } }
                }
            }
        }
    }
}

/// The comparison for the terminal, one line for each class; each new one with a trace unless it is to be brief.
pub fn baseline_text(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    comparison: &Comparison,
    brief: bool,
) -> String {
    comparison_text(result.has_all(), comparison, |trace| {
        let marks = Marks::new(&[], &[], request.violation(trace));
        (!brief).then(|| trace_text(request.asked.model, trace, &marks, &request.asked.view, 4))
    })
}

/// The comparison for the terminal, one line for each class; `trace` gives the text of a trace, if it is to be shown.
pub(crate) fn comparison_text<C, T>(
    has_all: bool,
    comparison: &Comparison<C, T>,
    trace: impl Fn(&T) -> Option<String>,
) -> String {
    let file = &comparison.file;
    let mut out = format!("\ncompared with {file}: {}\n", comparison_words(has_all, comparison));
    for (index, novelty) in comparison.novelties.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  class {} {}", index + 1, novelty_words(novelty));
        if let Novelty::New(found) = novelty {
            out.push_str(&trace(found).unwrap_or_default());
        }
    }
    for class in comparison.not_repeated() {
        let _ = writeln!(out, "  no class repeats class {} there: {}", class.id, class.text);
    }
    out
}
