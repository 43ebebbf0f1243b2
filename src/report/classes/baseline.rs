//! Which classes of a result are new, compared with a stored one: as text, and as part of the document.

use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::why_ended;
use crate::traces::trace_text::trace_text;
use crate::writing::marks::Marks;
use classify::{Classification, Comparison, KnownClass, Novelty};
use maud::{Markup, html};
use std::fmt::Write;
use verify::document::{NewsWord, NoveltyWord, StoredBaseline, StoredKnown, StoredNovelty, StoredTrace};

/// The document of a comparison with a result that has every violating trace if `has_all`; `trace` makes the document of one.
pub fn baseline_document<C, T>(
    has_all: bool,
    comparison: &Comparison<C, T>,
    trace: impl Fn(&T) -> StoredTrace,
) -> StoredBaseline {
    let class = |(index, novelty): (usize, &Novelty<T>)| StoredNovelty {
        id: index + 1,
        novelty: match novelty {
            Novelty::Same(_) => NoveltyWord::Same,
            Novelty::Covered => NoveltyWord::Covered,
            Novelty::New(_) => NoveltyWord::New,
            Novelty::Open(_) => NoveltyWord::Open,
        },
        same_as: if let Novelty::Same(id) = novelty { Some(*id) } else { None },
        trace: if let Novelty::New(found) = novelty { Some(trace(found)) } else { None },
        reason: if let Novelty::Open(why) = novelty { Some(why_ended(*why)) } else { None },
    };
    let known = |class: &KnownClass<C>| StoredKnown {
        id: class.id,
        constraint: class.text.clone(),
        restored: class.constraint.is_some(),
    };
    StoredBaseline {
        file: comparison.file.clone(),
        verdict: match comparison.has_nothing_new(has_all) {
            true => NewsWord::NothingNew,
            false if comparison.is_new() => NewsWord::New,
            false => NewsWord::Open,
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
