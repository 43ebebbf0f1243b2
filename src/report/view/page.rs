//! The view of a classification as one self-contained page.

use super::{CanonicalView, ClassView, CoverView, PairView, ResultView};
use crate::classes::necessary::FactList;
use crate::classes::numbers::NumberTable;
use crate::classes::overlap::Overlaps;
use crate::classes::shown::ShownTrace;
use crate::shared::images::images_section;
use crate::traces::stepper::trace_figure;
use crate::writing::page::{SideList, capitalised, heading, how_found, lines, page, prose, question};
use maud::{Markup, html};

impl ResultView<'_> {
    /// The page.
    pub fn page(&self) -> String {
        let title = format!("{}: {}", self.asked.model.name, self.asked.property.name);
        let body = html! {
            (heading(&title, self.tone, &self.sentence))
            @if !self.classes.is_empty() { (self.contents()) }
            (self.facts())
            @if let Some(compared) = &self.compared { (compared.section()) }
            @for (index, class) in self.classes.iter().enumerate() { (self.class_section(class, index + 1)) }
            @if let Some((heading, shown)) = &self.unclassified {
                h2 { (capitalised(heading)) " (" (shown.extent) ")" }
                (self.figure("unclassified", shown))
            }
            @if let Some(cover) = &self.cover { (self.cover_section(cover)) }
            @if let Some(pair) = &self.pair { (self.pair_section(pair)) }
            @if let Some(causes) = &self.causes {
                h2 { "Causes" }
                p { (capitalised(&causes.sentence)) "." }
                @for kind in &causes.elsewhere { p { "In no class: " (kind) } }
            }
            @for list in &self.necessary { (fact_list(list)) }
            @if let Some(overlaps) = &self.overlaps { (overlap_section(overlaps)) }
            @match &self.counts {
                None => {}
                Some(Err(why)) => { h2 { "Numbers of traces" } p { (capitalised(why)) "." } }
                Some(Ok((tables, method))) => {
                    h2 { "Numbers of traces" }
                    @for table in tables { (counts_table(table)) }
                    p { (capitalised(method)) ". Bars are on a logarithmic scale." }
                }
            }
            (how_found(&self.statistics, self.asked.rerun))
        };
        let titles = self.classes.iter().zip(&self.table.lines).enumerate();
        let sections = titles.map(|(index, (class, line))| {
            (format!("class-{}", index + 1), class.title.as_ref().unwrap_or(&line.constraint).clone())
        });
        page(&title, Some(&SideList { of: "classes", sections: sections.collect() }), &body)
    }

    /// The question and the model.
    fn facts(&self) -> Markup {
        let (model, property) = (self.asked.model, self.asked.property);
        let rows = html! {
            dt { "Property" } dd { (property.name) ": " (self.formula) }
            @if let Some(doc) = &property.doc { dt {} dd { (doc) } }
            @match self.asked.chosen {
                None => { dt { "Vocabulary" } dd { (self.asked.vocabulary.name) } }
                Some(chosen) => {
                    @for text in &chosen.predicates { dt { "Predicate" } dd { code { (text) } } }
                    dt { "Vocabulary" } dd { code { (chosen.declaration) } }
                }
            }
            @if let Some(chosen) = &self.chosen { dt { "Chosen" } dd { (capitalised(chosen)) } }
            @if let Some(within) = &self.within { dt { "Within" } dd { (within) } }
            @for (name, text) in &self.rows { dt { (capitalised(name)) } dd { (capitalised(text)) } }
        };
        question(model, self.asked.file, &rows, self.asked.warnings)
    }

    /// The table of the classes, each with a link to its section.
    fn contents(&self) -> Markup {
        let table = &self.table;
        html! {
            div.wide tabindex="0" role="group" aria-label="Classes" { table.classes {
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
            } }
        }
    }

    fn figure(&self, id: &str, shown: &ShownTrace<'_>) -> Markup {
        trace_figure((self.asked.model, &self.asked.display), &shown.figure(id))
    }

    fn class_section(&self, class: &ClassView<'_>, number: usize) -> Markup {
        let model = self.asked.model;
        let id = format!("class-{number}");
        html! {
            section id=(id) {
                h2 { "Class " (number) (class.remark) @if let Some(title) = &class.title { ": " (title) } }
                ((class.facts)(&class.shown.figure(&id)))
                (images_section(model, &class.images))
                @if !class.causes.is_empty() {
                    p { "By cause:" }
                    ul { @for kind in &class.causes { li { (kind) } } }
                }
                h3 { (capitalised(&class.heading)) " (" (class.shown.extent) (class.who) ")" }
                (self.figure(&id, &class.shown))
                @for sentence in &class.decisive { p { (capitalised(sentence)) "." } }
                @if let Some(needed) = &class.needed { ((needed.page)()) }
                @for (note, shown) in &class.notes {
                    p {
                        (prose(&capitalised(note)))
                        @match shown {
                            Some(shown) => { ": " (shown.labels(model)) }
                            None => { "." }
                        }
                    }
                }
                @if let CanonicalView::Other(heading, shown) = &class.canonical {
                    p { (capitalised(heading)) ": " (shown.labels(model)) }
                }
            }
        }
    }

    /// The parts of a cover beside its classes: combinations, facts that all counterexamples have, and a trace that is left over.
    fn cover_section(&self, cover: &CoverView<'_>) -> Markup {
        let classes = self.classes.len();
        html! {
            @if classes > 1 && !cover.combinations.is_empty() {
                h2 { "Classes that occur together" }
                div.wide tabindex="0" role="group" aria-label="Classes that occur together" { table.numbers {
                    tr {
                        @for number in 1..=classes { th scope="col" { "Class " (number) } }
                        th scope="col" { "Steps" }
                        th scope="col" { (cover.shortest) }
                    }
                    @for (together, shown) in &cover.combinations {
                        tr {
                            @for class in 0..classes { td { @if together.contains(&class) { "✓" } } }
                            td.number { (shown.steps()) }
                            td { (shown.labels(self.asked.model)) }
                        }
                    }
                } }
                @if let Some(more) = &cover.more { p { (capitalised(more)) "." } }
            }
            @if !cover.necessary.lines.is_empty() { (fact_list(&cover.necessary)) }
            @if !cover.skipped.is_empty() {
                p { "Not examined, because they have too many values: " (cover.skipped.join(", ")) "." }
            }
            @if let Some((heading, shown)) = &cover.remainder {
                h2 { "Remainder" }
                p { (capitalised(heading)) " (" (shown.extent) ")" }
                (self.figure("left-over", shown))
            }
        }
    }

    fn pair_section(&self, pair: &PairView<'_>) -> Markup {
        html! {
            section {
                h2 { (capitalised(pair.title)) }
                p { (lines(pair.advice.iter().map(String::as_str))) }
                @if let Some((_, beside)) = &pair.beside { (beside()) }
                @for (id, (heading, shown)) in ["violation", "accepted"].iter().zip(&pair.traces) {
                    h3 { (capitalised(heading)) " (" (shown.extent) ")" }
                    (self.figure(id, shown))
                }
            }
        }
    }
}

fn fact_list(list: &FactList) -> Markup {
    html! {
        h2 { (capitalised(&list.title)) }
        ul { @for line in &list.lines { li.formula { (line) } } }
    }
}

/// The matrix of the classes that overlap.
fn overlap_section(overlaps: &Overlaps) -> Markup {
    let link = |class: usize| html! { a href={ "#class-" (class + 1) } { "Class " (class + 1) } };
    html! {
        h2 { "Classes that overlap" }
        div.wide tabindex="0" role="group" aria-label="Classes that overlap" {
            table.matrix {
                tr { td {} @for class in 0..overlaps.cells.len() { th scope="col" { (link(class)) } } }
                @for (class, cells) in overlaps.cells.iter().enumerate() {
                    tr {
                        th scope="row" { (link(class)) }
                        @for (other, cell) in cells.iter().enumerate() {
                            td.own[class == other].shared[class != other && !cell.is_empty()] { (cell) }
                        }
                    }
                }
            }
        }
        p { (overlaps.meaning) }
    }
}

fn counts_table(table: &NumberTable) -> Markup {
    html! {
        h3 { (capitalised(&table.title)) }
        div.wide tabindex="0" role="group" aria-label=(table.title) {
            table.numbers {
                tr { @for head in &table.head { th scope="col" { (head) } } }
                @for (row, sizes) in table.rows.iter().zip(&table.sizes) {
                    tr {
                        th scope="row" { (row[0]) }
                        @for (cell, size) in row[1..].iter().zip(sizes) {
                            td.bar style=[size.map(|size| format!("--size:{size}%"))] { (cell) }
                        }
                    }
                }
            }
        }
    }
}
