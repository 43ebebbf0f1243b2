//! A classification as one self-contained page.

use super::beyond::{lengths_text, obstacle_text};
use super::classify_text::{class_remark, statistics_text};
use super::evaluate::violation_mark;
use super::numbers::{method_text, tables};
use super::sequence::sequence_svg;
use super::trace_text::state_lines;
use super::verdict::earliest;
use super::words::{constraint_words, fact_words};
use super::{ClassifyRequest, ClassifyVerdict, Marks, Paint, View, labels_line, verdict_sentence};
use crate::classify::{Class, Classification, TooWeak, Verdict};
use crate::trace::Trace;
use std::fmt::Write;

const STYLE: &str = include_str!("html.css");

/// The page. The text of everything in it comes from the model or the results; nothing is loaded.
pub fn html_page(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    let mut out = String::new();
    let title = format!("{}: {}", request.model.name, request.property.name);
    let tone = match ClassifyVerdict::from(result) {
        ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded => "good",
        ClassifyVerdict::Undecided => "doubtful",
        _ => "bad",
    };
    let _ = writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
        escape(&title)
    );
    let _ = writeln!(out, "<h1>{}</h1>", escape(&title));
    let sentence = verdict_sentence(result, &request.vocabulary.name);
    let _ = writeln!(out, "<p class=\"verdict {tone}\">{}</p>", escape(&sentence));
    facts_of_the_run(&mut out, request, result);
    if result.classes.len() > 1 {
        out.push_str("<ol class=\"contents\">\n");
        for (index, class) in result.classes.iter().enumerate() {
            let words = constraint_words(request.model, &result.atoms, &class.constraint).join("; ");
            let _ = writeln!(out, "<li><a href=\"#class-{}\">{}</a></li>", index + 1, escape(&words));
        }
        out.push_str("</ol>\n");
    }
    for (index, class) in result.classes.iter().enumerate() {
        class_section(&mut out, request, result, class, index + 1);
    }
    if let Verdict::TooWeak(weak) = &result.verdict {
        too_weak_section(&mut out, request, weak);
    }
    counts_section(&mut out, result);
    let _ = writeln!(
        out,
        "<h2>How it was found</h2>\n<p>{}</p>",
        escape(&statistics_text(result)).replace('\n', "<br>")
    );
    let _ = writeln!(out, "<p>Again:</p>\n<pre>{}</pre>", escape(request.rerun));
    let _ = writeln!(out, "<footer>cladist {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"));
    out
}

fn facts_of_the_run(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification) {
    let model = request.model;
    out.push_str("<dl>\n");
    let mut entry = |name: &str, text: &str| {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(text));
    };
    entry("Model", &format!("{} ({})", model.name, request.file));
    entry(
        "Property",
        &format!("{}: {}", request.property.name, model.sources.snippet(request.invariant.span)),
    );
    if let Some(doc) = &request.property.doc {
        entry("", doc);
    }
    entry("Vocabulary", &request.vocabulary.name);
    if let Some(lengths) = lengths_text(result) {
        entry("Lengths", &lengths);
    }
    for constant in &model.constants {
        entry("Constant", &format!("{} = {}", constant.name, model.types.show_value(&constant.value)));
    }
    for warning in request.warnings {
        let place = warning.span.map(|s| format!(" ({})", model.sources.place(s))).unwrap_or_default();
        let help = warning.help.as_ref().map(|h| format!(" – {h}")).unwrap_or_default();
        entry("Warning", &format!("{}{place}{help}", warning.message));
    }
    out.push_str("</dl>\n");
}

/// The tables of numbers, if they were asked for.
fn counts_section(out: &mut String, result: &Classification) {
    let Some(numbers) = &result.counts else { return };
    out.push_str("<h2>How many there are</h2>\n");
    let numbers = match numbers {
        Ok(numbers) => numbers,
        Err(obstacle) => {
            let why = obstacle_text(obstacle);
            let _ = writeln!(out, "<p>Numbers of traces are not available: {}.</p>", escape(&why));
            return;
        }
    };
    for table in tables(&numbers.counts, result.classes.len()) {
        let _ = writeln!(out, "<h3>{}</h3>\n<table class=\"numbers\">", escape(&sentence(&table.title)));
        for row in std::iter::once(&table.head).chain(&table.rows) {
            let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
            let _ = writeln!(out, "<tr>{cells}</tr>");
        }
        out.push_str("</table>\n");
    }
    let _ = writeln!(out, "<p>{}.</p>", sentence(method_text(numbers.method)));
}

/// The text with a capital letter at its beginning.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_uppercase())
}

fn class_section(
    out: &mut String,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    number: usize,
) {
    let (model, atoms) = (request.model, &result.atoms);
    let names = class.constraint.names();
    let remark = class_remark(class);
    let _ = writeln!(out, "<section id=\"class-{number}\">\n<h2>Class {number}{remark}</h2>");
    let _ = writeln!(out, "<p class=\"formula\">{}</p>\n<ul>", escape(&class.constraint.show(model, atoms)));
    for words in constraint_words(model, atoms, &class.constraint) {
        let _ = writeln!(out, "<li>{}</li>", escape(&words));
    }
    out.push_str("</ul>\n");
    let violation = violation_mark(model, &request.property.name, request.invariant, &class.representative);
    let marks = marks(&names, &class.positions, violation);
    let _ = writeln!(out, "<h3>{}</h3>", sentence(&earliest(result.lengths, "of this class")));
    trace_figure(out, request, &class.representative, &marks);
    if !class.needed.is_empty() && !class.constraint.facts.is_empty() {
        out.push_str("<details><summary>Why nothing can be left out</summary>\n");
        out.push_str(
            "<p>Each of these traces satisfies all other facts and has no violation.</p>\n<table>\n",
        );
        for (fact, trace) in class.constraint.facts.iter().zip(&class.needed) {
            let _ = writeln!(
                out,
                "<tr><td>without: {}</td><td>{}</td></tr>",
                escape(&fact_words(model, atoms, fact, &names)),
                escape(&labels_line(model, trace))
            );
        }
        out.push_str("</table></details>\n");
    }
    if let Some(trace) = class.canonical.as_ref().filter(|t| **t != class.representative) {
        let _ = writeln!(
            out,
            "<p>{}: {}</p>",
            sentence(&earliest(result.lengths, "of this class alone")),
            escape(&labels_line(model, trace))
        );
    }
    out.push_str("</section>\n");
}

fn too_weak_section(out: &mut String, request: &ClassifyRequest<'_>, weak: &TooWeak) {
    let names = weak.constraint.names();
    let all: Vec<usize> = (0..weak.counterexample.moments.len()).collect();
    let violation =
        violation_mark(request.model, &request.property.name, request.invariant, &weak.counterexample);
    let _ = writeln!(out, "<section>\n<h2>These two traces share every fact of the vocabulary</h2>");
    let _ = writeln!(out, "<p>{}</p>", escape(&super::weakness::advice(request.model, weak)));
    let _ = writeln!(out, "<div class=\"pair\"><div><h3>The violation</h3>");
    trace_figure(out, request, &weak.counterexample, &marks(&names, &all, violation));
    let _ = writeln!(out, "</div><div><h3>The accepted trace</h3>");
    trace_figure(out, request, &weak.accepting, &marks(&names, &weak.positions, None));
    out.push_str("</div></div></section>\n");
}

fn marks<'a>(names: &'a [String], positions: &[usize], violation: Option<(usize, String)>) -> Marks<'a> {
    Marks {
        positions: names.iter().map(String::as_str).zip(positions.iter().copied()).collect(),
        violations: violation.into_iter().collect(),
    }
}

/// The drawn diagrams and the table of steps.
fn trace_figure(out: &mut String, request: &ClassifyRequest<'_>, trace: &Trace, marks: &Marks<'_>) {
    for diagram in &request.model.diagrams {
        if let Some(svg) = sequence_svg(request.model, diagram, trace, marks) {
            let _ = writeln!(out, "<figure>{svg}</figure>");
        }
    }
    out.push_str("<table class=\"trace\">\n");
    for at in 0..trace.moments.len() {
        step_row(out, request, trace, at, marks);
    }
    out.push_str("</table>\n");
}

fn step_row(out: &mut String, request: &ClassifyRequest<'_>, trace: &Trace, at: usize, marks: &Marks<'_>) {
    let model = request.model;
    let moment = &trace.moments[at];
    let names: Vec<&str> = marks.positions.iter().filter(|(_, p)| *p == at).map(|(n, _)| *n).collect();
    let label = moment.label.as_ref().map_or("first state".to_owned(), |l| model.show_label(l));
    let plain = View { paint: Paint::default(), ..request.view.clone() };
    let lines: Vec<String> = state_lines(model, trace, at, &plain).iter().map(|line| escape(line)).collect();
    let violation = marks.violation(at);
    let remark =
        violation.as_ref().map(|text| format!(" <strong>← {}</strong>", escape(text))).unwrap_or_default();
    let class = if violation.is_some() { " class=\"violation\"" } else { "" };
    let _ = writeln!(
        out,
        "<tr{class}><td class=\"mark\">{}</td><td class=\"step\">{at}</td><td><b>{}</b>{remark}<br>{}</td></tr>",
        escape(&names.join(", ")),
        escape(&label),
        lines.join("<br>")
    );
}

/// Text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn page(verdict: Verdict) -> String {
        let model = fixture::model();
        let rerun = "cladist classify '<toy>.sts'";
        let request = ClassifyRequest { file: "<toy>.sts", rerun, ..fixture::request(&model) };
        html_page(&request, &fixture::classification(verdict))
    }

    #[test]
    fn the_page_is_complete_balanced_and_loads_nothing() {
        for (verdict, name, _) in fixture::verdicts() {
            let page = page(verdict);
            for tag in ["html", "section", "table", "tr", "td", "ul", "ol", "dl", "details", "div", "style"] {
                let opened =
                    page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
                assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag} in {name}");
            }
            assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("<script"));
            assert!(page.contains("&lt;toy&gt;.sts") && !page.contains("<toy>"));
        }
    }

    #[test]
    fn classes_are_listed_with_words_and_positions() {
        let page = page(Verdict::Complete);
        assert!(page.contains("<a href=\"#class-2\">msgs.replay(i, j): The attacker sends again"));
        assert!(page.contains("<li>in this order: i, then j</li>"));
        assert!(page.contains(
            "<tr class=\"violation\"><td class=\"mark\">j</td><td class=\"step\">3</td>\
             <td><b>send(a=Eve)</b> <strong>← violates safe</strong>"
        ));
    }
}
