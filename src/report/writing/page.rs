//! Building blocks of HTML pages.

use crate::writing::paint::Tone;
use kit::diagnostics::{Diagnostic, SourceMap, printable};
use lang::model::Model;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");
/// The script that steps through traces. A page is complete without it: only its layout differs.
const SCRIPT: &str = concat!(
    include_str!("compare.js"),
    include_str!("copies.js"),
    include_str!("search.js"),
    include_str!("page.js")
);

/// The first heading of a page, and the verdict below it.
pub(crate) fn heading(title: &str, tone: Tone, verdict: &str) -> Markup {
    let tone = match tone {
        Tone::Good => "good",
        Tone::Doubtful => "doubtful",
        Tone::Bad => "bad",
    };
    html! {
        header {
            h1 { (title) }
            p class={ "verdict " (tone) } { (prose(verdict)) }
        }
    }
}

/// The question: the model, its file, other rows, its constants, and findings about the input.
pub fn question(model: &Model, file: &str, rows: &Markup, warnings: &[Diagnostic]) -> Markup {
    html! {
        dl {
            dt { "Model" } dd { (model.name) " (" (file) ")" }
            (rows)
            @for constant in &model.constants {
                dt { "Constant" }
                dd { (constant.name) " = " (model.types.show_value(&constant.value)) }
            }
            (findings(warnings, &model.sources))
        }
    }
}

/// Rows about findings about the input.
pub fn findings(warnings: &[Diagnostic], sources: &SourceMap) -> Markup {
    html! {
        @for warning in warnings { dt { "Warning" } dd { (prose(&warning_text(sources, warning))) } }
    }
}

/// How a result was found: sentences, and the command line that gives it again.
pub fn how_found(statistics: &str, rerun: &str) -> Markup {
    html! {
        h2 { "How it was found" }
        @if !statistics.is_empty() { p { (lines(statistics.lines())) } }
        p { "Command line:" }
        pre { (rerun) }
    }
}

/// A list of sections beside a page, with a search in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideList {
    /// The sections in a word: `classes`.
    pub of: &'static str,
    /// The address of each within the page, and its title.
    pub sections: Vec<(String, String)>,
}

impl SideList {
    fn markup(&self) -> Markup {
        let of = capitalised(self.of);
        html! {
            nav aria-label=(of) {
                input type="search" hidden data-of=(of) aria-label="Search" placeholder="Search (/)";
                output hidden aria-live="polite" {}
                @if self.sections.len() > 1 { a href="#compare" hidden { "Two side by side" } }
                ol { @for (id, title) in &self.sections { li { a href={ "#" (id) } { (title) } } } }
            }
        }
    }
}

/// The place where the script puts two sections side by side.
fn comparison(side: &SideList) -> Markup {
    html! {
        section #compare hidden {
            h2 { "Two " (side.of) " side by side" }
            @for name in ["First", "Second"] {
                select aria-label=(name) {
                    @for (number, (id, title)) in (1..).zip(&side.sections) { option value=(id) { (number) "  " (title) } }
                }
            }
            div {}
        }
    }
}

/// A self-contained page. It loads nothing, and all text in it is escaped by the template library; control characters
/// are shown as numbers.
pub fn page(title: &str, side: Option<&SideList>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                @if let Some(side) = side.filter(|side| !side.sections.is_empty()) { (side.markup()) }
                main {
                    (body)
                    @if let Some(side) = side.filter(|side| side.sections.len() > 1) { (comparison(side)) }
                    footer { "cladist " (env!("CARGO_PKG_VERSION")) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    printable(&page.into_string()).into_owned()
}

/// Lines with line breaks between them.
pub fn lines<'t>(lines: impl Iterator<Item = &'t str>) -> Markup {
    html! {
        @for (index, line) in lines.enumerate() {
            @if index > 0 { br; }
            (prose(line))
        }
    }
}

/// A text in which names and commands stand between backticks, as in the terminal: here, they are set as code.
pub fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (text) } @else {
            @for (index, part) in parts.iter().enumerate() {
                @if index % 2 == 0 { (part) } @else { code { (part) } }
            }
        }
    }
}

/// A finding about the input in one line.
fn warning_text(sources: &SourceMap, warning: &Diagnostic) -> String {
    let place = warning.span.map(|span| format!(" ({})", sources.place(span)));
    let help = warning.help.as_ref().map(|help| format!(" – {help}"));
    format!("{}{}{}", warning.message, place.unwrap_or_default(), help.unwrap_or_default())
}

/// The text with a capital letter at its beginning.
pub fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_uppercase())
}
