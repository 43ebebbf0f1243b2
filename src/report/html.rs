//! A classification as one self-contained HTML page.

use super::beyond::{lasting_text, lengths_text, obstacle_text};
use super::causes::{Branch, cause_tree};
use super::class_table::class_table;
use super::classify_text::{
    alone, class_remark, left_over, resting_text, statistics_text, step_text, who_is_who,
};
use super::decisive::{decisive_places, right_words};
use super::necessary::necessary_lists;
use super::numbers::{Table, method_text, tables};
use super::page::{capitalised, lines, page, trace_figure, warning_text};
use super::verdict::{earliest, extent, steps};
use super::vocabulary::chosen_text;
use super::words::{constraint_words, fact_words};
use super::{ClassifyRequest, ClassifyVerdict, Marks, labels_line, verdict_sentence};
use crate::classify::{Atoms, Class, Classification, Cover, Names, TooWeak, Verdict, position_names};
use maud::{Markup, html};

/// The page.
pub fn html_page(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    page(&page_title(request), &body(request, result))
}

fn page_title(request: &ClassifyRequest<'_>) -> String {
    format!("{}: {}", request.model.name, request.property.name)
}

fn body(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let tone = match ClassifyVerdict::from(result) {
        ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded => "good",
        ClassifyVerdict::Undecided => "doubtful",
        _ => "bad",
    };
    let statistics = statistics_text(result, request.view.wording);
    html! {
        h1 { (page_title(request)) }
        p class={ "verdict " (tone) } { (verdict_sentence(result, &request.vocabulary.name, request.view.wording)) }
        (run_facts(request, result))
        @if result.classes.len() > 1 { (contents(request, result)) }
        @for (index, class) in result.classes.iter().enumerate() {
            (class_section(request, result, class, index + 1))
        }
        @if let Some(cover) = &result.cover { (cover_section(request, result, cover)) }
        @if let Verdict::TooWeak(weak) = &result.verdict { (too_weak_section(request, weak)) }
        (causes_section(request, result))
        @for list in necessary_lists(request, result) {
            h2 { (capitalised(&list.title)) }
            ul { @for line in &list.lines { li.formula { (line) } } }
        }
        (counts_section(result))
        h2 { "How it was found" }
        p { (lines(statistics.lines())) }
        p { "Command line:" }
        pre { (request.rerun) }
        footer { "cladist " (env!("CARGO_PKG_VERSION")) }
    }
}

/// What was asked, and of which model.
fn run_facts(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let (model, property) = (request.model, request.property);
    html! {
        dl {
            dt { "Model" } dd { (model.name) " (" (request.file) ")" }
            dt { "Property" }
            dd { (property.name) ": " (model.sources.snippet(request.invariant.span)) }
            @if let Some(doc) = &property.doc { dt {} dd { (doc) } }
            @match request.chosen {
                None => { dt { "Vocabulary" } dd { (request.vocabulary.name) } }
                Some(chosen) => {
                    dt { "Vocabulary" } dd { code { (chosen.declaration) } }
                    dt { "Chosen" } dd { (chosen_text(chosen, result)) }
                }
            }
            @if let Some(context) = result.cover.as_ref().and_then(|cover| cover.context.as_ref()) {
                dt { "Within" } dd { (context.show(model, &result.atoms)) }
            }
            @if let Some(lengths) = lengths_text(result) { dt { "Lengths" } dd { (lengths) } }
            @if let Some(lasting) = lasting_text(result) { dt { "Beyond" } dd { (capitalised(&lasting)) } }
            @for constant in &model.constants {
                dt { "Constant" }
                dd { (constant.name) " = " (model.types.show_value(&constant.value)) }
            }
            @for warning in request.warnings { dt { "Warning" } dd { (warning_text(model, warning)) } }
        }
    }
}

/// The table of the classes, each with a link to its section.
fn contents(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let table = class_table(request, result);
    html! {
        table.classes {
            tr {
                @for head in &table.number_heads { th.number scope="col" { (capitalised(head)) } }
                th scope="col" { "Constraint" }
                @if table.has_remarks() { th scope="col" { "Remarks" } }
            }
            @for (index, line) in table.lines.iter().enumerate() {
                tr {
                    @for number in &line.numbers { td.number { (number) } }
                    td { a href={ "#class-" (index + 1) } { (line.constraint) } }
                    @if table.has_remarks() { td { (line.remark.as_str()) } }
                }
            }
        }
    }
}

/// The tables of numbers of traces, if they were asked for.
fn counts_section(result: &Classification) -> Markup {
    html! {
        @match &result.counts {
            None => {}
            Some(Err(obstacle)) => {
                h2 { "Numbers of traces" }
                p { "Numbers of traces are not available: " (obstacle_text(obstacle)) "." }
            }
            Some(Ok(numbers)) => {
                h2 { "Numbers of traces" }
                @for table in tables(&numbers.counts, result.classes.len()) { (counts_table(&table)) }
                p { (capitalised(method_text(numbers.method))) "." }
            }
        }
    }
}

fn counts_table(table: &Table) -> Markup {
    html! {
        h3 { (capitalised(&table.title)) }
        table.numbers {
            @for row in std::iter::once(&table.head).chain(&table.rows) {
                tr { @for cell in row { td { (cell) } } }
            }
        }
    }
}

fn class_section(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    number: usize,
) -> Markup {
    let model = request.model;
    let names = class.constraint.names(model, &result.atoms);
    let violation = request.violation(&class.representative);
    let marks = marks(&names.positions, &class.assigned.positions, violation);
    let who = who_is_who(model, &names, &class.assigned);
    let canonical = class.canonical.as_ref().filter(|trace| **trace != class.representative);
    html! {
        section id={ "class-" (number) } {
            h2 { "Class " (number) (class_remark(result, number - 1)) }
            p.formula { (class.constraint.show(model, &result.atoms)) }
            ul { @for words in constraint_words(model, &result.atoms, &class.constraint) { li { (words) } } }
            h3 {
                (capitalised(&earliest(result.lengths, "of this class", request.view.wording)))
                " (" (steps(class.representative.len())) (who) ")"
            }
            (trace_figure((request.model, &request.view), &class.representative, &marks))
            @for place in decisive_places(request, number) {
                p { "At step " (place.position) ", " (right_words(place)) "." }
            }
            @if !class.needed.is_empty() && !class.constraint.facts.is_empty() {
                (necessity(request, &result.atoms, class, &names))
            }
            @if let Some(words) = step_text(class) { p { (capitalised(words)) "." } }
            @if let Some(longer) = result.rests_on_bound(number - 1) {
                p {
                    (capitalised(&resting_text(longer)))
                    @if let Some(trace) = &longer.trace { ": " (labels_line(model, trace)) }
                }
            }
            @if let Some(trace) = canonical {
                p {
                    (capitalised(&earliest(result.lengths, &alone(result), request.view.wording))) ": "
                    (labels_line(model, trace))
                }
            }
        }
    }
}

/// For each fact of a class, a trace that shows why it is needed.
fn necessity(request: &ClassifyRequest<'_>, atoms: &Atoms, class: &Class, names: &Names) -> Markup {
    html! {
        details {
            summary { "Why every fact is needed" }
            p { "These traces satisfy all other facts and " (request.view.wording.without()) "." }
            table {
                @for (fact, trace) in class.constraint.facts.iter().zip(&class.needed) {
                    tr {
                        td { "without: " (fact_words(request.model, atoms, fact, names)) }
                        td { (labels_line(request.model, trace)) }
                    }
                }
            }
        }
    }
}

/// Which classes of a cover occur together, and what is left over.
fn cover_section(request: &ClassifyRequest<'_>, result: &Classification, cover: &Cover) -> Markup {
    let violation = |trace| request.violation(trace);
    html! {
        @if result.classes.len() > 1 && !cover.combinations.is_empty() {
            h2 { "Classes that occur together" }
            table.numbers {
                tr {
                    @for number in 1..=result.classes.len() { th scope="col" { "Class " (number) } }
                    th scope="col" { "Steps" }
                    th scope="col" { "A shortest trace" }
                }
                @for combination in &cover.combinations {
                    tr {
                        @for class in 0..result.classes.len() {
                            td { @if combination.classes.contains(&class) { "✓" } }
                        }
                        td.number { (combination.trace.len()) }
                        td { (labels_line(request.model, &combination.trace)) }
                    }
                }
            }
            @if !cover.all { p { "There may be more." } }
        }
        @if !cover.necessary.is_empty() {
            h2 {
                (request.view.wording.choose("What every violating trace has", "What every trace that gets there has"))
            }
            ul {
                @for constraint in &cover.necessary {
                    li.formula { (constraint.show(request.model, &result.atoms)) }
                }
            }
        }
        @if !cover.skipped.is_empty() {
            p { "Not looked at, as they have too many values: " (cover.skipped.join(", ")) "." }
        }
        @if let Some(trace) = &cover.remainder {
            h2 { "What is left over" }
            p {
                (capitalised(&earliest(result.lengths, left_over(cover), request.view.wording)))
                " (" (steps(trace.len())) ")"
            }
            (trace_figure((request.model, &request.view), trace, &marks(&[], &[], violation(trace))))
        }
    }
}

/// The tree of causes, if it was asked for.
fn causes_section(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let tree = cause_tree(request, result);
    html! {
        @if !tree.is_empty() {
            h2 { "How the violations of " (extent(result.lengths)) " came about" }
            (branch_list(&tree))
        }
    }
}

fn branch_list(branches: &[Branch]) -> Markup {
    html! {
        ul.causes {
            @for branch in branches {
                li {
                    span.formula { (branch.head) }
                    @for note in &branch.notes { br; (note) }
                    @if !branch.branches.is_empty() { (branch_list(&branch.branches)) }
                }
            }
        }
    }
}

fn too_weak_section(request: &ClassifyRequest<'_>, weak: &TooWeak) -> Markup {
    let names = position_names(weak.constraint.positions);
    let all: Vec<usize> = (0..weak.counterexample.moments.len()).collect();
    let violation = request.violation(&weak.counterexample);
    html! {
        section {
            h2 { "These two traces share every fact of the vocabulary" }
            p { (lines(super::weakness::advice(request.model, weak, request.repairs).iter().map(String::as_str))) }
            div.pair {
                div {
                    h3 { "The violation" }
                    (trace_figure((request.model, &request.view), &weak.counterexample, &marks(&names, &all, violation)))
                }
                div {
                    h3 { "The accepted trace" }
                    (trace_figure((request.model, &request.view), &weak.accepting, &marks(&names, &weak.positions, None)))
                }
            }
        }
    }
}

fn marks<'a>(names: &'a [String], positions: &[usize], violation: Option<(usize, String)>) -> Marks<'a> {
    Marks {
        positions: names.iter().map(String::as_str).zip(positions.iter().copied()).collect(),
        violations: violation.into_iter().collect(),
    }
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
            for tag in ["html", "section", "table", "tr", "th", "td", "ul", "dl", "details", "div", "style"] {
                let opened =
                    page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
                assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag} in {name}");
            }
            assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("<script"));
            assert!(page.contains("&lt;toy&gt;.sts") && !page.contains("<toy>"));
        }
    }

    #[test]
    fn classes_are_listed_then_described_with_words_and_positions() {
        let page = page(Verdict::Complete);
        assert!(page.contains(
            "<tr><td class=\"number\">2</td><td class=\"number\">3</td>\
             <td><a href=\"#class-2\">∃ i, j ∈ [0..len(ρ)] : msgs.replay(i, j) ∧ sender@j = Eve ∧ i &lt; j</a></td></tr>"
        ));
        assert!(page.contains("<section id=\"class-2\">"));
        assert!(page.contains("<h3>A shortest counterexample of this class (3 steps)</h3>"));
        assert!(page.contains("<li>msgs.replay(i, j): The attacker sends again"));
        assert!(page.contains("<li>in this order: i, then j</li>"));
        assert!(page.contains(
            "<tr class=\"violation\"><td class=\"mark\">j</td><td class=\"step\">3</td>\
             <td><b>send(a=Eve)</b> <strong>← violates safe</strong>"
        ));
    }
}
