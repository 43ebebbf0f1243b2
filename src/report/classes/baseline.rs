//! The classes of a result beside a stored one: as text, on a page, and as part of the document.

use crate::classes::shown::ShownTrace;
use crate::shared::request::CommonRequest;
use crate::shared::verdict::why_ended;
use crate::writing::page::capitalised;
use classify::{Comparison, KnownClass, Novelty, TraceKind};
use maud::{Markup, html};
use std::fmt::Write;
use verify::document::{NewsWord, NoveltyWord, StoredBaseline, StoredKnown, StoredNovelty, StoredTrace};

/// The document of a comparison with a result that has every violating trace if `has_all`; `trace` makes the document of one.
pub fn baseline_document<K: TraceKind>(
    has_all: bool,
    comparison: &Comparison<K>,
    trace: impl Fn(&K::Trace) -> StoredTrace,
) -> StoredBaseline {
    let class = |(index, novelty): (usize, &Novelty<K>)| StoredNovelty {
        id: index + 1,
        novelty: novelty_word(novelty),
        same_as: if let Novelty::Same(id) = novelty { Some(*id) } else { None },
        trace: if let Novelty::New(found) = novelty { Some(trace(found)) } else { None },
        reason: if let Novelty::Open(why) = novelty { Some(why_ended(*why)) } else { None },
    };
    let known = |class: &KnownClass<K>| StoredKnown {
        id: class.id,
        constraint: class.text.clone(),
        restored: class.constraint.is_some(),
    };
    StoredBaseline {
        file: comparison.file.clone(),
        verdict: news(has_all, comparison),
        classes: comparison.novelties.iter().enumerate().map(class).collect(),
        not_repeated: comparison.not_repeated().map(known).collect(),
    }
}

fn news<K: TraceKind>(has_all: bool, comparison: &Comparison<K>) -> NewsWord {
    match comparison.has_nothing_new(has_all) {
        true => NewsWord::NothingNew,
        false if comparison.is_new() => NewsWord::New,
        false => NewsWord::Open,
    }
}

fn novelty_word<K: TraceKind>(novelty: &Novelty<K>) -> NoveltyWord {
    match novelty {
        Novelty::Same(_) => NoveltyWord::Same,
        Novelty::Covered => NoveltyWord::Covered,
        Novelty::New(_) => NoveltyWord::New,
        Novelty::Open(_) => NoveltyWord::Open,
    }
}

/// A result beside a stored one, as it is shown.
pub(crate) struct ShownComparison<'a> {
    /// `compared with old.json: no new kind of violation`
    pub sentence: String,
    pub news: NewsWord,
    /// Each class, with a sentence, and with a trace if it is new.
    pub novelties: Vec<(NoveltyWord, String, Option<ShownTrace<'a>>)>,
    /// The classes of the stored result that no class repeats.
    not_repeated: Vec<(usize, &'a str)>,
}

impl<'a> ShownComparison<'a> {
    /// The comparison of a result that has every violating trace if `has_all`.
    pub fn of<K: TraceKind>(
        comparison: &'a Comparison<K>,
        has_all: bool,
        shown: impl Fn(&'a K::Trace) -> ShownTrace<'a>,
    ) -> Self {
        let new = comparison.novelties.iter().filter(|novelty| matches!(novelty, Novelty::New(_))).count();
        let words = match (new, comparison.has_nothing_new(has_all)) {
            (0, true) => "no new kind of violation".to_owned(),
            (0, false) => "no new kind of violation was found, but the comparison is incomplete".to_owned(),
            (1, _) => "one new kind of violation".to_owned(),
            (n, _) => format!("{n} new kinds of violation"),
        };
        let novelty = |novelty: &'a Novelty<K>| {
            let (text, trace) = match novelty {
                Novelty::Same(id) => (format!("is known: same as class {id} there"), None),
                Novelty::Covered => {
                    ("is known: classes there have all of its violating traces".to_owned(), None)
                }
                Novelty::New(found) => {
                    ("is new: no class there has this trace".to_owned(), Some(shown(found)))
                }
                Novelty::Open(why) => (format!("was not compared: {why}"), None),
            };
            (novelty_word(novelty), text, trace)
        };
        Self {
            sentence: format!("compared with {}: {words}", comparison.file),
            news: news(has_all, comparison),
            novelties: comparison.novelties.iter().map(novelty).collect(),
            not_repeated: comparison.not_repeated().map(|class| (class.id, class.text.as_str())).collect(),
        }
    }

    /// True if nothing is new as far as it was compared, and not everything was.
    pub fn is_undecided(&self) -> bool {
        self.news == NewsWord::Open && self.novelties.iter().any(|(word, ..)| *word == NoveltyWord::Open)
    }

    /// It for a page: what each class is, and which classes of the stored result none repeats.
    pub fn section(&self) -> Markup {
        html! {
            h2 { (capitalised(&self.sentence)) }
            ul {
                @for (index, (_, text, _)) in self.novelties.iter().enumerate() {
                    li { a href={ "#class-" (index + 1) } { "Class " (index + 1) } " " (text) }
                }
            }
            @if !self.not_repeated.is_empty() {
                h3 { "Classes there that no class repeats" }
                ul { @for (id, text) in &self.not_repeated { li { (id) ": " span.formula { (text) } } } }
            }
        }
    }

    /// It for the terminal, one line for each class; each new one with a trace unless it is to be brief.
    pub fn text(&self, asked: &CommonRequest<'_>, brief: bool) -> String {
        let mut out = format!("\n{}\n", self.sentence);
        for (index, (_, text, shown)) in self.novelties.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  class {} {text}", index + 1);
            if let Some(shown) = shown.as_ref().filter(|_| !brief) {
                out.push_str(&shown.text(asked, 4));
            }
        }
        for (id, text) in &self.not_repeated {
            let _ = writeln!(out, "  no class repeats class {id} there: {text}");
        }
        out
    }
}
