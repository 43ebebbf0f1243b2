//! A causal tree as one self-contained HTML page.

use super::CausalRequest;
use super::summary::{
    causal_sentence, causal_tone, decisive_words, defence_words, fairness, property_words, statements,
    statistics,
};
use super::words::{ReasonWords, kind_title, reason_words, variant_title};
use crate::shared::verdict::steps;
use crate::traces::stepper::{Figure, trace_figure};
use crate::traces::trace_text::label_text;
use crate::writing::marks::{Marks, loop_marks};
use crate::writing::page::{SideList, capitalised, heading, how_found, page, question};
use classify::causes::kinds::CausalKind;
use classify::causes::tree::CausalTree;
use classify::causes::way::Way;
use lang::model::Position;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// The page.
pub fn causal_page(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let title = format!("{}: {}", request.problem.model().name, request.property.name);
    let body = html! {
        (heading(&title, causal_tone(tree), &causal_sentence(request, tree)))
        @if !tree.kinds.is_empty() { (contents(request, tree)) }
        @for line in statements(request, tree) { p { (capitalised(&line)) "." } }
        (defences(request, tree))
        (run_facts(request))
        @for (index, kind) in tree.kinds.iter().enumerate() {
            @let id = format!("kind-{}", index + 1);
            section id=(id) {
                h2 { (index + 1) "  " (kind_title(request, tree, kind)) }
                (kind_section(request, tree, kind, &id))
                @if let Some(words) = decisive_words(tree, index) { p { (capitalised(&words)) "." } }
            }
        }
        (how_found(&statistics(request, tree), request.rerun))
    };
    let titles = tree.kinds.iter().enumerate();
    let titles = titles.map(|(n, kind)| (format!("kind-{}", n + 1), kind_title(request, tree, kind)));
    page(&title, Some(&SideList { of: "kinds", sections: titles.collect() }), &body)
}

/// The table of the kinds, each with a link to its section.
fn contents(request: &CausalRequest<'_>, tree: &CausalTree) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Kinds of violation" { table.classes {
            tr { th.number scope="col" { "Kind" } th.number scope="col" { "Steps" } th scope="col" { "How it breaks" } }
            @for (index, kind) in tree.kinds.iter().enumerate() {
                tr {
                    td.number { (index + 1) }
                    td.number { (kind.steps()) }
                    td { a href={ "#kind-" (index + 1) } { (kind_title(request, tree, kind)) } }
                }
            }
        } }
    }
}

fn defences(request: &CausalRequest<'_>, tree: &CausalTree) -> Markup {
    let words = defence_words(request, tree);
    html! {
        @if !words.stops.is_empty() || words.sets.is_some() { h2 { "Defences" } }
        @if !words.stops.is_empty() {
            table.numbers {
                tr { th scope="col" { "Constant" } th scope="col" { "Stops kinds" } }
                @for (text, kinds) in &words.stops { tr { td { (text) } td.number { (kinds) } } }
            }
        }
        @if let Some(line) = &words.sets { p { (capitalised(&line.replace(" = ", "\u{a0}=\u{a0}"))) "." } }
    }
}

/// The question: the model with its constants, and the property.
fn run_facts(request: &CausalRequest<'_>) -> Markup {
    let rows = html! {
        dt { "Property" } dd { (property_words(request, true)) }
        @if let Some(doc) = request.property.doc.as_deref().filter(|_| request.display.charts.is_none()) {
            dt {} dd { (doc) }
        }
        @if let Some(fairness) = fairness(request) { dt { "Fairness" } dd { (capitalised(&fairness)) } }
    };
    question(request.problem.model(), request.file, &rows, request.warnings)
}

/// A kind: its shortest trace, the causes of its steps, other ways and variants.
fn kind_section(request: &CausalRequest<'_>, tree: &CausalTree, kind: &CausalKind, id: &str) -> Markup {
    let fold = |id: &str, summary: String, inner: Markup| {
        html! { details id=(id) { summary { (summary) } (inner) } }
    };
    html! {
        (way_section(request, &kind.ways[0], id))
        @for (at, way) in kind.ways.iter().enumerate().skip(1) {
            @let id = format!("{id}-way-{}", at + 1);
            (fold(&id, format!("Another way ({})", steps(way.trace.len())), way_section(request, way, &format!("{id}-trace"))))
        }
        @for (at, variant) in kind.variants.iter().enumerate() {
            @let id = format!("{id}-variant-{}", at + 1);
            @let summary = format!("Variant: {}", variant_title(request, tree, variant));
            (fold(&id, summary, kind_section(request, tree, variant, &format!("{id}-trace"))))
        }
    }
}

fn way_section(request: &CausalRequest<'_>, way: &Way, id: &str) -> Markup {
    let lasso = way.as_lasso();
    let marks = match &lasso {
        Some(lasso) => Marks { positions: Vec::new(), remarks: loop_marks(lasso) },
        None => {
            let mark = (way.trace.last(), format!("violates {}", request.property.name));
            Marks { positions: Vec::new(), remarks: vec![mark] }
        }
    };
    let loop_start = lasso.as_ref().map(|lasso| lasso.start);
    html! {
        (Causes::new(request, way, id).list())
        (trace_figure((request.problem.model(), &request.display), &Figure { id, trace: &way.trace, marks, loop_start }))
    }
}

/// The steps of a trace below those that they make possible.
struct Causes<'a> {
    request: &'a CausalRequest<'a>,
    way: &'a Way,
    id: &'a str,
    words: Vec<ReasonWords>,
    /// The steps that have been told, by number from 1.
    told: BTreeSet<usize>,
}

impl<'a> Causes<'a> {
    fn new(request: &'a CausalRequest<'a>, way: &'a Way, id: &'a str) -> Self {
        let words = reason_words(request.problem, &request.property.name, way);
        Self { request, way, id, words, told: BTreeSet::new() }
    }

    /// The list that begins with the violation; nothing where no step needs another one.
    fn list(mut self) -> Markup {
        if self.words.is_empty() {
            return html! {};
        }
        let last = self.way.trace.len();
        let whole = self.conditions(None);
        let roots: Vec<usize> = match &self.way.round {
            Some(round) => (round.start.index() + 1..=last).rev().collect(),
            None => vec![last],
        };
        let mut items = Vec::new();
        for root in roots {
            if !self.told.contains(&root) {
                items.push(self.step(root));
            }
        }
        html! {
            h3 { "Why each step is needed" }
            div.wide tabindex="0" role="group" aria-label="Why each step is needed" {
                ul.causes { (whole) @for item in &items { (item) } }
            }
        }
    }

    /// A step with the parts of its condition; only a link where it has been told above.
    fn step(&mut self, step: usize) -> Markup {
        let is_new = self.told.insert(step);
        let conditions = if is_new {
            self.conditions(Some(step))
        } else {
            html! {}
        };
        let label = label_text(self.request.problem.model(), &self.way.trace, Position::after(step));
        let head = html! { a href={ "#" (self.id) "/step-" (step) } { (step) " " span.formula { (label) } } };
        html! {
            li {
                (head)
                @if is_new && self.words.iter().any(|reason| reason.step == Some(step)) {
                    details open { summary { "needs" } ul { (conditions) } }
                }
            }
        }
    }

    /// The parts of the condition of a step, or of an infinite trace, each above the steps that it is due to.
    fn conditions(&mut self, step: Option<usize>) -> Markup {
        let words = self.words.clone().into_iter().filter(|reason| reason.step == step);
        let items: Vec<(String, Vec<Markup>)> = words
            .map(|reason| {
                let steps = reason.because.iter().rev().map(|&cause| self.step(cause)).collect();
                (reason.condition, steps)
            })
            .collect();
        html! {
            @for (condition, steps) in &items {
                li { span.formula { (condition) } " because of" ul { @for step in steps { (step) } } }
            }
        }
    }
}
